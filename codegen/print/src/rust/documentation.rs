//! Doc comments of emitted functions: results, arguments, errors.

use super::prose::{doc_attributes, escape_prose, inline_code};
use crate::code::notes;
use dqdt_graph::ir::declaration::{Returns, Role};
use dqdt_graph::ir::{Function, Program};

/// Doc comment of an emitted function as Rust attributes.
pub fn function_documentation(program: &Program, function: &Function) -> Vec<syn::Attribute> {
    let declaration = function.declaration;
    let summary = declaration.summary.replace("{mechanism}", &escape_prose(&program.name));
    let mut lines = vec![summary, String::new()];
    let note = notes::constraints_text(program, function, &inline_code);
    lines.extend(note.into_iter().flat_map(|text| [text, String::new()]));
    if declaration.role == Some(Role::StateDerivative) {
        lines.push("State and inputs are in the order of [`STATES`] and [`INPUTS`].".to_owned());
    }
    if let Some(condition) = error_condition_text(function) {
        lines.extend([String::new(), "# Errors".to_owned()]);
        let after = match declaration.returns {
            Returns::Joint(_) => "in that case, the results must not be used",
            _ => "in that case, the result is zero",
        };
        lines.push(format!("[`Singular`](::dqdt::Singular) if {condition}; {after}."));
    }
    lines.extend(unchecked_divisors_text(function).into_iter().flat_map(|text| [String::new(), text]));
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    doc_attributes(&lines)
}

/// Sentence that names the unchecked divisors of an emitted function; `None` if it checks them or
/// has none.
fn unchecked_divisors_text(function: &Function) -> Option<String> {
    if function.declaration.checked || function.checks.is_empty() {
        return None;
    }
    let names: Vec<String> = function.checks.iter().take(MAX_NAMED).map(|c| inline_code(&c.name)).collect();
    let more = match function.checks.len() - names.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!(
        "The divisors are not checked; the result is not finite where one of these vanishes: {}{more}.",
        names.join(", ")
    ))
}

/// Maximum number of divisors that the documentation of an emitted function names.
const MAX_NAMED: usize = 3;

/// Condition under which an emitted function returns an error, in words for its section `# Errors`;
/// `None` if it returns none.
fn error_condition_text(function: &Function) -> Option<&'static str> {
    let divides = !function.checks.is_empty();
    function.is_fallible().then_some(match (divides, function.reports_finiteness()) {
        (true, true) => {
            "the equations cannot be solved, or a result is not finite (it overflows, or an argument is not finite)"
        }
        (true, false) => "the equations cannot be solved",
        (false, _) => "a result is not finite: it overflows, or an argument is not finite",
    })
}
