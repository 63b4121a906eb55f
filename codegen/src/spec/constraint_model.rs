//! Constraints, as written.

use super::model::{AxisText, FrameOn, Name, Value};
use crate::base::{Span, Spanned};

/// `[constraints]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Constraint {
    pub name: Name,
    pub description: String,
    pub kind: ConstraintKind,
    pub stabilisation: Option<Stabilisation>,
    /// `Some(true)` for elimination.
    pub elimination: Option<Spanned<bool>>,
    pub dependent: Option<Spanned<Vec<Name>>>,
    pub realised_by: Option<Spanned<Vec<Name>>>,
}

/// `stabilisation = { … }`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Stabilisation {
    pub span: Span,
    pub alpha: Option<Value>,
    pub beta: Option<Value>,
    pub time_constant: Option<Value>,
}

/// How a loop is closed.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Closure {
    Weld,
    Revolute(AxisText),
    Prismatic(AxisText),
    Helical(AxisText, Value),
    Cylindrical(AxisText),
    Universal(AxisText, AxisText),
    Spherical,
    Planar(AxisText),
    PlanarRevolute(AxisText),
    /// Along the first, in the plane with the second as normal.
    PlanarPrismatic(AxisText, AxisText),
}

/// What a constraint is.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum ConstraintKind {
    Position(Value),
    Velocity(Value),
    Gear {
        first: Name,
        second: Name,
        ratio: Value,
        offset: Option<Value>,
    },
    Closure {
        closure: Closure,
        from: Box<FrameOn>,
        to: Box<FrameOn>,
    },
    Distance {
        from: Box<FrameOn>,
        to: Box<FrameOn>,
        length: Value,
    },
    PointOnLine {
        from: Box<FrameOn>,
        to: Box<FrameOn>,
        axis: AxisText,
    },
    PointOnPlane {
        from: Box<FrameOn>,
        to: Box<FrameOn>,
        normal: AxisText,
    },
    PointOnSurface {
        from: Box<FrameOn>,
        to: Box<FrameOn>,
        formulas: Spanned<Vec<Value>>,
    },
    KnifeEdge {
        from: Option<Box<FrameOn>>,
        to: Box<FrameOn>,
        axis: AxisText,
    },
    RollingBall {
        from: Option<Box<FrameOn>>,
        to: Box<FrameOn>,
        normal: AxisText,
        radius: Value,
    },
    RollingDisc {
        from: Option<Box<FrameOn>>,
        to: Box<FrameOn>,
        normal: AxisText,
        radius: Value,
        axis: AxisText,
    },
}
