//! A user state that grows by the value of a formula, each time another one crosses zero.

use super::kind::*;
use crate::mechanism::environment::Variable;
use crate::mechanism::formula::Formula;
use dqdt_algebra::Scalar;

/// See the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    /// The formula that crosses zero.
    pub when: When,
    /// The user state that grows.
    pub counter: usize,
    /// Its growth, of the state right before.
    pub step: Formula,
}

impl EventForm for Count {
    fn trigger(&self) -> Trigger<'_> {
        self.when.trigger()
    }

    fn outcome(&self) -> Outcome<'_> {
        let before = Formula::Variable(Variable::State(self.counter));
        let after = Formula::Add(Box::new(before), Box::new(self.step.clone()));
        Outcome::Passes(vec![(self.counter, after)])
    }
}

impl EventMechanics for Count {
    const WORD: &'static str = "count";

    fn read(written: &mut dyn WrittenEvent) -> Option<Self> {
        let when = written.when();
        let counter = written.state("counter");
        let dimension = counter.and_then(|(_, dimension)| dimension);
        let step = written.formula("step", "the step", FormulaNames::All, dimension);
        Some(Count { when, counter: counter?.0, step })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.value_of(&self.when.formula)
    }
}
