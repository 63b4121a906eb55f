//! Resolves inputs, user states and outputs.

use super::Build;
use super::formulas::PermittedNames;
use crate::spec;
use dqdt_algebra::{Dimension, si_unit_text};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::output::OutputKeys;
use dqdt_mechanics::mechanism::{
    BodyId, Formula, Input, JointId, Output, OutputKind, Placement, State, VectorFrame,
};

impl Build<'_> {
    /// Resolves the section `[inputs]`: limits and defaults.
    pub(super) fn build_inputs(&mut self) -> Vec<Input> {
        let mut out = Vec::new();
        for u in &self.spec.inputs {
            let what = format!("input `{}`", u.name.value);
            let dimension = u.unit.as_ref().map(|u| u.unit.dimension);
            let default =
                self.formula_in_unit(u.default.as_ref(), &format!("the default of {what}"), u.unit.as_ref());
            let limits = u.limits.as_ref().map(|[lo, hi]| {
                let text = format!("a limit of {what}");
                (
                    self.formula_in_unit(Some(lo), &text, u.unit.as_ref()),
                    self.formula_in_unit(Some(hi), &text, u.unit.as_ref()),
                )
            });
            out.push(Input {
                name: u.name.value.clone(),
                unit: u.unit.as_ref().map_or_else(String::new, |u| si_unit_text(&u.text.value)),
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

    /// Resolves a limit or default of a quantity with a unit, as of an input: a bare number is in
    /// that unit, a formula in SI.
    fn formula_in_unit(
        &mut self,
        value: Option<&spec::Value>,
        what: &str,
        unit: Option<&spec::UnitText>,
    ) -> Formula {
        self.formula_in_unit_with_names(value, what, unit, PermittedNames::Parameters)
    }

    /// Resolves a quantity with a unit as a limit or default is resolved, but the formula may use
    /// the names that `permitted` says.
    pub(super) fn formula_in_unit_with_names(
        &mut self,
        value: Option<&spec::Value>,
        what: &str,
        unit: Option<&spec::UnitText>,
        permitted: PermittedNames,
    ) -> Formula {
        let Some(value) = value else { return Formula::ZERO };
        let dimension = unit.map(|u| u.unit.dimension);
        let Some(typed) = self.resolve_typed(value, what, permitted, dimension) else { return Formula::ZERO };
        let bare = typed.dim == super::dimension::Dim::Literal;
        match (typed.as_number(), unit.filter(|_| bare)) {
            (Some(n), Some(u)) => {
                spec::formula::scale_to_si(n, u.unit).map_or(typed.formula, Formula::Number)
            }
            _ => typed.formula,
        }
    }

    /// Resolves the section `[states]`: rates and start values of user states.
    pub(super) fn build_states(&mut self) -> Vec<State> {
        let mut out = Vec::new();
        for z in &self.spec.states {
            let what = format!("state `{}`", z.name.value);
            let dimension = z.unit.as_ref().map(|u| u.unit.dimension);
            let rate_unit = dimension.map(|d| d.over(Dimension::TIME));
            let rate = self.resolve_formula(
                &z.rate,
                &format!("the rate of {what}"),
                PermittedNames::Everything,
                rate_unit,
            );
            let start = self.formula_in_unit(
                z.start.as_ref(),
                &format!("the initial value of {what}"),
                z.unit.as_ref(),
            );
            out.push(State {
                name: z.name.value.clone(),
                unit: z.unit.as_ref().map_or_else(String::new, |u| si_unit_text(&u.text.value)),
                description: z.description.clone(),
                dimension,
                start,
                rate,
            });
        }
        out
    }

    /// Resolves the section `[outputs]`.
    pub(super) fn build_outputs(&mut self) -> Vec<Output> {
        let mut out = Vec::new();
        for o in &self.spec.outputs {
            let what = format!("output `{}`", o.name.value);
            let mut reading = OutputReader { build: self, spec: &o.keys, what: &what };
            match OutputKind::read(o.keys.kind, &mut reading) {
                Some(kind) => {
                    out.push(Output { name: o.name.value.clone(), description: o.description.clone(), kind });
                }
                None => self.report_silent_rejection(&what, o.keys.word),
            }
        }
        out
    }
}

/// Implementation of [`OutputKeys`]: gives an output type access to the resolved keys of one output
/// of the spec.
struct OutputReader<'r, 's, 'b> {
    build: &'r mut Build<'b>,
    spec: &'s spec::KeyValues,
    what: &'s str,
}

impl OutputKeys for OutputReader<'_, '_, '_> {
    fn read_body(&mut self) -> Option<BodyId> {
        let body = self.build.declared_key_value(self.spec, "body", |keys| keys.name("body"));
        self.build.resolve_body(body, self.what)
    }

    fn read_point(&mut self) -> Placement {
        let body = self.build.declared_key_value(self.spec, "body", |keys| keys.name("body"));
        let at = self.build.declared_key_value(self.spec, "at", |keys| keys.point("at"));
        self.build.resolve_point(body, at, self.what)
    }

    fn read_axes(&mut self) -> VectorFrame {
        let frame = self.build.declared_key_value(self.spec, "frame", |keys| keys.frame("frame"));
        self.build.resolve_vector_frame(frame, self.what)
    }

    fn read_joint_with_effort(&mut self) -> Option<JointId> {
        // A joint has the same index as the body that it carries.
        let (build, what) = (&mut *self.build, self.what);
        let name = build.declared_key_value(self.spec, "joint", |keys| keys.name("joint"))?;
        let joint = build.find_joint(name, what)?;
        if build.layouts.get(joint).is_some_and(|layout| layout.speeds.is_empty()) {
            build.report(
                Diagnostic::error(
                    "no-effort",
                    format!(
                        "{what} is the effort of joint `{}`, but a fixed joint has no effort",
                        name.value
                    ),
                )
                .at(name.span, "this joint does not move")
                .also(build.spec.joints[joint].name.span, "this joint is fixed")
                .help(format!(
                    "remove the output; the force and the moment that the joint transmits are entry `{}` \
                     of `reactions`, which `eval` prints, `simulate --with reactions` tabulates and `emit \
                     --functions reactions` emits",
                    name.value
                )),
            );
            return None;
        }
        let child = &build.spec.joints[joint].child.body.value;
        let body = *build.body_names.get(child)?;
        Some(build.body_id(body).inboard_joint())
    }

    fn read_load_name(&mut self) -> Option<String> {
        let name = self.build.declared_key_value(self.spec, "load", |keys| keys.name("load"))?;
        if self.build.spec.loads.iter().any(|l| l.name.value == name.value) {
            return Some(name.value.clone());
        }
        let known: Vec<&str> = self.build.spec.loads.iter().map(|l| l.name.value.as_str()).collect();
        let help = format!("loads: {}", known.join(", "));
        let text = format!("unknown load `{}` in {}", name.value, self.what);
        self.build.report(Diagnostic::error("unknown-name", text).at(name.span, "not found").help(help));
        None
    }

    fn read_unit_dimension(&mut self, key: &'static str) -> Option<Dimension> {
        let unit = self.build.declared_key_value(self.spec, key, |keys| keys.unit(key))?;
        Some(unit.unit.dimension)
    }

    fn read_formula(
        &mut self,
        key: &'static str,
        dimension: Option<Dimension>,
    ) -> Option<(Formula, Option<Dimension>)> {
        let value = self.build.declared_key_value(self.spec, key, |keys| keys.value(key))?;
        let typed = self.build.resolve_typed(value, self.what, PermittedNames::Everything, dimension)?;
        let known = match typed.dim {
            super::dimension::Dim::Known(d) => Some(d),
            _ => dimension,
        };
        Some((typed.formula, known))
    }
}
