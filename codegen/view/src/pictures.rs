//! Pictures and reports for people: plots and sketches as SVG, animations and reports as HTML.
//!
//! A plot or an animation is plain data: take what [`motion`] or [`frames`] makes of a motion,
//! change it, print it with [`plot`] or [`animation`].

pub use crate::animation::{Animation, Signal, Trace, animation};
pub use crate::figure::{Line, Panel, Plot, Scene, SceneBody, SceneJoint, Series, plot, sketch};
pub use dqdt_diagnostics::base::JointSymbol;

use crate::scene;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive;

/// A motion as curves: a panel a unit for coordinates and for speeds, one for user states, one for energies.
///
/// `times` in seconds; `states[k]` is the state `[q, v, z]` at `times[k]`; `energy[k]` the kinetic and the potential energy
/// there \[J\].
pub fn motion(loaded: &Assembled, times: &[f64], states: &[Vec<f64>], energy: &[[f64; 2]]) -> Plot {
    let m = &loaded.mechanism;
    scene::plot(&m.name, &derive::layout(m), times, states, energy)
}

/// A motion as frames to be played, at most 1,500 of them.
///
/// `parameters` are the free parameters in the order of the spec; those that are missing have their defaults. `times` in
/// seconds; `states[k]` is the state `[q, v, z]` at `times[k]`.
pub fn frames(loaded: &Assembled, parameters: &[f64], times: &[f64], states: &[Vec<f64>]) -> Animation {
    let m = &loaded.mechanism;
    scene::animation(m, &derive::layout(m), parameters, times, states)
}

/// The pose that a spec starts from, for [`sketch`].
pub fn start(loaded: &Assembled) -> Scene {
    scene::initial(&loaded.mechanism)
}
