//! Joint limits: data for controllers, not enforced by any emitted function.

use super::formulas::PermittedNames;
use super::joint_layout::VariableSource;
use super::joints::is_effort_a_force;
use super::{Build, numeric};
use crate::spec;
use dqdt_algebra::Dimension;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::joint::JointKind;
use dqdt_mechanics::mechanism::{Formula, JointLimits, Mechanism};

impl Build<'_> {
    /// Resolves the table `limits` of a joint: formulas of constants, with the units of its
    /// coordinate.
    pub(super) fn resolve_joint_limits(
        &mut self,
        limits: &spec::JointLimits,
        kind: &JointKind,
        what: &str,
    ) -> JointLimits {
        let (position, effort) = match is_effort_a_force(kind) {
            true => (Dimension::LENGTH, Dimension::FORCE),
            false => (Dimension::NONE, Dimension::MOMENT),
        };
        let mut limit = |value: &spec::Value, key: &str, dimension| {
            let text = format!("the {key} limit of {what}");
            self.resolve_formula(value, &text, PermittedNames::Constants, Some(dimension))
        };
        JointLimits {
            position: limits
                .position
                .as_ref()
                .map(|ends| [0, 1].map(|k| limit(&ends[k], "position", position))),
            speed: limits.speed.as_ref().map(|v| limit(v, "speed", position.over(Dimension::TIME))),
            effort: limits.effort.as_ref().map(|e| limit(e, "effort", effort)),
        }
    }

    /// Reports position limits that are an empty range, and an initial value beyond them. `spans`:
    /// places of the limits; `start`: name, value and place of the coordinate.
    fn check_position_limits(
        &mut self,
        joint: &str,
        [low, high]: [f64; 2],
        spans: [Option<Span>; 2],
        start: Option<(&str, f64, Option<Span>)>,
    ) {
        if low >= high || low.is_nan() || high.is_nan() {
            self.problems.push(
                Diagnostic::error(
                    "limits-crossed",
                    format!("the limits of joint `{joint}` allow no position"),
                )
                .at(spans[0], format!("lowest: {low}"))
                .also(spans[1], format!("highest: {high}"))
                .help("write position = [lowest, highest]; use type `fixed` for a joint that does not move"),
            );
        } else if let Some((coordinate, value, span)) = start
            && !(low..=high).contains(&value)
        {
            self.problems.push(
                Diagnostic::warning(
                    "start-beyond-limits",
                    format!("the initial value of `{coordinate}` is outside the limits of joint `{joint}`"),
                )
                .at(span.or(spans[0]), format!("{value} is not between {low} and {high}"))
                .help("set `start` to a value within the limits"),
            );
        }
    }

    /// Reports joint limits that are empty ranges as errors, and initial values beyond a limit as
    /// warnings.
    pub(super) fn check_joint_limits(&mut self, m: &Mechanism, p: &[f64]) {
        for (j, spec_joint) in self.spec.joints.iter().enumerate() {
            let Some(body) = self.body_names.get(&spec_joint.child.body.value) else { continue };
            let joint = &m.joints[self.body_id(*body).inboard_joint()];
            let value = |f: &Formula| numeric::evaluate_formula(f, p);
            let start = match self.layouts.get(j).and_then(|l| l.coordinates.first()) {
                Some(VariableSource::Free(i)) => {
                    m.coordinates.get(i.index()).map(|c| (c, self.starts.coordinates[*i].span))
                }
                _ => None,
            };
            if let (Some(limits), Some([from, to])) = (&joint.limits.position, &spec_joint.limits.position) {
                let range = limits.each_ref().map(value);
                let start = start.map(|(c, span)| (c.name.as_str(), value(&c.start), span));
                self.check_position_limits(&joint.name, range, [from.span, to.span], start);
            }
            let single = [
                ("speed", &joint.limits.speed, &spec_joint.limits.speed),
                ("effort", &joint.limits.effort, &spec_joint.limits.effort),
            ];
            for (key, limit, value_in_spec) in single {
                let Some(limit) = limit.as_ref().map(value) else { continue };
                if limit < 0.0 || limit.is_nan() {
                    let span = value_in_spec.as_ref().and_then(|w| w.span);
                    self.problems.push(
                        Diagnostic::error(
                            "limits-crossed",
                            format!("the {key} limit of joint `{}` must not be negative", joint.name),
                        )
                        .at(span, format!("this limit is {limit}"))
                        .help("write zero or a positive value; it applies in both directions"),
                    );
                }
            }
        }
    }
}
