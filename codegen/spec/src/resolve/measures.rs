//! Resolves measures in formulas: functions of frames or speeds, each in a file of
//! `mechanism/measure`.
//!
//! With a second frame, as in `position_x(p, f)`, the result is relative to `f`, which may move,
//! and in its axes. A frame is a body, a point of a body (`arm.tip`, `arm.com`), or `ground` with
//! its points.

use std::ops::Range;

use super::Build;
use super::dimension::Dim;
use super::formulas::NodePlace;
use super::names::NameMeaning;
use super::typed::Typed;
use super::used_measures::{NamedFrame, UsedMeasure, UsedSubject};
use crate::spec::formula::{Expr, FUNCTIONS, Node};
use crate::spec::{Location, Name};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{
    BodyId, Ends, Measure, MeasureArguments, MeasureKind, MeasureSubject, Placement, SpeedId, Variable,
};

/// Text of a call of a measure, such as `position_x(p)`, for reports and messages.
fn measure_call_text(function: &str, arguments: &[usize], expr: &Expr) -> String {
    let name = |a: &usize| match &expr.nodes()[*a].0 {
        Node::Name(name) => name.as_str(),
        _ => "?",
    };
    format!("{function}({})", arguments.iter().map(name).collect::<Vec<_>>().join(", "))
}

impl Build<'_> {
    /// For each node of a formula: true if it names a frame, as an argument of a measure; it has no
    /// value of its own.
    pub(super) fn flag_frame_nodes(&self, expr: &Expr) -> Vec<bool> {
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

    /// Variable for a call of a measure, such as `position_x(p)`, in a formula. Errors are
    /// reported.
    pub(super) fn resolve_measure(
        &mut self,
        function: &str,
        kind: MeasureKind,
        arguments: &[usize],
        place: &NodePlace<'_>,
        expr: &Expr,
    ) -> Option<Typed> {
        let (allowed, takes) = match kind.form().argument_kind() {
            MeasureArguments::Frame => {
                (1..=2, "a frame, and optionally the frame relative to which it is measured")
            }
            MeasureArguments::Points => (2..=2, "two frames"),
            MeasureArguments::Speed => (1..=1, "a coordinate or a speed"),
        };
        if !allowed.contains(&arguments.len()) {
            self.report(
                Diagnostic::error(
                    "wrong-arguments",
                    format!("the arguments of `{function}` must be {takes}"),
                )
                .at(place.span(), format!("{} given", arguments.len())),
            );
            return None;
        }
        let subject = match kind.form().argument_kind() {
            MeasureArguments::Frame | MeasureArguments::Points => {
                self.find_measured_frames(function, arguments, place, expr)
            }
            MeasureArguments::Speed => {
                self.find_measured_speed(function, place, &expr.nodes()[arguments[0]]).map(UsedSubject::Speed)
            }
        }?;
        let of_speed = match &subject {
            UsedSubject::Speed(speed) => self.speeds[*speed].dimension,
            UsedSubject::Frames { .. } => Dimension::NONE,
        };
        let text = measure_call_text(function, arguments, expr);
        let known = self.measures.iter().position(|m| m.kind == kind && m.subject.is_same_as(&subject));
        let index = known.unwrap_or_else(|| {
            self.measures.push(UsedMeasure { text: text.clone(), span: place.span(), kind, subject });
            self.measures.len() - 1
        });
        let form = kind.form();
        let variable =
            if form.depends_on_speeds() { Variable::Velocity(index) } else { Variable::Position(index) };
        self.variable_formula(
            variable,
            &format!("`{text}`"),
            Dim::Known(form.value_dimension(of_speed)),
            place,
        )
    }

    /// The frames that a measure observes and measures from: on two different bodies.
    fn find_measured_frames(
        &mut self,
        function: &str,
        arguments: &[usize],
        place: &NodePlace<'_>,
        expr: &Expr,
    ) -> Option<UsedSubject> {
        let frames: Vec<Option<NamedFrame>> =
            arguments.iter().map(|a| self.find_named_frame(function, place, &expr.nodes()[*a])).collect();
        let mut frames: Vec<NamedFrame> = frames.into_iter().collect::<Option<_>>()?;
        let observer = frames.get(1).cloned().unwrap_or(NamedFrame { body: None, point: None });
        let observed = frames.swap_remove(0);
        if observed.body == observer.body {
            let body = self.owner_text(observed.body);
            self.report(
                Diagnostic::error("same-body", format!("`{function}` measures {body} relative to {body}"))
                    .at(
                        place.span(),
                        "this measure is constant, because both frames are fixed to the same body",
                    )
                    .help("name frames on two different bodies, or write the constant value"),
            );
            return None;
        }
        Some(UsedSubject::Frames { observed, observer })
    }

    /// The speed that a measure refers to, by its name or by that of the coordinate whose rate it
    /// is.
    fn find_measured_speed(
        &mut self,
        function: &str,
        place: &NodePlace<'_>,
        (node, range): &(Node, Range<usize>),
    ) -> Option<SpeedId> {
        let span = place.value.part_span(range);
        let meaning = match node {
            Node::Name(name) => self.names.get(name),
            _ => None,
        };
        let (label, help) = match meaning {
            Some(NameMeaning::Speed(speed)) => return Some(speed),
            Some(NameMeaning::Coordinate(c)) => {
                let layout = &self.layouts[self.coordinates[c].joint.index()];
                if let Some((_, speed)) = layout.rates.iter().find(|(coordinate, _)| *coordinate == c) {
                    return Some(*speed);
                }
                (
                    "the rate of this coordinate is not a speed",
                    "name a speed of its joint, or use speeds of kind \"rates\" for the joint",
                )
            }
            _ => (
                "this argument is not the name of a coordinate or a speed",
                "name a free coordinate of a joint, or a speed",
            ),
        };
        if !self.spec.broken.joints {
            self.report(
                Diagnostic::error(
                    "not-a-speed",
                    format!(
                        "the argument of `{function}` must be a coordinate or a speed (in {})",
                        place.what
                    ),
                )
                .at(span, label)
                .help(help),
            );
        }
        None
    }

    fn owner_text(&self, body: Option<usize>) -> String {
        body.map_or("the ground".to_owned(), |b| format!("body `{}`", self.spec.bodies[b].name.value))
    }

    fn find_named_frame(
        &mut self,
        function: &str,
        place: &NodePlace<'_>,
        (node, range): &(Node, Range<usize>),
    ) -> Option<NamedFrame> {
        let span = place.value.part_span(range);
        let Node::Name(text) = node else {
            self.report(
                Diagnostic::error(
                    "no-frame",
                    format!("the arguments of `{function}` must be frames (in {})", place.what),
                )
                .at(span, "this argument is not the name of a frame")
                .help("name a body, a point of a body such as `arm.tip` or `arm.com`, or `ground`"),
            );
            return None;
        };
        let (body, point) = match text.split_once('.') {
            Some((body, point)) => (body, Some(point)),
            None => (text.as_str(), None),
        };
        let named = |value: &str| Name { value: value.to_owned(), span };
        let mut bodies = self.spec.bodies.iter();
        if self.body_names.get(body).is_none()
            && let Some(owner) = bodies.find(|b| b.points.iter().any(|p| p.name.value == body))
        {
            let d = Diagnostic::error("unknown-body", format!("unknown body `{body}` in `{function}`"))
                .at(span, "a point")
                .help(format!("`{body}` is a point of body `{0}`: write `{0}.{body}`", owner.name.value));
            self.report(d);
            return None;
        }
        let body = self.find_body_or_ground(&named(body), &format!("`{function}` in {}", place.what))?;
        Some(NamedFrame { body, point: point.map(named) })
    }

    /// Resolves the measures used in all formulas; the points of bodies must be resolved before.
    pub(super) fn build_measures(&mut self) -> Vec<Measure> {
        let mut out = Vec::new();
        for i in 0..self.measures.len() {
            let a = self.measures[i].clone();
            let subject = match &a.subject {
                UsedSubject::Frames { observed, observer } => MeasureSubject::Frames(Box::new(Ends {
                    from: self.resolve_named_frame(observer, &a.text),
                    to: self.resolve_named_frame(observed, &a.text),
                })),
                UsedSubject::Speed(speed) => MeasureSubject::Speed(*speed),
            };
            let name: String =
                a.text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let name = name.replace("__", "_").trim_end_matches('_').to_owned();
            out.push(Measure { name, kind: a.kind, subject });
        }
        out
    }

    fn resolve_named_frame(&mut self, frame: &NamedFrame, text: &str) -> (Option<BodyId>, Placement) {
        let location = frame.point.clone().map(Location::Named);
        let placement = self.resolve_location_or_origin(frame.body, location.as_ref(), &format!("`{text}`"));
        (frame.body.map(|b| self.body_id(b)), placement)
    }

    /// Reports a frame, such as `arm.tip`, used as a value in a formula.
    pub(super) fn report_frame_as_value(&mut self, name: &str, place: &NodePlace<'_>) {
        self.report(
            Diagnostic::error("frame-as-value", format!("`{name}` is not a scalar (in {})", place.what))
                .at(place.span(), "a point of a body has several components")
                .help(format!(
                    "use one of its components, such as `position_x({name})` or `velocity_z({name})`"
                )),
        );
    }
}
