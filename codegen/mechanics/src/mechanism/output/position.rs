//! Output: position of a point from the ground's origin.

use super::kind::*;
use crate::mechanism::ends::VectorFrame;
use crate::mechanism::index::BodyId;
use crate::mechanism::model::Placement;
use dqdt_algebra::Scalar;

/// Output: position of a point from the ground's origin \[m\].
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Position {
    /// Body on which the point is fixed.
    pub body: BodyId,
    /// The point whose position is the output.
    pub point: Placement,
    /// Axes in which the components of the position are returned.
    pub frame: VectorFrame,
}

impl OutputForm for Position {
    fn description(&self) -> OutputDescription<'_> {
        OutputDescription::OfPoint("position", self.body, &self.point, Some(&self.frame), "m")
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        std::iter::once(Dependence::Place(Some(self.body), &self.point))
            .chain(self.frame.orientation_dependence())
            .collect()
    }
}

impl OutputMechanics for Position {
    const WORD: &'static str = "position";

    fn read(keys: &mut dyn OutputKeys) -> Option<Self> {
        let frame = keys.read_axes();
        Some(Position { body: keys.read_body()?, point: keys.read_point(), frame })
    }

    fn value<S: Scalar>(&self, state: &dyn OutputContext<S>) -> ValueWithUnit<S> {
        let x = state.point_position(self.body, state.arm_to_point(self.body, &self.point));
        ValueWithUnit::with_vector_entries("m", state.rotate_ground_to_frame(x, &self.frame))
    }
}
