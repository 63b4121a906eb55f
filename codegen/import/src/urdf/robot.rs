//! Data model of a robot in URDF.

use crate::robot::decimal::{Decimal, Triple};
use crate::robot::relevance::Loss;
use dqdt_diagnostics::base::Span;

/// An `<origin>` of a URDF: the pose of a frame in another frame.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Origin {
    pub xyz: Triple,
    /// Rotations `rpy` about the fixed axes x, y, z, in this order \[rad\].
    pub rpy: Triple,
    pub span: Option<Span>,
}

impl Origin {
    /// The identity, the pose of an element without an `<origin>`.
    pub fn identity() -> Self {
        let zero = [0.0; 3].map(Decimal::from_f64);
        Origin { xyz: zero.clone(), rpy: zero, span: None }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Inertial {
    pub origin: Origin,
    pub mass: Decimal,
    /// Inertia tensor about the centre of mass, in the axes of `origin`: xx, yy, zz, xy, xz, yz.
    pub inertia: [Decimal; 6],
}

/// A solid of a `<visual>`, centred at its origin, with its axis along z.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum VisualSolid {
    /// A box: full lengths of its sides.
    Box(Triple),
    /// A cylinder: its radius and full length.
    Cylinder(Decimal, Decimal),
    Sphere(Decimal),
}

/// A solid of a `<visual>` on a link, for drawings.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Visual {
    pub origin: Origin,
    pub solid: VisualSolid,
    /// Position of the centre of the solid along z of `origin` \[m\]; not zero for a cap of a
    /// capsule.
    pub shift: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Link {
    pub name: String,
    pub span: Span,
    pub inertial: Option<Inertial>,
    pub visuals: Vec<Visual>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UrdfJointKind {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    Planar,
    Floating,
    /// A ball joint. It only comes from a side file, because URDF has no such type.
    Spherical,
    /// A universal joint: rotations about two axes of its frame (0, 1, 2 for x, y, z); the first
    /// one also rotates the second axis.
    Universal([usize; 2]),
}

impl UrdfJointKind {
    /// True for a joint whose only coordinate is an angle: revolute or continuous.
    pub fn turns_about_one_axis(self) -> bool {
        matches!(self, UrdfJointKind::Revolute | UrdfJointKind::Continuous)
    }

    /// True for a joint that rotates about one axis, and may also translate normal to it; loops of
    /// such joints may be planar.
    pub fn turns_in_a_plane(self) -> bool {
        self.turns_about_one_axis() || self == UrdfJointKind::Planar
    }

    /// True for a joint with exactly one coordinate: revolute, continuous or prismatic.
    pub fn has_one_coordinate(self) -> bool {
        self.turns_about_one_axis() || self == UrdfJointKind::Prismatic
    }

    /// True for a joint whose attitude is a quaternion: floating or spherical.
    pub fn has_quaternion(self) -> bool {
        matches!(self, UrdfJointKind::Floating | UrdfJointKind::Spherical)
    }
}

/// The `<mimic>` of a joint: its coordinate follows another one, `q = multiplier * q_other +
/// offset`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Mimic {
    pub joint: String,
    pub multiplier: Decimal,
    pub offset: Decimal,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Limits {
    pub lower: Option<Decimal>,
    pub upper: Option<Decimal>,
    pub effort: Option<Decimal>,
    pub velocity: Option<Decimal>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct UrdfJoint {
    pub name: String,
    pub span: Span,
    pub kind: UrdfJointKind,
    pub parent: String,
    pub parent_span: Span,
    pub child: String,
    pub child_span: Span,
    pub origin: Origin,
    pub axis: Triple,
    pub limits: Limits,
    pub damping: Decimal,
    pub friction: Decimal,
    pub mimic: Option<Mimic>,
    /// True if the joint gets an input. False only for joints that a side file does not list as
    /// motors.
    pub has_motor: bool,
}

/// Type of a joint that closes a loop of a URDF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClosureKind {
    Weld,
    Revolute,
    Prismatic,
    Cylindrical,
    Planar,
    Spherical,
}

impl ClosureKind {
    /// True for types of closing joints that have an axis.
    pub fn has_axis(self) -> bool {
        !matches!(self, ClosureKind::Weld | ClosureKind::Spherical)
    }
}

/// One end of a loop closure: a frame on a link of the URDF.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ClosureEnd {
    pub link: String,
    pub span: Span,
    pub origin: Origin,
}

/// A joint between two links of a URDF that closes a loop.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LoopClosure {
    pub name: Option<String>,
    pub span: Span,
    pub kind: ClosureKind,
    /// The two ends of the closing joint, on the predecessor and on the successor.
    pub ends: [ClosureEnd; 2],
    /// Axis of the closing joint in the frames of both ends, for types that have one.
    pub axis: Option<Triple>,
}

/// A `<coupling>` of URDF+, as of gears: the angle of the successor is the ratio times that of the
/// predecessor, both relative to their common ancestor.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Coupling {
    pub name: Option<String>,
    pub span: Span,
    pub predecessor: (String, Span),
    pub successor: (String, Span),
    pub ratio: Decimal,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Robot {
    pub name: String,
    pub links: Vec<Link>,
    pub joints: Vec<UrdfJoint>,
    pub closures: Vec<LoopClosure>,
    pub couplings: Vec<Coupling>,
    pub ignored: Vec<Loss>,
}
