//! Note on a state that violates the constraints but is used unchanged.

use super::{SHOWN, format_difference, list_in_words};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::kinematics::ConstraintRow;

/// Residual of a constraint row, relative to the length of its Jacobian row, from which a note
/// mentions it. A state with seven digits has less.
const TOLD: f64 = 1e-6;

/// A note that lists each violated row, and the constraint with a reversed axis, which no row
/// shows.
pub fn note_violations(
    rows: &[ConstraintRow<f64>],
    speeds: &[f64],
    reversed: Option<&str>,
) -> Option<Diagnostic> {
    let fastest = speeds.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    let off = |row: &ConstraintRow<f64>| {
        let position = row.position.filter(|x| x.abs() > TOLD * jacobian_row_length(row));
        let speed = Some(row.velocity).filter(|x| x.abs() > TOLD * fastest * jacobian_row_length(row));
        let position = position.map(|x| format!("{} in position", format_difference(x, "")));
        let speed = speed.map(|x| format!("{} in speed", format_difference(x, "")));
        let by: Vec<String> = position.into_iter().chain(speed).collect();
        (!by.is_empty()).then(|| format!("`{}` by {}", row.name, by.join(" and by ")))
    };
    let backwards = reversed.map(|name| format!("`{name}`, whose axis points backwards"));
    let off: Vec<String> = backwards.into_iter().chain(rows.iter().filter_map(off)).collect();
    if off.is_empty() {
        return None;
    }
    let more =
        if off.len() > SHOWN { "; the field `constraints` of the output lists all violations" } else { "" };
    Some(
        Diagnostic::note(
            "constraints-not-fulfilled",
            "the state does not satisfy the constraints; the equations are evaluated at the unchanged state",
        )
        .help(format!("violated: {}{more}", list_in_words(off)))
        .help(
            "use `dqdt assemble SPEC --at FILE --format json` to find a state that satisfies the constraints",
        ),
    )
}

/// Euclidean length of the Jacobian of a constraint row; one for a row that no speed changes.
fn jacobian_row_length(row: &ConstraintRow<f64>) -> f64 {
    let length = row.jacobian.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 1e-12 { length } else { 1.0 }
}
