//! Fixed-step integration and differences of states in C, as in Rust's runtime.
//!
//! Problem: a filter or a predictive controller in C integrates the model by steps, needs the
//!          derivatives of a step with respect to its initial state, and adds and subtracts states
//!          with quaternions.
//! Method:  the operations of `dqdt::discrete`, `dqdt::differences` and `dqdt::rk4_step`, in the
//!          same order, so that results are bitwise equal. Matrices are on the stack; nothing is
//!          allocated.
//! Needs:   `dqdt` for a step, `dqdt_derivatives` for a step with derivatives.

use std::fmt::Write as _;

use super::names::CNames;
use super::options::CScalar;
use super::text::{line_comment, statement_line};
use dqdt_graph::ir::declaration::Role;
use dqdt_graph::ir::{Function, Program};

const PLAIN: &str = include_str!("support/step.c");
const DERIVATIVES: &str = include_str!("support/step_derivatives.c");
/// Normalises a quaternion.
pub const NORMALISE: &str = include_str!("support/normalise.c");
const QUATERNION: &str = include_str!("support/quaternion.c");

/// Declared C function for steps or state differences: its signature and its documentation.
struct Head {
    text: String,
    about: &'static str,
}

const VERDICT: &str = "If an evaluation of the equations fails, returns its verdict and leaves x unchanged; \
     returns 0 otherwise.";

/// Signatures of the step and difference functions that the mechanism supports.
fn supported_heads(program: &Program, names: &CNames) -> Vec<Head> {
    let (p, u, real) = (&names.prefix, &names.upper, names.scalar_type());
    let model = format!("const struct {p}_model *model, {real} t, {real} h");
    let mut out = Vec::new();
    let mut push = |text: String, about| out.push(Head { text, about });
    if program.with_role(Role::StateDerivative).is_some() {
        push(
            format!("int {p}_rk4_step({model}, {real} x[{u}_NX], const {real} *u)"),
            "One step of length h of the classical Runge-Kutta method with constant inputs; quaternions are normalised after the step.",
        );
    }
    if program.with_role(Role::Derivatives).is_some() {
        push(
            format!(
                "int {p}_rk4_step_derivatives({model}, const {real} x[{u}_NX], const {real} *u, struct {p}_step *step)"
            ),
            "The same step with its derivatives with respect to the entries of the state and the inputs; step is written only if 0 is returned.",
        );
        push(
            format!(
                "int {p}_implicit_midpoint_step({model}, const {real} x[{u}_NX], const {real} *u, int iterations, \
                 struct {p}_step *step, {real} *correction)"
            ),
            "One step of the implicit midpoint rule, for stiff models, with the given number of Newton \
             iterations and with its derivatives at the root; correction: the largest entry of the last \
             Newton correction. Returns -2 if 1 - h/2 A is singular. Use step only if 0 is returned.",
        );
    }
    push(
        format!("void {p}_plus(const {real} x[{u}_NX], const {real} delta[{u}_NDX], {real} y[{u}_NX])"),
        "Adds the differences delta to x; a unit quaternion e is changed by three angles, as in e times (1, delta/2), and normalised.",
    );
    push(
        format!("void {p}_minus(const {real} y[{u}_NX], const {real} x[{u}_NX], {real} delta[{u}_NDX])"),
        "Computes the differences delta that lead from x to y.",
    );
    push(
        format!("void {p}_plus_derivative(const {real} x[{u}_NX], {real} out[{u}_NX][{u}_NDX])"),
        "The derivative of plus with respect to the differences, at zero.",
    );
    push(
        format!("void {p}_minus_derivative(const {real} x[{u}_NX], {real} out[{u}_NDX][{u}_NX])"),
        "The derivative of minus with respect to y, at y = x.",
    );
    out
}

/// Number of entries of a state difference, in which a quaternion has three.
fn difference_length(program: &Program) -> usize {
    let l = &program.layout;
    l.q.len() + l.v.len() + l.z.len() - l.quaternions.len()
}

/// Declarations of the functions for steps and state differences, for the C header.
pub fn step_declarations(program: &Program, names: &CNames) -> String {
    let (p, u, real) = (&names.prefix, &names.upper, names.scalar_type());
    if difference_length(program) == 0 {
        return String::new();
    }
    let mut out = format!(
        "#define {u}_NDX {} // length of a state difference; a quaternion has three entries\n",
        difference_length(program)
    );
    if program.with_role(Role::Derivatives).is_some() {
        let inputs = match program.layout.u.is_empty() {
            true => String::new(),
            false => format!("    {real} by_input[{u}_NX][{u}_NU];\n"),
        };
        let _ = write!(
            out,
            "\n// Result of a step, with its derivatives in row-major order.\nstruct {p}_step {{\n    {real} x[{u}_NX];\n    {real} by_state[{u}_NX][{u}_NX];\n{inputs}}};\n"
        );
    }
    for head in supported_heads(program, names) {
        let verdict = if head.text.starts_with("int") { format!("\n\n{VERDICT}") } else { String::new() };
        let about = line_comment(&format!("{}{verdict}", head.about), 0);
        let _ = write!(out, "\n{about}{}", statement_line(&format!("{};", head.text), 0));
    }
    out
}

/// Text of a template without the lines between `//if MARK` and `//end` whose condition
/// `holds(MARK)` is false.
pub fn keep_marked_lines(text: &str, holds: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::new();
    let mut kept = true;
    for line in text.lines() {
        match line.trim() {
            "//end" => kept = true,
            mark if mark.starts_with("//if ") => kept = holds(&mark[5..]),
            _ if kept => {
                out.push_str(line);
                out.push('\n');
            }
            _ => {}
        }
    }
    out
}

/// C statement that calls a function of the equations; its verdict is stored if it has one.
fn call_statement(f: &Function, text: &str) -> String {
    if f.is_fallible() { format!("verdict = {text};") } else { format!("{text};") }
}

/// Definitions of the functions for steps and state differences, for the C source.
pub fn step_definitions(program: &Program, names: &CNames) -> String {
    let l = &program.layout;
    if difference_length(program) == 0 {
        return String::new();
    }
    let (p, turns) = (&names.prefix, !l.quaternions.is_empty());
    let epsilon = match names.scalar {
        CScalar::Double => "1e-12",
        CScalar::Float => "1e-5f",
    };
    let starts: Vec<String> = l.quaternions.iter().map(usize::to_string).collect();
    let fill_in = |text: &str, f: Option<&Function>| {
        let evaluation = format!("{p}_dqdt_derivatives(model, time, at, u, &own)");
        keep_marked_lines(text, &|mark| is_mark_fulfilled(program, mark))
            .replace("$EVALUATE", &f.map_or_else(String::new, |f| call_statement(f, &evaluation)))
            .replace("$STARTS", &starts.join(", "))
            .replace("$TURNS", &starts.len().to_string())
            .replace("$EPSILON", epsilon)
            .replace("$P", p)
            .replace("$U", &names.upper)
            .replace("REAL", names.scalar_type())
            .replace('@', names.scalar_suffix())
    };
    let mut parts = Vec::new();
    if turns {
        if is_mark_fulfilled(program, "steps") {
            parts.push(fill_in(NORMALISE, None));
        }
        parts.push(fill_in(QUATERNION, None));
    }
    if let Some(f) = program.with_role(Role::StateDerivative) {
        parts.push(fill_in(PLAIN, Some(f)));
    }
    if let Some(f) = program.with_role(Role::Derivatives) {
        parts.push(fill_in(DERIVATIVES, Some(f)));
    }
    parts.push(difference_functions(program, names));
    parts.join("\n")
}

/// Returns `true` if the condition of an `//if` mark in the templates of steps is fulfilled.
fn is_mark_fulfilled(program: &Program, mark: &str) -> bool {
    let has_inputs = !program.layout.u.is_empty();
    let turns = !program.layout.quaternions.is_empty();
    match mark {
        "inputs" => has_inputs,
        "turns" => turns,
        "steps" => [Role::StateDerivative, Role::Derivatives].iter().any(|r| program.with_role(*r).is_some()),
        "turns and inputs" => turns && has_inputs,
        mark => {
            program.graph.invariants().report_broken(format!(
                "the template of the integration steps contains an unknown condition `{mark}`"
            ));
            false
        }
    }
}

/// Segments of a state for differences: each is a range of entries that are added, or a quaternion.
/// Start and end in the state, start in the difference, and `true` for a quaternion.
fn state_segments(program: &Program) -> Vec<(usize, usize, usize, bool)> {
    let l = &program.layout;
    let n = l.q.len() + l.v.len() + l.z.len();
    let (mut out, mut i, mut k) = (Vec::new(), 0, 0);
    for start in l.quaternions.iter().copied().chain([n]) {
        if start > i {
            out.push((i, start, k, false));
            k += start - i;
        }
        if start < n {
            out.push((start, start + 4, k, true));
            k += 3;
        }
        i = (start + 4).min(n);
    }
    out
}

/// C functions `plus` and `minus` of states, and their derivatives, segment by segment.
fn difference_functions(program: &Program, names: &CNames) -> String {
    let (p, zero, one) = (&names.prefix, names.number_literal(0.0), names.number_literal(1.0));
    let bodies: [&dyn Fn(usize, usize, usize, bool) -> String; 4] = [
        &|i, end, k, turns| match turns {
            true => format!("    {p}_turn(x + {i}, delta + {k}, y + {i});\n"),
            false => format!(
                "    for (int i = {i}; i < {end}; i++) y[i] = x[i] + delta[{}];\n",
                difference_index_text(i, k)
            ),
        },
        &|i, end, k, turns| match turns {
            true => format!("    {p}_turned(y + {i}, x + {i}, delta + {k});\n"),
            false => format!(
                "    for (int i = {i}; i < {end}; i++) delta[{}] = y[i] - x[i];\n",
                difference_index_text(i, k)
            ),
        },
        &|i, end, k, turns| match turns {
            true => format!(
                "    {p}_columns(x + {i}, columns);\n    for (int c = 0; c < 4; c++) {{\n        \
                 for (int a = 0; a < 3; a++) out[{i} + c][{k} + a] = {} * columns[a][c];\n    }}\n",
                names.number_literal(0.5)
            ),
            false => format!(
                "    for (int i = {i}; i < {end}; i++) out[i][{}] = {one};\n",
                difference_index_text(i, k)
            ),
        },
        &|i, end, k, turns| match turns {
            true => format!(
                "    {p}_columns(x + {i}, columns);\n    for (int a = 0; a < 3; a++) {{\n        \
                 for (int c = 0; c < 4; c++) out[{k} + a][{i} + c] = {} * columns[a][c];\n    }}\n",
                names.number_literal(2.0)
            ),
            false => format!(
                "    for (int i = {i}; i < {end}; i++) out[{}][i] = {one};\n",
                difference_index_text(i, k)
            ),
        },
    ];
    let segments = state_segments(program);
    let turns = segments.iter().any(|s| s.3);
    let all = supported_heads(program, names);
    let mut out = Vec::new();
    for (number, (head, body)) in all[all.len() - 4..].iter().zip(bodies).enumerate() {
        let mut text = format!("{} {{\n", head.text);
        if number >= 2 {
            let (rows, columns) = if number == 2 { ("NX", "NDX") } else { ("NDX", "NX") };
            let u = &names.upper;
            if turns {
                let _ = writeln!(text, "    {} columns[3][4];", names.scalar_type());
            } else {
                text.push_str("    (void)x;\n");
            }
            let _ = writeln!(
                text,
                "    for (int i = 0; i < {u}_{rows}; i++) {{\n        for (int j = 0; j < {u}_{columns}; j++) out[i][j] = {zero};\n    }}"
            );
        }
        segments.iter().for_each(|(i, end, k, turns)| text.push_str(&body(*i, *end, *k, *turns)));
        text.push_str("}\n");
        out.push(text);
    }
    out.join("\n")
}

/// C expression of the index into the difference for state entry `i`, in a segment that starts at
/// `i` in the state and at `k` in the difference.
fn difference_index_text(i: usize, k: usize) -> String {
    if i == k { "i".to_owned() } else { format!("i - {}", i - k) }
}
