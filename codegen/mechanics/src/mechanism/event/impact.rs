//! Impact of a point of a body on a plane, without friction.

use super::gap::Gap;
use super::kind::{
    Condition, Crossing, EventContext, EventForm, EventMechanics, FormulaNames, Outcome, Trigger,
    WrittenEvent,
};
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Scalar};

/// See the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Impact {
    /// The point and the plane.
    pub gap: Box<Gap>,
    /// Share of the normal speed that it leaves with.
    pub restitution: Formula,
}

impl EventForm for Impact {
    fn trigger(&self) -> Trigger<'_> {
        let (condition, dimension) = (Condition::Gap(&self.gap), Some(Dimension::LENGTH));
        Trigger { condition, dimension, crossing: Crossing::Falling }
    }

    fn outcome(&self) -> Outcome<'_> {
        Outcome::Bounces(&self.restitution)
    }

    fn noun(&self) -> &'static str {
        "gap"
    }
}

impl EventMechanics for Impact {
    const WORD: &'static str = "impact";

    fn read(written: &mut dyn WrittenEvent) -> Option<Self> {
        let restitution = written.restitution();
        let radius =
            written.formula("radius", "the radius", FormulaNames::Parameters, Some(Dimension::LENGTH));
        Some(Impact { gap: Box::new(written.gap(radius)?), restitution })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.distance(&self.gap)
    }
}
