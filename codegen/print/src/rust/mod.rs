//! The Rust target: one module with constants, parameters, model and functions.
//!
//! Problem: readable, warning-free code that is `include!`d or checked in, with the same bytes for
//!          the same program.
//! Method:  syntax trees built from the plan of [`dqdt_graph::plan`], printed by prettyplease.
//!          Comments are attributes `#[comment = "…"]` that it prints as `//`.

mod block_signature;
mod blocks;
mod check;
mod constants;
pub mod data;
mod documentation;
mod equal_parts;
mod function;

pub mod items;
pub mod layout;
mod lines;
pub mod literal;
mod model;
mod names;
mod pivots;
pub mod prose;
mod results;
mod scope;
mod signature;
mod statements;
pub mod syntax;
mod traits;

use std::fmt::Write as _;

use crate::code::equal_part::EqualPart;
use crate::code::legend::legend_comment;
use crate::code::origin::origin_line;
use crate::target::{FUSED, Printed, SCALAR, Target, TargetError, TargetOptions, UNFUSED};
use data::ModulePart;
use dqdt_diagnostics::base::InternalError;
use dqdt_graph::ir::{Program, count};
use dqdt_graph::plan::Plan;
use names::ModuleNames;

/// Rust as a target language: prints one module.
pub static TARGET: Target = Target {
    name: "rust",
    title: "Rust",
    files: "a module",
    endings: &["rs"],
    names_files: false,
    options: &[SCALAR, FUSED, UNFUSED],
    singles: Some((SCALAR.name, "float")),
    print: print_rust,
};

fn print_rust(program: &Program, options: &TargetOptions) -> Result<Printed, TargetError> {
    let options = RustOptions {
        singles: options.option_value(&SCALAR) == "float",
        unfused: options.has_flag(&UNFUSED),
    };
    program.check()?;
    let text = rust(program, Plan::new_with_equal_parts(program, true), &options)?;
    Ok(Printed { name: None, texts: vec![text] })
}

/// Options of the Rust target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RustOptions {
    /// True if the methods of `Model` are compiled for `f32` instead of `f64` in the crate that
    /// contains the module.
    pub singles: bool,
    /// True if every product and every sum is rounded, even on targets with fused multiply-add.
    pub unfused: bool,
}

/// Size of an emitted Rust body, for tests of register pressure and length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Name of the body: `new`, a block or a function.
    pub name: String,
    /// Number of `let` statements of the body.
    pub statements: usize,
    /// Maximum number of named values of the body that are live at the same time.
    pub live: usize,
}

const FUSED_LEGEND: &str = "\n// a.add_mul(b, c), a.sub_mul(b, c): a + b c, a − b c, rounded once where the target has fused \
     multiply-add.";

/// Prints the Rust module of a program according to its plan, and assigns all names.
///
/// # Errors
/// A broken invariant of the program or of this printer.
pub fn rust(program: &Program, mut plan: Plan, options: &RustOptions) -> Result<String, InternalError> {
    let mut names = ModuleNames { fused: !options.unfused, ..ModuleNames::new(program) };
    let mut parts = vec![
        layout::format_check(),
        layout::variables_macro(program, &names),
        layout::parameters_macro(program, &names),
    ];
    parts.extend(layout::independent_differences_item(program).map(ModulePart::from));
    parts.extend(layout::sparse_place_items(program).into_iter().map(ModulePart::from));
    parts.extend(layout::contact_items(program).into_iter().map(ModulePart::from));
    parts.extend(layout::joint_limit_items(program).into_iter().map(ModulePart::from));
    parts.extend(check::params_check_item(program, &names).map(ModulePart::from));
    let tables: Vec<ModulePart> = items::table_items(program).into_iter().map(ModulePart::from).collect();
    let pivots: Vec<ModulePart> =
        program.functions.iter().filter_map(|f| pivots::pivot_list_part(program, f)).collect();
    let mut equal: Vec<EqualPart> =
        plan.equal_parts().map(|e| EqualPart::new(&program.graph, &plan.groups, e)).collect();
    names.name_locals(program, &mut plan, &mut equal, parts.iter().chain(&tables).chain(&pivots));
    parts.extend(model::model_parts(program, &plan, &names));
    let (inner, blocks) = blocks::emit_blocks(program, &plan, &names);
    for number in 0..program.functions.len() {
        parts.extend(function::emit_function(program, &plan, &names, &blocks, number));
    }
    parts.extend(inner.into_iter().map(ModulePart::from).map(ModulePart::into_printed));
    parts.extend(
        equal_parts::equal_part_items(program, &plan, &equal, &names).into_iter().map(ModulePart::from),
    );
    parts.push(signature::methods_macro(program, if options.singles { "f32" } else { "f64" }));
    parts.extend(traits::traits_macro(program));
    parts.extend(constants::constant_items(&names.constants));
    parts.extend(tables);
    program.check()?;
    let text = data::print_parts(parts, |text| insert_empty_lines(&lines::join_name_lines(text)));
    let mut legend = legend_comment(&text, &program.layout);
    if [".add_mul(", ".sub_mul("].iter().any(|name| text.contains(name)) {
        legend += FUSED_LEGEND;
    }
    Ok(format!("{}{text}", header_comment(program, &plan, &legend)))
}

/// Sizes of all emitted Rust bodies: `Model::new`, the functions, and the blocks that they share.
pub fn rust_stats(program: &Program) -> Vec<Stats> {
    let plan = Plan::new_with_equal_parts(program, true);
    let functions = program.functions.iter().zip(&plan.functions);
    std::iter::once(measure_body_size("new", &plan.setup))
        .chain(functions.map(|(f, body)| measure_body_size(f.declaration.name, body)))
        .chain(plan.blocks.iter().map(|b| measure_body_size(&b.name, &b.body)))
        .collect()
}

fn measure_body_size(name: &str, body: &dqdt_graph::plan::PlannedBody) -> Stats {
    Stats {
        name: name.to_owned(),
        statements: body.schedule.statements.len(),
        live: body.schedule.max_live_values,
    }
}

fn header_comment(program: &Program, plan: &Plan, legend: &str) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "// {}", origin_line(program, prose::single_line_text));
    let _ = writeln!(out, "//");
    for (i, f) in program.emitted() {
        let _ = writeln!(out, "// {}: {}.", f.declaration.name, count(program, f));
        for part in plan.function_equal_parts(i) {
            let (all, lanes) = (part.values.len() * part.lanes, part.lanes);
            let _ = writeln!(
                out,
                "//     {all} of these operations in `{}`, which computes {lanes} {} in SIMD lanes.",
                part.name,
                if part.columns { "columns" } else { "equal parts" }
            );
        }
    }
    let _ = writeln!(out, "//\n{legend}");
    out.push('\n');
    out
}

/// Inserts empty lines between items of printed Rust, and before a section inside a function.
pub fn insert_empty_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut previous = "";
    // True after the attributes or doc comments of an item, before the item itself.
    let mut attached = false;
    let all: Vec<&str> = text.lines().collect();
    for (i, line) in all.iter().copied().enumerate() {
        let text = lines::trim_indentation(line);
        let indent = line.len() - text.len();
        let closes = matches!(line.as_bytes().first(), Some(b'}' | b')' | b']' | b'>'));
        let top = indent == 0 && !closes && !line.starts_with("for ");
        let results = text == syntax::RESULTS;
        let inside = text.starts_with("// ") || results;
        let member = indent == 4 && !is_attribute_line(previous);
        let starts = ["    #[inline", "    fn ", "    pub fn ", "    ///"];
        let method = member && previous == "    }" && starts.iter().any(|s| line.starts_with(s))
            || line.starts_with("    #[inline]") && !is_attribute_line(previous)
            || line.starts_with("    fn ") && member;
        // Consecutive numeric constants are not separated.
        let continues_list = is_constant_line(previous)
            && all[i..]
                .iter()
                .find(|line| !is_attribute_line(line) && !line.starts_with("//"))
                .is_some_and(|line| is_constant_line(line));
        let starts_item = top && !attached && !previous.is_empty() && !continues_list;
        if (inside || method) && !previous.ends_with('{') || starts_item {
            out.push('\n');
        }
        attached = top && (is_attribute_line(line) || line.starts_with("//"));
        if results {
            out.push_str(&line[..line.len() - text.len()]);
            out.push_str("// results");
        } else {
            out.push_str(line);
        }
        out.push('\n');
        previous = line;
    }
    out
}

fn is_constant_line(line: &str) -> bool {
    line.starts_with("const ") && !line.starts_with("const _")
}

/// Returns `true` for a line with a doc comment or an attribute, which belongs to the item after
/// it.
fn is_attribute_line(line: &str) -> bool {
    let line = lines::trim_indentation(line);
    line.starts_with("///") || line.starts_with("#[")
}
