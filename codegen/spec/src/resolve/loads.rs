//! Resolves loads.

use super::Build;
use super::formulas::PermittedNames;
use super::joint_layout::{JointVariables, VariableSource};
use super::names::NameMeaning;
use crate::spec::{self, Name, Target};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::base::InternalError;
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_mechanics::mechanism::load::{LoadKeys, LoadTarget};
use dqdt_mechanics::mechanism::{
    BodyId, CoordinateId, Ends, Formula, FormulaNames, Load, LoadKind, Placement, SpeedId, VectorFrame,
};

/// The variables that a load in a joint acts on: a coordinate with its speed, or a speed alone.
#[derive(Clone, Copy)]
pub(super) struct TargetVariables {
    pub(super) coordinate: Option<CoordinateId>,
    pub(super) speed: SpeedId,
}

impl Build<'_> {
    /// Resolves the section `[loads]`.
    pub(super) fn build_loads(&mut self) -> Vec<Load> {
        let mut out = Vec::new();
        for l in &self.spec.loads {
            let what = format!("load `{}`", l.name.value);
            let mut reading = LoadReader { build: self, spec: &l.keys, what: &what };
            match LoadKind::read(l.keys.kind, &mut reading) {
                Some(kind) => out.push(Load { name: l.name.value.clone(), kind }),
                None => self.report_silent_rejection(&what, l.keys.word),
            }
        }
        out
    }

    /// Reports, as an internal error, a load that its type rejects without a message; it would be
    /// dropped silently.
    pub(super) fn report_silent_rejection(&mut self, what: &str, word: &str) {
        if !self.has_errors() {
            let text = format!(
                "{what} of type `{word}` was dropped without an error: if it acts on a joint, its type must declare a `target` key"
            );
            self.problems.extend(Errors::from(InternalError::new(text)).diagnostics);
        }
    }

    /// The value of a key of a load, output or event, for the type that reads it. A key that the
    /// type does not declare, or declares with another kind of value, is an internal error.
    pub(super) fn declared_key_value<'k, T>(
        &mut self,
        keys: &'k spec::KeyValues,
        key: &str,
        read: impl FnOnce(&'k spec::KeyValues) -> Option<T>,
    ) -> Option<T> {
        let value = read(keys);
        let is_written = keys.values.iter().any(|(name, _)| *name == key);
        if !keys.declared.contains(&key) || (is_written && value.is_none()) {
            let what = format!(
                "key `{key}` is read as a kind of value that type `{}` does not declare for it",
                keys.word
            );
            self.problems.extend(Errors::from(InternalError::new(what)).diagnostics);
        }
        value
    }

    /// Resolves the optional name of a body that a load or an output acts on.
    pub(super) fn resolve_body(&mut self, name: Option<&Name>, what: &str) -> Option<BodyId> {
        let body = self.find_body(name?, what)?;
        Some(self.body_id(body))
    }

    /// Resolves a point of the body that a load acts on; by default the origin of its frame.
    pub(super) fn resolve_point(
        &mut self,
        body: Option<&Name>,
        at: Option<&spec::Location>,
        what: &str,
    ) -> Placement {
        let body = body.and_then(|name| self.find_body(name, what));
        self.resolve_location_or_origin(body, at, what)
    }

    /// Resolves the body on which the opposite of a load acts; it must be another body.
    fn resolve_reaction_body(&mut self, name: Option<&Name>, body: &Name, what: &str) -> Option<BodyId> {
        let name = name?;
        if name.value == body.value {
            self.report(
                Diagnostic::error(
                    "conflict",
                    format!("{what} and its reaction act on the same body `{}`", name.value),
                )
                .at(name.span, "the load and its reaction would act on one body")
                .help("name another body, or remove `reaction`"),
            );
            return None;
        }
        // A load on the ground has no effect, so a reaction on the ground equals none.
        let body = self.find_body_or_ground(name, what)??;
        Some(self.body_id(body))
    }

    /// Rejects a spring or friction in a joint whose angle is not measured from the parent: the
    /// load would act from the ground. A user who intends that names the coordinate or the speed.
    fn reject_ground_angle(&mut self, target: &Target, what: &str) -> Option<()> {
        let Target::Joint(name) = target else { return Some(()) };
        let joint = &self.spec.joints[self.find_joint(name, what)?];
        let from_ground = joint.coordinates.from_ground.as_ref().is_some_and(|g| g.value);
        if !from_ground || joint.parent.body.value == "ground" {
            return Some(());
        }
        self.report(
            Diagnostic::error(
                "load-angle",
                format!("{what} acts on joint `{}`, whose angle is measured from the ground", name.value),
            )
            .at(name.span, "this load uses the angle between parent and child")
            .also(joint.coordinates.from_ground.as_ref().and_then(|g| g.span), "measured from the ground")
            .help(
                "measure the angle from the parent (remove `measured_from`), or use an `actuator` with a \
                   formula that contains both angles, such as `effort = \"-d*(theta_dot - phi_dot)\"`, \
                   which acts on both bodies; if the load acts relative to the ground, name the coordinate \
                   or the speed instead of the joint",
            ),
        );
        None
    }

    /// Reports that a load or an event acts on a joint with several coordinates or speeds.
    fn report_ambiguous_target(
        &mut self,
        name: &Name,
        layout: &JointVariables,
        needs_coordinate: bool,
        what: &str,
    ) {
        let free: Vec<String> = if needs_coordinate {
            layout
                .coordinates
                .iter()
                .filter_map(|s| match s {
                    VariableSource::Free(i) => Some(self.coordinates[*i].name.clone()),
                    VariableSource::Prescribed(_) => None,
                })
                .collect()
        } else {
            layout
                .speeds
                .iter()
                .filter_map(|s| match s {
                    VariableSource::Free(i) => Some(self.speeds[*i].name.clone()),
                    VariableSource::Prescribed(_) => None,
                })
                .collect()
        };
        let noun = if needs_coordinate { "coordinate" } else { "speed" };
        self.report(
            Diagnostic::error(
                "which-speed",
                format!("{what} acts on joint `{}`, which has several {noun}s", name.value),
            )
            .at(name.span, format!("ambiguous {noun}"))
            .help(format!("replace `joint` with `{noun} = \"…\"`, and name one of: {}", free.join(", "))),
        );
    }

    /// Resolves the coordinate and speed that a load or an event in a joint acts on. Errors are
    /// reported.
    pub(super) fn resolve_target(
        &mut self,
        target: &Target,
        needs_coordinate: bool,
        what: &str,
    ) -> Option<TargetVariables> {
        match target {
            Target::Joint(name) => {
                let j = self.find_joint(name, what)?;
                let joint = &self.spec.joints[j];
                let layout = self.layouts.get(j)?.clone();
                match layout.speeds.as_slice() {
                    [VariableSource::Free(speed)] => {
                        let coordinate = match layout.coordinates.as_slice() {
                            [VariableSource::Free(c)] => Some(*c),
                            _ => None,
                        };
                        Some(TargetVariables { coordinate, speed: *speed })
                    }
                    [] => {
                        self.report(
                            Diagnostic::error(
                                "no-speed",
                                format!("{what} acts on joint `{}`, which is fixed", name.value),
                            )
                            .at(name.span, "no motion")
                            .also(joint.name.span, "this joint is fixed"),
                        );
                        None
                    }
                    [VariableSource::Prescribed(_)] => {
                        self.report(
                            Diagnostic::error(
                                "no-speed",
                                format!("{what} acts on joint `{}`, whose motion is prescribed", name.value),
                            )
                            .at(name.span, "prescribed motion")
                            .also(joint.coordinates.span, "prescribed here")
                            .help(format!("remove {what} or `prescribed`")),
                        );
                        None
                    }
                    _ => {
                        self.report_ambiguous_target(name, &layout, needs_coordinate, what);
                        None
                    }
                }
            }
            Target::Own(name) if needs_coordinate => self.resolve_named_coordinate(name, what),
            Target::Own(name) => {
                if let Some(NameMeaning::Speed(i)) = self.names.get(&name.value) {
                    return Some(TargetVariables { coordinate: None, speed: i });
                }
                self.report_unknown_target(name, what, "speed");
                None
            }
        }
    }

    /// The coordinate of this name with its rate, as the target of a load; the rate must be a
    /// speed.
    fn resolve_named_coordinate(&mut self, name: &Name, what: &str) -> Option<TargetVariables> {
        let Some(NameMeaning::Coordinate(c)) = self.names.get(&name.value) else {
            self.report_unknown_target(name, what, "coordinate");
            return None;
        };
        let joint = self.coordinates[c].joint;
        let layout = self.layouts.get(joint.index())?;
        let speed = layout.rates.iter().find(|(coordinate, _)| *coordinate == c).map(|(_, speed)| *speed);
        if speed.is_none() {
            self.report(
                Diagnostic::error(
                    "no-rate",
                    format!("{what} acts on `{}`, whose rate is not a speed", name.value),
                )
                .at(name.span, "the speeds of this joint are not the rates of its coordinates")
                .help("use speeds of kind \"rates\" for the joint, or define the load as a torque"),
            );
        }
        speed.map(|speed| TargetVariables { coordinate: Some(c), speed })
    }

    fn report_unknown_target(&mut self, name: &Name, what: &str, noun: &str) {
        if self.spec.broken.joints {
            return;
        }
        let known: Vec<String> = if noun == "speed" {
            self.speeds.iter().map(|s| s.name.clone()).collect()
        } else {
            self.coordinates.iter().map(|s| s.name.clone()).collect()
        };
        let d = Diagnostic::error("unknown-name", format!("unknown {noun} `{}` in {what}", name.value))
            .at(name.span, "not found");
        let d = match self.names.get(&name.value) {
            Some(m) => d.help(format!("`{}` is {}", name.value, m.noun())),
            None => d,
        };
        self.report(match self.suggest_name(&name.value, known.iter().map(String::as_str)) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None => d.help(format!("{noun}s: {}", known.into_iter().take(12).collect::<Vec<_>>().join(", "))),
        });
    }
}

/// Implementation of [`LoadKeys`]: gives a load type access to the resolved keys of one load of the
/// spec.
struct LoadReader<'r, 's, 'b> {
    build: &'r mut Build<'b>,
    spec: &'s spec::KeyValues,
    what: &'s str,
}

impl LoadKeys for LoadReader<'_, '_, '_> {
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

    fn read_vector(&mut self, dimension: Dimension) -> [Formula; 3] {
        let value = self.build.declared_key_value(self.spec, "value", |keys| keys.triple("value"));
        let Some(value) = value else {
            return [Formula::ZERO, Formula::ZERO, Formula::ZERO];
        };
        self.build.resolve_vector(value, self.what, PermittedNames::Everything, Some(dimension))
    }

    fn read_reaction_body(&mut self) -> Option<BodyId> {
        let reaction = self.build.declared_key_value(self.spec, "reaction", |keys| keys.name("reaction"));
        self.build.resolve_reaction_body(reaction, self.spec.name("body")?, self.what)
    }

    fn read_ends(&mut self, on_two_bodies: bool) -> Option<Ends> {
        let (build, what) = (&mut *self.build, self.what);
        let [from, to] =
            ["from", "to"].map(|key| build.declared_key_value(self.spec, key, |keys| keys.frame(key)));
        let (from, to) = from.zip(to)?;
        let to_span = to.body.span;
        let from = build.resolve_frame(from, &format!("`from` of {what}"));
        let to = build.resolve_frame(to, &format!("`to` of {what}"));
        let (from, to) = from.zip(to)?;
        let from = (from.0.map(|b| build.body_id(b)), from.1);
        let to = (to.0.map(|b| build.body_id(b)), to.1);
        if on_two_bodies && from.0 == to.0 {
            build.report(
                Diagnostic::error("conflict", format!("{what} acts between two points of one body"))
                    .at(to_span, "this end is fixed to the same body as `from`")
                    .help("name two different bodies: a force within one body has no effect"),
            );
            return None;
        }
        Some(Ends { from, to })
    }

    fn read_formula(
        &mut self,
        key: &'static str,
        noun: &str,
        names: FormulaNames,
        dimension: Option<Dimension>,
    ) -> Formula {
        let value = self.build.declared_key_value(self.spec, key, |keys| keys.value(key));
        let text = format!("the {noun} of {}", self.what);
        self.build.resolve_formula_or(value, Formula::ZERO, &text, names.into(), dimension)
    }

    fn has_key(&mut self, key: &'static str) -> bool {
        let value =
            self.build.declared_key_value(self.spec, key, |keys| keys.values.iter().find(|(k, _)| *k == key));
        value.is_some()
    }

    fn read_target(&mut self, coordinate: bool) -> Option<LoadTarget> {
        let hit = self.build.resolve_target(self.spec.target.as_ref()?, coordinate, self.what)?;
        Some(LoadTarget {
            coordinate: hit.coordinate.map(|c| (c, self.build.coordinates[c].dimension)),
            speed: hit.speed,
            dimension: self.build.speeds[hit.speed].dimension,
        })
    }

    fn require_relative_speed(&mut self) -> Option<()> {
        self.build.reject_ground_angle(self.spec.target.as_ref()?, self.what)
    }
}
