//! Formulas and numbers of the spec, as they appear in tables.

use dqdt_document::report::Math;
use dqdt_mechanics::mechanism::{Formula, Mechanism};

/// A number rounded to ten digits, since further digits of a computed value are noise.
pub(super) fn rounded(x: f64) -> f64 {
    format!("{x:.9e}").parse().unwrap_or(x)
}

/// A formula of the spec, typeset; `None` if longer than 24 characters.
pub(super) fn written(m: &Mechanism, f: &Formula) -> Option<Math> {
    written_within(m, f, 24)
}

/// A formula of the spec, typeset; `None` if longer than `most` characters.
pub(super) fn written_within(m: &Mechanism, f: &Formula, most: usize) -> Option<Math> {
    let shown = super::formulas::shown(m, f)?;
    (shown.text().chars().count() <= most).then_some(shown)
}
