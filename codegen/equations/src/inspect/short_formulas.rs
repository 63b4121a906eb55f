//! Formulas and numbers of the spec, as they appear in tables.

use dqdt_document::report::Math;
use dqdt_mechanics::mechanism::{Formula, Mechanism};

/// A number rounded to ten digits, since further digits of a computed value are noise.
pub(super) fn round_digits(x: f64) -> f64 {
    format!("{x:.9e}").parse().unwrap_or(x)
}

/// A formula of the spec, typeset; `None` if longer than 24 characters.
pub(super) fn short_formula(m: &Mechanism, f: &Formula) -> Option<Math> {
    formula_within(m, f, 24)
}

/// A formula of the spec, typeset; `None` if longer than `most` characters.
pub(super) fn formula_within(m: &Mechanism, f: &Formula, most: usize) -> Option<Math> {
    let formula = super::formulas::typeset_formula(m, f)?;
    (formula.text().chars().count() <= most).then_some(formula)
}
