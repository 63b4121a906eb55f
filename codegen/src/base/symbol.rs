//! Symbols of joints and of constraints between bodies in a drawing: the vocabulary of pictures, which kinds choose from
//! and printers draw.

/// The symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum JointSymbol {
    Fixed,
    Revolute,
    Prismatic,
    Helical,
    Cylindrical,
    Universal,
    Planar,
    Spherical,
    Free,
    Direction,
}
