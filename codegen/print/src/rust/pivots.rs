//! Emits the lists of pivots: the divisors that a function checks, with the hint for each.

use super::data::{MacroCall, ModulePart, identifier_text, string_literal};
use dqdt_graph::ir::declaration::{Declaration, Role};
use dqdt_graph::ir::{Check, Function, Program};

/// Returns `true` if an emitted function gets a list of its pivots. The state derivative has one
/// even if it is empty.
fn has_pivot_list(function: &Function) -> bool {
    let whole = function.declaration.role == Some(Role::StateDerivative);
    !function.outputs.is_empty() && (whole || function.is_fallible())
}

/// Emitted list of the pivots of a function, with the hint for each; `None` if it gets no list.
pub fn pivot_list_part(program: &Program, function: &Function) -> Option<ModulePart> {
    if !has_pivot_list(function) {
        return None;
    }
    let (declaration, checks) = (function.declaration, &function.checks);
    let list = pivot_list_name(declaration);
    // Functions with the same divisors share one list.

    let before = program.functions.iter().take_while(|f| !f.is(declaration)).filter(|f| has_pivot_list(f));
    if let Some(same) = before.into_iter().find(|f| !checks.is_empty() && has_same_pivot_texts(f, function)) {
        let same = pivot_list_name(same.declaration);
        let line = format!("{list} of {} = {same};", identifier_text(declaration.name));
        return Some(MacroCall::new("pivots").define_constants([list]).push_line(1, &line).finish_call());
    }
    let head = format!("{list} of {}", identifier_text(declaration.name));
    let call = MacroCall::new("pivots").define_constants([list]);
    if checks.is_empty() {
        return Some(call.push_line(1, &format!("{head} {{}}")).finish_call());
    }
    // Divisors that vanish for the same reason share one hint.
    let groups = checks.chunk_by(|a: &Check, b: &Check| a.hint == b.hint);
    let call = groups.fold(call.push_line(1, &format!("{head} {{")), |call, group| {
        let last = group.len() - 1;
        let names: Vec<Vec<String>> = (group.iter().enumerate())
            .map(|(i, c)| vec![string_literal(&c.name) + if i == last { ":" } else { "," }])
            .collect();
        let hint = group.first().map_or("", |c| c.hint.as_str());
        call.push_rows(2, &names).push_line(3, &(string_literal(hint) + ";"))
    });
    Some(call.push_line(1, "}").finish_call())
}

/// Returns `true` if the pivots of two functions have the same names and hints.
fn has_same_pivot_texts(a: &Function, b: &Function) -> bool {
    let [a, b] = [a, b].map(|f| f.checks.iter().map(|c| (&c.name, &c.hint)));
    a.eq(b)
}

/// Name of the emitted constant with the pivots of a function: `PIVOTS` for the state derivative,
/// otherwise with a prefix.
pub fn pivot_list_name(declaration: &Declaration) -> String {
    match declaration.role {
        Some(Role::StateDerivative) => "PIVOTS".to_owned(),
        _ => format!("{}_PIVOTS", declaration.name.to_uppercase()),
    }
}
