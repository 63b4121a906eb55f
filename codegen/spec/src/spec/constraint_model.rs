//! Constraints, as written.

use super::model::{AxisText, FrameOn, Name, Value};
use dqdt_diagnostics::base::{Span, Spanned};

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

/// The type of a constraint, with what only constraints of this type have.
#[derive(Clone, PartialEq, Debug)]
pub struct ConstraintKind {
    /// The kind that it is.
    pub kind: &'static str,
    /// The first end; `None`: the ground, or there are no ends.
    pub from: Option<FrameOn>,
    /// The second end.
    pub to: Option<FrameOn>,
    /// Its axes, in the order of the keys.
    pub axes: Vec<AxisText>,
    /// Its values, by key.
    pub values: Vec<(&'static str, Value)>,
    /// Names of coordinates, in the order of the keys.
    pub names: Vec<Name>,
    /// Formulas of x, y and z.
    pub formulas: Vec<Value>,
}

impl ConstraintKind {
    /// The value of a key.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.values.iter().find(|(k, _)| *k == key).map(|(_, v)| v)
    }
}
