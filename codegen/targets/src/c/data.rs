//! Data of an emitted C file: constants, tables, defaults, names, and the parameter check.

use std::fmt::Write as _;

use super::names::{CNames, table_name};
use super::scope::CScope;
use super::text::{line_comment, statement_line, string_literal};
use dqdt_graph::ir::declaration::Vector;
use dqdt_graph::ir::{Condition, Effect, EventCrossing, EventSlot, Function, Program, Row, Slot};
use dqdt_graph::plan::Plan;
use dqdt_print::code::leaves::is_parameter;
use dqdt_print::code::tables::{self, Arrays};

/// C definitions of the named numeric constants in use.
pub fn constant_definitions(names: &CNames) -> String {
    let mut out = String::new();
    for c in names.constants.used() {
        out.push_str(&c.about.map_or_else(String::new, |about| line_comment(about, 0)));
        let _ = writeln!(
            out,
            "static const {} {} = {};",
            names.scalar_type(),
            c.name,
            names.number_literal(c.value)
        );
    }
    out
}

/// C definitions of all data: defaults, tables of names, lists of divisors, hints, sizes, lookup
/// tables, and the parameter check.
pub fn data_definitions(program: &Program, names: &CNames) -> String {
    let l = &program.layout;
    let (p, real) = (&names.prefix, names.scalar_type());
    let mut out = Vec::new();
    let list =
        |slots: &[Slot]| slots.iter().map(|s| names.number_literal(s.value)).collect::<Vec<_>>().join(", ");
    // C has no empty initialisers.
    let values = if l.p.is_empty() { "0".to_owned() } else { list(&l.p) };
    let defaults = format!("const struct {p}_params {p}_defaults = {{{values}}};");
    out.push(statement_line(&defaults, 0));
    let states = [&l.q[..], &l.v, &l.z].concat();
    if !states.is_empty() {
        let start = format!("const {real} {p}_start[{}_NX] = {{{}}};", names.upper, list(&states));
        out.push(statement_line(&start, 0));
    }
    let tables: [(&str, &str, Vec<String>); 5] = [
        ("states", "NX", states.iter().map(slot_initialiser).collect()),
        ("inputs", "NU", l.u.iter().map(slot_initialiser).collect()),
        ("parameters", "NP", l.p.iter().map(slot_initialiser).collect()),
        ("position_rows", "NPC", l.position_rows.iter().map(row_initialiser).collect()),
        ("velocity_rows", "NVC", l.velocity_rows.iter().map(row_initialiser).collect()),
    ];
    for (name, length, rows) in tables.into_iter().filter(|t| !t.2.is_empty()) {
        let head = format!("const struct {p}_quantity {p}_{name}_table[{}_{length}]", names.upper);
        out.push(format!("{head} = {{\n{}}};\n", rows.concat()));
    }
    if program.takes(Vector::IndependentAccelerations) {
        out.push(index_array_definition(names, "independent", "NI", &l.independent_speeds));
    }
    if program.takes(Vector::DrivenAccelerations) && !l.driven_speeds.is_empty() {
        out.push(index_array_definition(names, "driven", "NDRIVEN", &l.driven_speeds));
    }
    if !l.independent_differences.is_empty() {
        out.push(index_array_definition(names, "independent_differences", "NDI", &l.independent_differences));
    }
    for (stem, places) in program.sparse_places() {
        for (k, what) in ["rows", "columns"].into_iter().enumerate() {
            let indices: Vec<String> = places.iter().map(|place| place[k].to_string()).collect();
            let head = format!("const int {p}_{stem}_{what}[{}]", places.len());
            out.push(statement_line(&format!("{head} = {{{}}};", indices.join(", ")), 0));
        }
    }
    out.extend(joint_limit_arrays(program).iter().map(|limit| limit_array_definition(names, limit)));
    if !l.events.is_empty() {
        let rows: String = l.events.iter().map(event_initialiser).collect();
        out.push(format!("const struct {p}_event {p}_events_table[{}_NE] = {{\n{rows}}};\n", names.upper));
    }
    for (_, f) in program.emitted().filter(|(_, f)| has_divisor_list(f)) {
        let rows: String = f
            .checks
            .iter()
            .map(|c| format!("    {{{}, {}}},\n", string_literal(&c.name), string_literal(&c.hint)))
            .collect();
        let n = f.checks.len();
        let name = f.declaration.name;
        out.push(format!("const struct {p}_pivot {p}_{name}_pivots[{n}] = {{\n{rows}}};\n"));
    }
    out.extend(program.emitted().map(|(_, f)| hint_function(names, f)));
    out.push(size_definitions(program, names));
    out.extend(lookup_table_arrays(program, &names.upper));
    out.extend(check_function(program, names));
    out.join("\n")
}

/// C definition of an array of indices; `length` is the suffix of the constant for its length.
fn index_array_definition(names: &CNames, array: &str, length: &str, indices: &[usize]) -> String {
    let places: Vec<String> = indices.iter().map(usize::to_string).collect();
    let head = format!("const int {}_{array}[{}_{length}]", names.prefix, names.upper);
    statement_line(&format!("{head} = {{{}}};", places.join(", ")), 0)
}

/// C definition of an array of joint limits.
fn limit_array_definition(names: &CNames, limit: &LimitArray) -> String {
    let rows: Vec<String> = limit
        .rows
        .iter()
        .map(|row| row.iter().map(|x| names.number_literal(*x)).collect::<Vec<_>>().join(", "))
        .collect();
    let real = names.scalar_type();
    let head = format!("const {real} {}_{}[{}_{}]", names.prefix, limit.name, names.upper, limit.length);
    match limit.rows.first().map_or(0, Vec::len) {
        2 => format!(
            "{head}[2] = {{\n{}}};\n",
            rows.iter().map(|row| format!("    {{{row}}},\n")).collect::<String>()
        ),
        _ => statement_line(&format!("{head} = {{{}}};", rows.join(", ")), 0),
    }
}

/// C initialiser of an event: name, unit, crossing, effect.
fn event_initialiser(e: &EventSlot) -> String {
    let crossing = match e.crossing {
        EventCrossing::Falling => -1,
        EventCrossing::Rising => 1,
        EventCrossing::Both => 0,
    };
    let effect = match e.effect {
        Effect::Ends => "ends",
        Effect::Bounces => "bounces",
        Effect::Passes => "passes",
    };
    let (name, unit) =
        (string_literal(&e.name), string_literal(if e.unit.is_empty() { "1" } else { &e.unit }));
    format!("    {{{name}, {unit}, {crossing}, {}}},\n", string_literal(effect))
}

/// C initialiser of a quantity in a table of names: name, unit, meaning.
fn quantity_initialiser(name: &str, unit: &str, about: &str) -> String {
    let unit = if unit.is_empty() { "1" } else { unit };
    format!("    {{{}, {}, {}}},\n", string_literal(name), string_literal(unit), string_literal(about))
}

fn slot_initialiser(slot: &Slot) -> String {
    quantity_initialiser(&slot.name, &slot.unit, &slot.description)
}

fn row_initialiser(row: &Row) -> String {
    quantity_initialiser(&row.name, &row.unit, "")
}

/// Joint limits of one kind (position, speed, effort), as a constant C array.
pub struct LimitArray {
    pub name: &'static str,
    pub length: &'static str,
    pub about: &'static str,
    /// Lowest and highest value, or one value, for each coordinate or speed.
    pub rows: Vec<Vec<f64>>,
}

/// Arrays of joint limits for emitted C, one for each kind that is finite somewhere.
pub fn joint_limit_arrays(program: &Program) -> Vec<LimitArray> {
    let Some(l) = &program.layout.limits else { return Vec::new() };
    let all = [
        (
            "position_limits",
            "NQ",
            "Lower and upper limit of each coordinate.",
            l.position.iter().map(|x| x.to_vec()).collect(),
        ),
        ("speed_limits", "NV", "Largest permitted magnitude of each speed.", single_entry_rows(&l.speed)),
        (
            "effort_limits",
            "NV",
            "Largest permitted magnitude of the motor effort along each speed.",
            single_entry_rows(&l.effort),
        ),
    ];
    let all = all.map(|(name, length, about, rows)| LimitArray { name, length, about, rows });
    all.into_iter().filter(|a| a.rows.iter().flatten().any(|x| x.is_finite())).collect()
}

fn single_entry_rows(list: &[f64]) -> Vec<Vec<f64>> {
    list.iter().map(|x| vec![*x]).collect()
}

/// Returns `true` if an emitted C function reports which of its divisors vanishes, so that a list
/// names them.
pub fn has_divisor_list(f: &Function) -> bool {
    f.declaration.checked && !f.checks.is_empty()
}

/// C signature of the function that explains a verdict (status number) of an emitted function in
/// words.
pub fn hint_signature(names: &CNames, f: &Function) -> String {
    format!("const char *{}_{}_hint(int verdict)", names.prefix, f.declaration.name)
}

/// C function that explains the verdicts (status numbers) of an emitted function in words.
fn hint_function(names: &CNames, f: &Function) -> String {
    let list_hints = match has_divisor_list(f) {
        true => {
            let (list, n) = (format!("{}_{}_pivots", names.prefix, f.declaration.name), f.checks.len());
            format!("    if (verdict > 0 && verdict <= {n}) return {list}[verdict - 1].hint;\n")
        }
        false => String::new(),
    };
    format!(
        "{} {{\n{list_hints}    return verdict == 0 ? \"\" : \"a divisor or a result is not finite\";\n}}\n",
        hint_signature(names, f)
    )
}

/// Sizes that are also emitted as data, for callers without a C header: `cart_pole_nx`. Returns
/// declarations and values.
pub fn size_declarations(program: &Program, names: &CNames) -> Vec<(String, String)> {
    (vector_lengths(program).into_iter())
        .map(|(name, ..)| {
            let declaration = format!("const int {}_{}", names.prefix, name.to_lowercase());
            (declaration, format!("{}_{name}", names.upper))
        })
        .collect()
}

/// C signature of the function that returns the size of a model in bytes.
pub fn model_size_signature(names: &CNames) -> String {
    format!("size_t {}_model_size(void)", names.prefix)
}

fn size_definitions(program: &Program, names: &CNames) -> String {
    let numbers =
        size_declarations(program, names).into_iter().map(|(head, value)| format!("{head} = {value};\n"));
    let model = format!("sizeof(struct {}_model)", names.prefix);
    let size = format!("{} {{\n    return {model};\n}}\n", model_size_signature(names));
    numbers.chain([size]).collect()
}

/// Lengths of the vectors of an emitted C file: name of the constant (`NQ`), value, meaning.
pub fn vector_lengths(program: &Program) -> Vec<(&'static str, usize, &'static str)> {
    let l = &program.layout;
    let mut rows = vec![
        ("NQ", l.q.len(), "coordinates"),
        ("NV", l.v.len(), "speeds"),
        ("NZ", l.z.len(), "user states"),
        ("NX", l.q.len() + l.v.len() + l.z.len(), "entries of the state: coordinates, speeds, user states"),
        ("NU", l.u.len(), "inputs"),
        ("NP", l.p.len(), "parameters"),
    ];
    if program.takes(Vector::IndependentAccelerations) {
        rows.push(("NI", l.independent_speeds.len(), "independent speeds"));
    }
    if program.takes(Vector::DrivenAccelerations) {
        rows.push(("NDRIVEN", l.driven_speeds.len(), "driven speeds"));
    }
    if program.takes(Vector::Contacts) {
        rows.push(("NCON", l.contacts.len(), "contacts"));
    }
    let others = [
        ("NDI", l.independent_differences.len(), "independent entries of the state difference"),
        ("NPC", l.position_rows.len(), "rows of position constraints"),
        ("NVC", l.velocity_rows.len(), "rows of velocity constraints"),
        ("NE", l.events.len(), "events of the spec"),
    ];
    rows.extend(others.into_iter().filter(|(_, n, _)| *n > 0));
    rows
}

/// C arrays with knots and coefficients of the lookup tables in use. Always doubles, whatever the
/// scalar type.
fn lookup_table_arrays(program: &Program, upper: &str) -> Vec<String> {
    tables::used_table_arrays(program).iter().map(|table| table_arrays(table, upper)).collect()
}

fn table_arrays(table: &Arrays, upper: &str) -> String {
    let [first, second] = [&table.knots_name, &table.rows_name].map(|name| table_name(upper, name));
    let (n, knots) = (table.knots.len(), join_numbers(&table.knots));
    let knots = statement_line(&format!("static const double {first}[{n}] = {{{knots}}};"), 0);
    let rows: Vec<String> = table.rows.iter().map(|r| format!("    {{{}}},\n", join_numbers(r))).collect();
    format!("{knots}static const double {second}[{n}][4] = {{\n{}}};\n", rows.concat())
}

fn join_numbers(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
}

/// C signature of the emitted function that checks parameters.
pub fn check_signature(names: &CNames) -> String {
    format!("const char *{0}_check(const struct {0}_params *params)", names.prefix)
}

/// C function that checks parameters; `None` if the mechanism has none to check.
fn check_function(program: &Program, names: &CNames) -> Option<String> {
    let checks = program.parameter_checks.as_ref()?;
    let values = &checks.values;
    let mut plan = Plan::new(values);
    names.name_check_values(values, &mut plan);
    let scope = CScope::of_setup(&values.graph, &plan, names);
    let statements = scope.early_and_late_statements().concat();
    let nodes = values.functions.iter().flat_map(|f| &f.outputs).filter_map(|o| o.nodes.first()).copied();
    let mut emitted = std::collections::BTreeSet::new();
    let mut conditions = String::new();
    for (slot, field) in program.layout.p.iter().zip(&names.parameters) {
        let fault = string_literal(&format!("parameter `{}` is not a finite number", slot.name));
        let _ = writeln!(conditions, "    if (!isfinite(params->{field})) return {fault};");
    }
    for (node, (fault, condition)) in nodes.zip(&checks.conditions) {
        // The finiteness of the parameters themselves has been checked.
        if *condition == Condition::Finite && is_parameter(&values.graph, node) {
            continue;
        }
        let (value, zero) = (scope.node_expression(node), names.number_literal(0.0));
        let fails = match condition {
            Condition::Finite => format!("!isfinite({value})"),
            Condition::NotNegative => format!("!({value} >= {zero})"),
            Condition::Positive => format!("!({value} > {zero})"),
        };
        if emitted.insert(fails.clone()) {
            let _ = writeln!(conditions, "    if ({fails}) return {};", string_literal(fault));
        }
    }
    let prologue = scope.prologue_declarations(values, &[]);
    let unused =
        if prologue.is_empty() && !conditions.contains("params") { "    (void)params;\n" } else { "" };
    let end = "    return NULL;\n}\n";
    Some(format!("{} {{\n{unused}{prologue}{statements}{conditions}{end}", check_signature(names)))
}
