//! Files of formulas that are to be proved equal to what is derived (`prove --against`).
//!
//! ```toml
//! eliminate = ["y_dot"]                    # speeds that the constraints give from the others
//!
//! [definitions]
//! K = "m1*l1*n1"
//!
//! [equal]
//! "M[x, phi1]" = "-K*cos(psi1)*sin(phi1)"
//! "equation[phi0]" = "I0*phi0_ddot = M0"
//! ```
//! Names are those of the spec, with the accelerations `x_ddot` and the multipliers `lambda_NAME` of its constraints.
//! Repeats are as in specs; the sizes of the spec hold. A file is read into the spec itself: its definitions are added,
//! accelerations and multipliers become inputs, formulas become outputs. So formulas have one syntax and one set of
//! messages.

use super::key::{Key, Kind, TableShape, optional, required};
use super::model::Name;
use super::whole::Spec;

const KEYS: &[Key] = &[
    optional("description", Kind::Text, "One line for people.").example(r#""a pendulum on a cart""#),
    optional(
        "repeat",
        Kind::Named(&Kind::Value),
        "Sizes and indices, as in a spec; the sizes of the spec hold.",
    )
    .example(r#"{ n = 3, i = "1 to n" }"#),
    optional("eliminate", Kind::Names, "Speeds that the constraints give from the others, one a constraint.")
        .example(r#"["y_dot"]"#),
    optional("definitions", Kind::Named(&Kind::Value), "Named formulas.")
        .example(r#"{ stretch = "distance(ground, bob) - l" }"#),
    required(
        "equal",
        Kind::Named(&Kind::Value),
        "Elements such as \"M[x, phi1]\" and what they should be equal to.",
    )
    .example(r#"{ "M[x, x]" = "m1 + m2" }"#),
];

/// The whole file.
pub static FORMULAS: TableShape = TableShape { keys: &[KEYS] };

/// Formulas that are to be compared with what is derived.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The spec with the definitions of the file. Its inputs end with the accelerations and multipliers, its outputs
    /// are the formulas: one an element, two an equation.
    pub spec: Spec,
    /// Speeds that the constraints give from the others.
    pub eliminate: Vec<Name>,
    /// What is claimed.
    pub elements: Vec<Element>,
}

/// An element and its formula.
#[derive(Clone, Debug)]
pub struct Element {
    /// As written: `M[x, phi1]`.
    pub name: Name,
    /// The word before the bracket: `M`.
    pub kind: String,
    /// The names in the bracket.
    pub of: Vec<String>,
    /// Position of its formula among the outputs; of an equation that of the left side, the right side follows.
    pub output: usize,
}
