//! Data model of constraints as written in a spec.

use super::model::{AxisText, FrameOn, Name, Value};
use dqdt_diagnostics::base::{Span, Spanned};

/// An entry of `[constraints]` as written: type, values, treatment and stabilisation.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Constraint {
    pub name: Name,
    pub description: String,
    pub kind: ConstraintKind,
    pub stabilisation: Option<Stabilisation>,
    /// Value of the key `treatment`: `Some(true)` for elimination, `Some(false)` for multipliers,
    /// `None` if it is missing.
    pub elimination: Option<Spanned<bool>>,
    pub dependent: Option<Spanned<Vec<Name>>>,
    pub realised_by: Option<Spanned<Vec<Name>>>,
}

/// The table `stabilisation = { … }` of a constraint as written: Baumgarte's α, β or a time
/// constant.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Stabilisation {
    pub span: Span,
    pub alpha: Option<Value>,
    pub beta: Option<Value>,
    pub time_constant: Option<Value>,
}

/// Type of a constraint in a spec, with the values of the keys that only this type has.
#[derive(Clone, PartialEq, Debug)]
pub struct ConstraintKind {
    /// Name of the constraint type in the crate `mechanics`, which resolves it.
    pub kind: &'static str,
    /// First end of the constraint; `None` means the ground, or a type without ends.
    pub from: Option<FrameOn>,
    /// Second end of the constraint, on which multipliers act.
    pub to: Option<FrameOn>,
    /// Axes of the constraint, in the order of the keys that declare them.
    pub axes: Vec<AxisText>,
    /// Values of the keys that are numbers or formulas, such as `length`, by key.
    pub values: Vec<(&'static str, Value)>,
    /// Names of coordinates, in the order of the keys that name them.
    pub names: Vec<Name>,
    /// Formulas in the components x, y, z of a point, which a surface or curve keeps at zero.
    pub formulas: Vec<Value>,
}

impl ConstraintKind {
    /// Value of a key that is a number or a formula, such as `length`.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.values.iter().find(|(k, _)| *k == key).map(|(_, v)| v)
    }
}
