//! `--motion`: shows a motion computed by another program instead of an integrated one.

use std::path::Path;

use super::chosen::ENERGIES;
use crate::cli::source::Failure;
use dqdt_graph::ir::{Layout, Slot};
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_motion::simulate::Motion;
pub use dqdt_spec::read::Series;
use dqdt_spec::spec::did_you_mean;

/// Prints a note about columns that the mechanism does not have, and about speeds and states
/// without a column.
pub(super) fn tell(path: &Path, table: &Series, layout: &Layout, m: &Mechanism) {
    let outputs: Vec<&str> = m.outputs.iter().map(|o| o.name.as_str()).collect();
    let own = |name: &str| {
        let states = layout.q.iter().chain(&layout.v).chain(&layout.z).chain(&layout.u);
        // Other columns of a table of `simulate`: components of outputs, energies, forces.
        let written =
            |o: &&str| name.strip_prefix(*o).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
        let forces = ["lambda", "reaction"].iter().any(|f| name.starts_with(f));
        states.map(|s| s.name.as_str()).any(|n| n == name)
            || ENERGIES.contains(&name)
            || outputs.iter().any(written)
            || forces
    };
    let unknown: Vec<&str> = table.names().filter(|name| !own(name)).collect();
    if !unknown.is_empty() {
        let known =
            layout.q.iter().chain(&layout.v).chain(&layout.z).chain(&layout.u).map(|s| s.name.as_str());
        let near = unknown.iter().find_map(|name| did_you_mean(name, known.clone()));
        let near = near.map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
        dqdt_diagnostics::tell!(
            "note: {}: not shown: `{}`, which the mechanism does not have{near}",
            path.display(),
            unknown.join("`, `")
        );
    }
    let missing = |slots: &[Slot]| -> Vec<String> {
        slots.iter().map(|s| s.name.clone()).filter(|name| table.column(name).is_none()).collect()
    };
    let absent: Vec<String> = missing(&layout.v).into_iter().chain(missing(&layout.z)).collect();
    if !absent.is_empty() {
        dqdt_diagnostics::tell!(
            "note: {}: no column for `{}`: zero, in energies and outputs too",
            path.display(),
            absent.join("`, `")
        );
    }
}

/// Converts the rows of a table to a motion. Speeds and user states without a column are zero.
///
/// # Errors
/// If the column of a coordinate is missing.
pub(super) fn read(path: &Path, table: &Series, layout: &Layout) -> Result<Motion, Failure> {
    let missing: Vec<&str> =
        layout.q.iter().map(|s| s.name.as_str()).filter(|name| table.column(name).is_none()).collect();
    if !missing.is_empty() {
        let found: Vec<&str> = table.names().collect();
        let message = format!(
            "{} has no column for `{}`\n\nhelp: it has {}; the first row names the columns, `t` and all coordinates as the spec calls \
             them, angles in radians",
            path.display(),
            missing.join("`, `"),
            if found.is_empty() { "`t` alone".to_owned() } else { found.join(", ") }
        );
        return Err(Failure::Option { option: "--motion", message });
    }
    let times = table.times().to_vec();
    let names: Vec<&str> =
        layout.q.iter().chain(&layout.v).chain(&layout.z).map(|s| s.name.as_str()).collect();
    let value = |name: &&str, k: usize| table.column(name).and_then(|c| c.get(k)).copied().unwrap_or(0.0);
    let states = (0..times.len()).map(|k| names.iter().map(|name| value(name, k)).collect()).collect();
    let work = vec![0.0; times.len()];
    Ok(Motion {
        times,
        states,
        work,
        taken: 0.0,
        events: Vec::new(),
        ended: false,
        stopped: None,
        evaluations: 0,
        steps: 0,
        jacobians: 0,
    })
}
