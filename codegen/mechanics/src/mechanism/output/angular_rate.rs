//! Output: reading of a gyroscope.

use super::kind::*;
use crate::mechanism::index::BodyId;
use crate::mechanism::model::Placement;
use dqdt_algebra::Scalar;

/// Reading of a gyroscope: angular velocity relative to the ground \[rad/s\], in the axes of the
/// sensor frame.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct AngularRate {
    /// Body on which the sensor is mounted.
    pub body: BodyId,
    /// Frame of the sensor on the body.
    pub point: Placement,
}

impl OutputForm for AngularRate {
    fn meaning(&self) -> Meaning<'_> {
        Meaning::OfPoint("angular rate (gyroscope)", self.body, &self.point, None, "rad/s")
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        vec![Dependence::Axes(Some(self.body))]
    }
}

impl OutputMechanics for AngularRate {
    const WORD: &'static str = "angular_rate";

    fn read(written: &mut dyn WrittenOutput) -> Option<Self> {
        Some(AngularRate { body: written.body()?, point: written.point() })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> Measured<S> {
        let w = state.angular_velocity(self.body);
        Measured::vector("rad/s", state.axes(&self.point).apply_transposed(w))
    }
}
