//! A user state that counts how often a formula crosses zero.

use super::kind::*;
use crate::mechanism::environment::Variable;
use crate::mechanism::formula::Formula;
use dqdt_algebra::Scalar;

/// See the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    /// The formula that crosses zero.
    pub when: When,
    /// The user state that counts.
    pub counter: usize,
}

impl EventForm for Count {
    fn trigger(&self) -> Trigger<'_> {
        self.when.trigger()
    }

    fn outcome(&self) -> Outcome<'_> {
        let before = Formula::Variable(Variable::State(self.counter));
        Outcome::Passes(vec![(self.counter, Formula::Add(Box::new(before), Box::new(Formula::ONE)))])
    }
}

impl EventMechanics for Count {
    const WORD: &'static str = "count";

    fn read(written: &mut dyn WrittenEvent) -> Option<Self> {
        let when = written.when();
        Some(Count { when, counter: written.state("counter")? })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.value_of(&self.when.formula)
    }
}
