//! Distance of a point from a plane.

use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Dependence;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::BodyId;
use crate::mechanism::model::Placement;

/// Distance of a point of a body, or of a ball around it, from a plane. Reaching zero triggers an
/// impact.
#[derive(Clone, PartialEq, Debug)]
pub struct Gap {
    /// Body with the point that hits the plane.
    pub body: BodyId,
    /// Placement of the point on its body.
    pub point: Placement,
    /// Body on which the plane is fixed; `None` for the ground.
    pub plane: Option<BodyId>,
    /// Placement of a frame whose origin is on the plane.
    pub origin: Placement,
    /// Normal of the plane, pointing to the free side, in the axes of `origin`.
    pub normal: AxisVector,
    /// Radius of a ball around the point \[m\], zero for the point alone: a formula of numbers and
    /// parameters.
    pub radius: Formula,
}

impl Gap {
    /// Properties of the bodies' poses that the distance uses.
    #[doc(hidden)]
    pub fn pose_dependences(&self) -> [Dependence<'_>; 3] {
        [
            Dependence::Place(Some(self.body), &self.point),
            Dependence::Place(self.plane, &self.origin),
            Dependence::Direction(self.plane, &self.origin.rotation, self.normal),
        ]
    }
}
