//! Documentation of the functions: what they compute, tables of their arguments, what they cost.

use super::layout::meaning;
use super::syntax::{code, doc, prose};
use crate::ir::declaration::{Declaration, Role};
use crate::ir::{Function, Layout, Program, Slot, count};

/// Of the constraints: what they do in the function, and what it cannot tell.
fn of_constraints(declaration: &Declaration, l: &Layout, lines: &mut Vec<String>) {
    let Some(note) = declaration.constraints.as_ref().filter(|_| !l.velocity_rows.is_empty()) else { return };
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
    lines.extend([text, String::new()]);
}

/// The documentation of a function.
pub fn documentation(program: &Program, function: &Function) -> Vec<syn::Attribute> {
    let l = &program.layout;
    let declaration = function.declaration;
    let summary = declaration.summary.replace("{mechanism}", &prose(&program.name));
    let mut lines = vec![summary, String::new()];
    of_constraints(declaration, l, &mut lines);
    // Once a module: where the state is derived, else everywhere.
    let tables =
        declaration.role == Some(Role::StateDerivative) || program.with_role(Role::StateDerivative).is_none();
    for a in declaration.arguments.iter().filter(|a| tables && !a.vector.is_acceleration()) {
        let slots: Vec<&Slot> = a.vector.slots(l).into_iter().map(|(_, slot)| slot).collect();
        table(a.name, &slots, &mut lines);
    }
    lines.push(format!("Cost: {}.", count(program, function)));
    if function.is_fallible() {
        lines.extend([String::new(), "# Errors".to_owned()]);
        lines.push(
            "[`Singular`](::dqdt::Singular) where the equations cannot be solved; the result is zero there."
                .into(),
        );
    }
    doc(&lines)
}

fn table(name: &str, slots: &[&Slot], lines: &mut Vec<String>) {
    if slots.is_empty() {
        return;
    }
    let mut rows = vec![[name.to_owned(), "name".to_owned(), "meaning".to_owned(), "unit".to_owned()]];
    let row = |(i, s): (usize, &&Slot)| [format!("`{name}[{i}]`"), code(&s.name), meaning(s), code(&s.unit)];
    rows.extend(slots.iter().enumerate().map(row));
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().zip(widths).map(|(text, w)| format!("{text:w$}")).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if i == 0 {
            lines.push(format!("|{}|", widths.map(|w| "-".repeat(w + 2)).join("|")));
        }
    }
    lines.push(String::new());
}
