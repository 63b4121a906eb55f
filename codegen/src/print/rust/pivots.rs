//! Lists of what functions divide by, where they say when that vanishes.

use super::data::{Call, Part, name, quoted};
use crate::ir::declaration::{Declaration, Role};
use crate::ir::{Check, Function};

/// The list of a function.
pub fn part(function: &Function) -> Option<Part> {
    let (declaration, checks) = (function.declaration, &function.checks);
    let whole = declaration.role == Some(Role::StateDerivative);
    if function.outputs.is_empty() || !whole && !function.is_fallible() {
        return None;
    }
    let list = list_name(declaration);
    let head = format!("{list} of {}", name(declaration.name));
    let call = Call::new("pivots").making([list]);
    if checks.is_empty() {
        return Some(call.line(1, &format!("{head} {{}}")).end());
    }
    // What vanishes for the same reason has one hint.
    let groups = checks.chunk_by(|a: &Check, b: &Check| a.hint == b.hint);
    let call = groups.fold(call.line(1, &format!("{head} {{")), |call, group| {
        let last = group.len() - 1;
        let named = |(i, c): (usize, &Check)| quoted(&c.name) + if i == last { ":" } else { "," };
        let names: Vec<Vec<String>> = group.iter().enumerate().map(|c| vec![named(c)]).collect();
        let hint = group.first().map_or("", |c| c.hint.as_str());
        call.rows(2, &names).line(3, &(quoted(hint) + ";"))
    });
    Some(call.line(1, "}").end())
}

/// The name of the list.
pub fn list_name(declaration: &Declaration) -> String {
    match declaration.role {
        Some(Role::StateDerivative) => "PIVOTS".to_owned(),
        _ => format!("{}_PIVOTS", declaration.name.to_uppercase()),
    }
}
