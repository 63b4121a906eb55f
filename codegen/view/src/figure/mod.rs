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

pub(crate) use canvas::{
    Canvas, WIDTH, body_line_svg, body_points_svg, is_finite_point, scene_points, solids_svg,
    sorted_body_lines,
};
pub use dqdt_diagnostics::base::JointSymbol;
pub use growth::{Growth, GrowthPanel, growth_svg};
pub use locus::{Locus, locus_svg};
pub use phase::{Phase, phase_svg};
pub use plot::plot_with_ordered_colours;
pub use plot::{Panel, Plot, Series, plot};
pub use png::{Png, png};
pub use scene::{Line, Scene, SceneBody, SceneJoint};
pub use sketch::sketch;
#[doc(hidden)]
pub use solid::{SolidKind, SolidPicture};
pub(crate) use svg::{INK, SOFT, body_color, line_element, open_svg, polygon_element, text_element};
pub(crate) use symbols::{ground_symbol, joint_symbol, mass_center_symbol};
pub use view::View;
