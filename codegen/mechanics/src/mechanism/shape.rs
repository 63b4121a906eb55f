//! What bodies look like: solids for pictures. Nothing in the equations depends on them.

use super::axis::AxisVector;
use super::formula::Formula;
use super::index::BodyId;
use super::model::Placement;

/// A solid on a body or on the ground.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// The body; `None`: the ground.
    pub body: Option<BodyId>,
    /// Its middle, and its axes, in the body frame; numbers and parameters.
    pub placement: Placement,
    /// What it is.
    pub solid: Solid,
}

/// A solid about its middle; lengths \[m\] of numbers and parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum Solid {
    /// Whole lengths along its axes.
    Box([Formula; 3]),
    /// A cylinder about an axis.
    Cylinder {
        /// Radius.
        radius: Formula,
        /// Whole length.
        length: Formula,
        /// The axis.
        axis: AxisVector,
    },
    /// Radius.
    Sphere(Formula),
}
