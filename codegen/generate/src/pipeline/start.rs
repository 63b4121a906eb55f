//! The start of the order: what a spec means, and where assembly begins.

use super::functions_of;
use crate::inertia;
use dqdt_algebra::Number;
use dqdt_derivation::assemble;
use dqdt_derivation::assemble::Assembled;
use dqdt_diagnostics::error::Errors;
use dqdt_mechanics::mechanism::{Formula, StartRole};
use dqdt_spec::resolve::{self, Resolved};
use dqdt_spec::spec::Spec;

/// The spec resolved, with the name of its file.
pub(super) fn resolved(spec: &Spec, file: impl Into<String>) -> Result<Resolved, Errors> {
    let mut resolved = resolve::resolve(spec)?;
    resolved.origin.file = file.into();
    Ok(resolved)
}

/// As [`build`](super::build), with the start of the mechanism near given coordinates: assembly
/// begins there and not at the start of the spec. What the spec says of starts stays in
/// [`Assembled::starts`].
#[doc(hidden)]
pub fn build_near(
    spec: &Spec,
    file: impl Into<String>,
    coordinates: &dyn Fn(&str) -> Option<f64>,
) -> Result<Assembled, Errors> {
    let resolved = resolved(spec, file)?;
    let starts = resolved.starts.clone();
    let loaded = assemble::assemble(near(resolved, coordinates))?;
    checked(Assembled { starts, ..loaded }, spec)
}

/// The mechanism with the functions of its spec checked, and its motions without inertia found.
pub(super) fn checked(mut loaded: Assembled, spec: &Spec) -> Result<Assembled, Errors> {
    functions_of(&loaded)?;
    inertia::find_massless(&mut loaded, spec);
    Ok(loaded)
}

/// What the spec means, with the start near given coordinates.
fn near(mut resolved: Resolved, coordinates: &dyn Fn(&str) -> Option<f64>) -> Resolved {
    for (c, given) in resolved.mechanism.coordinates.iter_mut().zip(&mut resolved.starts.coordinates) {
        if let Some(x) = coordinates(&c.name) {
            c.start = Formula::Number(Number::float(x));
            given.role = StartRole::Guess;
        }
    }
    // Speeds that the spec keeps at its own start need not be possible here.
    for given in resolved.starts.speeds.iter_mut().filter(|s| s.role == StartRole::Kept) {
        given.role = StartRole::Guess;
    }
    resolved
}
