//! The emitted C header: declarations for users, with documentation.

use std::fmt::Write as _;

use super::data::{self, LimitArray, check_signature, has_divisor_list, hint_signature, joint_limit_arrays};
use super::functions::{INIT, function_signature, has_tolerance, model_init_signature, tolerance_literal};
use super::names::CNames;
use super::options::Dialect;
use super::steps;
use super::text::{line_comment, one_line_comment_text, statement_line};
use dqdt_graph::ir::declaration::{Declaration, Returns, Role, Vector};
use dqdt_graph::ir::{Function, FunctionOutput, Program, ResultShape, Slot};
use dqdt_graph::plan::Plan;
use dqdt_print::code::{indices, notes};

/// Text of the C header of a program. `top` is its first line, and `steps` is `true` to declare
/// steps and state differences.
pub fn header_text(program: &Program, plan: &Plan, names: &CNames, (top, steps): (&str, bool)) -> String {
    let guard = format!("DQDT_{}_H", names.upper);
    let mut out = vec![top.to_owned()];
    out.push(format!("#ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n"));
    out.push(usage_comment(program, names));
    out.push(length_definitions(program, names));
    out.push(index_enum(program, names));
    out.push(struct_declarations(program, plan, names));
    out.push(table_declarations(program, names));
    let limit = match has_tolerance(program) {
        true => format!(" Sets epsilon to {}.", tolerance_literal(names)),
        false => String::new(),
    };
    let about = format!("Precomputes the values that depend only on parameters.{limit}");
    out.push(format!("{}{};\n", line_comment(&about, 0), model_init_signature(names)));
    if program.parameter_checks.is_some() {
        let about = "Returns a description of a fault in the parameters (not finite, a negative mass, \
                     crossed limits), or NULL if there is none. The other functions do not check parameters; \
                     call this function for parameters from other sources. It does not check whether a mechanism with these \
                     parameters can be assembled and solved.";
        out.push(format!("{}{};\n", line_comment(about, 0), check_signature(names)));
    }
    for (_, f) in program.emitted() {
        let about = line_comment(&function_comment(program, names, f), 0);
        let hint = hint_signature(names, f);
        out.push(format!("{about}{};\n{hint};\n", function_signature(program, names, f)));
    }
    if steps {
        out.push(steps::step_declarations(program, names));
    }
    out.push("#ifdef __cplusplus\n}\n#endif\n".to_owned());
    out.push(format!("#endif // {guard}\n"));
    out.join("\n")
}

/// Comment of the C header with the description of the mechanism and an example of use.
fn usage_comment(program: &Program, names: &CNames) -> String {
    let p = &names.prefix;
    let mut text = format!("Equations of motion of {}.", one_line_comment_text(&program.name));
    if !program.description.is_empty() {
        text = format!("{text} {}", program.description);
    }
    let mut out = line_comment(&text, 0);
    out.push_str("//\n");
    let state = program.emitted().find(|(_, f)| f.declaration.role == Some(Role::StateDerivative));
    let mut lines =
        vec![format!("struct {p}_model model;"), format!("{p}_model_init(&model, &{p}_defaults);")];
    if let Some((_, f)) = state {
        let arguments: Vec<&str> = f.declaration.arguments.iter().map(|a| a.name).collect();
        let arguments = arguments.iter().map(|a| format!(", {a}")).collect::<String>();
        let call = format!("{p}_{}(&model, t{arguments}, dx)", f.declaration.name);
        lines.push(format!("int verdict = {call};"));
        lines.push(format!("if (verdict != 0) puts({p}_{}_hint(verdict));", f.declaration.name));
    }
    for line in lines {
        let _ = writeln!(out, "//     {line}");
    }
    out.push_str("//\n");
    out.push_str(&line_comment(
        "Compile the source with any C99 compiler, without -ffast-math. The functions allocate no memory, \
         are not recursive and keep no state, so several threads can call them at the same time. Results are \
         written to the last arguments, which may be the same arrays as other arguments. Matrices are in \
         row-major order.",
        0,
    ));
    out.push_str(&line_comment(
        "Every function returns 0 on success; k > 0 if divisor k of its list vanishes, counted from one; -1 if \
         a divisor is not finite, or if the function checks its results and one is not finite. The results are \
         zero then, and …_hint describes what is wrong. A function that can only return 0 performs no checks: NaN \
         in an argument gives NaN in the results that depend on it.",
        0,
    ));
    out
}

fn length_definitions(program: &Program, names: &CNames) -> String {
    let constants: String = (data::vector_lengths(program).into_iter())
        .map(|(name, n, about)| format!("#define {}_{name} {n} // {about}\n", names.upper))
        .collect();
    let heads =
        data::size_declarations(program, names).into_iter().map(|(head, _)| format!("extern {head};\n"));
    let size = format!("{};\n", data::model_size_signature(names));
    let about =
        "// These lengths and the size of a model, as data for callers that cannot include this header.\n"
            .to_owned();
    format!("{constants}\n{}", [about].into_iter().chain(heads).chain([size]).collect::<String>())
}

/// C enum of index constants for the entries of the state and of the inputs.
pub fn index_enum(program: &Program, names: &CNames) -> String {
    let l = &program.layout;
    let mut rows: Vec<(String, String)> = Vec::new();
    let groups: [(&[Slot], usize); 4] =
        [(&l.q, 0), (&l.v, l.q.len()), (&l.z, l.q.len() + l.v.len()), (&l.u, 0)];
    let indices = indices::index_constant_names(l, &names.constant_prefix());
    for (group, ((slots, first), indices)) in groups.into_iter().zip(&indices).enumerate() {
        for (i, (s, name)) in slots.iter().zip(indices).enumerate() {
            let default = if group == 3 { notes::default_text(s) } else { String::new() };
            let about =
                one_line_comment_text(&(format!("{}{}{default}", s.description, notes::limits_text(s))));
            let about = about.trim_start_matches(", ");
            let about = if about.is_empty() { String::new() } else { format!(" {about}") };
            rows.push((format!("    {name} = {}", first + i), format!("// [{}]{about}", unit_text(&s.unit))));
        }
    }
    if rows.is_empty() {
        return "// The mechanism has no state and no inputs.\n".to_owned();
    }
    let last = rows.len() - 1;
    // C++98 does not allow a comma after the last constant.
    let rows: String = (rows.iter().enumerate())
        .map(|(i, (entry, about))| format!("{entry}{} {about}\n", if i == last { "" } else { "," }))
        .collect();
    format!("// Indices in the state (Q, V, Z) and in the inputs (U).\nenum {{\n{rows}}};\n")
}

fn unit_text(text: &str) -> String {
    if text.is_empty() { "1".to_owned() } else { one_line_comment_text(text) }
}

/// Declarations of the structs of parameters, of the model and of results.
pub fn struct_declarations(program: &Program, plan: &Plan, names: &CNames) -> String {
    let real = names.scalar_type();
    let mut fields_of = String::new();
    for (field, slot) in names.parameters.iter().zip(&program.layout.p) {
        let about = one_line_comment_text(&slot.description);
        let about = if about.is_empty() { String::new() } else { format!(" {about}") };
        let _ = writeln!(fields_of, "    {real} {field}; // [{}]{about}", unit_text(&slot.unit));
    }
    if fields_of.is_empty() {
        let none = if names.dialect == Dialect::Cuda { real } else { "char" };
        let _ = writeln!(fields_of, "    {none} none; // no entries");
    }
    let about = "Parameters, in the order of the table of parameters: contiguous numbers of the same type.";
    let params = names.public_struct("params");
    let mut out = vec![format!("// {about}\n{}", names.struct_definition(&params, &fields_of))];
    let mut kept = format!("    {params} params;\n");
    if has_tolerance(program) {
        let _ = writeln!(
            kept,
            "    {real} epsilon; // a divisor counts as zero below this fraction of the magnitude of its terms"
        );
    }
    if !plan.hoisted.is_empty() {
        let list: Vec<&str> = plan.hoisted.iter().map(|h| h.name.as_str()).collect();
        kept.push_str(&statement_line(&format!("{real} {};", list.join(", ")), 4));
    }
    let about = format!(
        "The model: parameters, and values computed from them once. Do not write to it. To change \
         parameters, change a copy of the parameters and call {} again while no function reads the model.",
        names.public_function(INIT)
    );
    let model = names.struct_definition(&names.public_struct("model"), &kept);
    out.push(format!("{}{model}", line_comment(&about, 0)));
    let mut known: Vec<&str> = Vec::new();
    for (_, f) in program.emitted() {
        for (part, outputs) in f.results() {
            if let Returns::Struct { name, about } = part.returns
                && !known.contains(&name)
            {
                known.push(name);
                out.push(result_struct(names, name, about, outputs));
            }
        }
    }
    out.join("\n")
}

/// C declaration of the struct for the results of a function.
fn result_struct(names: &CNames, name: &str, about: &str, outputs: &[FunctionOutput]) -> String {
    let real = names.scalar_type();
    let mut rows = String::new();
    for (o, field) in
        outputs.iter().zip(names.result_field_names(outputs)).filter(|(o, _)| !o.nodes.is_empty())
    {
        let shape = match o.shape {
            ResultShape::Scalar => String::new(),
            ResultShape::Vector(n) => format!("[{n}]"),
            ResultShape::Matrix(rows, columns) => format!("[{rows}][{columns}]"),
        };
        let text = one_line_comment_text(if o.description.is_empty() { &o.name } else { &o.description });
        let unit =
            if o.unit.is_empty() { String::new() } else { format!("[{}] ", one_line_comment_text(&o.unit)) };
        let _ = writeln!(rows, "    {real} {field}{shape}; // {unit}{text}");
    }
    if rows.is_empty() {
        rows.push_str("    char none; // no entries\n");
    }
    let about = line_comment(&without_rust_markup(about, names), 0);
    about + &names.struct_definition(&names.result_struct_name(name), &rows)
}

/// Declaration of an array of joint limits.
fn limit_declaration(names: &CNames, limit: &LimitArray) -> String {
    let pair = if limit.rows.first().is_some_and(|row| row.len() == 2) { "[2]" } else { "" };
    let about = format!(
        "{} Limits that are not specified are infinite. No function of this file enforces these limits.",
        limit.about
    );
    let (p, upper) = (&names.prefix, &names.upper);
    let (real, name, length) = (names.scalar_type(), limit.name, limit.length);
    format!("\n{}extern const {real} {p}_{name}[{upper}_{length}]{pair};\n", line_comment(&about, 0))
}

/// Declarations of the lists of divisors, and of the struct of a divisor; empty without lists.
fn divisor_list_declarations(program: &Program, p: &str) -> String {
    let lists: Vec<&Function> = program.emitted().map(|(_, f)| f).filter(|f| has_divisor_list(f)).collect();
    if lists.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "\n// A divisor of a function, and a hint on what to do if it vanishes.\n\
         struct {p}_pivot {{\n    const char *name, *hint;\n}};\n"
    );
    for f in lists {
        let (name, n) = (f.declaration.name, f.checks.len());
        let _ = writeln!(out, "extern const struct {p}_pivot {p}_{name}_pivots[{n}];");
    }
    out
}

fn table_declarations(program: &Program, names: &CNames) -> String {
    let l = &program.layout;
    let (p, upper) = (&names.prefix, &names.upper);
    let mut out = format!(
        "// An entry of the state, the inputs or the parameters, or a constraint row: name, unit, meaning.\n\
         struct {p}_quantity {{\n    const char *name, *unit, *about;\n}};\n"
    );
    let lists = [
        ("states", "NX", l.q.len() + l.v.len() + l.z.len()),
        ("inputs", "NU", l.u.len()),
        ("parameters", "NP", l.p.len()),
        ("position_rows", "NPC", l.position_rows.len()),
        ("velocity_rows", "NVC", l.velocity_rows.len()),
    ];
    for (name, length, n) in lists {
        if n > 0 {
            let _ = writeln!(out, "extern const struct {p}_quantity {p}_{name}_table[{upper}_{length}];");
        }
    }
    if !l.events.is_empty() {
        let _ = write!(
            out,
            "\n// An event: its function falls (-1) or rises (1) through zero, or either (0); the motion then ends, bounces or passes.\n\
             struct {p}_event {{\n    const char *name, *unit;\n    int crossing;\n    const char *effect;\n}};\n\
             extern const struct {p}_event {p}_events_table[{upper}_NE];\n"
        );
    }
    if program.takes(Vector::IndependentAccelerations) {
        let _ = writeln!(
            out,
            "\n// Indices of the independent speeds among all speeds, in the order of their accelerations.\n\
             extern const int {p}_independent[{upper}_NI];"
        );
    }
    if program.takes(Vector::DrivenAccelerations) && !l.driven_speeds.is_empty() {
        let _ = writeln!(
            out,
            "\n// Indices of the driven speeds among all speeds, in the order of their accelerations.\n\
             extern const int {p}_driven[{upper}_NDRIVEN];"
        );
    }
    if program.takes(Vector::Contacts) {
        let names: Vec<&str> = l.contacts.iter().map(|s| s.name.as_str()).collect();
        let _ = write!(
            out,
            "\n{}",
            line_comment(&format!("Contacts, in the order of their flags: {}.", names.join(", ")), 0)
        );
    }
    if !l.independent_differences.is_empty() {
        let _ = writeln!(
            out,
            "\n// Indices of the independent entries of the state difference, in which a quaternion has three entries.\n\
             extern const int {p}_independent_differences[{upper}_NDI];"
        );
    }
    for (stem, places) in program.sparse_places() {
        let n = places.len();
        let _ = writeln!(
            out,
            "\n// Row and column of each entry of the sparse result of {p}_{stem}.\n\
             extern const int {p}_{stem}_rows[{n}], {p}_{stem}_columns[{n}];"
        );
    }
    for limit in joint_limit_arrays(program) {
        out.push_str(&limit_declaration(names, &limit));
    }
    out.push_str(&divisor_list_declarations(program, p));
    let _ = write!(
        out,
        "\n// Default parameters and start state of the spec.\nextern const struct {p}_params {p}_defaults;\n"
    );
    if !(l.q.is_empty() && l.v.is_empty() && l.z.is_empty()) {
        let _ = writeln!(out, "extern const {} {p}_start[{upper}_NX];", names.scalar_type());
    }
    out
}

/// Text of a declaration without Rust's markup, and with the names that items have in C.
fn without_rust_markup(text: &str, names: &CNames) -> String {
    let p = &names.prefix;
    let tables = [
        ("[`POSITION_ROWS`]", format!("{p}_position_rows_table")),
        ("[`VELOCITY_ROWS`]", format!("{p}_velocity_rows_table")),
        ("[`INDEPENDENT`]", format!("{p}_independent")),
        ("[`INDEPENDENT_DIFFERENCES`]", format!("{p}_independent_differences")),
        ("[`DQDT_HESSIAN_ROWS`]", format!("{p}_dqdt_hessian_rows")),
        ("[`DQDT_HESSIAN_COLUMNS`]", format!("{p}_dqdt_hessian_columns")),
    ];
    let text = tables.into_iter().fold(text.to_owned(), |text, (rust, c)| text.replace(rust, &c));
    text.replace("[`", "").replace("()`]", "").replace("`]", "").replace('`', "")
}

/// Comment of a function in the header: its result, its arguments, its errors.
pub fn function_comment(program: &Program, names: &CNames, f: &Function) -> String {
    let d: &Declaration = f.declaration;
    let mut text =
        without_rust_markup(&d.summary.replace("{mechanism}", &one_line_comment_text(&program.name)), names);
    let limited = program.layout.u.iter().any(|s| s.limits.is_some());
    let held = !matches!(d.returns, Returns::Limited { .. }) && d.role != Some(Role::Linearization);
    if limited && held && d.takes(Vector::Inputs) {
        text.push_str("\n\nInputs are clamped to their limits.");
    }
    if let Some(note) = notes::constraints_text(program, f, &one_line_comment_text) {
        text = format!("{text}\n\n{}", without_rust_markup(&note, names));
    }
    if f.is_fallible() {
        let list = names.divisor_list(d.name);
        let returns = match (has_divisor_list(f), f.reports_finiteness()) {
            (true, true) => {
                format!(
                    "the number of the divisor in {list} that vanishes; -1 if a divisor or a result is not \
                     finite; 0 otherwise"
                )
            }
            (true, false) => format!(
                "the number of the divisor in {list} that vanishes; -1 if a divisor is not finite; 0 \
                 otherwise. Does not check whether the results are finite"
            ),
            (false, _) => "-1 if a result is not finite; 0 otherwise".to_owned(),
        };
        text = format!("{text}\n\nReturns {returns}.");
    } else {
        text.push_str("\n\nReturns 0.");
        if !d.checked && !f.checks.is_empty() {
            let first: Vec<&str> = f.checks.iter().take(3).map(|c| c.name.as_str()).collect();
            text = format!(
                "{text} The divisors are not checked; the result is not finite where one of these vanishes: {}.",
                first.join(", ")
            );
        }
    }
    if matches!(d.returns, Returns::Limited { .. }) {
        text = format!("{text}\n\nacted: 1 for each input that was clamped, else 0.");
    }
    text
}
