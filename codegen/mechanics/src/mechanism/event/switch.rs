//! New values of user states where a formula crosses zero.

use super::kind::{Condition, Crossing, EventContext, EventForm, EventMechanics, Outcome, WrittenEvent};
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Scalar};

/// See the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Switch {
    /// The function that crosses zero.
    pub when: Formula,
    /// Its dimension, as far as it is known.
    pub dimension: Option<Dimension>,
    /// The direction.
    pub crossing: Crossing,
    /// User states and their new values, of the state right before.
    pub new_states: Vec<(usize, Formula)>,
}

impl EventForm for Switch {
    fn condition(&self) -> Condition<'_> {
        Condition::Formula(&self.when)
    }

    fn dimension(&self) -> Option<Dimension> {
        self.dimension
    }

    fn crossing(&self) -> Crossing {
        self.crossing
    }

    fn outcome(&self) -> Outcome<'_> {
        Outcome::Passes(self.new_states.clone())
    }
}

impl EventMechanics for Switch {
    const WORD: &'static str = "switch";

    fn read(written: &mut dyn WrittenEvent) -> Option<Self> {
        let (when, dimension) = written.when();
        let new_states = written.new_states();
        Some(Switch { when, dimension, crossing: written.crossing(), new_states })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.value_of(&self.when)
    }
}
