//! Start state of a command: that of the spec, overridden by the file of `--at`.

use std::io::IsTerminal;
use std::path::Path;

use serde_json::Value;

use super::source::Failure;
use super::state_file::StateFile;
use dqdt_algebra::Number;
use dqdt_derivation::assemble::{Assembled, Manifold, start_messages};
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::{Arguments, Layout, Program, Slot};
use dqdt_mechanics::kinematics;
pub use dqdt_motion::simulate::{NoStart, Start, constraint_manifold};

/// Flags of the coordinates, speeds, user states and inputs that a state file (`--at`) names.
/// `text` is already known to be valid.
pub(super) fn named_entry_flags(text: &str, layout: &Layout) -> [Vec<bool>; 4] {
    // Valid text is an object of objects.
    let file: Value = serde_json::from_str(text).unwrap_or_default();
    let parts = [("q", &layout.q), ("v", &layout.v), ("z", &layout.z), ("u", &layout.u)];
    parts.map(|(key, slots)| slots.iter().map(|s| file[key].get(&s.name).is_some()).collect())
}

/// Default values of these coordinates, speeds, user states, inputs or parameters.
pub(super) fn default_values(slots: &[Slot]) -> Vec<f64> {
    slots.iter().map(|s| s.value).collect()
}

/// Start state of a command: from the file of `--at`, or from the spec without one.
///
/// Speeds in the file are kept, those of the spec if possible. Missing entries come from the spec,
/// evaluated at the parameters of the file.
pub(super) fn read_start_state(
    loaded: &Assembled,
    layout: &Layout,
    mut arguments: Arguments,
    at: Option<&StateFile>,
) -> Result<Start, Failure> {
    let Some(at) = at else { return Ok(Start::from_spec(loaded, arguments)) };
    let place = at.place.display().to_string();
    super::eval::read_state_arguments(&at.text, layout, &mut arguments)
        .map_err(|message| Failure::Input { place: place.clone(), message })?;
    let mut start = Start::from_arguments(loaded, arguments, named_entry_flags(&at.text, layout));
    let normalised = start.normalise_quaternions(layout, |name, norm| {
        dqdt_diagnostics::tell!(
            "warning: {place}: the quaternion whose first component is `q.{name}` has length {norm:.6}; it \
             is normalised"
        );
    });
    normalised.map_err(|e| start_failure(e, &at.place))?;
    Ok(start)
}

/// Failure of a command whose start state cannot be assembled; `place` names the source of the
/// state.
pub(super) fn start_failure(e: NoStart, place: &Path) -> Failure {
    match e {
        // This message names the constraint row, so the place is not added.
        NoStart::NotAssembled { .. } => Failure::Start(e),
        e => Failure::Input { place: place.display().to_string(), message: e.to_string() },
    }
}

/// Prints a note about coordinates that assembly of the start moved and speeds that it chose.
pub(super) fn print_move_note(loaded: &Assembled, start: &Start) {
    if let Some(note) = start.note_changes(loaded) {
        print_note(&note);
    }
}

/// Prints a note to standard error.
fn print_note(note: &Errors) {
    dqdt_diagnostics::tell_on!("{}", note.render(std::io::stderr().is_terminal()));
}

/// Prints the same note as [`print_move_note`] about the start of the spec, as assembled at load
/// time.
pub(super) fn print_start_note(loaded: &Assembled) {
    let m = &loaded.mechanism;
    let manifold = Manifold::with_default_parameters(m);
    let start = kinematics::initial_instant(m, &Number::to_f64, &manifold.parameters);
    let state = (0.0, &start.q[..], &start.v[..]);
    let sources = &loaded.warnings.sources;
    let Some(mut note) = start_messages::note_start_changes(&manifold, &loaded.starts, state, sources) else {
        return;
    };
    note.diagnostics.retain(|d| !loaded.accepted.iter().any(|code| code == d.code));
    if !note.diagnostics.is_empty() {
        print_note(&note);
    }
}

/// Prints a warning to standard error for each violated condition on the parameters, such as a
/// negative mass.
pub(super) fn warn_violated_conditions(program: &Program, arguments: &Arguments) {
    for fault in program.violated_conditions(arguments) {
        dqdt_diagnostics::tell!("warning: {fault}");
    }
}

/// Prints a note about constraints that the state of `dqdt eval` violates.
pub(super) fn print_violation_note(loaded: &Assembled, a: &Arguments) {
    let manifold = constraint_manifold(loaded, a);
    let rows = manifold.constraint_rows(a.t, &a.q, &a.v);
    let reversed =
        manifold.most_reversed_constraint(a.t, &a.q).and_then(|i| loaded.mechanism.constraints.get(i));
    let note = start_messages::note_violations(&rows, &a.v, reversed.map(|c| c.name.as_str()));
    if let Some(note) = note.filter(|note| !loaded.accepted.iter().any(|code| code == note.code)) {
        print_note(&Errors { diagnostics: vec![note], ..Errors::default() });
    }
}
