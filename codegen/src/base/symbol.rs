//! What a drawing shows of a joint or of a constraint between bodies: the vocabulary of pictures, which kinds choose from
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
