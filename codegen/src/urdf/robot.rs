//! What a URDF says of a robot.

use crate::base::Span;
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::class::Loss;

/// A pose of a frame in another.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Origin {
    pub xyz: Triple,
    /// Turns about the fixed axes x, y, z, in this order [rad].
    pub rpy: Triple,
    pub span: Option<Span>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Inertial {
    pub origin: Origin,
    pub mass: Decimal,
    /// xx, yy, zz, xy, xz, yz about the centre of mass, in the axes of `origin`.
    pub inertia: [Decimal; 6],
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Link {
    pub name: String,
    pub span: Span,
    pub inertial: Option<Inertial>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    Planar,
    Floating,
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
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Robot {
    pub name: String,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub ignored: Vec<Loss>,
}
