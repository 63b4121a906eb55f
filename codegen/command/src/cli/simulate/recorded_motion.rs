//! `--motion`: shows a motion computed by another program instead of an integrated one.

use std::path::Path;

use super::signal_selection::{ENERGIES, is_component};
use crate::cli::source::Failure;
use dqdt_graph::ir::{Layout, Slot};
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_motion::simulate::Motion;
pub use dqdt_spec::read::Series;
use dqdt_spec::spec::did_you_mean;

/// Prints a note about columns of a recorded motion that the mechanism does not have, and about
/// speeds and states without a column.
pub(super) fn print_column_notes(path: &Path, table: &Series, layout: &Layout, m: &Mechanism) {
    let outputs: Vec<&str> = m.outputs.iter().map(|o| o.name.as_str()).collect();
    let unknown: Vec<&str> = table
        .names()
        .filter(|name| !is_state_or_input(name, layout) && !is_simulated_column(name, &outputs))
        .collect();
    if !unknown.is_empty() {
        let known =
            layout.q.iter().chain(&layout.v).chain(&layout.z).chain(&layout.u).map(|s| s.name.as_str());
        let near = unknown.iter().find_map(|name| did_you_mean(name, known.clone()));
        let near = near.map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
        dqdt_diagnostics::tell!(
            "note: {}: these columns are ignored, because they do not belong to the mechanism: `{}`{near}",
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
            "note: {}: there is no column for `{}`, so zero is used, also in energies and outputs",
            path.display(),
            absent.join("`, `")
        );
    }
}

/// True if `name` is that of a coordinate, speed, user state or input.
fn is_state_or_input(name: &str, layout: &Layout) -> bool {
    let mut slots = layout.q.iter().chain(&layout.v).chain(&layout.z).chain(&layout.u);
    slots.any(|s| s.name == name)
}

/// True if `name` is another column of a table of `dqdt simulate`: an energy, a component of an
/// output, a multiplier or a reaction.
fn is_simulated_column(name: &str, outputs: &[&str]) -> bool {
    ENERGIES.contains(&name)
        || outputs.iter().any(|output| is_component(name, output))
        || ["lambda", "reaction"].iter().any(|prefix| name.starts_with(prefix))
}

/// Converts the rows of the table of `--motion` to a motion. Speeds and user states without a
/// column are zero.
///
/// # Errors
/// If the column of a coordinate is missing.
pub(super) fn motion_from_table(path: &Path, table: &Series, layout: &Layout) -> Result<Motion, Failure> {
    let missing: Vec<&str> =
        layout.q.iter().map(|s| s.name.as_str()).filter(|name| table.column(name).is_none()).collect();
    if !missing.is_empty() {
        let names: Vec<&str> = table.names().collect();
        let message = format!(
            "{} has no column for `{}`\n\nhelp: its columns are {}; the first row must name the columns: \
             `t` and all coordinates as in the spec, angles in radians",
            path.display(),
            missing.join("`, `"),
            if names.is_empty() { "only `t`".to_owned() } else { names.join(", ") }
        );
        return Err(Failure::Option { option: "--motion", message });
    }
    let times = table.times().to_vec();
    let names: Vec<&str> =
        layout.q.iter().chain(&layout.v).chain(&layout.z).map(|s| s.name.as_str()).collect();
    let states = (0..times.len()).map(|k| {
        let values = names.iter().map(|name| table.column(name).and_then(|c| c.get(k)));
        values.map(|x| x.copied().unwrap_or(0.0)).collect()
    });
    let states = states.collect();
    let work = vec![0.0; times.len()];
    Ok(Motion { times, states, work, ..Motion::default() })
}
