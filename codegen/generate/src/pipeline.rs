//! All stages in order. Start here to follow a spec to the emitted code.
//!
//! ```text
//! read ───▶ resolve ─▶ assemble ─▶ optimise ───▶ derive ────▶ simplify ─▶ plan ────▶ print
//! Spec      Resolved   Assembled   formalism,    Program      Program     Plan       text
//! TOML with names and  start,      Formulation   a graph of   fewer       schedule   Rust, C
//! spans     units      partition                 operations   operations  and names
//! ```
//! Every stage is a function from one value to the next, and each value can be inspected and
//! changed in between. Diagnostics point into the source texts, which are passed along
//! (`Resolved::places`, `Errors::sources`), as is the origin of the mechanism
//! (`Assembled::origin`), which the emitted text names.

mod choose;
mod derived_program;
mod interpreted;
mod joint_calls;
pub mod mechanism;
pub mod program;
mod requested_functions;
mod start;

use std::path::Path;

use crate::inertia;
use crate::optimise::{self, Optimised};
use dqdt_derivation::assemble;
use dqdt_derivation::derive::size;
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::Program;
use dqdt_graph::plan::Plan;
use dqdt_import::read::{self, Opened, Settings};
use dqdt_mechanics::mechanism::Formulation;
use dqdt_spec::spec::Spec;

/// Reads, resolves and assembles a spec file.
///
/// # Errors
/// All faults of the file at once.
pub fn load(path: &Path) -> Result<Assembled, Errors> {
    load_with(path, &Settings::default())
}

/// Reads, resolves and assembles a spec file, with settings such as the sizes of its repeats.
///
/// # Errors
/// Same as for [`load`], and if the spec has no such repeat.
pub fn load_with(path: &Path, settings: &Settings) -> Result<Assembled, Errors> {
    load_opened(read::open(path), settings)
}

/// Resolves and assembles an opened spec file, with settings such as the sizes of its repeats.
///
/// # Errors
/// Same as for [`load_with`].
pub fn load_opened(opened: Opened, settings: &Settings) -> Result<Assembled, Errors> {
    let file = opened.path().file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    build(&opened.read(settings)?, file)
}

/// Resolves and assembles a spec that was read, or made with
/// [`SpecBuilder`](dqdt_import::builder::SpecBuilder). `file` is the file name stated in emitted
/// text.
///
/// # Errors
/// All faults of the spec at once.
pub fn build(spec: &Spec, file: impl Into<String>) -> Result<Assembled, Errors> {
    start::check_and_warn(assemble::assemble(start::resolve_with_file_name(spec, file)?)?, spec)
}

/// Derives the requested functions by the formalism of the request, searches for a formulation, and
/// runs every pass.
pub fn program(loaded: &Assembled, request: &Request) -> Program {
    let request = Request { functions: functions::in_order(&request.functions), ..request.clone() };
    let formulation = optimise::complete_formulation(loaded, &Formulation::default(), &request, WAITING);
    program_with(loaded, &formulation, &request)
}

/// Same as [`program()`], with this formulation and no search.
pub fn program_with(loaded: &Assembled, formulation: &Formulation, request: &Request) -> Program {
    let request = Request { functions: functions::in_order(&request.functions), ..request.clone() };
    optimise::shortest_program(loaded, formulation, &request)
}

/// Chooses the formalism and derives the functions by it.
///
/// # Errors
/// If functions are not defined for the mechanism, or the equations would outgrow memory; with
/// sizes and alternatives.
pub fn derive(
    loaded: &Assembled,
    choice: FormalismChoice,
    functions: &[&'static Definition],
) -> Result<Derived, Errors> {
    inertia::check_massless(loaded, functions)?;
    let Optimised { formalism, formulation } = optimise::choose_optimised(loaded, choice, functions);
    inertia::check_formalism(loaded, formalism, functions)?;
    size::check_function_sizes(&loaded.mechanism, formalism, functions)?;
    let request = choice.request(formalism, functions::in_order(functions));
    let program = optimise::shortest_program(loaded, &formulation, &request);
    size::check_node_limit(&program)?;
    joint_calls::check_joint_calls(loaded, &formulation, &request, &program)?;
    Ok(Derived { formalism, program })
}

/// Prints a program as a Rust module.
///
/// # Errors
/// An internal error, if the program or the printer is broken.
pub fn rust(program: &Program) -> Result<String, Errors> {
    rust_with(program, &RustOptions::default())
}

/// Same as [`rust`], with options.
///
/// # Errors
/// Same as for [`rust`].
pub fn rust_with(program: &Program, options: &RustOptions) -> Result<String, Errors> {
    program.check()?;
    Ok(dqdt_print::rust(program, Plan::new_with_equal_parts(program, true), options)?)
}

pub use choose::choose;
pub use derived_program::Derived;
pub use interpreted::{form_that_keeps_digits, program_to_run};
pub use requested_functions::{check_functions, functions_of};
pub use start::build_near;

pub use crate::optimise::{AUTO_ALL, FormalismChoice, HOPELESS, UnknownFormalism, WAITING, cost, singles};
pub use dqdt_derivation::assemble::{Assembled, AssembledState};
pub use dqdt_derivation::derive::{InertialParameters, Request};
pub use dqdt_diagnostics::base::write_if_changed;
pub use dqdt_mechanics::mechanism::Origin;
pub use dqdt_print::RustOptions;
