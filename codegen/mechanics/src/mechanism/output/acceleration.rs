//! Output: acceleration of a point relative to the ground.

use super::kind::*;
use crate::mechanism::ends::VectorFrame;
use crate::mechanism::index::{BodyId, JointId};
use crate::mechanism::model::Placement;
use dqdt_algebra::Scalar;

/// Output: acceleration of a point relative to the ground \[m/s²\].
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Acceleration {
    /// Body on which the point is fixed.
    pub body: BodyId,
    /// The point whose acceleration is the output.
    pub point: Placement,
    /// Axes in which the components of the acceleration are returned.
    pub frame: VectorFrame,
}

impl OutputForm for Acceleration {
    fn description(&self) -> OutputDescription<'_> {
        OutputDescription::OfPoint("acceleration", self.body, &self.point, Some(&self.frame), "m/s²")
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        std::iter::once(Dependence::Place(Some(self.body), &self.point))
            .chain(self.frame.orientation_dependence())
            .collect()
    }

    fn needs_accelerations(&self, _is_driven: &dyn Fn(JointId) -> bool) -> bool {
        true
    }
}

impl OutputMechanics for Acceleration {
    const WORD: &'static str = "acceleration";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        let frame = keys.read_axes();
        Some(Acceleration { body: keys.read_body()?, point: keys.read_point(), frame })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let x = state.point_acceleration(self.body, state.arm_to_point(self.body, &self.point));
        ValueWithUnit::with_vector_entries("m/s^2", state.rotate_body_to_frame(x, self.body, &self.frame))
    }
}
