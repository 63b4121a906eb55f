//! An event that increases a user state each time a formula crosses zero.

use super::kind::*;
use crate::mechanism::environment::Variable;
use crate::mechanism::formula::Formula;
use dqdt_algebra::Scalar;

/// An event of type `count`, which increases a user state at zero crossings.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    /// The formula whose zero crossing triggers the event.
    pub when: When,
    /// Index of the user state that is increased.
    pub counter: usize,
    /// The increment, evaluated at the state just before the event.
    pub step: Formula,
}

impl EventForm for Count {
    fn trigger(&self) -> Trigger<'_> {
        self.when.as_trigger()
    }

    fn outcome(&self) -> Outcome<'_> {
        let before = Formula::Variable(Variable::State(self.counter));
        let after = Formula::Add(Box::new(before), Box::new(self.step.clone()));
        Outcome::Passes(vec![(self.counter, after)])
    }
}

impl EventMechanics for Count {
    const WORD: &'static str = "count";

    fn read(keys: &mut dyn EventKeys) -> Option<Self> {
        let when = keys.read_when();
        let counter = keys.read_user_state("counter");
        let dimension = counter.and_then(|(_, dimension)| dimension);
        let step = keys.read_formula("step", "the step", FormulaNames::All, dimension);
        Some(Count { when, counter: counter?.0, step })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.evaluate_formula(&self.when.formula)
    }
}
