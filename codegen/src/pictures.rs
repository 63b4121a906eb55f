//! Pictures and reports for people: plots and sketches as SVG, animations and reports as HTML.
//!
//! A plot or an animation is plain data: [`motion`] or [`frames`] creates it from a motion, you may
//! change it, and [`plot`] or [`animation`] renders it.

pub use dqdt_view::pictures::{
    Animation, JointSymbol, Line, Panel, Plot, Scene, SceneBody, SceneJoint, Series, Signal, Trace,
    animation, frames, motion, plot, sketch, start,
};

/// Report without closed forms as one HTML file: a sketch, tables of all parts, and the equations
/// of a formalism step by step, as the emitted functions compute them.
pub fn steps(loaded: &crate::pipeline::Assembled, formalism: crate::Formalism) -> String {
    use dqdt_equations::inspect::{View, report};
    let view = View::steps();
    let drawing = sketch(&start(loaded));
    dqdt_view::report::print_html(&report(loaded, formalism, &mut |_| Vec::new(), Some(drawing), &view))
}

/// Report as one HTML file: a sketch, tables of all parts, the equations of a formalism in closed
/// form, and operation counts of the emitted functions.
pub fn report(loaded: &crate::pipeline::Assembled, formalism: crate::Formalism) -> String {
    use dqdt_equations::inspect::{View, closed_forms, report};
    let mut closed = closed_forms(&loaded.mechanism);
    let drawing = sketch(&start(loaded));
    dqdt_view::report::print_html(&report(loaded, formalism, &mut closed, Some(drawing), &View::default()))
}
