//! Inputs, user states, outputs.

use super::Build;
use super::formulas::May;
use crate::spec;
use dqdt_algebra::{Dimension, in_si};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{Formula, Input, Output, OutputKind, State};

impl Build<'_> {
    pub(super) fn build_inputs(&mut self) -> Vec<Input> {
        let mut out = Vec::new();
        for u in &self.spec.inputs {
            let what = format!("input `{}`", u.name.value);
            let dimension = u.unit.as_ref().map(|u| u.unit.dimension);
            let default =
                self.scaled_formula(u.default.as_ref(), &format!("the default of {what}"), u.unit.as_ref());
            let limits = u.limits.as_ref().map(|[lo, hi]| {
                let text = format!("a limit of {what}");
                (
                    self.scaled_formula(Some(lo), &text, u.unit.as_ref()),
                    self.scaled_formula(Some(hi), &text, u.unit.as_ref()),
                )
            });
            out.push(Input {
                name: u.name.value.clone(),
                unit: u.unit.as_ref().map_or_else(String::new, |u| in_si(&u.text.value)),
                description: u.description.clone(),
                dimension,
                default,
                limits,
                law: None,
            });
        }
        self.build_laws(&mut out);
        out
    }

    /// A value of something with a unit: a bare number counts in that unit, a formula in SI.
    fn scaled_formula(
        &mut self,
        value: Option<&spec::Value>,
        what: &str,
        unit: Option<&spec::UnitText>,
    ) -> Formula {
        self.scaled_formula_of(value, what, unit, May::Parameters)
    }

    /// The same of what may name more than parameters.
    pub(super) fn scaled_formula_of(
        &mut self,
        value: Option<&spec::Value>,
        what: &str,
        unit: Option<&spec::UnitText>,
        may: May,
    ) -> Formula {
        let Some(value) = value else { return Formula::ZERO };
        let dimension = unit.map(|u| u.unit.dimension);
        let Some(typed) = self.typed(value, what, may, dimension) else { return Formula::ZERO };
        let bare = typed.dim == super::dimension::Dim::Literal;
        match (typed.as_number(), unit.filter(|_| bare)) {
            (Some(n), Some(u)) => spec::formula::scaled(n, u.unit).map_or(typed.formula, Formula::Number),
            _ => typed.formula,
        }
    }

    pub(super) fn build_states(&mut self) -> Vec<State> {
        let mut out = Vec::new();
        for z in &self.spec.states {
            let what = format!("state `{}`", z.name.value);
            let dimension = z.unit.as_ref().map(|u| u.unit.dimension);
            let rate_unit = dimension.map(|d| d.over(Dimension::TIME));
            let rate = self.formula(&z.rate, &format!("the rate of {what}"), May::Everything, rate_unit);
            let start =
                self.scaled_formula(z.start.as_ref(), &format!("the start of {what}"), z.unit.as_ref());
            out.push(State {
                name: z.name.value.clone(),
                unit: z.unit.as_ref().map_or_else(String::new, |u| in_si(&u.text.value)),
                description: z.description.clone(),
                dimension,
                start,
                rate,
            });
        }
        out
    }

    pub(super) fn build_outputs(&mut self) -> Vec<Output> {
        let mut out = Vec::new();
        for o in &self.spec.outputs {
            let what = format!("output `{}`", o.name.value);
            if let Some(kind) = self.output_kind(&o.kind, &what) {
                out.push(Output { name: o.name.value.clone(), description: o.description.clone(), kind });
            }
        }
        out
    }

    fn output_kind(&mut self, kind: &spec::OutputKind, what: &str) -> Option<OutputKind> {
        use spec::OutputKind as S;
        Some(match kind {
            S::Energy => OutputKind::Energy,
            S::JointEffort { joint } => {
                // Joints are numbered like the bodies that they carry.
                let name = joint;
                let joint = self.joint(name, what)?;
                if self.layouts.get(joint).is_some_and(|layout| layout.speeds.is_empty()) {
                    self.report(
                        Diagnostic::error(
                            "no-effort",
                            format!("{what} is the effort of joint `{}`, which is fixed", name.value),
                        )
                        .at(name.span, "a fixed joint has no motion to act along")
                        .also(self.spec.joints[joint].name.span, "a fixed joint")
                        .help(format!(
                            "remove the output: the force and moment that go through the joint are the entry `{}` of `reactions`, \
                             which `eval` prints, `simulate --with reactions` tabulates and `emit --functions reactions` writes",
                            name.value
                        )),
                    );
                    return None;
                }
                let child = &self.spec.joints[joint].child.body.value;
                let body = *self.body_names.get(child)?;
                OutputKind::JointEffort { joint: self.arena(body).inboard_joint() }
            }
            S::Formula { value, unit } => {
                let dimension = unit.as_ref().map(|u| u.unit.dimension);
                let typed = self.typed(value, what, May::Everything, dimension)?;
                let known = match typed.dim {
                    super::dimension::Dim::Known(d) => Some(d),
                    _ => dimension,
                };
                OutputKind::Formula { formula: typed.formula, dimension: known }
            }
            S::Position { body, at, frame }
            | S::Velocity { body, at, frame }
            | S::Acceleration { body, at, frame } => {
                let axes = self.axes(frame.as_ref(), what);
                let spec_body = self.body(body, what)?;
                let point = self.location_or_origin(Some(spec_body), at.as_ref(), what);
                let body = self.arena(spec_body);
                match kind {
                    S::Position { .. } => OutputKind::Position { body, point, frame: axes },
                    S::Velocity { .. } => OutputKind::Velocity { body, point, frame: axes },
                    _ => OutputKind::Acceleration { body, point, frame: axes },
                }
            }
            S::SpecificForce { body, at } | S::AngularRate { body, at } => {
                let spec_body = self.body(body, what)?;
                let point = self.location_or_origin(Some(spec_body), at.as_ref(), what);
                let body = self.arena(spec_body);
                match kind {
                    S::SpecificForce { .. } => OutputKind::SpecificForce { body, point },
                    _ => OutputKind::AngularRate { body, point },
                }
            }
        })
    }
}
