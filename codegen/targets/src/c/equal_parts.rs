//! Emits the computations of equal parts (limbs with the same equations) once, as functions of one
//! lane that are called lane by lane.
//!
//! Problem: the text for four equal legs would be repeated four times. Also, Rust computes them in
//!          SIMD lanes, in which some values have the opposite sign, which shows in the sign of a
//!          zero.
//! Method:  the graph of the part (`print::code::equal_part`), the same as in Rust. Inputs and
//!          outputs are in arrays of the caller, with one row for each value and one column for
//!          each lane.

use std::fmt::Write as _;

use super::names::{CNames, equal_part_names};
use super::scope::CScope;
use super::text::{line_comment, statement_line};
use dqdt_graph::ir::Program;
use dqdt_print::code::equal_part::EqualPart;

/// C functions of all equal parts, each for one lane.
pub fn equal_part_functions(program: &Program, equal: &[EqualPart], names: &CNames) -> Vec<String> {
    equal.iter().filter_map(|part| equal_part_function(program, part, names)).collect()
}

fn equal_part_function(program: &Program, part: &EqualPart, names: &CNames) -> Option<String> {
    let Some(body) = part.planned_body() else {
        program.graph.invariants().report_broken("the shared computation of equal parts has no results");
        return None;
    };
    let scope = CScope::of_part(part, body, names);
    let statements = scope.early_and_late_statements().concat();
    let mut stores = String::from("\n    // results\n");
    for (o, root) in body.roots.iter().enumerate() {
        stores.push_str(&statement_line(
            &format!("outputs[{o}][k] = {};", scope.node_expression(root.node)),
            4,
        ));
    }
    let (real, lanes) = (names.scalar_type(), part.lanes);
    let [name, ..] = equal_part_names(&part.name);
    let mut out = line_comment(&part.documentation_paragraphs(&program.graph).join("\n"), 0);
    let (shared, per_lane) = part.input_names.split_at(part.shared);
    let mut arguments = Vec::new();
    if !shared.is_empty() {
        arguments.push(format!("const {real} shared[{}]", shared.len()));
    }
    if !per_lane.is_empty() {
        arguments.push(format!("const {real} inputs[{}][{lanes}]", per_lane.len()));
    }
    arguments.push(format!("{real} outputs[{}][{lanes}]", part.outputs));
    let _ = writeln!(out, "static void {name}({}, int k) {{", arguments.join(", "));
    for (i, input) in shared.iter().enumerate() {
        let _ = writeln!(out, "    const {real} {input} = shared[{i}];");
    }
    for (i, input) in per_lane.iter().enumerate() {
        let _ = writeln!(out, "    const {real} {input} = inputs[{i}][k];");
    }
    Some([out, statements, stores, "}\n".to_owned()].concat())
}
