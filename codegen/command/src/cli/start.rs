//! The state that a command starts from: the spec's, with what a file says instead.

use std::io::IsTerminal;
use std::path::Path;

use serde_json::Value;

use super::at::At;
use super::source::Failure;
use dqdt_algebra::Number;
use dqdt_derivation::assemble::{Assembled, Manifold, start_messages};
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::{Arguments, Layout};
use dqdt_mechanics::kinematics;
pub use dqdt_motion::simulate::{NoStart, Start, manifold};

/// Which coordinates, speeds, states and inputs a file names that was read before.
pub(super) fn named(text: &str, layout: &Layout) -> [Vec<bool>; 4] {
    // It is an object of objects.
    let file: Value = serde_json::from_str(text).unwrap_or_default();
    let parts = [("q", &layout.q), ("v", &layout.v), ("z", &layout.z), ("u", &layout.u)];
    parts.map(|(key, slots)| slots.iter().map(|s| file[key].get(&s.name).is_some()).collect())
}

/// The state of `--at`, if there is one. Speeds that it names are kept, those of the spec too if that goes; what it
/// leaves out comes from the spec, at its parameters.
pub(super) fn read(
    loaded: &Assembled,
    layout: &Layout,
    mut arguments: Arguments,
    at: Option<&At>,
) -> Result<Start, Failure> {
    let Some(at) = at else { return Ok(Start::of_spec(loaded, arguments)) };
    let place = at.place.display().to_string();
    super::eval::read_arguments(&at.text, layout, &mut arguments)
        .map_err(|message| Failure::Input { place: place.clone(), message })?;
    let mut start = Start::given(loaded, arguments, named(&at.text, layout));
    let tell = |name: &str, norm: f64| {
        dqdt_diagnostics::tell!(
            "warning: {place}: the quaternion from `q.{name}` on has the length {norm:.6}; it is divided by that"
        );
    };
    start.normalise(layout, tell).map_err(|e| no_start(e, &at.place))?;
    Ok(start)
}

/// What people are told; `place` is what the state was read from.
pub(super) fn no_start(e: NoStart, place: &Path) -> Failure {
    match e {
        // It names what it is about.
        NoStart::NotAssembled { .. } => Failure::Start(e),
        e => Failure::Input { place: place.display().to_string(), message: e.to_string() },
    }
}

/// A note on standard error about guesses that assembly moved, and speeds that it chose.
pub(super) fn tell_moves(loaded: &Assembled, start: &Start) {
    let a = &start.arguments;
    let state = (a.t, &a.q[..], &a.v[..]);
    tell(loaded, start_messages::moved(&manifold(loaded, a), &start.starts, state, &loaded.warnings.sources));
}

fn tell(loaded: &Assembled, note: Option<Errors>) {
    let Some(mut note) = note else { return };
    note.diagnostics.retain(|d| !loaded.accepted.iter().any(|code| code == d.code));
    if !note.diagnostics.is_empty() {
        dqdt_diagnostics::tell_on!("{}", note.render(std::io::stderr().is_terminal()));
    }
}

/// The same note about the start of the spec, for a command that takes it as it was assembled when it was loaded.
pub(super) fn tell_start(loaded: &Assembled) {
    let m = &loaded.mechanism;
    let manifold = Manifold::at_defaults(m);
    let start = kinematics::start(m, &Number::to_f64, &manifold.parameters);
    let state = (0.0, &start.q[..], &start.v[..]);
    tell(loaded, start_messages::moved(&manifold, &loaded.starts, state, &loaded.warnings.sources));
}

/// A note on standard error about constraints that a state does not fulfil.
pub(super) fn tell_violations(loaded: &Assembled, a: &Arguments) {
    let manifold = manifold(loaded, a);
    let rows = manifold.rows(a.t, &a.q, &a.v);
    let reversed = manifold.reversed(a.t, &a.q).and_then(|i| loaded.mechanism.constraints.get(i));
    let note = start_messages::violated(&rows, &a.v, reversed.map(|c| c.name.as_str()));
    tell(loaded, note.map(|note| Errors { diagnostics: vec![note], ..Errors::default() }));
}
