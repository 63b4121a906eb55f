//! Sentences that the documentation of emitted code has in every language: limits, defaults,
//! constraints.

use dqdt_graph::ir::{Function, Program, Slot};

/// Limits of an input as an addition to its description in emitted documentation; empty if it has
/// none.
pub fn limits_text(slot: &Slot) -> String {
    match &slot.limits {
        Some([low, high]) => format!(", limited to {low} … {high}"),
        None => String::new(),
    }
}

/// Default of an input, at default parameters, as an addition to its description in emitted
/// documentation; empty if it is zero.
pub fn default_text(slot: &Slot) -> String {
    if slot.value == 0.0 { String::new() } else { format!(", by default {}", slot.value) }
}

/// Sentence for emitted documentation: the effect of constraints on a function, and the limits of
/// its validity. `None` if the mechanism has no constraints on speeds or the function no such note.
/// `code` formats a name as code.
pub fn constraints_text(
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
        text.push_str(&format!(
            " The dependent speeds are computed from the others, and their values in the state are ignored: \
                                {names}."
        ));
    }
    if let Some(open) = note.undetermined.filter(|_| !l.undetermined_rows.is_empty()) {
        text.push_str(&open.replace("{rows}", &list(&l.undetermined_rows)));
    }
    if let Some((role, [emitted, missing])) = note.instead {
        text.push_str(if program.with_role(role).is_some() { emitted } else { missing });
    }
    Some(text)
}
