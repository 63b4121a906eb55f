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
    fn meaning(&self) -> OutputDescription<'_> {
        OutputDescription::OfPoint("velocity", self.body, &self.point, Some(&self.frame), "m/s")
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        std::iter::once(Dependence::Place(Some(self.body), &self.point)).chain(self.frame.axes()).collect()
    }
}

impl OutputMechanics for Velocity {
    const WORD: &'static str = "velocity";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        let frame = keys.axes();
        Some(Velocity { body: keys.body()?, point: keys.point(), frame })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let x = state.velocity(self.body, state.arm(self.body, &self.point));
        ValueWithUnit::vector("m/s", state.body_to_frame(x, self.body, &self.frame))
    }
}
