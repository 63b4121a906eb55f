//! Warnings about a state that violates the constraints and is taken as it is.

use super::{SHOWN, difference, list};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::kinematics::ConstraintRow;

/// Part of a row's length from which on a violation is told; less is what a state written to seven digits has.
const TOLD: f64 = 1e-6;

/// A note that names each violated row, and the constraint with an axis that points backwards, which
/// no row shows.
pub fn violated(rows: &[ConstraintRow<f64>], speeds: &[f64], reversed: Option<&str>) -> Option<Diagnostic> {
    let fastest = speeds.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    let length = |row: &ConstraintRow<f64>| {
        let length = row.jacobian.iter().map(|x| x * x).sum::<f64>().sqrt();
        // A row that holds what cannot move has no length.
        if length > 1e-12 { length } else { 1.0 }
    };
    let off = |row: &ConstraintRow<f64>| {
        let position = row.position.filter(|x| x.abs() > TOLD * length(row));
        let speed = Some(row.velocity).filter(|x| x.abs() > TOLD * fastest * length(row));
        let position = position.map(|x| format!("{} in position", difference(x, "")));
        let speed = speed.map(|x| format!("{} in speed", difference(x, "")));
        let by: Vec<String> = position.into_iter().chain(speed).collect();
        (!by.is_empty()).then(|| format!("`{}` by {}", row.name, by.join(" and by ")))
    };
    let backwards = reversed.map(|name| format!("`{name}` by an axis that points backwards"));
    let off: Vec<String> = backwards.into_iter().chain(rows.iter().filter_map(off)).collect();
    if off.is_empty() {
        return None;
    }
    let more = if off.len() > SHOWN { "; `constraints` in the answer has all" } else { "" };
    Some(
        Diagnostic::note(
            "constraints-not-fulfilled",
            "the state does not fulfil the constraints; the equations are evaluated at it as it is",
        )
        .help(format!("off are {}{more}", list(off)))
        .help("`dqdt assemble SPEC --at FILE --format json` finds a state that fulfils them"),
    )
}
