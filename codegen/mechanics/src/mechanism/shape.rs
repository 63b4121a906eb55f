//! Shapes of bodies: solids for pictures. The equations do not depend on them.

use super::axis::AxisVector;
use super::formula::Formula;
use super::index::BodyId;
use super::model::Placement;

/// A solid fixed on a body or on the ground, for drawings.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// The body that carries the solid; `None` for the ground.
    pub body: Option<BodyId>,
    /// Centre and axes of the solid in the body frame; formulas of numbers and parameters.
    pub placement: Placement,
    /// Geometric form of the solid with its lengths.
    pub solid: Solid,
}

/// A solid centred at its origin; lengths \[m\] are formulas of numbers and parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum Solid {
    /// A box centred at the origin, with its full edge lengths along x, y and z.
    Box([Formula; 3]),
    /// A cylinder along an axis, centred at the origin.
    Cylinder {
        /// Radius of the cylinder \[m\].
        radius: Formula,
        /// Full length of the cylinder, along `axis` \[m\].
        length: Formula,
        /// Direction of the cylinder's axis.
        axis: AxisVector,
    },
    /// A sphere with this radius \[m\].
    Sphere(Formula),
}
