//! What of a report is shown, and in which form its equations stand.
//!
//! The order of the parts is that of the report: first what a reader came for, last what only a few look up.

use crate::mechanism::Mechanism;

/// Up to this number of speeds a tree's equations are shown one a speed, unless another form is asked for.
const SMALL: usize = 4;

/// How the equations of motion are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Form {
    /// One equation a speed: accelerations, velocity terms and forces of a potential on the left, other loads on the right
    Scalar,
    /// One equation a speed with the multipliers, Aᵀ λ; projected ones where speeds are eliminated
    Constrained,
    /// M v̇ + c = Q with its matrices
    Implicit,
    /// M q̈ + C(q, q̇) q̇ + g(q) = B u + f with its matrices; f is what else acts
    Robot,
    /// With intermediate variables, step by step as the emitted functions compute them: complete however large the mechanism is
    Recursive,
}

/// A part of a report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Part {
    /// What was understood: counts, sketch, warnings
    Summary,
    /// The equations of motion
    Equations,
    /// Rows of constraints, multipliers, elimination
    Constraints,
    /// Derived parameters and limited inputs
    Definitions,
    /// Coordinates, speeds and user states with their starts
    State,
    /// Bodies and joints
    Bodies,
    /// Loads and outputs
    Loads,
    /// Parameters and inputs
    Parameters,
    /// Kinetic and potential energy
    Energy,
    /// Rotations, velocities and partial velocities of the bodies
    Kinematics,
    /// Incidence and path matrices, vectors of the tree
    Topology,
    /// The kinematic structure matrix and its inverse
    Structure,
    /// Operations of the emitted functions
    Costs,
}

/// What is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// In this order.
    pub forms: Vec<Form>,
    /// In any order; empty: all of them.
    pub parts: Vec<Part>,
}

impl View {
    /// What a reader of this mechanism would want: of a small tree one equation a speed, of constraints the multipliers, of
    /// what is large the matrices.
    pub fn of(m: &Mechanism) -> Self {
        let forms = match (m.constraints.is_empty(), m.nv()) {
            (false, n) if n <= super::equations::WRITTEN_OUT => vec![Form::Constrained, Form::Implicit],
            (true, n) if n <= SMALL => vec![Form::Scalar, Form::Implicit],
            _ => vec![Form::Implicit],
        };
        View { forms, parts: Vec::new() }
    }

    /// Whether nothing but steps is asked for: then no closed form is made.
    pub(super) fn is_recursive(&self) -> bool {
        self.forms == [Form::Recursive] && self.parts.iter().all(|p| *p == Part::Equations)
    }

    /// Whether this part is shown.
    pub(super) fn shows(&self, part: Part) -> bool {
        self.parts.is_empty() || self.parts.contains(&part)
    }

    /// The place among the forms of what belongs to these; what belongs to none stands behind all.
    pub(super) fn place(&self, forms: &[Form]) -> Option<usize> {
        match forms {
            [] => Some(self.forms.len()),
            _ => self.forms.iter().position(|f| forms.contains(f)),
        }
    }
}
