//! The whole, stage by stage. The only file that names every stage: reading it is understanding the program.
//!
//! ```text
//! spec ─▶ mechanism ─▶ assembly ─▶ kinematics ─▶ formalism ─▶ equations ─▶ ir ─▶ emit
//! ```
//! Every stage is a function over plain data. Take what one returns, look at it, change it, hand it to the next.

use std::io;
use std::path::Path;

use crate::assembly::{self, Held};
use crate::constraint_messages;
use crate::emit;
use crate::error::Errors;
use crate::ir::lower::{Origin, Request};
use crate::ir::{Program, lower, simplify};
use crate::mechanism::{self, Mechanism};
use crate::program_constraints;
use crate::spec::{self, Spec};

/// A mechanism, where it came from, and what was worth a warning.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What the spec means.
    pub mechanism: Mechanism,
    /// File name and hash of the spec.
    pub origin: Origin,
    /// Warnings; may be empty.
    pub warnings: Errors,
    /// Starts that assembly keeps.
    pub held: Held,
}

/// Reads and builds a spec file.
///
/// # Errors
/// Everything that is wrong with the file, at once.
pub fn load(path: &Path) -> Result<Loaded, Errors> {
    let spec = spec::read(path)?;
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
    let held = constraint_messages::held(spec, &mechanism);
    let prepared = assembly::prepare(&mut mechanism, &held);
    warnings.diagnostics.extend(constraint_messages::messages(spec, &mechanism, &prepared.findings));
    if warnings.count() == 0 {
        let found = program_constraints::check(&mechanism);
        warnings.diagnostics.extend(constraint_messages::program_messages(spec, &mechanism, &found));
    }
    if warnings.count() > 0 {
        return Err(warnings);
    }
    Ok(Loaded { mechanism, origin: Origin { file: file.into(), hash: spec.hash() }, warnings, held })
}

/// Derives the equations, records the functions asked for, and runs every pass over the graph.
pub fn program(loaded: &Loaded, request: &Request) -> Program {
    simplify(&lower::lower(&loaded.mechanism, request, &loaded.origin))
}

/// Prints a program as a Rust module.
pub fn rust(program: &Program) -> String {
    emit::rust(program, &emit::RustOptions::default())
}

/// Writes a file only if its content changes, and whole or not at all: under another name in the same folder, then
/// renamed. Returns whether it wrote.
///
/// # Errors
/// Those of the file system; the old file is then as it was.
pub fn write_if_changed(path: &Path, text: &str) -> io::Result<bool> {
    if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(false);
    }
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let temporary = path.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
    let written = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written.map(|()| true)
}
