//! Selection of the parts of a report and of the forms of its equations.
//!
//! Parts are ordered as in the report: most wanted first, reference material last.

use dqdt_mechanics::mechanism::Mechanism;

/// Largest number of speeds of a tree whose report has one equation for each speed by default.
const SMALL: usize = 6;

/// Largest number of speeds for which the equations are also written out row by row.
pub(super) const WRITTEN_OUT: usize = 12;

/// Form in which a report writes the equations of motion; selected by `inspect --form`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// One equation for each speed: accelerations, velocity terms and conservative forces on the
    /// left, other loads on the right.
    Scalar,
    /// One equation for each speed with the multipliers, Aᵀ λ; projected equations if speeds are
    /// eliminated.
    Constrained,
    /// M v̇ + c = Q with its matrices.
    Implicit,
    /// M q̈ + C(q, q̇) q̇ + g(q) = B u + f with its matrices; f is the sum of all other forces.
    Robot,
    /// Step by step with intermediate variables, as the emitted functions compute them; complete
    /// for any size of mechanism.
    Recursive,
}

impl Form {
    /// The form of this name.
    pub fn by_name(name: &str) -> Option<Form> {
        FORM_NAMES.iter().find(|(n, _)| *n == name).map(|(_, form)| *form)
    }
}

/// Names of all forms.
pub const FORM_NAMES: [(&str, Form); 5] = [
    ("scalar", Form::Scalar),
    ("constrained", Form::Constrained),
    ("implicit", Form::Implicit),
    ("robot", Form::Robot),
    ("recursive", Form::Recursive),
];

/// A part of the report of `inspect`; selected by `inspect --sections`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Counts of bodies, joints and variables, a sketch of the start pose, and warnings.
    Summary,
    /// The equations of motion, in the selected forms.
    Equations,
    /// Constraint rows, their multipliers, and the elimination of speeds.
    Constraints,
    /// Formulas of derived parameters, limited inputs and named definitions.
    Definitions,
    /// Coordinates, speeds and user states with their start values.
    State,
    /// Bodies with their inboard joints, masses, centres of mass and inertias.
    Bodies,
    /// Loads, outputs and events, as tables.
    Loads,
    /// Parameters, inputs and function tables, with values and units.
    Parameters,
    /// Closed forms of the kinetic and potential energy.
    Energy,
    /// Rotations, velocities and partial velocities of the bodies, in closed form.
    Kinematics,
    /// Incidence and path matrices, vectors of the tree.
    Topology,
    /// The kinematic structure matrix S of the tree and its inverse T, by blocks.
    Structure,
    /// Operation counts of the emitted functions, by formalism.
    Costs,
    /// Publications on which the equations are based.
    Sources,
}

impl Part {
    /// The part of this name.
    pub fn by_name(name: &str) -> Option<Part> {
        PART_NAMES.iter().find(|(n, _)| *n == name).map(|(_, part)| *part)
    }
}

/// Names of all parts.
pub const PART_NAMES: [(&str, Part); 14] = [
    ("summary", Part::Summary),
    ("equations", Part::Equations),
    ("constraints", Part::Constraints),
    ("definitions", Part::Definitions),
    ("state", Part::State),
    ("bodies", Part::Bodies),
    ("loads", Part::Loads),
    ("parameters", Part::Parameters),
    ("energy", Part::Energy),
    ("kinematics", Part::Kinematics),
    ("topology", Part::Topology),
    ("structure", Part::Structure),
    ("costs", Part::Costs),
    ("sources", Part::Sources),
];

/// User's selection of forms and parts of a report.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// Forms in the order of printing; empty selects defaults that depend on the mechanism.
    pub forms: Vec<Form>,
    /// Parts to show, in any order; empty selects all parts that are short enough to read.
    pub parts: Vec<Part>,
}

impl View {
    /// View with the equations step by step and every part that needs no closed form.
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

    /// Adds default forms if the user requested none: one equation for each speed of a small tree,
    /// equations with multipliers for a constrained mechanism, matrices otherwise.
    pub(super) fn with_default_forms(&self, m: &Mechanism) -> Self {
        let forms = match (m.constraints.is_empty(), m.nv()) {
            _ if !self.forms.is_empty() => self.forms.clone(),
            (false, n) if n <= WRITTEN_OUT => vec![Form::Constrained, Form::Implicit],
            (true, n) if n <= SMALL => vec![Form::Scalar, Form::Implicit],
            _ => vec![Form::Implicit],
        };
        View { forms, parts: self.parts.clone() }
    }

    /// True if only the step-by-step equations are shown, so that no closed form is needed.
    pub(super) fn is_recursive(&self) -> bool {
        self.forms == [Form::Recursive] && self.parts.iter().all(|p| *p == Part::Equations)
    }

    /// True if the report shows this part.
    pub(super) fn shows_part(&self, part: Part) -> bool {
        self.parts.is_empty() || self.parts.contains(&part)
    }

    /// Position, among the selected forms, of a group that is shown with `forms`; `None` if none of
    /// them is selected. A group of no particular form comes after all forms.
    pub(super) fn form_position(&self, forms: &[Form]) -> Option<usize> {
        match forms {
            [] => Some(self.forms.len()),
            _ => self.forms.iter().position(|f| forms.contains(f)),
        }
    }
}
