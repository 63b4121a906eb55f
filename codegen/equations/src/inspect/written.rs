//! Formulas and numbers of the spec as a table shows them.

use dqdt_document::report::Math;
use dqdt_mechanics::mechanism::{Formula, Mechanism};

/// Ten digits: what a solver leaves behind them says nothing.
pub(super) fn rounded(x: f64) -> f64 {
    format!("{x:.9e}").parse().unwrap_or(x)
}

/// A short formula of the spec.
pub(super) fn written(m: &Mechanism, f: &Formula) -> Option<Math> {
    written_within(m, f, 24)
}

/// A formula of the spec of no more than so many letters.
pub(super) fn written_within(m: &Mechanism, f: &Formula, most: usize) -> Option<Math> {
    let shown = super::formulas::shown(m, f)?;
    (shown.text().chars().count() <= most).then_some(shown)
}
