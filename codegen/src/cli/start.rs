//! The state that a command starts from: the spec's, with what a file says instead, brought onto the constraints.

use std::io::IsTerminal;
use std::path::Path;

use serde_json::Value;

use super::source::Failure;
use crate::assembly::{self, Assembled, Held, Manifold, NotAssembled};
use crate::error::Errors;
use crate::ir::{Arguments, Layout};
use crate::kinematics;
use crate::mechanism::{Given, Mechanism, Role, Starts};
use crate::pipeline::Loaded;
use crate::start_messages;

/// The constraints at the parameters of `arguments`.
pub(super) fn manifold<'l>(loaded: &'l Loaded, arguments: &Arguments) -> Manifold<'l> {
    let m = &loaded.mechanism;
    let number = |n: crate::algebra::Number| n.to_f64();
    Manifold::new(m, kinematics::parameters(m, &number, &arguments.p))
}

/// Takes what a file leaves out from the spec, at the parameters of the file. Tells which coordinates, speeds, states
/// and inputs the file names.
pub(super) fn complete(m: &Mechanism, text: &str, layout: &Layout, a: &mut Arguments) -> [Vec<bool>; 4] {
    let number = |n: crate::algebra::Number| n.to_f64();
    let start = kinematics::start(m, &number, &kinematics::parameters(m, &number, &a.p));
    // The text has been read before: it is an object of objects.
    let file: Value = serde_json::from_str(text).unwrap_or_default();
    let parts = [
        ("q", &layout.q, &mut a.q, start.q),
        ("v", &layout.v, &mut a.v, start.v),
        ("z", &layout.z, &mut a.z, start.z),
        ("u", &layout.u, &mut a.u, start.u),
    ];
    parts.map(|(key, slots, values, defaults)| {
        let named: Vec<bool> = slots.iter().map(|s| file[key].get(&s.name).is_some()).collect();
        let missing = values.iter_mut().zip(defaults).zip(&named).filter(|(_, named)| !**named);
        missing.for_each(|((value, default), _)| *value = default);
        named
    })
}

/// Brings quaternions to length one, with a warning.
fn normalise(path: &Path, layout: &Layout, a: &mut Arguments) -> Result<(), Failure> {
    for first in &layout.quaternions {
        let part = &mut a.q[*first..*first + 4];
        let norm = part.iter().map(|x| x * x).sum::<f64>().sqrt();
        let name = &layout.q[*first].name;
        if norm == 0.0 {
            let message = format!("the quaternion from `q.{name}` on is zero, which is no attitude");
            return Err(Failure::Input { place: path.display().to_string(), message });
        }
        if (norm - 1.0).abs() > 1e-9 {
            eprintln!(
                "warning: {}: the quaternion from `q.{name}` on has the length {norm:.6}; it is divided by that",
                path.display()
            );
        }
        part.iter_mut().for_each(|x| *x /= norm);
    }
    Ok(())
}

/// What a spec, and a file beside it, say of the state to start from.
pub(super) struct Asked {
    /// Role and value of each start.
    pub(super) starts: Starts,
    /// Speeds that the file names.
    named: Vec<bool>,
}

impl Asked {
    /// Reads the file of `--at` into `arguments`. Speeds that it names are kept, those of the spec too if that goes;
    /// what it leaves out comes from the spec, at its parameters.
    pub(super) fn read(
        loaded: &Loaded,
        layout: &Layout,
        arguments: &mut Arguments,
        path: Option<&Path>,
    ) -> Result<Self, Failure> {
        let mut asked = Asked { starts: loaded.starts.clone(), named: vec![false; layout.v.len()] };
        let Some(path) = path else { return Ok(asked) };
        let text = std::fs::read_to_string(path).map_err(|e| Failure::file("read", path, e))?;
        super::eval::read_arguments(&text, layout, arguments)
            .map_err(|message| Failure::Input { place: path.display().to_string(), message })?;
        let named = complete(&loaded.mechanism, &text, layout, arguments);
        normalise(path, layout, arguments)?;
        for (i, given) in asked.starts.coordinates.iter_mut().enumerate() {
            if named[0][i] && given.role == Role::Open {
                given.role = Role::Guess;
            }
            *given = Given { role: given.role, value: arguments.q[i], span: None };
        }
        for (i, given) in asked.starts.speeds.iter_mut().enumerate() {
            if named[1][i] {
                given.role = Role::Kept;
            }
            *given = Given { role: given.role, value: arguments.v[i], span: None };
        }
        let [_, v, ..] = named;
        asked.named = v;
        Ok(asked)
    }

    /// A note on standard error about guesses that assembly moved, and speeds that it chose.
    pub(super) fn tell_moves(&self, loaded: &Loaded, found: &Arguments) {
        let state = (found.t, &found.q[..], &found.v[..]);
        tell(start_messages::moved(&manifold(loaded, found), &self.starts, state, &loaded.warnings.sources));
    }
}

fn tell(note: Option<Errors>) {
    if let Some(note) = note {
        eprint!("{}", note.render(std::io::stderr().is_terminal()));
    }
}

/// The same note about the start of the spec, for a command that takes it as it was assembled when it was loaded.
pub(super) fn tell_start(loaded: &Loaded) {
    let m = &loaded.mechanism;
    let manifold = Manifold::at_defaults(m);
    let start = kinematics::start(m, &crate::algebra::Number::to_f64, &manifold.parameters);
    let state = (0.0, &start.q[..], &start.v[..]);
    tell(start_messages::moved(&manifold, &loaded.starts, state, &loaded.warnings.sources));
}

/// A note on standard error about constraints that a state does not fulfil.
pub(super) fn tell_violations(loaded: &Loaded, a: &Arguments) {
    let rows = manifold(loaded, a).rows(a.t, &a.q, &a.v);
    let note = start_messages::violated(&rows, &a.v);
    tell(note.map(|note| Errors { diagnostics: vec![note], ..Errors::default() }));
}

/// Brings the state of `arguments` onto the constraints. `place` is what the state was read from.
pub(super) fn assemble(
    loaded: &Loaded,
    asked: &Asked,
    arguments: &mut Arguments,
    place: &Path,
) -> Result<Option<Assembled>, Failure> {
    let m = &loaded.mechanism;
    if m.constraints.is_empty() {
        return Ok(None);
    }
    let manifold = manifold(loaded, arguments);
    let t = arguments.t;
    let held = Held::from(&asked.starts);
    let given = (&arguments.q[..], &arguments.v[..]);
    let with = |kept: &[bool]| assembly::assemble(&manifold, t, given, (&held.coordinates, kept));
    let mut found = with(&held.speeds);
    if found.as_ref().is_err_and(|e| e.speeds) && asked.named.contains(&true) {
        // The file decides where it contradicts the spec.
        found = with(&asked.named).or(found);
    }
    match found {
        Ok(found) => {
            arguments.q.clone_from(&found.q);
            arguments.v.clone_from(&found.v);
            Ok(Some(found))
        }
        Err(e) => Err(failure(loaded, asked, &manifold, arguments, &e, place)),
    }
}

fn failure(
    loaded: &Loaded,
    asked: &Asked,
    manifold: &Manifold<'_>,
    arguments: &Arguments,
    e: &NotAssembled,
    place: &Path,
) -> Failure {
    let held = Held::from(&asked.starts);
    let given = (&asked.starts.coordinates[..], &asked.starts.speeds[..]);
    let state = (&arguments.q[..], &arguments.v[..]);
    let findings = assembly::why_not(manifold, arguments.t, e, state, &held.coordinates);
    let apart = |f| start_messages::apart(&loaded.mechanism, given, f, None);
    let told: Vec<String> = (findings.iter().filter_map(apart))
        .map(|d| format!("{}\n\nhelp: {}", d.message, d.help.join("\nhelp: ")))
        .collect();
    if !told.is_empty() {
        return Failure::Input { place: place.display().to_string(), message: told.join("\n\n") };
    }
    let rows = manifold.rows(arguments.t, &e.q, &arguments.v);
    let of_level = rows.iter().filter(|r| e.speeds || r.position.is_some());
    let row = of_level.map(|r| r.name.clone()).nth(e.row).unwrap_or_else(|| "a quaternion".to_owned());
    let what = if e.speeds { "speeds" } else { "pose" };
    Failure::NotAssembled { what, row, residual: e.residual }
}
