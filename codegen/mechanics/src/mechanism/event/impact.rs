//! Event: frictionless impact of a point of a body on a plane.

use super::gap::Gap;
use super::kind::{
    Crossing, EventContext, EventForm, EventFunction, EventKeys, EventMechanics, FormulaNames, Outcome,
    Trigger,
};
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Scalar};

/// Event of a frictionless impact of a point on a plane: the normal speed is reversed and
/// multiplied by the restitution.
#[derive(Clone, PartialEq, Debug)]
pub struct Impact {
    /// The point and the plane whose distance triggers the impact at zero.
    pub gap: Box<Gap>,
    /// Coefficient of restitution, from 0 to 1: normal speed after the impact over that before.
    pub restitution: Formula,
}

impl EventForm for Impact {
    fn trigger(&self) -> Trigger<'_> {
        let (function, dimension) = (EventFunction::Gap(&self.gap), Some(Dimension::LENGTH));
        Trigger { function, dimension, crossing: Crossing::Falling }
    }

    fn outcome(&self) -> Outcome<'_> {
        Outcome::Bounces(&self.restitution)
    }

    fn function_noun(&self) -> &'static str {
        "gap"
    }
}

impl EventMechanics for Impact {
    const WORD: &'static str = "impact";

    fn read(keys: &mut dyn EventKeys) -> Option<Self> {
        let restitution = keys.read_restitution();
        let radius =
            keys.read_formula("radius", "the radius", FormulaNames::Parameters, Some(Dimension::LENGTH));
        Some(Impact { gap: Box::new(keys.read_gap(radius)?), restitution })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.gap_distance(&self.gap)
    }
}
