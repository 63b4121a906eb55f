//! End of the motion where a formula crosses zero.

use super::kind::{Condition, Crossing, EventContext, EventForm, EventMechanics, Outcome, WrittenEvent};
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Scalar};

/// See the module.
#[derive(Clone, PartialEq, Debug)]
pub struct End {
    /// The function that crosses zero.
    pub when: Formula,
    /// Its dimension, as far as it is known.
    pub dimension: Option<Dimension>,
    /// The direction.
    pub crossing: Crossing,
}

impl EventForm for End {
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
        Outcome::Ends
    }
}

impl EventMechanics for End {
    const WORD: &'static str = "end";

    fn read(written: &mut dyn WrittenEvent) -> Option<Self> {
        let (when, dimension) = written.when();
        Some(End { when, dimension, crossing: written.crossing() })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.value_of(&self.when)
    }
}
