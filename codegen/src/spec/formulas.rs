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
use super::load_model::{Output, OutputKind};
use super::model::{Input, Name};
use super::read;
use super::settings::Settings;
use super::whole::Spec;
use crate::error::Errors;

const KEYS: &[Key] = &[
    optional("description", Kind::Text, "One line for people."),
    optional(
        "repeat",
        Kind::Named(&Kind::Value),
        "Sizes and indices, as in a spec; the sizes of the spec hold.",
    ),
    optional("eliminate", Kind::Names, "Speeds that the constraints give from the others, one a constraint."),
    optional("definitions", Kind::Named(&Kind::Value), "Named formulas."),
    required(
        "equal",
        Kind::Named(&Kind::Value),
        "Elements such as \"M[x, phi1]\" and what they should be equal to.",
    ),
];

/// The whole file.
pub(super) static FORMULAS: TableShape = TableShape { keys: &[KEYS] };

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

/// Reads a file of formulas about a spec. `symbols`: names that formulas may use besides those of the spec.
///
/// # Errors
/// As for [`super::parse`]; what is wrong with formulas is reported when the spec of the result is built.
pub fn parse_formulas(
    spec: &Spec,
    symbols: impl IntoIterator<Item = String>,
    name: &str,
    text: impl Into<Vec<u8>>,
) -> Result<Formulas, Errors> {
    let mut spec = spec.clone();
    spec.outputs.clear();
    let input = |name: String| Input {
        name: Name::bare(name),
        unit: None,
        limits: None,
        default: None,
        description: String::new(),
    };
    spec.inputs.extend(symbols.into_iter().map(input));
    let settings = Settings { known: spec.sizes.clone(), ..Settings::default() };
    let parts = read::formulas(&mut spec.sources, name, text.into(), &settings)?;
    spec.definitions.extend(parts.definitions);
    spec.problems.extend(parts.problems);
    let mut elements = Vec::new();
    for (name, kind, of, values) in parts.elements {
        elements.push(Element { name: name.clone(), kind, of, output: spec.outputs.len() });
        spec.outputs.extend(values.into_iter().map(|value| Output {
            name: name.clone(),
            description: String::new(),
            kind: OutputKind::Formula { value, unit: None },
        }));
    }
    Ok(Formulas { spec, eliminate: parts.eliminate, elements })
}
