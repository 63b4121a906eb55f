//! Check of bodies on direction joints: their roll is undefined, so nothing may depend on it.

use super::Build;
use dqdt_algebra::Number;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::exact_turn::turn;
use dqdt_mechanics::mechanism::load::ActsOn;
use dqdt_mechanics::mechanism::{BodyId, Mechanism, Placement};

impl Build<'_> {
    pub(super) fn check_line_bodies(&mut self, m: &Mechanism, order: &[usize]) {
        for (i, joint) in BodyId::enumerate(&m.joints) {
            if !joint.kind.form().carries_line() {
                continue;
            }
            let spec_body = &self.spec.bodies[order[i]];
            let name = &m.bodies[i].name;
            let x = [Number::ONE, Number::ZERO, Number::ZERO];
            let along = turn(&joint.child_frame.rotation, x, false).and_then(|v| axis_index(&v));
            let Some(k) = along else {
                self.line_error(
                    spec_body.name.span,
                    format!("the direction joint `{}` points along no axis of body `{name}`", joint.name),
                    "its frame is turned by something else than quarter turns",
                    "let axis x of the joint frame lie along x, y or z of the body",
                );
                continue;
            };
            let origin = joint.child_frame.origin.clone();
            let across = [(k + 1) % 3, (k + 2) % 3];
            let on_axis = |p: &[super::Formula; 3]| across.iter().all(|a| p[*a] == origin[*a]);
            // xx, yy, zz, xy, xz, yz: the components that see the axis.
            let seen = [[0, 3, 4], [1, 3, 5], [2, 4, 5]][k];
            let letter = ["x", "y", "z"][k];
            if seen.iter().any(|c| !m.bodies[i].inertia[*c].is_zero()) {
                self.line_error(
                    spec_body.inertia.as_ref().map(|j| j.span),
                    format!("body `{name}` has inertia about {letter}, but its direction joint leaves that turn undefined"),
                    "inertia about the axis and its products must be zero",
                    "a direction joint carries a line: write 0 for them, or use a spherical joint",
                );
            }
            let massive = !m.bodies[i].mass.is_zero();
            if massive && !on_axis(&m.bodies[i].center_of_mass) {
                let at = spec_body.center_of_mass.as_ref().and_then(|c| c[across[0]].span);
                self.line_error(
                    at.or(spec_body.name.span),
                    format!("the centre of mass of body `{name}` is not on the axis of its direction joint"),
                    "off the axis",
                    "a direction joint carries a line: put the centre of mass on the axis through the joint",
                );
            }
            if massive && m.bodies[i].inertia_about.as_ref().is_some_and(|p| !on_axis(p)) {
                self.line_error(
                    spec_body.inertia.as_ref().map(|j| j.span),
                    format!(
                        "the inertia of body `{name}` is about a point off the axis of its direction joint"
                    ),
                    "off the axis",
                    "give it about the centre of mass",
                );
            }
            self.check_on_line(m, i, &|p: &Placement| on_axis(&p.origin));
        }
    }

    /// What hangs on a line body, or pulls at it, may not see its roll.
    fn check_on_line(&mut self, m: &Mechanism, body: BodyId, on_axis: &dyn Fn(&Placement) -> bool) {
        let name = &m.bodies[body].name;
        for child in m.joints.iter().filter(|j| j.parent == Some(body)) {
            let span = self.spec.joints.iter().find(|j| j.name.value == child.name).and_then(|j| j.name.span);
            if !on_axis(&child.parent_frame) {
                self.line_error(
                    span,
                    format!(
                        "joint `{}` sits off the axis of body `{name}`, whose roll is undefined",
                        child.name
                    ),
                    "off the axis of a direction joint",
                    "put the joint on the axis",
                );
            }
            if !child.absolute {
                self.line_error(
                    span,
                    format!("joint `{}` measures angles from body `{name}`, whose roll is undefined", child.name),
                    "its parent hangs on a direction joint",
                    "use a spherical or free joint with measured_from = \"ground\", or another direction joint",
                );
            }
        }
        for (i, measure) in m.measures.iter().enumerate() {
            let of_body = |(b, _): &(Option<BodyId>, Placement)| *b == Some(body);
            let ends = [&measure.ends.from, &measure.ends.to];
            let form = measure.kind.form();
            let turned = (!form.between_points() && of_body(ends[0])) || (form.turns() && of_body(ends[1]));
            let off = ends.into_iter().any(|end| of_body(end) && !on_axis(&end.1));
            if off || turned {
                let asked = &self.measures[i];
                let (span, text) = (asked.span, asked.written.clone());
                self.line_error(
                    span,
                    format!("`{text}` sees the roll of body `{name}`, which is undefined"),
                    "off the axis of a direction joint",
                    "measure points of its axis from other frames",
                );
            }
        }
        for load in &m.loads {
            let off = match load.kind.form().acts_on() {
                ActsOn::Point(b, point) => b == body && !on_axis(point),
                ActsOn::Ends(ends) => {
                    [&ends.from, &ends.to].iter().any(|(b, point)| *b == Some(body) && !on_axis(point))
                }
                ActsOn::Body(_) | ActsOn::Speed(_) => false,
            };
            if off {
                let span =
                    self.spec.loads.iter().find(|l| l.name.value == load.name).and_then(|l| l.name.span);
                self.line_error(
                    span,
                    format!(
                        "load `{}` acts off the axis of body `{name}`, whose roll is undefined",
                        load.name
                    ),
                    "off the axis of a direction joint",
                    "let it act on the axis",
                );
            }
        }
    }

    fn line_error(&mut self, span: Option<Span>, message: String, label: &str, help: &str) {
        self.problems.push(Diagnostic::error("line-body", message).at(span, label).help(help));
    }
}

/// The coordinate axis that a vector lies along.
fn axis_index(v: &[Number; 3]) -> Option<usize> {
    let mut hits = (0..3).filter(|i| !v[*i].is_zero());
    let first = hits.next()?;
    hits.next().is_none().then_some(first)
}
