//! Declarations of an emitted CUDA header: lengths, indices, structs, constants, tables, defaults.

use super::super::c::data;
use super::super::c::functions::has_tolerance;
use super::super::c::header;
use super::super::c::names::{CNames, table_name};
use super::super::c::text::{line_comment, statement_line};
use dqdt_graph::ir::{Program, Slot};
use dqdt_graph::plan::Plan;
use dqdt_print::code::tables;

/// Lengths, indices, structs, constants, tables, and functions with the defaults of the spec.
pub fn declarations(program: &Program, plan: &Plan, names: &CNames) -> String {
    let of_model = program.layout.p.len().max(1) + usize::from(has_tolerance(program)) + plan.hoisted.len();
    let lengths: String = (data::vector_lengths(program).into_iter())
        .chain([("NMODEL", of_model, "numbers of a model")])
        .map(|(name, n, about)| format!("    {name} = {n}, // {about}\n"))
        .collect();
    let constants: String = (names.constants.used().into_iter())
        .map(|c| {
            let about = c.about.map_or_else(String::new, |about| line_comment(about, 0));
            format!("{about}constexpr double {} = {:?};\n", c.name, c.value)
        })
        .collect();
    let parts = [
        format!("// Lengths.\nenum {{\n{lengths}}};\n"),
        header::index_enum(program, names),
        header::struct_declarations(program, plan, names),
        "static_assert(sizeof(Model<double>) == NMODEL * sizeof(double), \"a model is a list of numbers\");\n".to_owned(),
        constants,
        table_functions(program, names),
        default_functions(program, names),
    ];
    parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n")
}

fn join_numbers(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
}

fn parameter_values(names: &CNames, slots: &[Slot]) -> String {
    slots.iter().map(|s| names.number_literal(s.value)).collect::<Vec<_>>().join(", ")
}

/// Functions that return the arrays of lookup tables: a device has no other constant arrays.
fn table_functions(program: &Program, names: &CNames) -> String {
    let mut out = String::new();
    for table in tables::used_table_arrays(program) {
        let [knots, rows] = [&table.knots_name, &table.rows_name].map(|name| table_name(&names.upper, name));
        let n = table.knots.len();
        let values = statement_line(
            &format!("static const double values[{n}] = {{{}}};", join_numbers(&table.knots)),
            4,
        );
        out.push_str(&format!(
            "DQDT_FUNCTION const double *{knots}() {{\n{values}    return values;\n}}\n\n"
        ));
        let lines: String =
            table.rows.iter().map(|row| format!("        {{{}}},\n", join_numbers(row))).collect();
        out.push_str(&format!(
            "DQDT_FUNCTION const double (*{rows}())[4] {{\n    static const double values[{n}][4] = {{\n{lines}    }};\n    \
             return values;\n}}\n"
        ));
    }
    for (stem, places) in program.sparse_places() {
        for (k, what) in ["rows", "columns"].into_iter().enumerate() {
            let indices: Vec<String> = places.iter().map(|place| place[k].to_string()).collect();
            let values = format!("static const int values[{}] = {{{}}};", places.len(), indices.join(", "));
            out.push_str(&format!(
                "// {what} of the entries of the sparse result of {stem}.\nDQDT_FUNCTION const int *{stem}_{what}() {{\n{}    return values;\n}}\n",
                statement_line(&values, 4)
            ));
        }
    }
    out
}

/// Functions with the parameters and the start of the spec.
fn default_functions(program: &Program, names: &CNames) -> String {
    let l = &program.layout;
    let params = names.public_struct("params");
    let values = if l.p.is_empty() { "0".to_owned() } else { parameter_values(names, &l.p) };
    let about = line_comment("The parameters of the spec.", 0);
    let mut out = format!(
        "{about}template <class Real>\nDQDT_FUNCTION {params} default_params() {{\n{}}}\n",
        statement_line(&format!("return {params}{{{values}}};"), 4)
    );
    let states = [&l.q[..], &l.v, &l.z].concat();
    if !states.is_empty() {
        let entries: String = (states.iter().enumerate())
            .map(|(i, s)| format!("    x[{i}] = {};\n", names.number_literal(s.value)))
            .collect();
        let about = line_comment("Writes the start state of the spec to x.", 0);
        out.push_str(&format!(
            "\n{about}template <class Real>\nDQDT_FUNCTION void start_state(Real x[NX]) {{\n{entries}}}\n"
        ));
    }
    out
}
