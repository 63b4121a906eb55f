//! Events.

use super::Build;
use super::constraints::known;
use super::formulas::May;
use super::names::Meaning;
use crate::spec::{self, Name, Value};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::base::Spanned;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{AxisVector, Crossing, Event, EventAction, EventFunction, Formula, Gap};

impl Build<'_> {
    pub(super) fn build_events(&mut self) -> Vec<Event> {
        let mut out = Vec::new();
        for e in &self.spec.events {
            let what = format!("event `{}`", e.name.value);
            if let Some((function, crossing, action)) = self.event_kind(&e.kind, &what) {
                let (name, description) = (e.name.value.clone(), e.description.clone());
                out.push(Event { name, description, function, crossing, action });
            }
        }
        out
    }

    fn event_kind(
        &mut self,
        kind: &spec::EventKind,
        what: &str,
    ) -> Option<(EventFunction, Crossing, EventAction)> {
        use spec::EventKind as S;
        Some(match kind {
            S::End { when, direction } => {
                (self.when(when, what), crossing(direction.as_ref()), EventAction::End)
            }
            S::Switch { when, direction, set } => {
                let function = self.when(when, what);
                let set = set.iter().filter_map(|(name, value)| self.assignment(name, value, what)).collect();
                (function, crossing(direction.as_ref()), EventAction::Switch(set))
            }
            S::Impact { body, at, plane, normal, radius, restitution } => {
                let restitution = self.restitution(restitution, what);
                let length = Some(Dimension::LENGTH);
                let radius = self.formula_or(
                    radius.as_ref(),
                    Formula::ZERO,
                    &format!("the radius of {what}"),
                    May::Parameters,
                    length,
                );
                let on = self.frame(plane, &format!("`plane` of {what}"));
                let b = self.body(body, what)?;
                let point = self.location_or_origin(Some(b), at.as_ref(), what);
                let (other, origin) = on?;
                if other == Some(b) {
                    self.report(
                        Diagnostic::error(
                            "conflict",
                            format!("{what} lets body `{}` meet itself", body.value),
                        )
                        .at(plane.body.span, "the plane is on the same body")
                        .help("name the other body, or \"ground\""),
                    );
                    return None;
                }
                let gap = Gap {
                    body: self.arena(b),
                    point,
                    plane: other.map(|b| self.arena(b)),
                    origin,
                    normal: AxisVector(normal.value),
                    radius,
                };
                (EventFunction::Gap(Box::new(gap)), Crossing::Falling, EventAction::Impact(restitution))
            }
            S::JointStop { target, side, at, restitution } => {
                let hit = self.target(target, true, what);
                let coordinate = hit.and_then(|h| h.coordinate);
                let unit = coordinate.map(|c| self.coordinates[c].dimension);
                let at = self.formula(at, &format!("`at` of {what}"), May::Parameters, unit);
                let restitution = self.restitution(restitution, what);
                let q = Formula::Variable(dqdt_mechanics::mechanism::Variable::Coordinate(coordinate?));
                let (a, b) = if side.as_ref()?.value == "upper" { (at, q) } else { (q, at) };
                let function = EventFunction::Formula {
                    formula: Formula::Sub(Box::new(a), Box::new(b)),
                    dimension: unit,
                };
                (function, Crossing::Falling, EventAction::Impact(restitution))
            }
        })
    }

    fn when(&mut self, value: &Value, what: &str) -> EventFunction {
        let typed = self.typed(value, &format!("`when` of {what}"), May::Everything, None);
        let dimension = typed.as_ref().and_then(|t| known(t.dim));
        EventFunction::Formula { formula: typed.map_or(Formula::ZERO, |t| t.formula), dimension }
    }

    fn restitution(&mut self, value: &Value, what: &str) -> Formula {
        let name = format!("the restitution of {what}");
        let formula = self.formula(value, &name, May::Parameters, Some(Dimension::NONE));
        if let Some(n) = formula.as_number().filter(|n| !(0.0..=1.0).contains(&n.to_f64())) {
            self.report(
                Diagnostic::error("out-of-range", format!("{name} is {}", n.to_f64()))
                    .at(value.span, "from 0 to 1")
                    .help("1 is elastic, 0 is dead; more would give energy to the motion"),
            );
        }
        formula
    }

    /// `state = formula` of a switch.
    fn assignment(&mut self, name: &Name, value: &Value, what: &str) -> Option<(usize, Formula)> {
        let state = match self.names.get(&name.value) {
            Some(Meaning::State(i)) => Some(i),
            other => {
                let problem = match other {
                    Some(meaning) => {
                        format!("`{}` is {}, which {what} cannot set", name.value, meaning.noun())
                    }
                    None => format!("there is no user state `{}`, set by {what}", name.value),
                };
                let known: Vec<&str> = self.spec.states.iter().map(|s| s.name.value.as_str()).collect();
                let help = match self.suggest(&name.value, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "a mode is a user state with the rate 0: add it to `[states]`".to_owned(),
                };
                self.report(
                    Diagnostic::error("unknown-state", problem).at(name.span, "not a user state").help(help),
                );
                None
            }
        };
        let unit = state.and_then(|i| self.spec.states[i].unit.as_ref()).map(|unit| unit.unit.dimension);
        let formula = self.formula(
            value,
            &format!("the new value of `{}` in {what}", name.value),
            May::Everything,
            unit,
        );
        Some((state?, formula))
    }
}

fn crossing(word: Option<&Spanned<&'static str>>) -> Crossing {
    match word.map(|w| w.value) {
        Some("rising") => Crossing::Rising,
        Some("both") => Crossing::Both,
        _ => Crossing::Falling,
    }
}
