//! Output: reading of a gyroscope.

use super::kind::*;
use crate::mechanism::index::BodyId;
use crate::mechanism::model::Placement;
use dqdt_algebra::Scalar;

/// Output: reading of a gyroscope, the angular velocity relative to the ground \[rad/s\] in the
/// axes of the sensor frame.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct AngularRate {
    /// Body on which the sensor is mounted.
    pub body: BodyId,
    /// Placement of the sensor frame on the body.
    pub point: Placement,
}

impl OutputForm for AngularRate {
    fn description(&self) -> OutputDescription<'_> {
        OutputDescription::OfPoint("angular rate (gyroscope)", self.body, &self.point, None, "rad/s")
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        vec![Dependence::Axes(Some(self.body))]
    }
}

impl OutputMechanics for AngularRate {
    const WORD: &'static str = "angular_rate";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        Some(AngularRate { body: keys.read_body()?, point: keys.read_point() })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let w = state.angular_velocity(self.body);
        ValueWithUnit::with_vector_entries("rad/s", state.frame_rotation(&self.point).apply_transposed(w))
    }
}
