//! Checks of bodies on direction joints: their roll is undefined, so nothing may depend on it.

use super::Build;
use dqdt_algebra::Number;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::event::EventFunction;
use dqdt_mechanics::mechanism::exact_turn::rotate_exact_vector;
use dqdt_mechanics::mechanism::{BodyId, Dependence, Measure, MeasureArguments, Mechanism, Placement};

impl Build<'_> {
    /// Checks the bodies on direction joints: they must be lines, and nothing may depend on their
    /// roll.
    pub(super) fn check_line_bodies(&mut self, m: &Mechanism, order: &[usize]) {
        for (i, joint) in BodyId::enumerate(&m.joints) {
            if !joint.kind.form().leaves_roll_undefined() {
                continue;
            }
            let spec_body = &self.spec.bodies[order[i]];
            let name = &m.bodies[i].name;
            let x = [Number::ONE, Number::ZERO, Number::ZERO];
            let along = rotate_exact_vector(&joint.child_frame.rotation, x, false)
                .and_then(|v| coordinate_axis_index(&v));
            let Some(k) = along else {
                self.report_line_error(
                    spec_body.name.span,
                    format!(
                        "the direction joint `{}` is not aligned with an axis of body `{name}`",
                        joint.name
                    ),
                    "the joint frame is not rotated by multiples of 90 deg",
                    "align the x axis of the joint frame with the x, y or z axis of the body",
                );
                continue;
            };
            let origin = joint.child_frame.origin.clone();
            let across = [(k + 1) % 3, (k + 2) % 3];
            let on_axis = |p: &[super::Formula; 3]| across.iter().all(|a| p[*a] == origin[*a]);
            // Indices of the components (xx, yy, zz, xy, xz, yz) that involve the axis.
            let components = [[0, 3, 4], [1, 3, 5], [2, 4, 5]][k];
            let letter = ["x", "y", "z"][k];
            if components.iter().any(|c| !m.bodies[i].inertia[*c].is_zero()) {
                self.report_line_error(
                    spec_body.inertia.as_ref().map(|j| j.span),
                    format!("body `{name}` has inertia about its {letter} axis, but its direction joint leaves that rotation undefined"),
                    "the moment of inertia about the axis, or a product of inertia with it, is not zero",
                    "set these components to 0, or use a spherical joint: a direction joint can only carry a line body",
                );
            }
            let massive = !m.bodies[i].mass.is_zero();
            if massive && !on_axis(&m.bodies[i].center_of_mass) {
                let at = spec_body.center_of_mass.as_ref().and_then(|c| c[across[0]].span);
                self.report_line_error(
                    at.or(spec_body.name.span),
                    format!("the centre of mass of body `{name}` is not on the axis of its direction joint"),
                    "this point is not on the axis of the direction joint",
                    "put the centre of mass on the axis through the joint: a direction joint can only carry a line body",
                );
            }
            if massive && m.bodies[i].inertia_about.as_ref().is_some_and(|p| !on_axis(p)) {
                self.report_line_error(
                    spec_body.inertia.as_ref().map(|j| j.span),
                    format!(
                        "the inertia of body `{name}` is about a point off the axis of its direction joint"
                    ),
                    "this point is not on the axis of the direction joint",
                    "specify the inertia about the centre of mass",
                );
            }
            let line = LineBody { body: i, axis: k, on_axis: &|p: &Placement| on_axis(&p.origin) };
            self.check_joints_on_line(m, &line);
            self.check_roll_dependences(m, &line);
        }
    }

    /// Reports joints on a line body that depend on its roll: off its axis, or with angles measured
    /// from it.
    fn check_joints_on_line(&mut self, m: &Mechanism, line: &LineBody<'_>) {
        let name = &m.bodies[line.body].name;
        for child in m.joints.iter().filter(|j| j.parent == Some(line.body)) {
            let span = self.spec.joints.iter().find(|j| j.name.value == child.name).and_then(|j| j.name.span);
            if !(line.on_axis)(&child.parent_frame) {
                self.report_line_error(
                    span,
                    format!(
                        "joint `{}` is off the axis of body `{name}`, whose roll is undefined",
                        child.name
                    ),
                    OFF_THE_AXIS,
                    "put the joint on the axis of the body",
                );
            }
            if !child.absolute {
                self.report_line_error(
                    span,
                    format!("joint `{}` measures angles from body `{name}`, whose roll is undefined", child.name),
                    "the parent is carried by a direction joint",
                    "use a spherical or free joint with measured_from = \"ground\", or another direction joint",
                );
            }
        }
    }

    /// Reports loads, outputs, constraints, events and measures that depend on the roll of a line
    /// body.
    fn check_roll_dependences(&mut self, m: &Mechanism, line: &LineBody<'_>) {
        let name = &m.bodies[line.body].name;
        for (i, measure) in m.measures.iter().enumerate() {
            let used = &self.measures[i];
            if let Some(label) = line.roll_dependence_label(&measure_dependences(measure)) {
                let (span, text) = (used.span, used.text.clone());
                self.report_line_error(
                    span,
                    format!("`{text}` depends on the roll of body `{name}`, which is undefined"),
                    label,
                    "use only points on the axis of the body, measured relative to other frames",
                );
            }
        }
        let loads = m.loads.iter().map(|l| ("load", &l.name, l.kind.form().pose_dependences()));
        let outputs = m.outputs.iter().map(|o| ("output", &o.name, o.kind.form().pose_dependences()));
        let constraints =
            m.constraints.iter().map(|c| ("constraint", &c.name, c.kind.form().pose_dependences()));
        let events = m.events.iter().map(|e| match e.kind.form().trigger().function {
            EventFunction::Formula(_) => ("event", &e.name, Vec::new()),
            EventFunction::Gap(gap) => ("event", &e.name, gap.pose_dependences().to_vec()),
        });
        let spec = self.spec;
        for (what, named, depends_on) in loads.chain(outputs).chain(constraints).chain(events) {
            let Some(label) = line.roll_dependence_label(&depends_on) else { continue };
            let span = match what {
                "load" => spec.loads.iter().find(|l| l.name.value == *named).and_then(|l| l.name.span),
                "output" => spec.outputs.iter().find(|o| o.name.value == *named).and_then(|o| o.name.span),
                "event" => spec.events.iter().find(|e| e.name.value == *named).and_then(|e| e.name.span),
                _ => spec.constraints.iter().find(|c| c.name.value == *named).and_then(|c| c.name.span),
            };
            self.report_line_error(
                span,
                format!("{what} `{named}` depends on the roll of body `{name}`, which is undefined"),
                label,
                "use points on the axis of the body and the axes of other frames; of the body's own axes, only the direction of the line can be used",
            );
        }
    }

    /// Reports an error about a body that is a line.
    fn report_line_error(&mut self, span: Option<Span>, message: String, label: &str, help: &str) {
        self.problems.push(Diagnostic::error("line-body", message).at(span, label).help(help));
    }
}

const OFF_THE_AXIS: &str = "this point is not on the axis of a direction joint";

/// A body on a direction joint, treated as a line whose roll is undefined.
struct LineBody<'l> {
    body: BodyId,
    /// The axis of the body along the line: 0, 1, 2 for x, y, z.
    axis: usize,
    /// Predicate of points of the body: true if the point is on the line.
    on_axis: &'l dyn Fn(&Placement) -> bool,
}

impl LineBody<'_> {
    /// Label for messages if something with these dependences depends on the roll of the line.
    fn roll_dependence_label(&self, depends_on: &[Dependence<'_>]) -> Option<&'static str> {
        depends_on.iter().find_map(|dependence| match *dependence {
            Dependence::Place(body, point) => {
                (body == Some(self.body) && !(self.on_axis)(point)).then_some(OFF_THE_AXIS)
            }
            Dependence::Direction(body, frame, direction) => {
                let along =
                    rotate_exact_vector(frame, direction.0, false).and_then(|v| coordinate_axis_index(&v));
                (body == Some(self.body) && along != Some(self.axis))
                    .then_some("this axis rotates with the roll of a body on a direction joint")
            }
            Dependence::Axes(body) => (body == Some(self.body))
                .then_some("these axes rotate with the roll of a body on a direction joint"),
        })
    }
}

/// Places and axes that a measure depends on.
fn measure_dependences(measure: &Measure) -> Vec<Dependence<'_>> {
    let form = measure.kind.form();
    let Some(ends) = measure.subject.ends() else { return Vec::new() };
    let places = ends.origin_dependences().into_iter();
    if form.argument_kind() == MeasureArguments::Points {
        return places.collect();
    }
    let axes = (!form.uses_origin_only()).then_some(Dependence::Axes(ends.to.0));
    places.chain([Dependence::Axes(ends.from.0)]).chain(axes).collect()
}

/// Index (0, 1, 2 for x, y, z) of the coordinate axis that a vector is parallel to, if there is
/// one.
fn coordinate_axis_index(v: &[Number; 3]) -> Option<usize> {
    let mut hits = (0..3).filter(|i| !v[*i].is_zero());
    let first = hits.next()?;
    hits.next().is_none().then_some(first)
}
