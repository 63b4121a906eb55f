//! The C99 target: a header and a source file, with parameters, model and functions.
//!
//! Problem: the same functions for C: no allocation, no recursion, no static state, and bitwise the
//!          results of Rust.
//! Method:  plain text. All public names begin with that of the mechanism. `struct …_params` has
//!          the parameters, `struct …_model` the values computed from them once, by `…_model_init`.
//!          The arguments of a function are the model, the time, its own arguments, and the
//!          destination of its results. Computations that several functions share are inner
//!          functions. The parts of Rust's runtime that the file uses come first (`support`).
//! Rounding: every expression has the operations of the Rust printer in the same order. Sines,
//!           cosines and fused multiply-add are those of the runtime. Equal parts are computed one
//!           after another, each as one lane in Rust.

pub(crate) mod ascii;
mod casadi;
mod casadi_derivatives;
pub(crate) mod data;
pub(crate) mod dialect;
pub(crate) mod equal_parts;
pub(crate) mod functions;
pub(crate) mod header;
pub(crate) mod names;
pub(crate) mod options;
pub(crate) mod scope;
pub(crate) mod steps;
pub(crate) mod support;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use dqdt_diagnostics::base::InternalError;
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::{Program, count};
use dqdt_graph::plan::Plan;
use dqdt_print::code::equal_part::EqualPart;
use dqdt_print::code::origin::origin_line;
use dqdt_print::target::{FUSED, Printed, SCALAR, Target, TargetError, TargetOption, TargetOptions, UNFUSED};
use names::CNames;
use options::Dialect;
pub use options::{CFiles, COptions, CScalar};
use text::one_line_comment_text;

/// C99 as a target language: prints a header and a source file.
pub static TARGET: Target = Target {
    name: "c",
    title: "C",
    files: "a header and a source file",
    endings: &["h", "c"],
    names_files: true,
    options: &[SCALAR, FUSED, UNFUSED, CASADI, STEPS, ASCII],
    singles: Some((SCALAR.name, "float")),
    print: print_c,
};

const CASADI: TargetOption = TargetOption {
    name: "casadi",
    words: &[],
    about: "Also write the entry points through which CasADi loads the C code, for a build with `-DDQDT_CASADI`",
};
const STEPS: TargetOption = TargetOption {
    name: "steps",
    words: &[],
    about: "Also write functions in C that take integration steps of fixed length, with derivatives if `dqdt_derivatives` is among \
            the functions, and functions that add differences to states and subtract states",
};
pub(crate) const ASCII: TargetOption = TargetOption {
    name: "ascii",
    words: &[],
    about: "Write comments and texts of C and CUDA in ASCII: `v_dot`, `lambda`, `m^2`",
};

fn print_c(program: &Program, options: &TargetOptions) -> Result<Printed, TargetError> {
    let scalar = if options.option_value(&SCALAR) == "float" { CScalar::Float } else { CScalar::Double };
    let [fused, casadi, steps, ascii] = [&FUSED, &CASADI, &STEPS, &ASCII].map(|flag| options.has_flag(flag));
    if casadi && scalar == CScalar::Float {
        return Err(option_error(
            &CASADI,
            "CasADi supports only `double`: do not set `scalar` to `float`".to_owned(),
        ));
    }
    let files = c(program, &COptions { scalar, fused, casadi, steps, ascii })?;
    if !files.beyond.is_empty() {
        let list: Vec<String> = files.beyond.iter().take(4).map(|x| format!("{x:?}")).collect();
        let message = format!(
            "{} is outside the range of `float`: omit the option `scalar`, or use other units",
            list.join(", ")
        );
        return Err(option_error(&SCALAR, message));
    }
    Ok(Printed { name: Some(files.name), texts: vec![files.header, files.source] })
}

fn option_error(option: &TargetOption, message: String) -> TargetError {
    TargetError::Option { name: option.name.to_owned(), message }
}

/// Prints a program as C: a header and a source file. The files and their functions are named after
/// the mechanism.
///
/// # Errors
/// An internal error, if the program or the printer is broken.
pub fn c(program: &Program, options: &COptions) -> Result<CFiles, Errors> {
    program.check()?;
    Ok(print_files(program, Plan::new_with_equal_parts(program, true), options)?)
}

/// Prints header and source of a program according to its plan. Assigns all names.
fn print_files(program: &Program, mut plan: Plan, options: &COptions) -> Result<CFiles, InternalError> {
    let mut equal: Vec<EqualPart> =
        plan.equal_parts().map(|e| EqualPart::new(&program.graph, &plan.groups, e)).collect();
    let names = CNames::new(program, &mut plan, &mut equal, (Dialect::C99, options));
    let steps =
        if options.steps { format!("\n{}", steps::step_definitions(program, &names)) } else { String::new() };
    let body = [
        data::data_definitions(program, &names),
        functions::all_functions_text(program, &plan, &names, &equal),
        steps,
    ]
    .concat();
    let entries = if options.casadi {
        let derivatives = casadi_derivatives::derivative_entry_points(program, &names);
        casadi::casadi_entry_points(program, &names, &derivatives)
    } else {
        String::new()
    };
    let constants = data::constant_definitions(&names);
    let top = format!("// {}\n", origin_line(program, one_line_comment_text));
    let costs = cost_comment(program, &plan, &|_| String::new());
    let include = format!("#include \"{}.h\"\n", names.prefix);
    let legend = dqdt_print::code::legend::legend_comment(&body, &program.layout);
    let support = support::used_functions_text(&names, &body);
    let parts = [format!("{top}//\n{costs}//\n{legend}\n"), include, support, constants, body, entries];
    let source = parts.iter().filter(|p| !p.is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n");
    let header = header::header_text(program, &plan, &names, (&top, options.steps));
    program.check()?;
    let [header, source] = match options.ascii {
        true => [header, source].map(|text| ascii::to_ascii_text(&text)),
        false => [header, source],
    };
    Ok(CFiles { name: names.prefix.clone(), header, source, beyond: names.unrepresentable() })
}

/// Comment lines with the operation counts of all functions. `alive` returns what is said after the
/// counts of a function.
pub(crate) fn cost_comment(program: &Program, plan: &Plan, alive: &dyn Fn(usize) -> String) -> String {
    let mut out = String::new();
    for (i, f) in program.emitted() {
        let cost = count(program, f).to_string().replace("`Model::new`", "the model");
        let alive = alive(i);
        out.push_str(&text::line_comment(&format!("{}: {cost}{alive}.", f.declaration.name), 0));
        for part in plan.function_equal_parts(i) {
            let (all, lanes) = (part.values.len() * part.lanes, part.lanes);
            let [name, ..] = names::equal_part_names(&part.name);
            let what = if part.columns { "columns" } else { "equal parts" };
            let text = format!(
                "{all} of these operations in `{name}`, which is called once for each of {lanes} {what}."
            );
            out.push_str(&text::line_comment(&text, 0));
        }
    }
    out
}
