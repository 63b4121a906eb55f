//! Constraints between the coordinates or speeds of a tree.
//!
//! A constraint has one or several scalar rows. A multiplier acts on the mechanism; of a geometric constraint it is the
//! force or moment of the first of its ends on the second.

use super::formula::Formula;
use super::load::Ends;
use super::model::AxisVector;
use crate::algebra::Dimension;

/// A named constraint.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Constraint {
    pub name: String,
    pub description: String,
    pub kind: ConstraintKind,
    /// Baumgarte's terms, if there are any.
    pub stabilisation: Option<Stabilisation>,
    /// How it enters the equations.
    pub treatment: Treatment,
    /// Of rows that are formulas, the dimension of each as far as it is known.
    pub dimensions: Vec<Option<Dimension>>,
}

/// How a constraint enters the equations.
#[derive(Clone, PartialEq, Debug)]
pub enum Treatment {
    /// Its multipliers are unknowns.
    Multipliers,
    /// Speeds follow from the others, one a row that takes part; of those named here it is asked. All speeds stay in the
    /// state. Which speeds they are says `Partition`.
    Elimination(Vec<usize>),
    /// These inputs realise it, one a row; it has no reactions.
    Inputs(Vec<usize>),
}

/// `Φ̈ + 2α Φ̇ + β² Φ = 0`, or `Ψ̇ + α Ψ = 0`. Numbers and parameters \[1/s\].
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Stabilisation {
    pub alpha: Formula,
    pub beta: Formula,
}

/// What is held at zero.
#[derive(Clone, PartialEq, Debug)]
pub enum ConstraintKind {
    /// Holonomic: `Φ(q, t) = 0`.
    Position(Formula),
    /// Nonholonomic: `Ψ(q, v, t) = 0`, linear in the speeds.
    Velocity(Formula),
    /// A loop closed between two frames.
    Closure(Closure, Ends),
    /// Two points at this distance; of t, numbers and parameters.
    Distance(Ends, Formula),
    /// The second origin on the line through the first origin, along an axis of the first frame.
    PointOnLine(Ends, AxisVector),
    /// The second origin in the plane through the first origin, the normal in the first frame.
    PointOnPlane(Ends, AxisVector),
    /// The second origin where these formulas are zero. The coordinates after the last stand for x, y and z of the
    /// point in the first frame; besides them: t, numbers and parameters.
    PointOnSurface(Ends, Vec<Formula>),
    /// No velocity of the second origin, relative to the first body, along an axis of the second frame.
    KnifeEdge(Ends, AxisVector),
    /// A ball or disc about the second origin rolls on the plane of the first frame.
    Rolling {
        /// Plane and wheel.
        ends: Ends,
        /// Normal of the plane towards the wheel, in the first frame.
        normal: AxisVector,
        /// Radius \[m\]; numbers and parameters.
        radius: Formula,
        /// The axle of a disc, in the second frame; `None`: a ball.
        axle: Option<AxisVector>,
    },
}

/// How a loop is closed; axes in both frames unless said otherwise.
#[derive(Clone, PartialEq, Debug)]
pub enum Closure {
    /// All six.
    Weld,
    /// Five.
    Revolute(AxisVector),
    /// Five.
    Prismatic(AxisVector),
    /// Five; displacement an angle [m/rad].
    Helical(AxisVector, Formula),
    /// Four.
    Cylindrical(AxisVector),
    /// Four; an axis in the first frame stays at right angles to one in the second.
    Universal(AxisVector, AxisVector),
    /// Three.
    Spherical,
    /// Three; the normal.
    Planar(AxisVector),
    /// Two of a planar mechanism; the normal.
    PlanarRevolute(AxisVector),
    /// Two of a planar mechanism: slide along the first axis, the second is the normal of the plane.
    PlanarPrismatic(AxisVector, AxisVector),
}

impl Closure {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Closure::Weld => 6,
            Closure::Revolute(_) | Closure::Prismatic(_) | Closure::Helical(..) => 5,
            Closure::Cylindrical(_) | Closure::Universal(..) => 4,
            Closure::Spherical | Closure::Planar(_) => 3,
            Closure::PlanarRevolute(_) | Closure::PlanarPrismatic(..) => 2,
        }
    }
}

impl Constraint {
    /// A constraint with multipliers.
    pub fn new(name: String, kind: ConstraintKind) -> Self {
        Constraint {
            name,
            description: String::new(),
            kind,
            stabilisation: None,
            treatment: Treatment::Multipliers,
            dimensions: Vec::new(),
        }
    }

    /// Number of scalar rows.
    pub fn rows(&self) -> usize {
        match &self.kind {
            ConstraintKind::Closure(closure, _) => closure.rows(),
            ConstraintKind::PointOnLine(..) => 2,
            ConstraintKind::PointOnSurface(_, formulas) => formulas.len(),
            ConstraintKind::Rolling { .. } => 3,
            _ => 1,
        }
    }

    /// True if inputs realise it.
    pub fn is_program(&self) -> bool {
        matches!(self.treatment, Treatment::Inputs(_))
    }
}
