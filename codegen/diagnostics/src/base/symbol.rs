//! Symbols for joints, and for constraints between bodies, in a drawing. Each type of joint or
//! constraint selects one; the printers of pictures draw them.

/// Symbol for a joint or a constraint between two bodies in a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JointSymbol {
    /// Drawn as a weld: no relative motion.
    Fixed,
    /// Drawn as a hinge: rotation about one axis.
    Revolute,
    /// Drawn as a slider: translation along one axis.
    Prismatic,
    /// Drawn as a screw: rotation and translation coupled by a lead.
    Helical,
    /// Drawn as a hinge whose parts also slide along its axis.
    Cylindrical,
    /// Drawn as a Cardan joint: rotation about two intersecting axes.
    Universal,
    /// Drawn as a planar joint: translation in a plane and rotation about its normal.
    Planar,
    /// Drawn as a ball joint: rotation about a point.
    Spherical,
    /// Drawn as no connection: six degrees of freedom.
    Free,
    /// Drawn as a direction in space, a point of the unit sphere.
    Direction,
}
