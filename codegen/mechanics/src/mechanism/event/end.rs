//! Event that ends the motion where a formula crosses zero.

use super::kind::{EventContext, EventForm, EventKeys, EventMechanics, Outcome, Trigger, When};
use dqdt_algebra::Scalar;

/// Event that ends the motion where a formula crosses zero.
#[derive(Clone, PartialEq, Debug)]
pub struct End {
    /// The formula that crosses zero, and the direction of its crossing.
    pub when: When,
}

impl EventForm for End {
    fn trigger(&self) -> Trigger<'_> {
        self.when.as_trigger()
    }

    fn outcome(&self) -> Outcome<'_> {
        Outcome::Ends
    }
}

impl EventMechanics for End {
    const WORD: &'static str = "end";

    fn read(keys: &mut dyn EventKeys) -> Option<Self> {
        Some(End { when: keys.read_when() })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.evaluate_formula(&self.when.formula)
    }
}
