//! Output: velocity of a point relative to the ground.

use super::kind::*;
use crate::mechanism::ends::VectorFrame;
use crate::mechanism::index::BodyId;
use crate::mechanism::model::Placement;
use dqdt_algebra::Scalar;

/// Output: velocity of a point relative to the ground \[m/s\].
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Velocity {
    /// Body on which the point is fixed.
    pub body: BodyId,
    /// The point whose velocity is the output.
    pub point: Placement,
    /// Axes in which the components of the velocity are returned.
    pub frame: VectorFrame,
}

impl OutputForm for Velocity {
    fn description(&self) -> OutputDescription<'_> {
        OutputDescription::OfPoint("velocity", self.body, &self.point, Some(&self.frame), "m/s")
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        std::iter::once(Dependence::Place(Some(self.body), &self.point))
            .chain(self.frame.orientation_dependence())
            .collect()
    }
}

impl OutputMechanics for Velocity {
    const WORD: &'static str = "velocity";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        let frame = keys.read_axes();
        Some(Velocity { body: keys.read_body()?, point: keys.read_point(), frame })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let x = state.point_velocity(self.body, state.arm_to_point(self.body, &self.point));
        ValueWithUnit::with_vector_entries("m/s", state.rotate_body_to_frame(x, self.body, &self.frame))
    }
}
