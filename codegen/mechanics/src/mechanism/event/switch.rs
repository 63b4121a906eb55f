//! New values of user states where a formula crosses zero.

use super::kind::{EventContext, EventForm, EventMechanics, Outcome, Trigger, When, WrittenEvent};
use crate::mechanism::formula::Formula;
use dqdt_algebra::Scalar;

/// See the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Switch {
    /// The formula that crosses zero.
    pub when: When,
    /// User states and their new values, of the state right before.
    pub new_states: Vec<(usize, Formula)>,
}

impl EventForm for Switch {
    fn trigger(&self) -> Trigger<'_> {
        self.when.trigger()
    }

    fn outcome(&self) -> Outcome<'_> {
        Outcome::Passes(self.new_states.clone())
    }
}

impl EventMechanics for Switch {
    const WORD: &'static str = "switch";

    fn read(written: &mut dyn WrittenEvent) -> Option<Self> {
        Some(Switch { when: written.when(), new_states: written.new_states() })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.value_of(&self.when.formula)
    }
}
