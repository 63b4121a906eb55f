//! What of a report is shown, and in which form its equations stand.
//!
//! The order of the parts is that of the report: first what a reader came for, last what only a few look up.

use dqdt_mechanics::mechanism::Mechanism;

/// Up to this number of speeds a tree's equations are shown one a speed, unless another form is asked for.
const SMALL: usize = 6;

/// How the equations of motion are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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
    /// The literature that the equations are from
    Sources,
}

/// What is shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// In this order; empty: what a reader of the mechanism would want.
    pub forms: Vec<Form>,
    /// In any order; empty: all of them, as far as they can be read.
    pub parts: Vec<Part>,
}

impl View {
    /// The equations step by step and every part that needs no closed form.
    pub fn steps() -> Self {
        let parts = vec![
            Part::Summary,
            Part::Equations,
            Part::State,
            Part::Bodies,
            Part::Loads,
            Part::Parameters,
            Part::Topology,
            Part::Costs,
            Part::Sources,
        ];
        View { forms: vec![Form::Recursive], parts }
    }

    /// With the forms for this mechanism where none are asked for: of a small tree one equation a speed, of constraints the
    /// multipliers, of what is large the matrices.
    pub(super) fn with_forms(&self, m: &Mechanism) -> Self {
        let forms = match (m.constraints.is_empty(), m.nv()) {
            _ if !self.forms.is_empty() => self.forms.clone(),
            (false, n) if n <= super::equations::WRITTEN_OUT => vec![Form::Constrained, Form::Implicit],
            (true, n) if n <= SMALL => vec![Form::Scalar, Form::Implicit],
            _ => vec![Form::Implicit],
        };
        View { forms, parts: self.parts.clone() }
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
