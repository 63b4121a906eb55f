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
    fn meaning(&self) -> OutputDescription<'_> {
        OutputDescription::OfPoint("acceleration", self.body, &self.point, Some(&self.frame), "m/s²")
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        std::iter::once(Dependence::Place(Some(self.body), &self.point)).chain(self.frame.axes()).collect()
    }

    fn needs_accelerations(&self, _is_driven: &dyn Fn(JointId) -> bool) -> bool {
        true
    }
}

impl OutputMechanics for Acceleration {
    const WORD: &'static str = "acceleration";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        let frame = keys.axes();
        Some(Acceleration { body: keys.body()?, point: keys.point(), frame })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let x = state.acceleration(self.body, state.arm(self.body, &self.point));
        ValueWithUnit::vector("m/s^2", state.body_to_frame(x, self.body, &self.frame))
    }
}
