//! The functions that a spec requests, and the check that its mechanism has them.

use crate::inertia;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_graph::ir::declaration::Vector;
use dqdt_mechanics::formalism::{self, NotDriven};
use dqdt_spec::spec::did_you_mean;

/// Functions that the key `functions` of the spec lists; the default functions if it has no such
/// key.
///
/// # Errors
/// Unknown function names.
pub fn functions_of(loaded: &Assembled) -> Result<Vec<&'static Definition>, Errors> {
    if loaded.functions.is_empty() {
        return Ok(inertia::split_defined_functions(loaded, &functions::defaults()).0);
    }
    let mut out: Vec<&'static Definition> = Vec::new();
    let mut diagnostics = Vec::new();
    for name in &loaded.functions {
        let definitions = match name.value.as_str() {
            "default" => inertia::split_defined_functions(loaded, &functions::defaults()).0,
            other => functions::by_name(other).into_iter().collect(),
        };
        if definitions.is_empty() {
            let known = functions::ALL.iter().map(|f| f.name).chain(["default"]);
            let help = match did_you_mean(&name.value, known) {
                Some(meant) => format!("write `{meant}`"),
                None => "run `dqdt emit --help` to list all functions".to_owned(),
            };
            let text = format!("there is no function `{}` to emit", name.value);
            diagnostics
                .push(Diagnostic::error("unknown-name", text).at(name.span, "unknown function").help(help));
        }
        for f in definitions {
            if !out.contains(&f) {
                out.push(f);
            }
        }
    }
    if diagnostics.is_empty() {
        return Ok(out);
    }
    Err(Errors { diagnostics, sources: loaded.warnings.sources.clone() })
}

/// Rejects functions that the mechanism does not have, where omitting them would surprise the user.
///
/// # Errors
/// The function, the reason and a remedy.
pub fn check_functions(loaded: &Assembled, functions: &[&'static Definition]) -> Result<(), Errors> {
    inertia::check_massless(loaded, functions)?;
    let (m, partition) = (&loaded.mechanism, &loaded.partition);
    let first_taking = |vector| functions.iter().find(|f| f.takes(vector)).map(|f| f.name);
    let by_pose = |name: &str| {
        Diagnostic::error(
            "no-independent-speeds",
            format!("`{name}` cannot be derived for `{}`, because the choice of independent speeds depends on the pose", m.name),
        )
        .help(
            "give the velocity of the freely moving joint in body axes (`velocity_frame = \"body\"`), or use \
             `mass_matrix`, `bias` and `velocity_constraints`",
        )
    };
    let mut diagnostics = Vec::new();
    if let Some(name) = first_taking(Vector::IndependentAccelerations)
        && formalism::independent_speeds(m, partition).is_none()
    {
        diagnostics.push(by_pose(name));
    }
    if let Some(f) = functions.iter().find(|f| f.in_independent_differences())
        && !m.constraints.is_empty()
        && (partition.driven.is_none() || partition.coordinates.is_none())
    {
        let text = format!(
            "`{}` cannot be derived for `{}`, because the choice of independent states depends on the pose",
            f.name, m.name
        );
        diagnostics.push(Diagnostic::error("no-independent-states", text).help(
            "if a freely moving joint has its velocity in ground axes, use body axes (`velocity_frame = \
             \"body\"`); no single choice remains valid if a wheel can be steered by 90 degrees. `dqdt linearize` chooses \
             independent states at each state",
        ));
    }
    if let Some(name) = first_taking(Vector::DrivenAccelerations) {
        match formalism::driven_speeds(m, partition) {
            Ok(_) => {}
            Err(NotDriven::Pose) => diagnostics.push(by_pose(name)),
            Err(NotDriven::Dependent(s)) => {
                let speed = &m.speeds[s].name;
                let text = format!(
                    "`{name}` cannot be derived for `{}`, because speed `{speed}` cannot be driven together with the other driven speeds",
                    m.name
                );
                let independent = formalism::independent_speeds(m, partition).unwrap_or_default();
                let names: Vec<&str> = independent.iter().map(|s| m.speeds[*s].name.as_str()).collect();
                let d = Diagnostic::error("dependent-driven", text);
                diagnostics.push(d.help(format!(
                    "remove this speed from `driven`: the constraints determine it from the other speeds, or the spec declares it dependent. The independent speeds are {}",
                    names.join(", ")
                )));
            }
        }
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(Errors { diagnostics, ..Errors::default() }) }
}
