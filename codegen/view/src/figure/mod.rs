//! Figures as SVG: plots of time series, growth with a problem size, phase plots, root loci,
//! sketches of a mechanism.

mod canvas;
mod decimate;
mod growth;
mod labels;
mod locus;
mod phase;
mod plane;
mod plot;
mod png;
mod scene;
mod sketch;
mod solid;
mod svg;
mod symbols;
mod theme;
mod ticks;
mod view;

pub(crate) use canvas::{Canvas, WIDTH, bar, bars, dots, finite, points, solids};
pub use dqdt_diagnostics::base::JointSymbol;
pub use growth::{Growth, GrowthPanel, growth};
pub use locus::{Locus, locus};
pub use phase::{Phase, phase};
pub use plot::ordered_plot;
pub use plot::{Panel, Plot, Series, plot};
pub use png::{Png, png};
pub use scene::{Line, Scene, SceneBody, SceneJoint};
pub use sketch::sketch;
#[doc(hidden)]
pub use solid::{SolidKind, SolidPicture};
pub(crate) use svg::{INK, SOFT, body_color, line, open, polygon, text};
pub(crate) use symbols::{center_of_mass, ground, joint};
pub use view::View;
