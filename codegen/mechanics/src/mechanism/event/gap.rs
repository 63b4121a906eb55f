//! Distance of a point from a plane.

use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Dependence;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::BodyId;
use crate::mechanism::model::Placement;

/// A point of a body, or a ball around it, above a plane. Its distance triggers an impact.
#[derive(Clone, PartialEq, Debug)]
pub struct Gap {
    /// Body with the point.
    pub body: BodyId,
    /// The point, placed on that body.
    pub point: Placement,
    /// Body with the plane; `None` for the ground.
    pub plane: Option<BodyId>,
    /// A frame whose origin is on the plane.
    pub origin: Placement,
    /// Normal of the plane, pointing to the free side, in the axes of `origin`.
    pub normal: AxisVector,
    /// Radius of a ball around the point \[m\]: a formula of numbers and parameters.
    pub radius: Formula,
}

impl Gap {
    /// Properties of the bodies' poses that the distance uses.
    #[doc(hidden)]
    pub fn depends_on(&self) -> [Dependence<'_>; 3] {
        [
            Dependence::Place(Some(self.body), &self.point),
            Dependence::Place(self.plane, &self.origin),
            Dependence::Direction(self.plane, &self.origin.rotation, self.normal),
        ]
    }
}
