//! Files of formulas to be proved equal to derived ones (`prove --against`).
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
//! Names are those of the spec, with the accelerations `x_ddot` and the multipliers `lambda_NAME`
//! of its constraints. Repeats work as in specs, with the sizes of the spec. A file is merged into
//! a copy of the spec: its definitions are added, accelerations and multipliers become inputs,
//! formulas become outputs. Thus formulas have one syntax and one set of messages.

use super::key::{Key, Kind, TableShape, optional, required};
use super::model::Name;
use super::spec_model::Spec;

const KEYS: &[Key] = &[
    optional("description", Kind::Text, "One-line description.").example(r#""a pendulum on a cart""#),
    optional(
        "repeat",
        Kind::Named(&Kind::Value),
        "Sizes and indices, as in a spec; sizes in the spec override those in this file.",
    )
    .example(r#"{ n = 3, i = "1 to n" }"#),
    optional(
        "eliminate",
        Kind::Names,
        "Speeds that the constraints determine from the others, one for each row.",
    )
    .example(r#"["y_dot"]"#),
    optional("definitions", Kind::Named(&Kind::Value), "Named formulas.")
        .example(r#"{ stretch = "distance(ground, bob) - l" }"#),
    required(
        "equal",
        Kind::Named(&Kind::Value),
        "Elements of the equations, such as \"M[x, phi1]\", each with the formula that it should equal.",
    )
    .example(r#"{ "M[x, x]" = "m1 + m2" }"#),
];

/// Keys at the top level of a file of formulas for `prove --against`.
pub static FORMULAS: TableShape = TableShape { keys: &[KEYS] };

/// Content of a file of formulas, which `prove --against` compares with the derived equations.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The spec with the definitions of the file. Its last inputs are the accelerations and
    /// multipliers. Its outputs are the formulas: one for each element, two for each equation.
    pub spec: Spec,
    /// Dependent speeds that the file asks to eliminate; the constraints determine them from the
    /// others.
    pub eliminate: Vec<Name>,
    /// Elements of M, equations and so on that are to be proved equal to formulas.
    pub elements: Vec<Element>,
}

/// An element of the derived equations, such as `M[x, phi1]`, with the formula that it should be
/// equal to.
#[derive(Clone, Debug)]
pub struct Element {
    /// The element as written in the file: `M[x, phi1]`.
    pub name: Name,
    /// Kind of the element, the word before the bracket: `M` for an entry of the mass matrix.
    pub kind: String,
    /// The names in the bracket of the element: `x`, `phi1`.
    pub arguments: Vec<String>,
    /// Index of the formula of the element among the outputs of `spec`. For an equation this is the
    /// left side; the right side follows.
    pub output: usize,
}
