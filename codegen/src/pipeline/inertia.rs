//! Functions that a mechanism without inertia along some motion has, and those that it cannot have.
//!
//! Problem: a robot for kinematics has links without mass. Gravity, frames, Jacobians, inverse dynamics divide by no inertia and are
//!          right for it; accelerations are not defined.
//! Method:  `resolve` and `assemble` find the motions that nothing resists. They are a warning of the mechanism; each function says by its
//!          declaration what it solves, and one that divides by inertia is refused by name.

use crate::assemble::{self, Assembled};
use crate::error::{Diagnostic, Errors, Severity};
use crate::functions::Definition;
use crate::mechanism::{Joint, Mechanism};
use crate::spec::Spec;

/// Adds the motions of a tree that no inertia tells apart, and warns of all massless ones.
pub(super) fn find_massless(loaded: &mut Assembled, spec: &Spec) {
    if loaded.massless.is_empty()
        && let Some(speed) = assemble::unresisted(&loaded.mechanism)
    {
        let joint = &loaded.mechanism.joints[loaded.mechanism.speeds[speed].joint].name;
        let place = spec.joints.iter().find(|j| j.name.value == *joint).and_then(|j| j.name.span);
        loaded.massless.push(assemble::nothing_resists(&loaded.mechanism, speed, place));
    }
    let mut warnings = warnings(loaded);
    warnings.retain(|d| !loaded.accepted.iter().any(|code| code == d.code));
    loaded.warnings.diagnostics.extend(warnings);
}

/// The massless motions as warnings, once: a mechanism without any inertia says so in one.
fn warnings(loaded: &Assembled) -> Vec<Diagnostic> {
    if loaded.massless.is_empty() {
        return Vec::new();
    }
    const LEFT: &str = "functions that divide by inertia, as `dqdt`, are left out; those of kinematics and statics are right";
    if has_no_inertia(&loaded.mechanism) {
        let text =
            format!("no body of `{}` has mass or inertia: it is made for kinematics", loaded.mechanism.name);
        return vec![Diagnostic::warning("massless", text).help(LEFT)];
    }
    let warn = |d: &Diagnostic| Diagnostic { severity: Severity::Warning, ..d.clone() };
    let mut all: Vec<Diagnostic> = loaded.massless.iter().map(warn).collect();
    if let Some(last) = all.pop() {
        all.push(last.help(LEFT));
    }
    all
}

fn has_no_inertia(m: &Mechanism) -> bool {
    let own = |j: &Joint| j.rotor.is_some() || j.armature.iter().any(Option::is_some);
    m.bodies.iter().all(|b| b.mass.is_zero() && b.inertia.iter().all(|i| i.is_zero()))
        && !m.joints.iter().any(own)
}

/// The functions that are defined for the mechanism, and the names of the others.
pub(crate) fn defined(
    loaded: &Assembled,
    functions: &[&'static Definition],
) -> (Vec<&'static Definition>, Vec<&'static str>) {
    let (lacking, defined): (Vec<_>, Vec<_>) =
        functions.iter().copied().partition(|f| !loaded.massless.is_empty() && f.divides_by_inertia());
    (defined, lacking.iter().map(|f| f.name).collect())
}

/// Refuses what divides by inertia where a motion has none.
///
/// # Errors
/// Which function, and the motions without inertia.
pub(super) fn check(loaded: &Assembled, functions: &[&'static Definition]) -> Result<(), Errors> {
    let (_, lacking) = defined(loaded, functions);
    if lacking.is_empty() {
        return Ok(());
    }
    let (is, names) = (if lacking.len() == 1 { "is" } else { "are" }, lacking.join("`, `"));
    let text =
        format!("`{names}` of `{}` {is} not defined: some motion has no inertia", loaded.mechanism.name);
    let help = "give the bodies below their inertia, or ask for functions that divide by none, as `gravity`, `inverse_dynamics` or `frames`";
    let mut diagnostics = vec![Diagnostic::error("massless", text).help(help)];
    if has_no_inertia(&loaded.mechanism) {
        diagnostics[0].help[0] = "no body has mass or inertia: give the bodies theirs, or ask for functions that divide by none, as `gravity`, `inverse_dynamics` or `frames`".to_owned();
    } else {
        diagnostics.extend(loaded.massless.iter().cloned());
    }
    Err(Errors { diagnostics, sources: loaded.warnings.sources.clone() })
}
