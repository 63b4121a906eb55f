//! Emits the functions of a CUDA header: each computes all its values, in an order for few
//! registers.
//!
//! Method:  equal parts are inlined, once for each lane with the operations of C. What a function
//!          reads is loaded where it is used first, divisors are compared and results are stored as
//!          soon as they are known.

use std::collections::{BTreeMap, BTreeSet};

use super::super::c::functions::{ACTED, divisor_and_scale, mentions_variable};
use super::super::c::names::{CNames, equal_part_names};
use super::super::c::scope::{BodyItem, CScope, LaneInput};
use super::super::c::text::statement_line;
use super::order::StepDependencies;
use dqdt_graph::ir::declaration::Returns;
use dqdt_graph::ir::{Function, Program, ResultShape};
use dqdt_graph::plan::Plan;
use dqdt_print::code::equal_part::EqualPart;
use dqdt_print::code::result_arguments::result_argument_names;
use dqdt_print::tree::{FunctionParts, ResultPart};

/// A statement of a function: its text, and the locals that it defines.
struct PrintedStatement {
    defines: Vec<String>,
    text: String,
}

impl PrintedStatement {
    fn definition(name: String, real: &str, value: &str) -> Self {
        let text = statement_line(&format!("const {real} {name} = {value};"), 4);
        PrintedStatement { defines: vec![name], text }
    }

    fn test(text: &str) -> Self {
        PrintedStatement { defines: Vec::new(), text: statement_line(text, 4) }
    }
}

/// An emitted function, and the largest number of values that are alive in it at the same time.
pub struct OrderedFunction {
    /// Definition of the function.
    pub text: String,
    /// Largest number of live values.
    pub live: usize,
}

/// Definitions of all emitted functions, in the order of the program.
pub fn ordered_functions(
    program: &Program,
    plan: &Plan,
    names: &CNames,
    equal: &[EqualPart],
) -> Vec<OrderedFunction> {
    program.emitted().map(|(number, f)| ordered_function(program, plan, names, (equal, number, f))).collect()
}

/// Words of a text that may be names of locals: no fields.
fn local_words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, c.is_ascii_alphanumeric() || c == '_') {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let is_field = text[..from].ends_with(['.', '>']);
                if !is_field && !text[from..].starts_with(|c: char| c.is_ascii_digit()) {
                    out.push(&text[from..at]);
                }
                start = None;
            }
            _ => {}
        }
    }
    out
}

/// Text in which the given locals have another name.
fn rename_locals(text: &str, locals: &BTreeSet<String>, rename: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = 0;
    for word in local_words(text) {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        if locals.contains(word) {
            out.push_str(&text[rest..at]);
            out.push_str(&rename(word));
            rest = at + word.len();
        }
    }
    out + &text[rest..]
}

/// The statements without definitions that no other statement mentions: entries that are only
/// loaded again, outputs of equal parts that only another lane needs.
fn without_unused_definitions(mut statements: Vec<PrintedStatement>) -> Vec<PrintedStatement> {
    loop {
        let mut mentions: BTreeMap<&str, usize> = BTreeMap::new();
        for statement in &statements {
            let words: BTreeSet<&str> = local_words(&statement.text).into_iter().collect();
            words.into_iter().for_each(|word| *mentions.entry(word).or_insert(0) += 1);
        }
        let mut kept = Vec::with_capacity(statements.len());
        for statement in &statements {
            // A definition mentions its own name.
            let mut counts = statement.defines.iter().filter_map(|name| mentions.get(name.as_str()));
            kept.push(statement.defines.is_empty() || counts.any(|count| *count > 1));
        }
        if kept.iter().all(|kept| *kept) {
            return statements;
        }
        let mut kept = kept.into_iter();
        statements.retain(|_| kept.next() == Some(true));
    }
}

/// Name of a local of equal part `number` of a body in one lane.
fn lane_name(name: &str, number: usize, lane: usize) -> String {
    match number {
        0 => format!("{name}_lane{}", lane + 1),
        _ => format!("{name}_part{}_lane{}", number + 1, lane + 1),
    }
}

/// Name of an output of an equal part in one lane.
fn output_name(part: &str, output: usize, lane: usize) -> String {
    let [.., results] = equal_part_names(part);
    lane_name(&format!("{results}_{output}"), 0, lane)
}

/// Statements of an equal part, once for each lane.
fn statements_of_part(
    scope: &CScope<'_>,
    number: usize,
    equal: &[EqualPart],
    names: &CNames,
) -> Vec<PrintedStatement> {
    let real = names.scalar_type();
    let called = scope.equal_part(number);
    let part = equal.iter().find(|part| part.name == called.name);
    let Some((part, body)) = part.and_then(|part| Some((part, part.planned_body()?))) else {
        scope.graph().invariants().report_broken("an equal part of a function has no statements");
        return Vec::new();
    };
    let inner = CScope::of_part(part, body, names);
    let items = inner.body_items();
    let mut locals: BTreeSet<String> = part.input_names.iter().cloned().collect();
    for item in &items {
        if let BodyItem::Text { defines, .. } = item {
            locals.extend(defines.iter().cloned());
        }
    }
    let mut out = Vec::new();
    for lane in 0..part.lanes {
        let rename = |name: &str| lane_name(name, number, lane);
        for (name, input) in part.input_names.iter().zip(scope.lane_inputs(number, lane)) {
            let value = match input {
                LaneInput::Value(value) => value,
                LaneInput::Output(earlier, output) => output_name(&earlier.name, output, lane),
            };
            out.push(PrintedStatement::definition(rename(name), real, &value));
        }
        for item in &items {
            if let BodyItem::Text { defines, text } = item {
                let text = rename_locals(text, &locals, &rename);
                out.push(PrintedStatement {
                    defines: defines.iter().map(|name| rename(name)).collect(),
                    text,
                });
            }
        }
        for (o, root) in body.roots.iter().enumerate() {
            let value = rename_locals(&inner.node_expression(root.node), &locals, &rename);
            out.push(PrintedStatement::definition(output_name(&part.name, o, lane), real, &value));
        }
        for (o, name) in scope.lane_outputs(number, lane) {
            out.push(PrintedStatement::definition(name.to_owned(), real, &output_name(&part.name, o, lane)));
        }
    }
    out
}

/// Type of a template argument for an array: pointers, or rows of arrays by coordinate.
pub fn rows_type(array: &str) -> String {
    format!("{}Rows", super::super::c::dialect::camel_case(array))
}

/// True if a result is an array with one index, which a kernel stores entry by entry.
pub fn is_stored_directly(part: &ResultPart<'_>) -> bool {
    let values = part.outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
    matches!(part.declaration.returns, Returns::Array { dims: [_], .. }) && values > 0
}

/// Head of a function: template arguments and arguments.
fn function_head(names: &CNames, f: &Function, parts: &FunctionParts<'_>) -> String {
    let d = f.declaration;
    let mut types = vec!["class Real".to_owned()];
    let mut arguments = vec!["const Model<Real> *model".to_owned(), "Real t".to_owned()];
    for a in d.arguments {
        types.push(format!("class {}", rows_type(a.name)));
        arguments.push(format!("{} {}", rows_type(a.name), a.name));
    }
    for part in &parts.results {
        let place = part.place;
        let is_empty = part.outputs.iter().all(|o| o.nodes.is_empty());
        match part.declaration.returns {
            _ if is_stored_directly(part) => {
                types.push(format!("class {}", rows_type(place)));
                arguments.push(format!("{} {place}", rows_type(place)));
            }
            Returns::Array { .. } if is_empty => arguments.push(format!("Real *{place}")),
            Returns::Array { dims, .. } => {
                let lengths: String =
                    dims.iter().map(|v| format!("[{}]", names.length_constant(*v))).collect();
                arguments.push(format!("Real {place}{lengths}"));
            }
            Returns::Struct { name, .. } => {
                arguments.push(format!("{} *{place}", names.result_struct_name(name)));
            }
            Returns::Limited { .. } => {
                arguments.extend([format!("Real *{place}"), format!("int *{ACTED}")]);
            }
            Returns::Joint(_) => {}
        }
    }
    let head = format!("DQDT_FUNCTION int {}({})", d.name, arguments.join(", "));
    format!("template <{}>\n{}", types.join(", "), statement_line(&head, 0).trim_end())
}

/// Statements that store the entries of a result. With `is_checked` they note whether each is
/// finite.
fn result_statements(
    scope: &CScope<'_>,
    names: &CNames,
    part: &ResultPart<'_>,
    (is_checked, entries): (bool, &[(&str, &'static str, usize)]),
) -> Vec<PrintedStatement> {
    let place = part.place;
    let fields = matches!(part.declaration.returns, Returns::Struct { .. })
        .then(|| names.result_field_names(part.outputs));
    let mut out = Vec::new();
    let mut limited = 0;
    for (at, o) in part.outputs.iter().enumerate() {
        let field = fields.as_ref().and_then(|fields| fields.get(at));
        let base = field.map_or_else(|| place.to_owned(), |field| format!("{place}->{field}"));
        for (k, node) in o.nodes.iter().enumerate() {
            let value = scope.node_expression(*node);
            // An entry of an argument is loaded again, so that it need not be kept.
            let value = match entries.iter().find(|(name, ..)| *name == value) {
                Some((_, array, index)) if !matches!(part.declaration.returns, Returns::Limited { .. }) => {
                    format!("again({array}, {index})")
                }
                _ => value,
            };
            let (array, index) = match o.shape {
                ResultShape::Scalar if field.is_some() => (String::new(), 0),
                ResultShape::Matrix(_, columns) => {
                    (format!("{base}[{}]", k / columns.max(1)), k % columns.max(1))
                }
                ResultShape::Scalar | ResultShape::Vector(_) => (base.clone(), k),
            };
            let text = match (array.is_empty(), is_checked) {
                (true, _) => format!("{base} = {value};"),
                (false, true) => format!("finite = store({array}, {index}, Real({value})) && finite;"),
                (false, false) => format!("{array}[{index}] = {value};"),
            };
            let mut statement = PrintedStatement::test(&text);
            if matches!(part.declaration.returns, Returns::Limited { .. }) {
                if let Some((name, ..)) = entries.get(limited) {
                    let new = format!("{place}[{limited}]");
                    let acted = format!("{ACTED}[{limited}] = {new} < {name} || {new} > {name};");
                    statement.text.push_str(&statement_line(&acted, 4));
                }
                limited += 1;
            }
            out.push(statement);
        }
    }
    out
}

/// Statements at the end of a function that may fail: the verdict, zeros where it is not zero.
fn verdict_text(names: &CNames, parts: &FunctionParts<'_>) -> String {
    let end = parts.overflow_checked_result().filter(|part| part.outputs.iter().any(|o| !o.nodes.is_empty()));
    let verdict = match (parts.is_checked, end) {
        (true, Some(_)) => "    if (verdict == 0 && !finite) verdict = -1;\n",
        (false, Some(_)) => "    const int verdict = finite ? 0 : -1;\n",
        (false, None) => "    const int verdict = 0;\n",
        (true, None) => "",
    };
    let beside = parts.other_cleared_results();
    let cleared: BTreeSet<&str> =
        end.into_iter().chain(beside.iter().copied()).map(|part| part.place).collect();
    let mut clears = String::new();
    for part in parts.results.iter().filter(|part| cleared.contains(part.place)) {
        let place = part.place;
        let count = part.outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
        clears.push_str(&match part.declaration.returns {
            _ if is_stored_directly(part) => {
                format!(
                    "        DQDT_UNROLL\n        for (int i = 0; i < {count}; i++) {place}[i] = Real(0.0);\n"
                )
            }
            Returns::Array { .. } if count == 0 => String::new(),
            Returns::Array { .. } => {
                format!("        memset({place}, 0, {count} * sizeof({}));\n", names.scalar_type())
            }
            _ => format!("        memset({place}, 0, sizeof *{place});\n"),
        });
    }
    let clears =
        if clears.is_empty() { clears } else { format!("    if (verdict != 0) {{\n{clears}    }}\n") };
    format!("{verdict}{clears}    return verdict;\n")
}

fn ordered_function(
    program: &Program,
    plan: &Plan,
    names: &CNames,
    (equal, number, f): (&[EqualPart], usize, &Function),
) -> OrderedFunction {
    let (d, body, real) = (f.declaration, &plan.functions[number], names.scalar_type());
    let scope = CScope::of_function(&program.graph, plan, body, names);
    let parts = FunctionParts::new(plan, number, f);
    let mut statements = Vec::new();
    for item in scope.body_items() {
        match item {
            BodyItem::Text { defines, text } => statements.push(PrintedStatement { defines, text }),
            BodyItem::Part(number) => statements.extend(statements_of_part(&scope, number, equal, names)),
        }
    }
    if parts.is_checked {
        for (k, check) in f.checks.iter().enumerate() {
            let (value, scale) = divisor_and_scale(&scope, check);
            let call =
                format!("check_divisor(verdict, {}, Real({value}), Real({scale}), model->epsilon)", k + 1);
            statements.push(PrintedStatement::test(&format!("verdict = {call};")));
        }
    }
    // Results may read entries that nothing else reads.
    for part in &parts.results {
        part.outputs.iter().flat_map(|o| &o.nodes).for_each(|node| drop(scope.node_expression(*node)));
        if let Returns::Limited { of: argument } = part.declaration.returns {
            argument
                .vector
                .slots(&program.layout)
                .iter()
                .for_each(|(kind, _)| drop(scope.symbol_expression(*kind)));
        }
    }
    let entries = scope.entries_read(program, d.arguments);
    let end = parts.overflow_checked_result().map(|part| part.place);
    for part in &parts.results {
        let limited: Vec<(&str, &'static str, usize)> = match part.declaration.returns {
            Returns::Limited { of: argument } => {
                entries.iter().filter(|(_, array, _)| *array == argument.name).copied().collect()
            }
            _ => entries.clone(),
        };
        statements.extend(result_statements(&scope, names, part, (Some(part.place) == end, &limited)));
    }
    statements.extend(entries.iter().map(|(name, array, at)| {
        PrintedStatement::definition((*name).to_owned(), real, &format!("{array}[{at}]"))
    }));
    let statements = without_unused_definitions(statements);
    let steps =
        StepDependencies::from_names(statements.iter().map(|s| (&s.defines[..], local_words(&s.text))));
    let ordered = steps.order_for_few_live_values();
    let mut text = String::new();
    if scope.uses_parameters() {
        text.push_str("    const Params<Real> *const p = &model->params;\n");
    }
    if parts.is_checked {
        text.push_str("    int verdict = 0;\n");
    }
    let is_finite_checked = statements.iter().any(|s| s.text.contains("finite = store("));
    if is_finite_checked {
        text.push_str("    bool finite = true;\n");
    }
    ordered.order.iter().for_each(|step| text.push_str(&statements[*step as usize].text));
    text.push_str(&if f.is_fallible() { verdict_text(names, &parts) } else { "    return 0;\n".to_owned() });
    let is_limited = matches!(d.returns, Returns::Limited { .. });
    let arguments =
        ["model", "t"].into_iter().chain(d.arguments.iter().map(|a| a.name)).chain(result_argument_names(d));
    let unused: String = arguments
        .chain(is_limited.then_some(ACTED))
        .filter(|name| !mentions_variable(&text, name))
        .map(|name| format!("    (void){name};\n"))
        .collect();
    let text = format!("{} {{\n{unused}{text}}}\n", function_head(names, f, &parts));
    OrderedFunction { text, live: ordered.live }
}
