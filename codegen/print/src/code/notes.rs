//! What documentation says in every language: of constraints in functions, of limits.

use dqdt_graph::ir::{Function, Program, Slot};

/// The limits of an input, behind what it is; nothing where it has none.
pub fn of_limits(slot: &Slot) -> String {
    let limits = |[low, high]: &[String; 2]| format!(", limited to {low} … {high}");
    slot.limits.as_ref().map_or_else(String::new, limits)
}

/// What the spec has of an input where nobody gives it, at the defaults of the parameters; nothing where that is zero.
pub fn of_default(slot: &Slot) -> String {
    if slot.value == 0.0 { String::new() } else { format!(", by default {}", slot.value) }
}

/// What constraints do in a function, and what it cannot tell; nothing where the mechanism has none. `code` marks a name.
pub fn of_constraints(
    program: &Program,
    function: &Function,
    code: &dyn Fn(&str) -> String,
) -> Option<String> {
    let l = &program.layout;
    let note = function.declaration.constraints.as_ref().filter(|_| !l.velocity_rows.is_empty());
    let note = note.filter(|n| !n.where_solved || !function.checks.is_empty())?;
    let list = |names: &[String]| names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ");
    let dependent = !l.dependent_speeds.is_empty();
    let mut text = note.with_dependent_speeds.filter(|_| dependent).unwrap_or(note.text).to_owned();
    if text.is_empty() {
        return None;
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
    Some(text)
}
