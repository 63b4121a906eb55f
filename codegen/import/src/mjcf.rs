//! Robots in MJCF (MuJoCo's XML) become specs.
//!
//! Problem: what such a file says of bodies, joints, equalities and actuators is to be a spec whose
//!          coordinates are MuJoCo's; what it says besides is to be listed, not lost in silence.
//! Method:  `element` (the file as a tree with places, included files in it), `given` (attributes,
//!          and those of classes), `classes` (the part of each name in the mechanics), `defaults`,
//!          `settings` (compiler and options), `frame` (places and orientations), `geom` and
//!          `inertia` (what bodies weigh), `joint`, `body`, `tendon`, `equality`, `springs`,
//!          `gains`, `actuator`, `read` (all sections), `model` (what was read), `tree` (bodies of
//!          the spec), `names`, `writer`, `write`, `loads` and `cables` (its text). What URDF needs
//!          too stands in `robot`.
//! Frames:  the frame of a body is MuJoCo's. In the pose that is drawn each coordinate is the `ref`
//!          of its joint.
//! Not handled: bodies made by macros (refused), tendons that wrap (refused unless accepted);
//!              contacts, limits, fluids, activations (idealised, with a warning).

mod actuator;
mod body;
mod cables;
mod classes;
mod defaults;
mod element;
mod equality;
mod frame;
mod gains;
mod geom;
mod given;
mod inertia;
mod joint;
mod loads;
mod model;
mod names;
mod read;
mod settings;
mod springs;
mod tendon;
mod tree;
mod write;
mod writer;

use crate::robot::{Imported, Options};
use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors};

pub use element::Load;
#[cfg(test)]
pub(crate) use frame::of_quaternion;

/// The spec of a robot. `name` is that of the file, for messages; `load` reads included files.
///
/// # Errors
/// Everything in the file that makes no robot, at once, each with its place.
pub fn import(name: &str, text: &str, options: &Options, load: Load<'_>) -> Result<Imported, Errors> {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let mut loader = element::Loader::new(&mut sources, load);
    let root = loader.root(text, source, 0);
    let problems = std::mem::take(&mut loader.problems);
    let fail = |sources: Sources, mut diagnostics: Vec<Diagnostic>| {
        diagnostics.sort_by_key(|d| sources.position(d.primary.as_ref().map(|p| p.span)));
        Errors { sources, diagnostics }
    };
    let Some(root) = root.filter(|_| problems.is_empty()) else { return Err(fail(sources, problems)) };
    if root.tag != "mujoco" {
        let d = Diagnostic::error("mjcf-root", format!("the file holds <{}>, not a <mujoco>", root.tag))
            .at(Some(root.span), "here")
            .help("an MJCF is one element <mujoco model=\"…\">; a file to include is named by the one that includes it");
        return Err(fail(sources, vec![d]));
    }
    let mut notes = given::Notes::default();
    let model = read::read(&root, options.snap, &mut notes);
    if notes.problems.is_empty() && model.bodies.iter().all(|b| b.joints.is_empty()) {
        let d = Diagnostic::error("mjcf-rigid", "no joint of the robot moves")
            .at(Some(root.span), "all bodies are fixed to the world")
            .help("a body that moves has a <joint> or a <freejoint/>");
        notes.problems.push(d);
    }
    if !notes.problems.is_empty() {
        return Err(fail(sources, notes.problems));
    }
    let mut report = notes.report;
    let tree = tree::tree(&model);
    let spec = write::write(&model, &tree, options, &mut report, name);
    Imported::new(name, spec, report, &options.accept, sources)
}
