//! Constraints between the coordinates or speeds of a tree.
//!
//! A constraint has one or several scalar rows. A multiplier acts on the mechanism; of a geometric constraint it is the
//! force or moment of the first of its ends on the second.
//! To add a kind: a file like `point_on_plane.rs`, and its line in the registry below; its keys in `spec/constraint_keys`.

mod cylindrical;
mod distance;
mod helical;
mod kind;
mod knife_edge;
mod planar;
mod planar_prismatic;
mod planar_revolute;
mod point_on_line;
mod point_on_plane;
mod point_on_surface;
mod position;
mod prismatic;
mod revolute;
mod rolling_ball;
mod rolling_disc;
mod rows;
mod spherical;
mod universal;
mod velocity;
mod weld;
mod words;

pub use kind::{ConstraintForm, ConstraintMechanics, Level, Picture, Senseless, WrittenConstraint};
pub use rows::{Pattern, Seen};
pub use words::{Multiplier, Words, row_name};

use super::environment::Environment;
use super::formula::Formula;
use super::index::SpeedId;
use super::model::Body;
use dqdt_algebra::{Dimension, Scalar};
use kind::constraint_kinds;
use rows::Rows;

pub(crate) use rows::in_body;

// The registry: one line a kind.
constraint_kinds! {
    position::Position,
    velocity::Velocity,
    weld::Weld,
    revolute::RevoluteClosure,
    prismatic::PrismaticClosure,
    helical::HelicalClosure,
    cylindrical::CylindricalClosure,
    universal::UniversalClosure,
    spherical::SphericalClosure,
    planar::PlanarClosure,
    planar_revolute::PlanarRevolute,
    planar_prismatic::PlanarPrismatic,
    distance::Distance,
    point_on_line::PointOnLine,
    point_on_plane::PointOnPlane,
    point_on_surface::PointOnSurface,
    knife_edge::KnifeEdge,
    rolling_ball::RollingBall,
    rolling_disc::RollingDisc,
}

/// A named constraint.
#[derive(Clone, PartialEq, Debug)]
pub struct Constraint {
    /// Name.
    pub name: String,
    /// One line for people; may be empty.
    pub description: String,
    /// What is held at zero.
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
    Elimination(Vec<SpeedId>),
    /// These inputs realise it, one a row; it has no reactions.
    Inputs(Vec<usize>),
}

/// `Φ̈ + 2α Φ̇ + β² Φ = 0`, or `Ψ̇ + α Ψ = 0`. Numbers and parameters \[1/s\].
#[derive(Clone, PartialEq, Debug)]
pub struct Stabilisation {
    /// α
    pub alpha: Formula,
    /// β; not used at the level of speeds.
    pub beta: Formula,
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
        self.kind.form().rows()
    }

    /// The multiplier of each row, by row; `bodies` are those of the mechanism.
    pub fn multipliers(&self, bodies: &[Body]) -> Vec<Multiplier> {
        self.kind.form().multipliers(&Words { bodies, dimensions: &self.dimensions })
    }

    /// True if it holds positions, not speeds alone.
    pub fn holds_positions(&self) -> bool {
        self.kind.form().holds_positions()
    }

    /// True if inputs realise it.
    pub fn is_program(&self) -> bool {
        matches!(self.treatment, Treatment::Inputs(_))
    }
}
