//! Emits the C functions: initialisation of the model, inner functions, public functions with their
//! checks of divisors.

use std::fmt::Write as _;

use super::equal_parts;
use super::names::CNames;
use super::options::{CScalar, Dialect};
use super::scope::CScope;
use super::text::{line_comment, statement_line};
use dqdt_graph::ir::declaration::{Argument, Returns};
use dqdt_graph::ir::{Check, Function, FunctionOutput, Graph, Layout, Program, ResultShape};
use dqdt_graph::plan::{Block, Plan};
use dqdt_print::code::equal_part::EqualPart;
use dqdt_print::code::result_arguments::result_argument_names;
use dqdt_print::tree::{FunctionParts, ResultPart, block_sections_text, is_sparse};

/// Maximum width of a C function head in columns. In a longer one each argument is on a line of its
/// own.
const WIDTH: usize = 110;

/// C text of all functions: initialisation of the model, inner functions, public functions.
pub fn all_functions_text(program: &Program, plan: &Plan, names: &CNames, equal: &[EqualPart]) -> String {
    let mut out = vec![model_init_function(program, plan, names)];
    out.extend(angles_struct(&program.graph, plan, names));
    out.extend(equal_parts::equal_part_functions(program, equal, names));
    let mut inner: Vec<InnerCall> = Vec::new();
    for number in 0..plan.blocks.len() {
        let (text, signature) = inner_function(program, plan, names, number);
        out.push(text);
        inner.push(signature);
    }
    out.extend(program.emitted().map(|(i, f)| public_function(program, plan, names, &inner, (i, f))));
    out.join("\n")
}

/// Suffix of the name of the C function that initialises the model: `…_model_init`.
pub const INIT: &str = "model_init";

/// C signature of the function that initialises the model from parameters.
pub fn model_init_signature(names: &CNames) -> String {
    let [model, params] = ["model", "params"].map(|name| names.public_struct(name));
    let arguments = [format!("{model} *model"), format!("const {params} *params")];
    signature_text(&names.public_head("void"), &names.public_function(INIT), &arguments)
}

/// Returns `true` if some emitted function compares divisors with the tolerance ε.
pub fn has_tolerance(program: &Program) -> bool {
    program.emitted().any(|(_, f)| f.declaration.checked && !f.checks.is_empty())
}

/// C literal of the relative tolerance ε below which a divisor counts as zero.
pub fn tolerance_literal(names: &CNames) -> String {
    const SINGLE: f64 = 1e-5;
    let double = dqdt_graph::ir::EPSILON;
    match (names.dialect, names.scalar) {
        (Dialect::Cuda, _) => format!("Real(sizeof(Real) == sizeof(float) ? {SINGLE:?} : {double:?})"),
        (Dialect::C99, CScalar::Double) => names.number_literal(double),
        (Dialect::C99, CScalar::Float) => names.number_literal(SINGLE),
    }
}

/// Definition of the function that initialises the model from parameters.
pub fn model_init_function(program: &Program, plan: &Plan, names: &CNames) -> String {
    let scope = CScope::of_setup(&program.graph, plan, names);
    let statements = scope.early_and_late_statements().concat();
    let mut stores = String::new();
    for h in &plan.hoisted {
        stores
            .push_str(&statement_line(&format!("model->{} = {};", h.name, scope.node_expression(h.node)), 4));
    }
    let mut out = format!("{} {{\n    model->params = *params;\n", model_init_signature(names));
    if has_tolerance(program) {
        let _ = writeln!(out, "    model->epsilon = {};", tolerance_literal(names));
    }
    [out, scope.prologue_declarations(program, &[]), statements, stores, "}\n".to_owned()].concat()
}

/// C struct of angles with their sines and cosines, which functions pass to inner functions; `None`
/// if these need none.
fn angles_struct(graph: &Graph, plan: &Plan, names: &CNames) -> Option<String> {
    let fields: Vec<&str> = (plan.angles.iter())
        .map(|id| {
            graph.invariants().require(
                plan.names.node_name(*id),
                "value",
                "an angle that is passed to blocks has no name in the emitted code",
            )
        })
        .collect();
    (!fields.is_empty()).then(|| {
        let about = line_comment(
            "Angles with their sines and cosines, as passed to inner functions; zero where the caller does not need them.",
            0,
        );
        format!(
            "{about}struct angles {{\n{}}};\n",
            statement_line(&format!("{} {};", names.scalar_type(), fields.join(", ")), 4)
        )
    })
}

/// Call of an inner C function (block), for its callers.
struct InnerCall {
    /// Arguments of the inner function as C expressions, the same in every call.
    arguments: Vec<String>,
}

/// C text of an inner function (block) with the struct of its results, and its call.
fn inner_function(program: &Program, plan: &Plan, names: &CNames, number: usize) -> (String, InnerCall) {
    let block = &plan.blocks[number];
    let Block { body, functions, .. } = block;
    let name = &names.blocks[number];
    let scope = CScope::of_block(&program.graph, plan, body, names);
    let statements = scope.early_and_late_statements().concat();
    let mut stores = String::new();
    for root in &body.roots {
        let (field, value) = (scope.value_name(root.node), scope.node_expression(root.node));
        stores.push_str(&statement_line(&format!("{name}->{field} = {value};"), 4));
    }
    let caller = functions.iter().find_map(|f| program.functions.get(*f));
    let available = caller.map(|f| f.declaration.arguments);
    let available: &[Argument] =
        program.graph.invariants().require(available, &[], "a block is called by no function");
    let (mut heads, mut arguments) = (Vec::new(), Vec::new());
    let mut add_argument = |head: String, argument: String| {
        heads.push(head);
        arguments.push(argument);
    };
    if scope.uses_model() {
        add_argument(format!("const struct {}_model *model", names.prefix), "model".to_owned());
    }
    if scope.uses_time() {
        add_argument(format!("{} t", names.scalar_type()), "t".to_owned());
    }
    for a in available.iter().filter(|a| scope.uses_argument(program, a)) {
        add_argument(array_declaration(program, names, a, true), a.name.to_owned());
    }
    if !body.angles.is_empty() {
        add_argument("const struct angles *angles".to_owned(), "&angles".to_owned());
    }
    for import in &body.imports {
        let other = &names.blocks[import.block];
        add_argument(format!("const struct {other} *{other}"), format!("&{other}"));
    }
    add_argument(format!("struct {name} *{name}"), format!("&{name}"));
    let members: Vec<&str> = body.roots.iter().map(|root| scope.value_name(root.node)).collect();
    let callers: Vec<&str> =
        functions.iter().filter_map(|f| Some(program.functions.get(*f)?.declaration.name)).collect();
    let mut out = line_comment(&format!("For {}: {}.", callers.join(", "), block_sections_text(block)), 0);
    let list = statement_line(&format!("{} {};", names.scalar_type(), members.join(", ")), 4);
    let _ = write!(out, "struct {name} {{\n{list}}};\n\n");
    out.push_str(&signature_text("static void", &format!("compute_{name}"), &heads));
    out.push_str(" {\n");
    out.push_str(&[scope.prologue_declarations(program, available), statements, stores].concat());
    out.push_str("}\n");
    (out, InnerCall { arguments })
}

/// C signature `type name(a, b, c)`, on several lines if it is long.
pub fn signature_text(returns: &str, name: &str, arguments: &[String]) -> String {
    let line = format!("{returns} {name}({})", arguments.join(", "));
    if line.len() + 2 <= WIDTH {
        line
    } else {
        format!("{returns} {name}(\n    {})", arguments.join(",\n    "))
    }
}

/// C declaration of an array argument. C has no arrays of length zero, so an empty one is a
/// pointer.
fn array_declaration(program: &Program, names: &CNames, a: &Argument, constant: bool) -> String {
    let constant = if constant { "const " } else { "" };
    let real = names.scalar_type();
    match a.vector.slots(&program.layout).len() {
        0 => format!("{constant}{real} *{}", a.name),
        _ => format!("{constant}{real} {}[{}]", a.name, names.length_constant(a.vector)),
    }
}

/// C signature of an emitted function: return type, name, arguments.
pub fn function_signature(program: &Program, names: &CNames, f: &Function) -> String {
    let d = f.declaration;
    let p = &names.prefix;
    let mut arguments = vec![format!("const struct {p}_model *model"), format!("{} t", names.scalar_type())];
    arguments.extend(d.arguments.iter().map(|a| array_declaration(program, names, a, true)));
    for ((part, outputs), place) in f.results().into_iter().zip(result_argument_names(d)) {
        let none = outputs.iter().all(|o| o.nodes.is_empty());
        let real = names.scalar_type();
        match part.returns {
            Returns::Array { .. } if none => arguments.push(format!("{real} *{place}")),
            Returns::Array { dims, .. } => {
                let lengths: String =
                    dims.iter().map(|v| format!("[{}]", names.length_constant(*v))).collect();
                arguments.push(format!("{real} {place}{lengths}"));
            }
            Returns::Struct { name, .. } => {
                arguments.push(format!("{} *{place}", names.result_struct_name(name)))
            }
            Returns::Limited { .. } if none => {
                arguments.push(format!("{real} *{place}"));
                arguments.push(format!("int *{}", ACTED));
            }
            Returns::Limited { of: argument } => {
                let length = names.length_constant(argument.vector);
                arguments.push(format!("{real} {place}[{length}]"));
                arguments.push(format!("int {}[{length}]", ACTED));
            }
            Returns::Joint(_) => {}
        }
    }
    // Always `int`, so that a change of the spec does not break callers.
    signature_text("int", &format!("{p}_{}", d.name), &arguments)
}

/// Name of the C argument for the flags of the input limits that acted.
pub const ACTED: &str = "acted";

fn public_function(
    program: &Program,
    plan: &Plan,
    names: &CNames,
    inner: &[InnerCall],
    (number, f): (usize, &Function),
) -> String {
    let (d, body) = (f.declaration, &plan.functions[number]);
    let scope = CScope::of_function(&program.graph, plan, body, names);
    let [early, late] = scope.early_and_late_statements();
    let mut calls = String::new();
    let parts = FunctionParts::new(plan, number, f);
    let passes_angles = parts.calls.iter().any(|i| !plan.blocks[*i].body.angles.is_empty());
    if passes_angles {
        calls.push_str("    struct angles angles = {0};\n");
        for id in body.angles.iter().filter(|id| plan.angles.contains(id)) {
            calls.push_str(&statement_line(
                &format!("angles.{} = {};", scope.value_name(*id), scope.node_expression(*id)),
                4,
            ));
        }
    }
    for i in &parts.calls {
        let name = &names.blocks[*i];
        let _ = writeln!(calls, "    struct {name} {name};");
        calls.push_str(&statement_line(&format!("compute_{name}({});", inner[*i].arguments.join(", ")), 4));
    }
    let end = result_statements(&scope, names, &parts, &program.layout);
    let text = [scope.prologue_declarations(program, d.arguments), early, calls, late, end].concat();
    let mut unused = String::new();
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let is_limited = matches!(d.returns, Returns::Limited { .. });
    let arguments =
        ["model", "t"].into_iter().chain(d.arguments.iter().map(|a| a.name)).chain(result_argument_names(d));
    for name in arguments.chain(is_limited.then_some(ACTED)).filter(|name| !mentions_variable(&code, name)) {
        let _ = writeln!(unused, "    (void){name};");
    }
    format!("{} {{\n{unused}{text}}}\n", function_signature(program, names, f))
}

/// Returns `true` if C code mentions this name, other than as the field of a struct.
pub fn mentions_variable(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(|c| is_word_char(c) || c == '.' || c == '>') && !after.is_some_and(is_word_char)
    })
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// C statements that store the results of a function and compute its verdict.
fn result_statements(
    scope: &CScope<'_>,
    names: &CNames,
    parts: &FunctionParts<'_>,
    layout: &Layout,
) -> String {
    let mut out = String::new();
    if parts.is_checked {
        out.push_str(&divisor_check(scope, names, parts.function));
    }
    if parts.results.iter().any(|part| !part.outputs.is_empty()) {
        out.push_str("\n    // results\n");
    }
    for ResultPart { declaration, outputs, place } in &parts.results {
        let members =
            matches!(declaration.returns, Returns::Struct { .. }).then(|| names.result_field_names(outputs));
        for (k, o) in outputs.iter().enumerate() {
            let field = members.as_ref().and_then(|m| m.get(k));
            push_output_assignments(scope, names, o, place, field.map(String::as_str), &mut out);
        }
        if let Returns::Limited { of: argument } = declaration.returns {
            let n = outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
            for i in 0..n {
                // The local copy of the argument, because the results may overwrite the argument
                // itself.
                let old =
                    argument.vector.slots(layout).get(i).map(|(kind, _)| scope.symbol_expression(*kind));
                let old = scope.graph().invariants().require(
                    old,
                    String::new(),
                    "a limited value corresponds to no entry of an argument",
                );
                let new = format!("limited[{i}]");
                let _ = writeln!(out, "    acted[{i}] = {new} < {old} || {new} > {old};");
            }
        }
    }
    match parts.function.is_fallible() {
        true => out.push_str(&verdict_statements(names, parts)),
        false => out.push_str("    return 0;\n"),
    }
    out
}

/// C statements at the end of a function that may fail: set invalid results to zero and return the
/// verdict.
fn verdict_statements(names: &CNames, parts: &FunctionParts<'_>) -> String {
    let end = parts.overflow_checked_result();
    let mut out = String::new();
    if !parts.is_checked && end.is_none_or(|e| count_values(e) == 0) {
        out.push_str("    int verdict = 0;\n");
    }
    if let Some(end) = end.filter(|e| count_values(e) > 0) {
        let first = if end.is_matrix() { format!("&{}[0][0]", end.place) } else { end.place.to_owned() };
        let finite = format!("all_finite({first}, {})", count_values(end));
        let _ = match parts.is_checked {
            true => writeln!(out, "    if (verdict == 0 && !{finite}) verdict = -1;"),
            false => writeln!(out, "    int verdict = {finite} ? 0 : -1;"),
        };
    }
    let beside = parts.other_cleared_results();
    let clears: Vec<String> = (parts.results.iter())
        .filter(|part| end.into_iter().chain(beside.iter().copied()).any(|other| other.place == part.place))
        .map(|part| clear_statement(part, names))
        .filter(|statement| !statement.is_empty())
        .collect();
    match &clears[..] {
        [] => {}
        [one] => {
            let _ = writeln!(out, "    if (verdict != 0) {one}");
        }
        all => {
            let lines: String = all.iter().map(|line| format!("        {line}\n")).collect();
            let _ = write!(out, "    if (verdict != 0) {{\n{lines}    }}\n");
        }
    }
    out.push_str("    return verdict;\n");
    out
}

fn count_values(part: &ResultPart<'_>) -> usize {
    part.outputs.iter().map(|o| o.nodes.len()).sum()
}

/// C statement that sets a result to zero; empty if the result has no entries.
fn clear_statement(part: &ResultPart<'_>, names: &CNames) -> String {
    match part.declaration.returns {
        Returns::Array { .. } if count_values(part) == 0 => String::new(),
        Returns::Array { .. } => {
            format!("memset({}, 0, {} * sizeof({}));", part.place, count_values(part), names.scalar_type())
        }
        _ => format!("memset({0}, 0, sizeof *{0});", part.place),
    }
}

/// C expressions of a divisor and of the scale with which it is compared.
pub fn divisor_and_scale(scope: &CScope<'_>, check: &Check) -> (String, String) {
    let scale = scope.node_expression(check.scale);
    let scale = match check.squared {
        true if scale.contains(' ') => format!("model->epsilon * ({scale})"),
        true => format!("model->epsilon * {scale}"),
        false => scale,
    };
    (scope.node_expression(check.value), scale)
}

/// C statements that compare the divisors of a function with the tolerance times their scales.
fn divisor_check(scope: &CScope<'_>, names: &CNames, f: &Function) -> String {
    let (values, scales): (Vec<String>, Vec<String>) =
        f.checks.iter().map(|check| divisor_and_scale(scope, check)).unzip();
    let n = f.checks.len();
    let mut out = String::from("\n    // check that the equations can be solved here\n");
    for (name, list) in [("divisors", values), ("scales", scales)] {
        let list = format!("const {} {name}[{n}] = {{{}}};", names.scalar_type(), list.join(", "));
        out.push_str(&statement_line(&list, 4));
    }
    let _ = writeln!(out, "    int verdict = vanishing(divisors, scales, {n}, model->epsilon);");
    out
}

/// Appends C assignments of the entries of a function's output.
fn push_output_assignments(
    scope: &CScope<'_>,
    names: &CNames,
    o: &FunctionOutput,
    place: &str,
    field: Option<&str>,
    out: &mut String,
) {
    let base = field.map_or_else(|| place.to_owned(), |field| format!("{place}->{field}"));
    let is_sparse = is_sparse(o, |node| scope.is_zero(node));
    if is_sparse {
        let _ = writeln!(out, "    memset({base}, 0, {} * sizeof({}));", o.nodes.len(), names.scalar_type());
    }
    for (k, node) in o.nodes.iter().enumerate().filter(|(_, node)| !(is_sparse && scope.is_zero(**node))) {
        let at = match o.shape {
            ResultShape::Scalar if field.is_some() => base.clone(),
            ResultShape::Matrix(_, columns) => {
                let columns = columns.max(1);
                format!("{base}[{}][{}]", k / columns, k % columns)
            }
            ResultShape::Scalar | ResultShape::Vector(_) => format!("{base}[{k}]"),
        };
        out.push_str(&statement_line(&format!("{at} = {};", scope.node_expression(*node)), 4));
    }
}
