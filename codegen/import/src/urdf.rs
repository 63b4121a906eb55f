//! Robots in URDF become specs.
//!
//! Problem: robots are published as URDF. What such a file says of bodies and joints is to be a
//!          spec that people read and edit; what it says besides is to be listed, not lost in
//!          silence.
//! Method:  `xml` (elements with their places), `classes` (the part of each name in the mechanics),
//!          `read` (links and joints, every error at once), `loops` (closed loops and couplings),
//!          `tree` (bodies in order from the root, links behind fixed joints joined to the body
//!          that carries them), `origin` (poses), `inertia`, `side_file` (closures that a YAML file
//!          lists), `closures` (loops as cut joints, in their plane where they have one), `write`
//!          (the text of a spec), with what `robot` has for all formats. The text is read by the
//!          stage `read` like any other.
//! Frames:  the frame of a body is that of its first link, which is the joint's; URDF's `rpy` are
//!          turns about the fixed axes x, y, z, which is the intrinsic sequence zyx backwards.
//! Not handled: meshes, sensors, transmissions (harmless); contacts (idealised, with a warning).

mod classes;
mod closures;
mod inertia;
mod loops;
mod origin;
mod read;
mod robot;
mod side_file;
mod tree;
mod visuals;
mod write;
mod xml;

use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors};

pub use crate::robot::{Base, Imported, Options, Report, SNAP};

/// The spec of a robot. `name` is that of the file, for messages.
///
/// # Errors
/// Everything in the file that makes no tree of bodies, at once, each with its place.
pub fn import(name: &str, text: &str, options: &Options) -> Result<Imported, Errors> {
    spec_of(name, text, options, None)
}

/// The spec of a robot whose loops a side file closes; the file is given by its name, for messages, and its text.
///
/// # Errors
/// Everything in the two files that makes no mechanism, at once, each with its place.
pub fn import_with_loops(
    name: &str,
    text: &str,
    loops: (&str, &str),
    options: &Options,
) -> Result<Imported, Errors> {
    spec_of(name, text, options, Some(loops))
}

fn spec_of(
    name: &str,
    text: &str,
    options: &Options,
    loops: Option<(&str, &str)>,
) -> Result<Imported, Errors> {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let loops = loops.map(|(name, text)| (sources.add(name, text), text));
    let fail = |diagnostics: Vec<Diagnostic>| Errors { sources: sources.clone(), diagnostics };
    let mut robot = read::read(name, text, source).map_err(fail)?;
    let mut report = Report::default();
    if let Some((source, text)) = loops {
        side_file::apply(text, source, &mut robot, &mut report).map_err(fail)?;
    }
    for loss in &robot.ignored {
        report.lose(loss.class, loss.path.as_str(), None, loss.span);
    }
    let tree = tree::tree(&robot, options, &mut report).map_err(fail)?;
    let spec = write::write(&robot, &tree, options, &mut report, name);
    Imported::new(name, spec, report, &options.accept, sources)
}
