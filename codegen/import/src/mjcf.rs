//! Conversion of robots in MJCF (the XML format of MuJoCo) to specs.
//!
//! Problem: the bodies, joints, equalities and actuators of a file become a spec whose coordinates
//!          are those of MuJoCo. Everything else in the file must be listed, not silently dropped.
//! Method:  `element` (the file as a tree with source spans, included files merged),
//!          `element_defaults` (attributes, also those from default classes), `relevance` (of each
//!          name for the mechanics), `defaults`, `settings` (compiler and options), `frame`
//!          (positions and orientations), `geom` and `inertia` (masses and inertias), `joint`,
//!          `body`, `tendon`, `equality`, `springs`, `gains`, `actuator`, `read` (all sections),
//!          `model` (the result of reading), `tree` (bodies of the spec), `names`, `writer`,
//!          `write`, `loads` and `tendon_forces` (its text). Code shared with URDF is in `robot`.
//! Frames:  the frame of a body is that of MuJoCo. In the reference pose, as drawn in the file,
//!          each coordinate has the value `ref` of its joint.
//! Not handled: bodies made by macros (rejected), tendons that wrap (rejected unless accepted);
//!              contacts, limits, fluids, activations (idealised, with a warning).

mod actuator;
mod body;
mod defaults;
mod element;
mod element_defaults;
mod equality;
mod frame;
mod gains;
mod geom;
mod inertia;
mod joint;
mod loads;
mod model;
mod names;
mod read;
mod relevance;
mod settings;
mod springs;
mod tendon;
mod tendon_forces;
mod tree;
mod write;
mod writer;

use crate::robot::{Imported, Options};
use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors};

pub use element::LoadFile;
#[cfg(test)]
pub(crate) use frame::matrix_from_quaternion;

/// The errors of an import in the order of the text.
fn sorted_errors(sources: Sources, mut diagnostics: Vec<Diagnostic>) -> Errors {
    diagnostics.sort_by_key(|d| sources.position(d.primary.as_ref().map(|p| p.span)));
    Errors { sources, diagnostics }
}

/// Converts a robot in MJCF to a spec. `name` is the name of the file in messages; `load` reads
/// included files.
///
/// # Errors
/// All problems of the file that prevent the conversion, each with its place.
pub fn import_mjcf(
    name: &str,
    text: &str,
    options: &Options,
    load: LoadFile<'_>,
) -> Result<Imported, Errors> {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let mut loader = element::Loader::new(&mut sources, load);
    let root = loader.parse_root(text, source, 0);
    let problems = std::mem::take(&mut loader.problems);

    let Some(root) = root.filter(|_| problems.is_empty()) else {
        return Err(sorted_errors(sources, problems));
    };
    if root.tag != "mujoco" {
        let d = Diagnostic::error("mjcf-root", format!("the root element is <{}>, not <mujoco>", root.tag))
            .at(Some(root.span), "here")
            .help("write one root element <mujoco model=\"…\">; if another file includes this file, specify that file instead");
        return Err(sorted_errors(sources, vec![d]));
    }
    let mut notes = element_defaults::Notes::default();
    let model = read::read_model(&root, options.snap, &mut notes);
    if notes.problems.is_empty() && model.bodies.iter().all(|b| b.joints.is_empty()) {
        let d = Diagnostic::error("mjcf-rigid", "the robot has no movable joint")
            .at(Some(root.span), "all bodies of this robot are fixed to the world")
            .help("add a <joint> or a <freejoint/> to a body");
        notes.problems.push(d);
    }
    if !notes.problems.is_empty() {
        return Err(sorted_errors(sources, notes.problems));
    }
    let mut report = notes.report;
    let tree = tree::build_link_tree(&model);
    let spec = write::write_spec(&model, &tree, options, &mut report, name);
    Imported::new(name, spec, report, &options.accept, sources)
}
