//! Resolves measures in formulas: functions of frames, each in a file of `mechanism/measure`.
//!
//! With a second frame, as in `position_x(p, f)`, the result is relative to `f`, which may move,
//! and in its axes. A frame is a body, a point of a body (`arm.tip`, `arm.com`), or `ground` with
//! its points.

use std::ops::Range;

use super::Build;
use super::asked::{Asked, Frame};
use super::dimension::Dim;
use super::formulas::Place;
use super::typed::Typed;
use crate::spec::formula::{Expr, FUNCTIONS, Node};
use crate::spec::{Location, Name};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{BodyId, Ends, Measure, MeasureKind, Placement, Variable};

fn written_call(function: &str, arguments: &[usize], expr: &Expr) -> String {
    let name = |a: &usize| match &expr.nodes()[*a].0 {
        Node::Name(name) => name.as_str(),
        _ => "?",
    };
    format!("{function}({})", arguments.iter().map(name).collect::<Vec<_>>().join(", "))
}

impl Build<'_> {
    /// For each node: true if it names a frame, which has no value of its own.
    pub(super) fn frame_nodes(&self, expr: &Expr) -> Vec<bool> {
        let mut out = vec![false; expr.nodes().len()];
        for (node, _) in expr.nodes() {
            if let Node::Call(function, arguments) = node {
                // Arguments of an unknown function are not reported as well.
                let unknown =
                    self.names.get(function).is_none() && !FUNCTIONS.iter().any(|f| f.name == function);
                let measured = MeasureKind::named(function).is_some();
                for a in arguments {
                    let point = matches!(&expr.nodes()[*a].0, Node::Name(name) if name.contains('.'));
                    out[*a] = measured || (unknown && point);
                }
            }
        }
        out
    }

    /// Variable for a call of a measure. Errors are reported.
    pub(super) fn measure(
        &mut self,
        function: &str,
        kind: MeasureKind,
        arguments: &[usize],
        place: &Place<'_>,
        expr: &Expr,
    ) -> Option<Typed> {
        let two = kind.form().between_points();
        if !(if two { 2..=2 } else { 1..=2 }).contains(&arguments.len()) {
            let takes = if two { "two frames" } else { "a frame, and perhaps the one that it is seen from" };
            self.report(
                Diagnostic::error("wrong-arguments", format!("`{function}` takes {takes}"))
                    .at(place.here(), format!("{} given", arguments.len())),
            );
            return None;
        }
        let frames: Vec<Option<Frame>> =
            arguments.iter().map(|a| self.frame_named(function, place, &expr.nodes()[*a])).collect();
        let mut frames: Vec<Frame> = frames.into_iter().collect::<Option<_>>()?;
        let from = frames.get(1).cloned().unwrap_or(Frame { body: None, point: None });
        let seen = frames.swap_remove(0);
        if seen.body == from.body {
            let body = self.owner(seen.body);
            self.report(
                Diagnostic::error("same-body", format!("`{function}` measures {body} from {body}"))
                    .at(place.here(), "both frames are fixed to it: this never changes")
                    .help("name frames of two bodies, or write the number"),
            );
            return None;
        }
        let text = written_call(function, arguments, expr);
        let named = |frame: &Frame| format!("{:?} {:?}", frame.body, frame.point.as_ref().map(|p| &p.value));
        let asked = [named(&seen), named(&from)];
        let known = self.measures.iter().position(|m| m.kind == kind && m.frames == asked);
        let index = known.unwrap_or_else(|| {
            let span = place.here();
            self.measures.push(Asked { written: text.clone(), span, kind, frames: asked, seen, from });
            self.measures.len() - 1
        });
        let form = kind.form();
        let variable = if form.moves() { Variable::Velocity(index) } else { Variable::Position(index) };
        self.variable(variable, &format!("`{text}`"), Dim::Known(form.dimension()), place)
    }

    fn owner(&self, body: Option<usize>) -> String {
        body.map_or("the ground".to_owned(), |b| format!("body `{}`", self.spec.bodies[b].name.value))
    }

    fn frame_named(
        &mut self,
        function: &str,
        place: &Place<'_>,
        (node, range): &(Node, Range<usize>),
    ) -> Option<Frame> {
        let span = place.value.part(range);
        let Node::Name(text) = node else {
            self.report(
                Diagnostic::error("no-frame", format!("`{function}` takes frames, in {}", place.what))
                    .at(span, "not the name of a frame")
                    .help("a frame is a body, a point of one such as `arm.tip` or `arm.com`, or `ground`"),
            );
            return None;
        };
        let (body, point) = match text.split_once('.') {
            Some((body, point)) => (body, Some(point)),
            None => (text.as_str(), None),
        };
        let named = |value: &str| Name { value: value.to_owned(), span };
        let has_point = |b: &&crate::spec::Body| b.points.iter().any(|p| p.name.value == body);
        if self.body_names.get(body).is_none()
            && let Some(owner) = self.spec.bodies.iter().find(has_point)
        {
            let d = Diagnostic::error(
                "unknown-body",
                format!("there is no body `{body}`, named by `{function}`"),
            )
            .at(span, "a point")
            .help(format!("`{body}` is a point of body `{0}`: write `{0}.{body}`", owner.name.value));
            self.report(d);
            return None;
        }
        let body = self.body_or_ground(&named(body), &format!("`{function}` in {}", place.what))?;
        Some(Frame { body, point: point.map(named) })
    }

    /// The measures used in all formulas; the points of bodies must be resolved.
    pub(super) fn build_measures(&mut self) -> Vec<Measure> {
        let mut out = Vec::new();
        for i in 0..self.measures.len() {
            let a = self.measures[i].clone();
            let from = self.placed(&a.from, &a.written);
            let to = self.placed(&a.seen, &a.written);
            let name: String =
                a.written.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let name = name.replace("__", "_").trim_end_matches('_').to_owned();
            out.push(Measure { name, kind: a.kind, ends: Ends { from, to } });
        }
        out
    }

    fn placed(&mut self, frame: &Frame, written: &str) -> (Option<BodyId>, Placement) {
        let location = frame.point.clone().map(Location::Named);
        let placement = self.location_or_origin(frame.body, location.as_ref(), &format!("`{written}`"));
        (frame.body.map(|b| self.arena(b)), placement)
    }

    /// Reports a frame, such as `arm.tip`, used as a value.
    pub(super) fn frame_as_value(&mut self, name: &str, place: &Place<'_>) {
        self.report(
            Diagnostic::error("frame-as-value", format!("`{name}` is no value, in {}", place.what))
                .at(place.here(), "a point of a body has many components")
                .help(format!(
                    "write what is meant of it, such as `position_x({name})` or `velocity_z({name})`"
                )),
        );
    }
}
