//! Figures as SVG: plots of time series, sketches of a mechanism.

mod plot;
mod scene;

pub use plot::{Panel, Plot, Series};
pub use scene::{Line, Scene, SceneBody, SceneJoint, SceneJointKind};
