//! What a URDF says of a robot.

use crate::robot::class::Loss;
use crate::robot::decimal::{Decimal, Triple};
use dqdt_diagnostics::base::Span;

/// A pose of a frame in another.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Origin {
    pub xyz: Triple,
    /// Turns about the fixed axes x, y, z, in this order [rad].
    pub rpy: Triple,
    pub span: Option<Span>,
}

impl Origin {
    /// The frame itself.
    pub fn none() -> Self {
        let zero = [0.0; 3].map(Decimal::of);
        Origin { xyz: zero.clone(), rpy: zero, span: None }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Inertial {
    pub origin: Origin,
    pub mass: Decimal,
    /// xx, yy, zz, xy, xz, yz about the centre of mass, in the axes of `origin`.
    pub inertia: [Decimal; 6],
}

/// A solid about its middle, its axis along z.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Solid {
    /// Whole lengths.
    Box(Triple),
    /// Radius, whole length.
    Cylinder(Decimal, Decimal),
    Sphere(Decimal),
}

/// A solid on a link.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Visual {
    pub origin: Origin,
    pub solid: Solid,
    /// Where its middle is along z of `origin`.
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
pub(super) enum Kind {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    Planar,
    Floating,
    /// A ball joint; no type of URDF, a side file makes joints one.
    Spherical,
    /// Turns about two axes of its frame, the second one turned by the first: x, y or z as 0, 1 or 2.
    Universal([usize; 2]),
}

impl Kind {
    /// True for a joint of one coordinate that is an angle.
    pub fn turns_about_one_axis(self) -> bool {
        matches!(self, Kind::Revolute | Kind::Continuous)
    }

    /// True for a joint of one coordinate.
    pub fn is_single(self) -> bool {
        self.turns_about_one_axis() || self == Kind::Prismatic
    }

    /// True for a joint whose coordinates hold a quaternion.
    pub fn has_quaternion(self) -> bool {
        matches!(self, Kind::Floating | Kind::Spherical)
    }
}

/// A joint that follows another: `q = multiplier * q_other + offset`.
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
pub(super) struct Joint {
    pub name: String,
    pub span: Span,
    pub kind: Kind,
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
    /// Has an input along it. True unless a side file lists the motors.
    pub has_motor: bool,
}

/// The joint that closes a loop.
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
    pub fn has_axis(self) -> bool {
        !matches!(self, ClosureKind::Weld | ClosureKind::Spherical)
    }
}

/// One side of a closure: a frame on a link.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct End {
    pub link: String,
    pub span: Span,
    pub origin: Origin,
}

/// A loop that is closed between two links.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Closure {
    pub name: Option<String>,
    pub span: Span,
    pub kind: ClosureKind,
    /// Predecessor, successor.
    pub ends: [End; 2],
    /// In the frames of both ends, where the kind has one.
    pub axis: Option<Triple>,
}

/// Two links that turn at a ratio: the successor's angle is the ratio times the predecessor's, both counted from the link on
/// which their chains meet.
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
    pub joints: Vec<Joint>,
    pub closures: Vec<Closure>,
    pub couplings: Vec<Coupling>,
    pub ignored: Vec<Loss>,
}
