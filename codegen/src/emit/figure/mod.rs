//! Figures as SVG: plots of time series, sketches of a mechanism.

mod decimate;
mod plot;
mod scene;
mod svg;
mod ticks;

pub use plot::{Panel, Plot, Series, plot};
pub use scene::{Line, Scene, SceneBody, SceneJoint, SceneJointKind};
