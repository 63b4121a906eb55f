//! Figures as SVG: plots of time series, sketches of a mechanism.

mod decimate;
mod labels;
mod plot;
mod scene;
mod sketch;
mod svg;
mod symbols;
mod ticks;
mod view;

pub use plot::{Panel, Plot, Series, plot};
pub use scene::{Line, Scene, SceneBody, SceneJoint, SceneJointKind};
pub use sketch::sketch;
pub use view::View;
