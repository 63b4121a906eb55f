//! Symbols of joints and of constraints between bodies in a drawing: the vocabulary of pictures, which kinds choose from
//! and printers draw.

/// The symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JointSymbol {
    /// Welded.
    Fixed,
    /// A hinge.
    Revolute,
    /// A slide.
    Prismatic,
    /// A screw.
    Helical,
    /// A hinge that also slides.
    Cylindrical,
    /// Two axes that cross.
    Universal,
    /// Sliding and turning on a plane.
    Planar,
    /// A ball.
    Spherical,
    /// No joint.
    Free,
    /// A direction on the sphere.
    Direction,
}
