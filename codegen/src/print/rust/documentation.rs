//! Documentation of the functions: what they compute, what they take, when they fail.

use super::syntax::{code, doc, prose};
use crate::ir::declaration::{Declaration, Returns, Role};
use crate::ir::{Function, Program};

/// Of the constraints: what they do in the function, and what it cannot tell.
fn of_constraints(program: &Program, function: &Function, lines: &mut Vec<String>) {
    let l = &program.layout;
    let note = function.declaration.constraints.as_ref().filter(|_| !l.velocity_rows.is_empty());
    let Some(note) = note.filter(|n| !n.where_solved || !function.checks.is_empty()) else { return };
    let list = |names: &[String]| names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ");
    let dependent = !l.dependent_speeds.is_empty();
    let mut text = note.with_dependent_speeds.filter(|_| dependent).unwrap_or(note.text).to_owned();
    if text.is_empty() {
        return;
    }
    if dependent && note.names_dependent_speeds {
        let names = list(&l.dependent_speeds);
        text.push_str(&format!(" Dependent speeds are computed from the others, and not read: {names}."));
    }
    if let Some(open) = note.undetermined.filter(|_| !l.undetermined_rows.is_empty()) {
        text.push_str(&open.replace("{rows}", &list(&l.undetermined_rows)));
    }
    if let Some((role, [emitted, missing])) = note.instead {
        text.push_str(if program.with_role(role).is_some() { emitted } else { missing });
    }
    lines.extend([text, String::new()]);
}

/// The documentation of a function.
pub fn documentation(program: &Program, function: &Function) -> Vec<syn::Attribute> {
    let declaration = function.declaration;
    let summary = declaration.summary.replace("{mechanism}", &prose(&program.name));
    let mut lines = vec![summary, String::new()];
    of_constraints(program, function, &mut lines);
    if declaration.role == Some(Role::StateDerivative) {
        lines.push("State and inputs stand in the order of [`STATES`] and [`INPUTS`].".to_owned());
    }
    if let Some(failure) = failure(function) {
        lines.extend([String::new(), "# Errors".to_owned()]);
        let after = match declaration.returns {
            Returns::Joint(_) => "the results are of no use then",
            _ => "the result is zero there",
        };
        lines.push(format!("[`Singular`](::dqdt::Singular) where {failure}; {after}."));
    }
    lines.extend(unchecked(function).into_iter().flat_map(|text| [String::new(), text]));
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    doc(&lines)
}

/// What a function divides by without a check.
fn unchecked(function: &Function) -> Option<String> {
    if function.declaration.checked || function.checks.is_empty() {
        return None;
    }
    let names: Vec<String> = function.checks.iter().take(NAMED).map(|c| code(&c.name)).collect();
    let more = match function.checks.len() - names.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!("Not checked, and not finite where it vanishes: {}{more}.", names.join(", ")))
}

/// So many divisors are named.
const NAMED: usize = 3;

/// When a function has no result.
fn failure(function: &Function) -> Option<&'static str> {
    let divides = !function.checks.is_empty();
    let array = |d: &Declaration| d.checked && matches!(d.returns, Returns::Array { .. });
    let asks_all = function.results().iter().any(|(declaration, _)| array(declaration));
    function.is_fallible().then_some(match (divides, asks_all) {
        (true, true) => {
            "the equations cannot be solved, or a result is not finite (it overflows, or an argument is not finite)"
        }
        (true, false) => "the equations cannot be solved",
        (false, _) => "a result is not finite: it overflows, or an argument is not finite",
    })
}
