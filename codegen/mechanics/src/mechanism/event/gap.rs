//! The distance of a point from a plane.

use crate::mechanism::axis::AxisVector;
use crate::mechanism::ends::Dependence;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::BodyId;
use crate::mechanism::model::Placement;

/// A point of a body over a plane.
#[derive(Clone, PartialEq, Debug)]
pub struct Gap {
    /// Body with the point.
    pub body: BodyId,
    /// The point.
    pub point: Placement,
    /// Body with the plane; `None`: the ground.
    pub plane: Option<BodyId>,
    /// A point of the plane.
    pub origin: Placement,
    /// Out of the plane, in the axes of `origin`.
    pub normal: AxisVector,
    /// Of a ball around the point \[m\]; numbers and parameters.
    pub radius: Formula,
}

impl Gap {
    /// What the distance depends on.
    #[doc(hidden)]
    pub fn depends_on(&self) -> [Dependence<'_>; 3] {
        [
            Dependence::Place(Some(self.body), &self.point),
            Dependence::Place(self.plane, &self.origin),
            Dependence::Direction(self.plane, &self.origin.rotation, self.normal),
        ]
    }
}
