//! Pictures and reports for people: plots and sketches as SVG, animations and reports as HTML.
//!
//! A plot or an animation is plain data: take what [`motion`] or [`frames`] makes of a motion, change it, print it with
//! [`plot`] or [`animation`].

pub use dqdt_view::pictures::{
    Animation, JointSymbol, Line, Panel, Plot, Scene, SceneBody, SceneJoint, Series, Signal, Trace,
    animation, frames, motion, plot, sketch, start,
};

/// Report without closed forms as one HTML file: a sketch, tables of all parts, and the equations
/// of a formalism step by step, as the emitted functions compute them. Needs no symbolic engine.
pub fn steps(loaded: &crate::pipeline::Assembled, formalism: crate::Formalism) -> String {
    use dqdt_equations::inspect::{View, report};
    let view = View::steps();
    let drawing = sketch(&start(loaded));
    dqdt_view::report::html(&report(loaded, formalism, &mut |_| Vec::new(), Some(drawing), &view))
}

/// A report as one HTML file: what was understood, the equations of a formalism in closed form, what the emitted functions
/// cost. The symbolic engine runs in this process and prints its licence notice to standard output.
#[cfg(feature = "symbolica")]
pub fn report(loaded: &crate::pipeline::Assembled, formalism: crate::Formalism) -> String {
    let mut closed = dqdt_equations::inspect::closed_forms(&loaded.mechanism);
    let drawing = sketch(&start(loaded));
    let view = dqdt_equations::inspect::View::default();
    dqdt_view::report::html(&dqdt_equations::inspect::report(
        loaded,
        formalism,
        &mut closed,
        Some(drawing),
        &view,
    ))
}
