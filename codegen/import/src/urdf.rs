//! Conversion of robots in URDF to specs.
//!
//! Problem: robots are published as URDF. The bodies and joints of a file become a spec that people
//!          can read and edit. Everything else in the file must be listed, not silently dropped.
//! Method:  `xml` (elements with source spans), `relevance` (of each name for the
//!          mechanics), `read` (links and joints, all errors at once), `loops` (closed loops and
//!          couplings), `tree` (bodies in order from the root; links behind fixed joints are merged
//!          into the body that carries them), `origin` (poses), `inertia`, `side_file` (loop
//!          closures listed in a YAML file), `closures` (loops as cut joints, planar constraints
//!          where possible), `write` (the text of a spec), and the code in `robot` for all formats.
//!          The text is then read by the stage `read`.
//! Frames:  the frame of a body is that of its first link, which is the frame of its joint. `rpy`
//!          in URDF are rotations about the fixed axes x, y, z, equivalent to the intrinsic
//!          sequence zyx in reverse order.
//! Not handled: meshes, sensors, transmissions (harmless); contacts (idealised, with a warning).

mod closures;
mod inertia;
mod loops;
mod origin;
mod read;
mod relevance;
mod robot;
mod side_file;
mod tree;
mod visuals;
mod write;
mod xml;

use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors};

pub use crate::robot::{Base, Imported, Options, Report, SNAP};

/// Converts a robot in URDF to a spec. `name` is the name of the file in messages.
///
/// # Errors
/// All problems of the file that prevent the conversion, each with its place.
pub fn import_urdf(name: &str, text: &str, options: &Options) -> Result<Imported, Errors> {
    convert_robot(name, text, options, None)
}

/// Converts a robot in URDF to a spec, with loop closures from a side file, given by its name for
/// messages and its text.
///
/// # Errors
/// All problems of the two files that prevent the conversion, each with its place.
pub fn import_with_loops(
    name: &str,
    text: &str,
    loops: (&str, &str),
    options: &Options,
) -> Result<Imported, Errors> {
    convert_robot(name, text, options, Some(loops))
}

/// Converts a URDF to a spec; `loops` is the side file with loop closures, by name and text.
fn convert_robot(
    name: &str,
    text: &str,
    options: &Options,
    loops: Option<(&str, &str)>,
) -> Result<Imported, Errors> {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let loops = loops.map(|(name, text)| (sources.add(name, text), text));
    let fail = |diagnostics: Vec<Diagnostic>| Errors { sources: sources.clone(), diagnostics };
    let mut robot = read::read_robot(name, text, source).map_err(fail)?;
    let mut report = Report::default();
    if let Some((source, text)) = loops {
        side_file::apply_side_file(text, source, &mut robot, &mut report).map_err(fail)?;
    }
    for loss in &robot.ignored {
        report.record_loss(loss.relevance, loss.path.as_str(), None, loss.span);
    }
    let tree = tree::build_bodies(&robot, options, &mut report).map_err(fail)?;
    let spec = write::write_spec(&robot, &tree, options, &mut report, name);
    Imported::new(name, spec, report, &options.accept, sources)
}
