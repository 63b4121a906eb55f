//! Event: impact of a joint on a stop at the end of its range.

use super::kind::{
    Crossing, EventContext, EventForm, EventFunction, EventKeys, EventMechanics, FormulaNames, Outcome,
    Trigger,
};
use crate::mechanism::environment::Variable;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Scalar};

/// Event of a joint that hits a stop: the rate of its coordinate is reversed and multiplied by the
/// restitution.
#[derive(Clone, PartialEq, Debug)]
pub struct JointStop {
    /// Distance of the coordinate from the stop, positive inside the joint's range.
    pub distance: Formula,
    /// Dimension of the coordinate: length or angle.
    pub dimension: Dimension,
    /// Coefficient of restitution, from 0 to 1: magnitude of the rate after the impact over that
    /// before.
    pub restitution: Formula,
}

impl EventForm for JointStop {
    fn trigger(&self) -> Trigger<'_> {
        let (function, dimension) = (EventFunction::Formula(&self.distance), Some(self.dimension));
        Trigger { function, dimension, crossing: Crossing::Falling }
    }

    fn outcome(&self) -> Outcome<'_> {
        Outcome::Bounces(&self.restitution)
    }
}

impl EventMechanics for JointStop {
    const WORD: &'static str = "joint_stop";

    fn read(keys: &mut dyn EventKeys) -> Option<Self> {
        let coordinate = keys.read_coordinate();
        let dimension = coordinate.map(|(_, dimension)| dimension);
        let end = keys.read_formula("at", "`at`", FormulaNames::Parameters, dimension);
        let restitution = keys.read_restitution();
        let (coordinate, dimension) = coordinate?;
        let q = Formula::Variable(Variable::Coordinate(coordinate));
        let (above, below) = if keys.read_word("side")? == "upper" { (end, q) } else { (q, end) };
        let distance = Formula::Sub(Box::new(above), Box::new(below));
        Some(JointStop { distance, dimension, restitution })
    }

    fn value<S: Scalar>(&self, state: &dyn EventContext<S>) -> S {
        state.evaluate_formula(&self.distance)
    }
}
