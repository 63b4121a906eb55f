//! The first stages: resolving a spec, and the start of assembly.

use super::functions_of;
use crate::inertia;
use dqdt_algebra::Number;
use dqdt_derivation::assemble;
use dqdt_derivation::assemble::Assembled;
use dqdt_diagnostics::error::Errors;
use dqdt_mechanics::mechanism::{Formula, StartRole};
use dqdt_spec::resolve::{self, Resolved};
use dqdt_spec::spec::Spec;

/// Resolves a spec and records the name of its file, which emitted text states.
pub(super) fn resolve_with_file_name(spec: &Spec, file: impl Into<String>) -> Result<Resolved, Errors> {
    let mut resolved = resolve::resolve(spec)?;
    resolved.origin.file = file.into();
    Ok(resolved)
}

/// Same as [`build`](super::build), with assembly starting near the given coordinates and not at
/// the start of the spec. [`Assembled::starts`] keeps the starts of the spec.
#[doc(hidden)]
pub fn build_near(
    spec: &Spec,
    file: impl Into<String>,
    coordinates: &dyn Fn(&str) -> Option<f64>,
) -> Result<Assembled, Errors> {
    let resolved = resolve_with_file_name(spec, file)?;
    let starts = resolved.starts.clone();
    let loaded = assemble::assemble(replace_starts(resolved, coordinates))?;
    check_and_warn(Assembled { starts, ..loaded }, spec)
}

/// Checks that the functions of the spec exist, and adds warnings for motions without inertia.
pub(super) fn check_and_warn(mut loaded: Assembled, spec: &Spec) -> Result<Assembled, Errors> {
    functions_of(&loaded)?;
    inertia::add_massless_warnings(&mut loaded, spec);
    Ok(loaded)
}

/// Replaces starts of the resolved spec by these coordinates, as guesses for assembly.
fn replace_starts(mut resolved: Resolved, coordinates: &dyn Fn(&str) -> Option<f64>) -> Resolved {
    for (c, start) in resolved.mechanism.coordinates.iter_mut().zip(&mut resolved.starts.coordinates) {
        if let Some(x) = coordinates(&c.name) {
            c.start = Formula::Number(Number::float(x));
            start.role = StartRole::Guess;
        }
    }
    // Speeds that the spec fixes at its own start need not be possible here.
    for start in resolved.starts.speeds.iter_mut().filter(|s| s.role == StartRole::Kept) {
        start.role = StartRole::Guess;
    }
    resolved
}
