//! Resolves events.

use super::Build;
use super::constraints::known_dimension;
use super::formulas::PermittedNames;
use super::names::NameMeaning;
use crate::spec::{self, Name, Value};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::event::{EventKeys, When};
use dqdt_mechanics::mechanism::{
    AxisVector, CoordinateId, Crossing, Event, EventKind, Formula, FormulaNames, Gap,
};

impl Build<'_> {
    /// Resolves the section `[events]`.
    pub(super) fn build_events(&mut self) -> Vec<Event> {
        let mut out = Vec::new();
        for e in &self.spec.events {
            let what = format!("event `{}`", e.name.value);
            let mut reading = EventReader { build: self, spec: &e.keys, what: &what };
            match EventKind::read(e.keys.kind, &mut reading) {
                Some(kind) => {
                    out.push(Event { name: e.name.value.clone(), description: e.description.clone(), kind });
                }
                None => self.report_silent_rejection(&what, e.keys.word),
            }
        }
        out
    }

    /// The user state that an event sets, by index, with its dimension; an unknown name is
    /// reported.
    fn resolve_assigned_state(&mut self, name: &Name, what: &str) -> Option<(usize, Option<Dimension>)> {
        match self.names.get(&name.value) {
            Some(NameMeaning::State(i)) => {
                Some((i, self.spec.states[i].unit.as_ref().map(|unit| unit.unit.dimension)))
            }
            other => {
                let problem = match other {
                    Some(meaning) => {
                        format!("`{}` is {}, which {what} cannot set", name.value, meaning.noun())
                    }
                    None => format!("unknown user state `{}` in {what}", name.value),
                };
                let known: Vec<&str> = self.spec.states.iter().map(|s| s.name.value.as_str()).collect();
                let help = match self.suggest_name(&name.value, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "to define a mode, add a user state whose rate is 0 to `[states]`".to_owned(),
                };
                self.report(
                    Diagnostic::error("unknown-state", problem)
                        .at(name.span, "this name is not that of a user state")
                        .help(help),
                );
                None
            }
        }
    }

    /// Resolves an assignment `state = formula` of an event of type `switch`.
    fn resolve_assignment(&mut self, name: &Name, value: &Value, what: &str) -> Option<(usize, Formula)> {
        let state = self.resolve_assigned_state(name, what);
        let unit = state.and_then(|(_, dimension)| dimension);
        let formula = self.resolve_formula(
            value,
            &format!("the new value of `{}` in {what}", name.value),
            PermittedNames::Everything,
            unit,
        );
        Some((state?.0, formula))
    }
}

/// Implementation of [`EventKeys`]: gives an event type access to the resolved keys of one event of
/// the spec.
struct EventReader<'r, 's, 'b> {
    build: &'r mut Build<'b>,
    spec: &'s spec::KeyValues,
    what: &'s str,
}

impl EventKeys for EventReader<'_, '_, '_> {
    fn read_when(&mut self) -> When {
        let crossing = match self.read_word("direction") {
            Some("rising") => Crossing::Rising,
            Some("both") => Crossing::Both,
            _ => Crossing::Falling,
        };
        let value = self.build.declared_key_value(self.spec, "when", |keys| keys.value("when"));
        let text = format!("`when` of {}", self.what);
        let typed =
            value.and_then(|value| self.build.resolve_typed(value, &text, PermittedNames::Everything, None));
        let dimension = typed.as_ref().and_then(|t| known_dimension(t.dim));
        When { formula: typed.map_or(Formula::ZERO, |t| t.formula), dimension, crossing }
    }

    fn read_word(&mut self, key: &'static str) -> Option<&'static str> {
        self.build.declared_key_value(self.spec, key, |keys| keys.word(key)).map(|word| word.value)
    }

    fn read_formula(
        &mut self,
        key: &'static str,
        noun: &str,
        names: FormulaNames,
        dimension: Option<Dimension>,
    ) -> Formula {
        let value = self.build.declared_key_value(self.spec, key, |keys| keys.value(key));
        let text = format!("{noun} of {}", self.what);
        self.build.resolve_formula_or(value, Formula::ZERO, &text, names.into(), dimension)
    }

    fn read_restitution(&mut self) -> Formula {
        let name = format!("the restitution of {}", self.what);
        let value = self.build.declared_key_value(self.spec, "restitution", |keys| keys.value("restitution"));
        let Some(value) = value else { return Formula::ZERO };
        let formula =
            self.build.resolve_formula(value, &name, PermittedNames::Parameters, Some(Dimension::NONE));
        if let Some(n) = formula.as_number().filter(|n| !(0.0..=1.0).contains(&n.to_f64())) {
            self.build.report(
                Diagnostic::error("out-of-range", format!("{name} is {}", n.to_f64()))
                    .at(value.span, "this restitution is not between 0 and 1")
                    .help("write a value between 0 (plastic) and 1 (elastic); a larger value would add energy to the motion"),
            );
        }
        formula
    }

    fn read_user_state(&mut self, key: &'static str) -> Option<(usize, Option<Dimension>)> {
        let name = self.build.declared_key_value(self.spec, key, |keys| keys.name(key))?;
        self.build.resolve_assigned_state(name, self.what)
    }

    fn read_new_states(&mut self) -> Vec<(usize, Formula)> {
        let (build, what) = (&mut *self.build, self.what);
        let Some(set) = build.declared_key_value(self.spec, "set", |keys| keys.named("set")) else {
            return Vec::new();
        };
        set.iter().filter_map(|(name, value)| build.resolve_assignment(name, value, what)).collect()
    }

    fn read_gap(&mut self, radius: Formula) -> Option<Gap> {
        let (build, what) = (&mut *self.build, self.what);
        let plane = build.declared_key_value(self.spec, "plane", |keys| keys.frame("plane"));
        let body = build.declared_key_value(self.spec, "body", |keys| keys.name("body"));
        let normal = build.declared_key_value(self.spec, "normal", |keys| keys.axis("normal"));
        let at = build.declared_key_value(self.spec, "at", |keys| keys.point("at"));
        let ((plane, body), normal) = plane.zip(body).zip(normal)?;
        let on = build.resolve_frame(plane, &format!("`plane` of {what}"));
        let b = build.find_body(body, what)?;
        let point = build.resolve_location_or_origin(Some(b), at, what);
        let (other, origin) = on?;
        if other == Some(b) {
            build.report(
                Diagnostic::error(
                    "conflict",
                    format!(
                        "the plane of {what} is fixed to body `{}`, which is also the body that hits it",
                        body.value
                    ),
                )
                .at(plane.body.span, "this plane is fixed to the body that hits it")
                .help("name a different body, or \"ground\""),
            );
            return None;
        }
        Some(Gap {
            body: build.body_id(b),
            point,
            plane: other.map(|b| build.body_id(b)),
            origin,
            normal: AxisVector(normal.value),
            radius,
        })
    }

    fn read_coordinate(&mut self) -> Option<(CoordinateId, Dimension)> {
        let hit = self.build.resolve_target(self.spec.target.as_ref()?, true, self.what)?;
        hit.coordinate.map(|c| (c, self.build.coordinates[c].dimension))
    }
}
