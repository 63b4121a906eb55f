//! Output: reading of an accelerometer, which is acceleration minus gravity.
//!
//! Computed from accelerations relative to free fall, so that gravity cancels exactly for falling
//! bodies.

use super::kind::*;
use crate::mechanism::index::{BodyId, JointId};
use crate::mechanism::model::Placement;
use dqdt_algebra::Scalar;

/// Output: reading of an accelerometer, acceleration minus gravity \[m/s²\], in the axes of the
/// sensor frame.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct SpecificForce {
    /// Body on which the sensor is mounted.
    pub body: BodyId,
    /// Placement of the sensor frame on the body.
    pub point: Placement,
}

impl OutputForm for SpecificForce {
    fn description(&self) -> OutputDescription<'_> {
        OutputDescription::OfPoint("specific force (accelerometer)", self.body, &self.point, None, "m/s²")
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        vec![Dependence::Place(Some(self.body), &self.point), Dependence::Axes(Some(self.body))]
    }

    fn needs_accelerations(&self, _is_driven: &dyn Fn(JointId) -> bool) -> bool {
        true
    }
}

impl OutputMechanics for SpecificForce {
    const WORD: &'static str = "specific_force";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        Some(SpecificForce { body: keys.read_body()?, point: keys.read_point() })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let x = state.specific_force(self.body, state.arm_to_point(self.body, &self.point));
        ValueWithUnit::with_vector_entries("m/s^2", state.frame_rotation(&self.point).apply_transposed(x))
    }
}
