//! Mechanisms with massless motions: selects the functions and formalisms that are still defined.
//!
//! Problem: a robot described for kinematics has links without mass. Gravity, frames, Jacobians and
//!          inverse dynamics divide by no inertia and are correct for it; accelerations are
//!          undefined.
//! Method:  `resolve` and `assemble` find the motions without inertia, which become a warning. The
//!          declaration of a function gives what it solves; a function that divides by inertia is
//!          rejected by name. If constraints prevent these motions, the equations are regular, and
//!          only functions and formalisms that invert M of the tree are rejected.

use dqdt_derivation::assemble::{self, Assembled};
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::{Diagnostic, Errors, Severity};
use dqdt_mechanics::formalism::{self, ConstraintsBy, Formalism};
use dqdt_mechanics::mechanism::{Mechanism, Partition};
use dqdt_spec::spec::Spec;

/// Finds the motions without inertia and adds a warning for each to `loaded`. Motions that
/// constraints prevent are only recorded in the partition.
pub(super) fn add_massless_warnings(loaded: &mut Assembled, spec: &Spec) {
    let m = &loaded.mechanism;
    let constrained = !m.constraints.is_empty();
    let unresisted = if loaded.massless.is_empty() || constrained {
        assemble::find_massless_speed(m, &loaded.partition)
    } else {
        None
    };
    if let Some(speed) = unresisted.filter(|_| loaded.massless.is_empty()) {
        let joint = &m.joints[m.speeds[speed].joint].name;
        let place = spec.joints.iter().find(|j| j.name.value == *joint).and_then(|j| j.name.span);
        loaded.massless.push(assemble::massless_error(m, speed, place));
    } else if constrained && unresisted.is_none() && assemble::tree_mass_matrix_is_singular(m) {
        loaded.massless.clear();
        loaded.warnings.diagnostics.retain(|d| d.code != "massless");
        loaded.partition.tree_is_singular = true;
    }
    let mut warnings = massless_warnings(loaded);
    warnings.retain(|d| !loaded.accepted.iter().any(|code| code == d.code));
    loaded.warnings.diagnostics.extend(warnings);
}

/// Warnings about the massless motions; one warning if the mechanism has no inertia at all.
fn massless_warnings(loaded: &Assembled) -> Vec<Diagnostic> {
    if loaded.massless.is_empty() {
        return Vec::new();
    }
    const LEFT: &str = "functions that divide by inertia, such as `dqdt`, are omitted; kinematic and static functions remain correct";
    if has_no_inertia(&loaded.mechanism) {
        let text = format!(
            "no body of `{}` has mass or inertia, so the mechanism is purely kinematic",
            loaded.mechanism.name
        );
        return vec![Diagnostic::warning("massless", text).help(LEFT)];
    }
    let mut all = loaded.massless.clone();
    all.iter_mut().for_each(|d| d.severity = Severity::Warning);
    if let Some(last) = all.pop() {
        all.push(last.help(LEFT));
    }
    all
}

fn has_no_inertia(m: &Mechanism) -> bool {
    m.bodies.iter().all(|b| b.mass.is_zero() && b.inertia.iter().all(|i| i.is_zero()))
        && !m.joints.iter().any(|j| j.rotor.is_some() || j.armature.iter().any(Option::is_some))
}

/// True if the formalism can derive this mechanism: M of the tree is regular, or the formalism does
/// not divide by it.
pub fn supports_massless_tree(partition: &Partition, f: Formalism) -> bool {
    !partition.tree_is_singular || f.facts().constraints != ConstraintsBy::Multipliers
}

/// Splits functions into those defined for a mechanism with massless motions, and the names of the
/// others.
pub fn split_defined_functions(
    loaded: &Assembled,
    functions: &[&'static Definition],
) -> (Vec<&'static Definition>, Vec<&'static str>) {
    let tree_is_singular = loaded.partition.tree_is_singular;
    let (lacking, defined): (Vec<_>, Vec<_>) = functions.iter().copied().partition(|f| {
        (!loaded.massless.is_empty() && divides_by_inertia(&loaded.mechanism, f))
            || (tree_is_singular && f.inverts_tree())
    });
    (defined, lacking.iter().map(|f| f.name).collect())
}

/// True if the function divides by inertia for this mechanism. Outputs and powers do only if an
/// entry needs accelerations.
fn divides_by_inertia(m: &Mechanism, f: &Definition) -> bool {
    if !m.inputs_realising_constraints().is_empty() {
        return f.divides_by_inertia();
    }
    if f == functions::OUTPUTS {
        return m.outputs.iter().any(|o| formalism::depends_on_accelerations(m, &o.kind));
    }
    if f == functions::POWER {
        let prescribed = m.joints.iter().any(|j| j.speeds.iter().any(|s| s.prescribed_formula().is_some()));
        return !m.constraints.is_empty() || prescribed;
    }
    f.divides_by_inertia()
}

/// Rejects functions that divide by inertia if a motion of the mechanism has none.
///
/// # Errors
/// The names of the functions, and the motions without inertia.
pub(super) fn check_massless(loaded: &Assembled, functions: &[&'static Definition]) -> Result<(), Errors> {
    let (_, lacking) = split_defined_functions(loaded, functions);
    if lacking.is_empty() {
        return Ok(());
    }
    let (is, names) = (if lacking.len() == 1 { "is" } else { "are" }, lacking.join("`, `"));
    let name = &loaded.mechanism.name;
    if loaded.massless.is_empty() {
        let text = format!(
            "`{names}` {is} not defined for `{name}`, because the mass matrix of the tree is singular"
        );
        let help = "a motion of the tree has no inertia; only constraints restrict it, and these functions ignore \
                    constraints: give the bodies inertia, or do not request these functions";
        return Err(errors_from_diagnostic(loaded, Diagnostic::error("massless", text).help(help)));
    }
    let text =
        format!("`{names}` {is} not defined for `{name}`, because a motion of the mechanism has no inertia");
    let help = "give the bodies listed below inertia, or request functions that do not divide by inertia, such as `gravity`, `inverse_dynamics` or `frames`";
    let mut error = errors_from_diagnostic(loaded, Diagnostic::error("massless", text).help(help));
    if has_no_inertia(&loaded.mechanism) {
        error.diagnostics[0].help[0] = "no body has mass or inertia: give the bodies mass and inertia, or request functions that do not divide by inertia, such as `gravity`, `inverse_dynamics` or `frames`".to_owned();
    } else {
        error.diagnostics.extend(loaded.massless.iter().cloned());
    }
    Err(error)
}

/// Rejects a formalism that divides by the mass matrix of the tree if that is singular.
///
/// # Errors
/// The formalism, and the formalisms that can be used instead.
pub(super) fn check_formalism(
    loaded: &Assembled,
    form: Formalism,
    functions: &[&'static Definition],
) -> Result<(), Errors> {
    let solves = functions.iter().any(|f| f.divides_by_inertia());
    if supports_massless_tree(&loaded.partition, form) || !solves {
        return Ok(());
    }
    let others = Formalism::ALL.into_iter().filter(|f| supports_massless_tree(&loaded.partition, *f));
    let others: Vec<String> = others.map(|f| format!("`{}`", f.name())).collect();
    let text = format!(
        "formalism `{}` divides by the mass matrix of the tree, which is singular: a motion of `{}` has no inertia and is restricted only by constraints",
        form.name(),
        loaded.mechanism.name
    );
    let help = format!(
        "use one of {}, or specify no formalism, so that a suitable one is chosen",
        others.join(", ")
    );
    Err(errors_from_diagnostic(loaded, Diagnostic::error("massless", text).help(help)))
}

fn errors_from_diagnostic(loaded: &Assembled, diagnostic: Diagnostic) -> Errors {
    Errors { diagnostics: vec![diagnostic], sources: loaded.warnings.sources.clone() }
}
