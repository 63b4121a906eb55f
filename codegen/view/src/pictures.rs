//! Pictures of a mechanism: plots and sketches as SVG, animations as HTML.
//!
//! A plot or an animation is plain data: build it from a motion with [`motion`] or [`frames`],
//! change it as needed, and print it with [`plot`] or [`animation`].

pub use crate::animation::{Animation, Signal, Trace, animation};
pub use crate::figure::{Line, Panel, Plot, Scene, SceneBody, SceneJoint, Series, plot, sketch};
pub use dqdt_diagnostics::base::JointSymbol;

use crate::scene;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive;

/// A motion as curves: a panel per unit for coordinates and for speeds, one for user states, one
/// for energies.
///
/// `times` are in seconds. `states[k]` is the state `[q, v, z]` at `times[k]`, and `energy[k]` the
/// kinetic and the potential energy there \[J\].
pub fn motion(loaded: &Assembled, times: &[f64], states: &[Vec<f64>], energy: &[[f64; 2]]) -> Plot {
    let m = &loaded.mechanism;
    scene::motion_plot(&m.name, &derive::vector_layout(m), times, states, energy)
}

/// A motion as frames for an animation, at most 1,500 of them.
///
/// `parameters` are the free parameters in the order of the spec; missing ones have their defaults.
/// `times` are in seconds. `states[k]` is the state `[q, v, z]` at `times[k]`.
pub fn frames(loaded: &Assembled, parameters: &[f64], times: &[f64], states: &[Vec<f64>]) -> Animation {
    let m = &loaded.mechanism;
    scene::motion_animation(m, &derive::vector_layout(m), parameters, times, states)
}

/// The start pose of a spec, for [`sketch`].
pub fn start(loaded: &Assembled) -> Scene {
    scene::start_scene(&loaded.mechanism)
}
