//! Constraints between the coordinates or speeds of a tree.
//!
//! A constraint has one or several scalar rows, each with a multiplier. For a geometric constraint
//! the multiplier is the force or moment of the first of its ends on the second.
//! To add a kind: a file like `point_on_plane.rs` and its line in the registry below; its keys in
//! `spec/constraint_keys`.

mod cylindrical;
mod distance;
mod helical;
mod kind;
mod knife_edge;
mod multiplier_text;
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

pub use kind::{ConstraintForm, ConstraintKeys, ConstraintMechanics, InvalidData, Level, Picture};
pub use multiplier_text::{Multiplier, MultiplierDescriber, row_name};
pub use rows::{RelativeFrame, RowFunctional};

use super::environment::Environment;
use super::formula::Formula;
use super::index::SpeedId;
use super::model::Body;
use dqdt_algebra::{Dimension, Scalar};
use kind::constraint_kinds;
use rows::RowBuilder;

pub(crate) use rows::functional_in_body_axes;

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

/// A named constraint of a mechanism, with its kind and its treatment in the equations.
#[derive(Clone, PartialEq, Debug)]
pub struct Constraint {
    /// Name of the constraint in the spec.
    pub name: String,
    /// One-line description of the constraint for readers; may be empty.
    pub description: String,
    /// Kind of the constraint, such as revolute closure, with its frames and axes.
    pub kind: ConstraintKind,
    /// Baumgarte stabilisation, if any.
    pub stabilisation: Option<Stabilisation>,
    /// Treatment of the rows in the equations: multipliers, elimination, or inputs.
    pub treatment: Treatment,
    /// Dimension of each row that is a formula, if known. Used for units of multipliers.
    pub dimensions: Vec<Option<Dimension>>,
}

/// Treatment of a constraint in the equations: by multipliers, elimination, or inputs.
#[derive(Clone, PartialEq, Debug)]
pub enum Treatment {
    /// The multipliers of the constraint are unknowns of the equations.
    Multipliers,
    /// Dependent speeds are eliminated, one for each active row. The list contains the speeds that
    /// the spec names as dependent; `Partition` contains the complete choice. All speeds stay in
    /// the state.
    Elimination(Vec<SpeedId>),
    /// These inputs realise the constraint, one a row; it has no reactions.
    Inputs(Vec<usize>),
}

/// Baumgarte stabilisation: `Φ̈ + 2α Φ̇ + β² Φ = 0`, or `Ψ̇ + α Ψ = 0`. Formulas of numbers and
/// parameters \[1/s\].
#[derive(Clone, PartialEq, Debug)]
pub struct Stabilisation {
    /// Baumgarte coefficient α of the rate of the residual \[1/s\].
    pub alpha: Formula,
    /// Baumgarte coefficient β of the residual \[1/s\]; not used for velocity constraints.
    pub beta: Formula,
}

impl Constraint {
    /// A constraint with multipliers and without stabilisation.
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

    /// Number of scalar rows of the constraint.
    pub fn row_count(&self) -> usize {
        self.kind.form().row_count()
    }

    /// Description of the multiplier of each row. `bodies`: the bodies of the mechanism.
    pub fn describe_multipliers(&self, bodies: &[Body]) -> Vec<Multiplier> {
        self.kind.form().describe_multipliers(&MultiplierDescriber { bodies, dimensions: &self.dimensions })
    }

    /// True if the constraint restricts positions, false if only velocities.
    pub fn constrains_positions(&self) -> bool {
        self.kind.form().constrains_positions()
    }

    /// True if inputs realise the constraint (a program constraint).
    pub fn is_program(&self) -> bool {
        matches!(self.treatment, Treatment::Inputs(_))
    }
}
