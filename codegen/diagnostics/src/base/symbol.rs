//! Symbols for joints, and for constraints between bodies, in a drawing. Each type of joint or
//! constraint selects one; the printers of pictures draw them.

/// Symbol for a joint or a constraint between two bodies in a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JointSymbol {
    /// A weld: no relative motion.
    Fixed,
    /// A hinge: rotation about one axis.
    Revolute,
    /// A slider: translation along one axis.
    Prismatic,
    /// A screw: rotation and translation coupled by a lead.
    Helical,
    /// A hinge whose parts also slide along its axis.
    Cylindrical,
    /// Two intersecting axes (Cardan joint).
    Universal,
    /// Translation in a plane and rotation about its normal.
    Planar,
    /// A ball joint.
    Spherical,
    /// Six degrees of freedom: no connection.
    Free,
    /// A direction in space, a point of the unit sphere.
    Direction,
}
