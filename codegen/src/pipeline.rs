//! The whole, stage by stage. The only file that names every stage: reading it is understanding the program.
//!
//! ```text
//! spec ─▶ mechanism ─▶ assembly ─▶ kinematics ─▶ formalism ─▶ equations ─▶ ir ─▶ emit
//! ```
//! Every stage is a function over plain data. Take what one returns, look at it, change it, hand it to the next.

use std::path::Path;

use crate::assembly::{self, Held};
use crate::constraint_messages;
use crate::emit;
use crate::error::{Diagnostic, Errors};
use crate::formalism::{self, Formalism};
use crate::functions::{self, Definition};
use crate::ir::declaration::Vector;
use crate::ir::lower::{Origin, Request};
use crate::ir::{Program, count, lower, simplify};
use crate::mechanism::{self, Mechanism, Starts};
use crate::program_constraints;
use crate::size;
use crate::spec::{self, Settings, Spec};

/// A mechanism, where it came from, and what was worth a warning.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What the spec means.
    pub mechanism: Mechanism,
    /// File name and hash of the spec.
    pub origin: Origin,
    /// Warnings; may be empty.
    pub warnings: Errors,
    /// What the spec says of starts; those of `mechanism` are assembled.
    pub starts: Starts,
}

/// Reads and builds a spec file.
///
/// # Errors
/// Everything that is wrong with the file, at once.
pub fn load(path: &Path) -> Result<Loaded, Errors> {
    load_with(path, &Settings::default())
}

/// Reads and builds a spec file, with sizes of its repeats.
///
/// # Errors
/// As for [`load`], and if there is no such size.
pub fn load_with(path: &Path, settings: &Settings) -> Result<Loaded, Errors> {
    let spec = spec::read_with(path, settings)?;
    let file = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    build(&spec, file)
}

/// Builds a spec that was read, or made with [`crate::spec::Builder`]. `file` is named in the output.
///
/// # Errors
/// Everything that is wrong with the spec, at once.
pub fn build(spec: &Spec, file: impl Into<String>) -> Result<Loaded, Errors> {
    let built = mechanism::build(spec)?;
    let (mut mechanism, mut warnings) = (built.mechanism, built.warnings);
    let starts = built.starts;
    let prepared = assembly::prepare(&mut mechanism, &Held::from(&starts));
    let found = constraint_messages::messages(spec, &mechanism, &starts, &prepared.findings);
    warnings.diagnostics.extend(found);
    if warnings.count() == 0 {
        let found = program_constraints::check(&mechanism);
        warnings.diagnostics.extend(constraint_messages::program_messages(spec, &mechanism, &found));
    }
    if warnings.count() > 0 {
        return Err(warnings);
    }
    Ok(Loaded { mechanism, origin: Origin { file: file.into(), hash: spec.hash() }, warnings, starts })
}

/// Derives the equations, records the functions asked for, and runs every pass over the graph.
pub fn program(loaded: &Loaded, request: &Request) -> Program {
    let functions = functions::in_order(&request.functions);
    let request = Request { formalism: request.formalism, functions };
    simplify(&lower::lower(&loaded.mechanism, &request, &loaded.origin))
}

/// The formalism whose functions take the fewest operations a call, all asked for together, after every pass. Of equals
/// the first in [`Formalism::ALL`] wins, so that the choice is the same on every machine.
///
/// Candidates are all formalisms; above [`AUTO_ALL`] speeds only those whose graphs stay small.
pub fn fewest_operations(loaded: &Loaded, functions: &[&'static Definition]) -> Formalism {
    let all = loaded.mechanism.nv() <= AUTO_ALL;
    let candidate = |f: &Formalism| (all || f.facts().lean) && size::fits(&loaded.mechanism, *f);
    // Where none fits, the leanest is refused by whoever asks for it.
    let mut best = (u32::MAX, Formalism::ArticulatedBody);
    for formalism in Formalism::ALL.into_iter().filter(candidate) {
        let program = program(loaded, &Request { formalism, functions: functions.to_vec() });
        let total = program.functions.iter().map(|f| count(&program, f).call.total()).sum();
        if total < best.0 {
            best = (total, formalism);
        }
    }
    best.1
}

/// The formalism taken where the user names none: Kane's up to [`AUTO_ALL`] speeds, above it the one with
/// [`fewest_operations`].
///
/// A small mechanism is derived at once, and its mass matrix is what people know from books. For a large one the choice
/// decides whether the code compiles in seconds or in minutes: the dense solve of a chain grows with the cube of its
/// length.
pub fn default_formalism(loaded: &Loaded, functions: &[&'static Definition]) -> Formalism {
    if loaded.mechanism.nv() <= AUTO_ALL { Formalism::Kane } else { fewest_operations(loaded, functions) }
}

/// Refuses what would outgrow memory by one of the forms, before anything is derived.
///
/// # Errors
/// How large it would be, and what would fit.
pub fn check_size(loaded: &Loaded, forms: &[Formalism]) -> Result<(), Errors> {
    size::check(&loaded.mechanism, forms)
}

/// Refuses a function that the mechanism cannot give, where leaving it out would surprise.
///
/// # Errors
/// Which, why, and what to do.
pub fn check_functions(loaded: &Loaded, functions: &[&'static Definition]) -> Result<(), Errors> {
    let asked = functions.iter().find(|f| f.takes(Vector::IndependentAccelerations));
    let Some(name) = asked.map(|f| f.name) else { return Ok(()) };
    if formalism::independent_speeds(&loaded.mechanism).is_some() {
        return Ok(());
    }
    let d = Diagnostic::error(
        "no-independent-speeds",
        format!("`{name}` of `{}`: which speeds are independent changes with the pose", loaded.mechanism.name),
    )
    .help(
        "give the joint that moves freely its velocity in the axes of its body (`velocity_frame = \"body\"`), or use \
         `mass_matrix`, `bias` and `velocity_constraints`",
    );
    Err(Errors { diagnostics: vec![d], ..Errors::default() })
}

/// Up to this number of speeds [`fewest_operations`] derives every formalism.
pub const AUTO_ALL: usize = 12;

/// Prints a program as a Rust module.
pub fn rust(program: &Program) -> String {
    emit::rust(program, &emit::RustOptions::default())
}

/// As [`rust`], with the functions as methods of `Model<f32>` too.
pub fn rust_of_both_precisions(program: &Program) -> String {
    emit::rust(program, &emit::RustOptions { methods: vec!["f64", "f32"] })
}

pub use crate::base::write_if_changed;
