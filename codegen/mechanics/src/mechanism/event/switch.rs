//! Event that assigns new values to user states where a formula crosses zero.

use super::kind::{EventContext, EventForm, EventKeys, EventMechanics, Outcome, Trigger, When};
use crate::mechanism::formula::Formula;
use dqdt_algebra::Scalar;

/// Event that assigns new values to user states where a formula crosses zero.
#[derive(Clone, PartialEq, Debug)]
pub struct Switch {
    /// The formula that crosses zero, and the direction of its crossing.
    pub when: When,
    /// Indices of user states and formulas of their new values, evaluated in the state just before
    /// the event.
    pub new_states: Vec<(usize, Formula)>,
}

impl EventForm for Switch {
    fn trigger(&self) -> Trigger<'_> {
        self.when.as_trigger()
    }

    fn outcome(&self) -> Outcome<'_> {
        Outcome::Passes(self.new_states.clone())
    }
}

impl EventMechanics for Switch {
    const WORD: &'static str = "switch";

    fn read(keys: &mut dyn EventKeys) -> Option<Self> {
        Some(Switch { when: keys.read_when(), new_states: keys.read_new_states() })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.evaluate_formula(&self.when.formula)
    }
}
