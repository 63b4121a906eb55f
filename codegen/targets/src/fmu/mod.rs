//! Functional mock-up units (FMI 3.0): a model description, and sources in C.
//!
//! Problem: a tool for simulation loads a mechanism as a unit, for model exchange (the tool
//!          integrates) and for co-simulation (the unit integrates).
//! Method:  the C target prints the equations and a step. `tables` prints one more source with the
//!          sizes, tables and adapters of the mechanism, which includes the fixed files in
//!          `support`. These implement all functions of the standard over the tables.
//!          `description` prints the XML.
//! Cost:    an instance has all its memory; functions of the unit allocate only instances and saved
//!          states.
//!
//! Not handled: derivatives by parameters; derivatives in independent states.

mod dependencies;
mod description;
mod options;
mod tables;
mod variables;

use crate::c::{COptions, CScalar, c};
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::Program;
use options::offers_model_exchange;

pub use options::FmuOptions;

/// A text file of a functional mock-up unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FmuFile {
    /// Path within the unit, such as `sources/cart_pole.c`.
    pub path: String,
    /// Text of the file.
    pub text: String,
}

/// The text files of a functional mock-up unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FmuFiles {
    /// Identifier of the model, after which its sources and binaries are named.
    pub name: String,
    /// All text files, in the order in which the archive contains them.
    pub files: Vec<FmuFile>,
    /// File names of the sources that a compiler reads, in the folder `sources`.
    pub sources: Vec<String>,
    /// True if the unit offers model exchange.
    pub offers_model_exchange: bool,
}

/// Fixed files of every unit, which the printed source includes.
const SUPPORT: [(&str, &str); 11] = [
    ("fmi3.h", include_str!("support/fmi3.h")),
    ("unit.h", include_str!("support/unit.h")),
    ("projection.c", include_str!("support/projection.c")),
    ("evaluation.c", include_str!("support/evaluation.c")),
    ("events.c", include_str!("support/events.c")),
    ("instance.c", include_str!("support/instance.c")),
    ("states.c", include_str!("support/states.c")),
    ("derivatives.c", include_str!("support/derivatives.c")),
    ("model_exchange.c", include_str!("support/model_exchange.c")),
    ("co_simulation.c", include_str!("support/co_simulation.c")),
    ("absent.c", include_str!("support/absent.c")),
];

/// Functions that a unit with these options needs, if the mechanism has them.
pub fn unit_functions(options: &FmuOptions) -> Vec<&'static Definition> {
    let mut out = vec![
        functions::DQDT,
        functions::OUTPUTS,
        functions::POSITION_CONSTRAINTS,
        functions::VELOCITY_CONSTRAINTS,
        functions::EVENTS,
        functions::AFTER_EVENTS,
    ];
    out.extend(variables::extra_functions(options).into_iter().map(|(function, _)| function));
    if options.derivatives || options.stiff {
        out.push(functions::DQDT_DERIVATIVES);
    }
    if options.derivatives {
        out.push(functions::OUTPUT_DERIVATIVES);
    }
    out
}

/// Prints the text files of the unit of a program, which has the functions of [`unit_functions`].
///
/// # Errors
/// An internal error, if the program or a printer is broken.
pub fn fmu(program: &Program, options: &FmuOptions) -> Result<FmuFiles, Errors> {
    let printer = COptions { scalar: CScalar::Double, fused: false, casadi: false, steps: true, ascii: true };
    let emitted = c(program, &printer)?;
    let l = &program.layout;
    let states = l.q.len() + l.v.len() + l.z.len();
    let independent =
        if options.independent.len() == states { options.independent.clone() } else { vec![true; states] };
    let variables = variables::unit_variables(program, options, &independent);
    let name = emitted.name;
    let tables = tables::unit_source(program, options, &name, &variables);
    let token = description::instantiation_token(&[&emitted.header, &emitted.source, &tables]);
    let tables = tables.replace(tables::TOKEN, &token);
    let sources = vec![format!("{name}.c"), format!("{name}_fmu.c")];
    let mut files = vec![FmuFile {
        path: "modelDescription.xml".to_owned(),
        text: description::model_description(program, options, (&name, &token), &variables),
    }];
    let mut push_source = |file: &str, text: String| {
        files.push(FmuFile { path: format!("sources/{file}"), text });
    };
    push_source("buildDescription.xml", description::build_description(&name, &sources));
    push_source(&format!("{name}.h"), emitted.header);
    push_source(&sources[0], emitted.source);
    push_source(&sources[1], tables);
    SUPPORT
        .iter()
        .for_each(|(file, text)| push_source(&format!("fmi/{file}"), crate::c::ascii::to_ascii_text(text)));
    Ok(FmuFiles { name, files, sources, offers_model_exchange: offers_model_exchange(program, options) })
}
