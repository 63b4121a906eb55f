//! Figures as SVG: plots of time series, growth with a size, sketches of a mechanism.

mod decimate;
mod growth;
mod labels;
mod plot;
mod scene;
mod sketch;
mod svg;
mod symbols;
mod ticks;
mod view;

pub use crate::base::JointSymbol;
pub use growth::{Growth, GrowthPanel, growth};
pub use plot::{Panel, Plot, Series, plot};
pub use scene::{Line, Scene, SceneBody, SceneJoint};
pub use sketch::sketch;
pub use view::View;
