//! Loads.

use super::Build;
use super::formulas::May;
use super::joint_layout::Source;
use super::names::Meaning;
use crate::spec::{self, Name, Target};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{BodyId, CoordinateId, Ends, Formula, Load, LoadKind, SpeedId};

/// What a target is: a coordinate with its speed, or a speed.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub(super) coordinate: Option<CoordinateId>,
    pub(super) speed: SpeedId,
}

impl Build<'_> {
    pub(super) fn build_loads(&mut self) -> Vec<Load> {
        let mut out = Vec::new();
        for l in &self.spec.loads {
            let what = format!("load `{}`", l.name.value);
            if let Some(kind) = self.load_kind(&l.kind, &what) {
                out.push(Load { name: l.name.value.clone(), kind });
            }
        }
        out
    }

    fn load_kind(&mut self, kind: &spec::LoadKind, what: &str) -> Option<LoadKind> {
        use spec::LoadKind as S;
        Some(match kind {
            S::Force { body, at, value, frame, reaction } => {
                let value = self.vector(value, what, May::Everything, Some(Dimension::FORCE));
                let frame = self.axes(frame.as_deref(), what);
                let reaction = self.reaction(reaction.as_ref(), body, what);
                let b = self.body(body, what)?;
                let point = self.location_or_origin(Some(b), at.as_ref(), what);
                LoadKind::Force { body: self.arena(b), point, frame, value, reaction }
            }
            S::Torque { body, value, frame, reaction } => {
                let value = self.vector(value, what, May::Everything, Some(Dimension::MOMENT));
                let frame = self.axes(frame.as_deref(), what);
                let reaction = self.reaction(reaction.as_ref(), body, what);
                let b = self.body(body, what)?;
                LoadKind::Torque { body: self.arena(b), frame, value, reaction }
            }
            S::Spring { from, to, stiffness, damping, rest_length } => {
                let k = Dimension::FORCE.over(Dimension::LENGTH);
                let d = Dimension::FORCE.over(Dimension::VELOCITY);
                let stiffness = self.part(stiffness, "stiffness", what, May::Parameters, k);
                let damping = self.part(damping, "damping", what, May::Everything, d);
                let rest_length =
                    self.part(rest_length, "rest length", what, May::Parameters, Dimension::LENGTH);
                let from = self.frame(from, &format!("`from` of {what}"));
                let to = self.frame(to, &format!("`to` of {what}"));
                let (from, to) = from.zip(to)?;
                let from = (from.0.map(|b| self.arena(b)), from.1);
                let to = (to.0.map(|b| self.arena(b)), to.1);
                LoadKind::LineSpring { ends: Ends { from, to }, stiffness, damping, rest_length }
            }
            S::LineForce { from, to, tension } => {
                let to_span = to.body.span;
                let tension = self.formula(
                    tension,
                    &format!("the tension of {what}"),
                    May::Everything,
                    Some(Dimension::FORCE),
                );
                let from = self.frame(from, &format!("`from` of {what}"));
                let to = self.frame(to, &format!("`to` of {what}"));
                let (from, to) = from.zip(to)?;
                let from = (from.0.map(|b| self.arena(b)), from.1);
                let to = (to.0.map(|b| self.arena(b)), to.1);
                if from.0 == to.0 {
                    self.report(
                        Diagnostic::error("conflict", format!("{what} acts between two points of one body"))
                            .at(to_span, "fixed to the same body as `from`")
                            .help("a force between them has no effect: name two bodies"),
                    );
                    return None;
                }
                LoadKind::LineForce { ends: Ends { from, to }, tension }
            }
            S::JointSpring { target, stiffness, damping, rest } => {
                let hit = self.target(target, true, what);
                let d = hit.and_then(|h| h.coordinate).map(|c| self.coordinates[c].dimension);
                let effort = effort_of(d.unwrap_or(Dimension::NONE));
                let q = d.unwrap_or(Dimension::NONE);
                let stiffness = self.part(stiffness, "stiffness", what, May::Parameters, effort.over(q));
                let rate = q.over(Dimension::TIME);
                let damping = self.part(damping, "damping", what, May::Parameters, effort.over(rate));
                let rest = self.part(rest, "rest position", what, May::Parameters, q);
                let hit = hit?;
                self.between_bodies(target, what)?;
                LoadKind::JointSpring {
                    coordinate: hit.coordinate?,
                    speed: hit.speed,
                    stiffness,
                    damping,
                    rest,
                }
            }
            S::Actuator { target, effort } => {
                let hit = self.target(target, false, what);
                let unit = hit.map(|h| self.effort_on(h.speed));
                let effort = self.formula(effort, &format!("the effort of {what}"), May::Everything, unit);
                LoadKind::Actuator { speed: hit?.speed, effort }
            }
            S::GeneralisedForce { target, value } => {
                let hit = self.target(target, false, what);
                let unit = hit.map(|h| self.effort_on(h.speed));
                let value = self.formula(value, &format!("the value of {what}"), May::Everything, unit);
                LoadKind::GeneralisedForce { speed: hit?.speed, value }
            }
            S::Friction { target, viscous, coulomb, transition } => {
                let hit = self.target(target, false, what);
                let rate = hit.map_or(Dimension::TIME.power(-1), |h| self.speeds[h.speed].dimension);
                let effort = effort_of(rate.times(Dimension::TIME));
                let viscous =
                    self.part(viscous, "viscous friction", what, May::Everything, effort.over(rate));
                let coulomb = self.part(coulomb, "dry friction", what, May::Everything, effort);
                let mut transition_value =
                    self.part(transition, "transition speed", what, May::Everything, rate);
                if transition.is_none() {
                    // Without dry friction it has no effect; it must not be zero.
                    transition_value = Formula::ONE;
                }
                let speed = hit?.speed;
                self.between_bodies(target, what)?;
                LoadKind::Friction { speed, viscous, coulomb, transition: transition_value }
            }
        })
    }

    /// A part of a load that is zero if left out.
    fn part(
        &mut self,
        value: &Option<spec::Value>,
        noun: &str,
        what: &str,
        may: May,
        unit: Dimension,
    ) -> Formula {
        self.formula_or(value.as_ref(), Formula::ZERO, &format!("the {noun} of {what}"), may, Some(unit))
    }

    fn effort_on(&self, speed: SpeedId) -> Dimension {
        effort_of(self.speeds[speed].dimension.times(Dimension::TIME))
    }

    fn reaction(&mut self, name: Option<&Name>, body: &Name, what: &str) -> Option<BodyId> {
        let name = name?;
        if name.value == body.value {
            self.report(
                Diagnostic::error(
                    "conflict",
                    format!("{what} acts on body `{}` and back on the same body", name.value),
                )
                .at(name.span, "the two cancel")
                .help("name another body, or leave `reaction` out"),
            );
            return None;
        }
        // The ground takes the opposite without moving: no reaction is the same.
        let body = self.body_or_ground(name, what)??;
        Some(self.arena(body))
    }

    /// Refuses a spring or friction in a joint whose angle says nothing about how the child stands to the parent: it would act from
    /// the ground. Who means that names the coordinate or the speed.
    fn between_bodies(&mut self, target: &Target, what: &str) -> Option<()> {
        let Target::Joint(name) = target else { return Some(()) };
        let joint = &self.spec.joints[self.joint(name, what)?];
        let from_ground = joint.coordinates.from_ground.as_ref().is_some_and(|g| g.value);
        if !from_ground || joint.parent.body.value == "ground" {
            return Some(());
        }
        self.report(
            Diagnostic::error(
                "load-angle",
                format!("{what} acts in joint `{}`, whose angle is measured from the ground", name.value),
            )
            .at(name.span, "what acts between parent and child goes by the angle between them")
            .also(joint.coordinates.from_ground.as_ref().and_then(|g| g.span), "measured from the ground")
            .help("measure the angle from the parent (leave `measured_from` out), or write an `actuator` with a formula of both angles, as `effort = \"-d*(theta_dot - phi_dot)\"`, which acts on both bodies; \
                   name the coordinate or the speed in place of the joint if it does act from the ground"),
        );
        None
    }

    /// What a load on a joint acts on; errors are reported.
    pub(super) fn target(&mut self, target: &Target, needs_coordinate: bool, what: &str) -> Option<Hit> {
        match target {
            Target::Joint(name) => {
                let j = self.joint(name, what)?;
                let joint = &self.spec.joints[j];
                let layout = self.layouts.get(j)?.clone();
                match layout.speeds.as_slice() {
                    [Source::Free(speed)] => {
                        let coordinate = match layout.coordinates.as_slice() {
                            [Source::Free(c)] => Some(*c),
                            _ => None,
                        };
                        Some(Hit { coordinate, speed: *speed })
                    }
                    [] => {
                        self.report(
                            Diagnostic::error(
                                "no-speed",
                                format!("{what} acts on joint `{}`, which is fixed", name.value),
                            )
                            .at(name.span, "this joint does not move")
                            .also(joint.name.span, "a fixed joint"),
                        );
                        None
                    }
                    [Source::Prescribed(_)] => {
                        self.report(
                            Diagnostic::error(
                                "no-speed",
                                format!("{what} acts on joint `{}`, whose motion is prescribed", name.value),
                            )
                            .at(name.span, "a load cannot change a prescribed motion")
                            .also(joint.coordinates.span, "prescribed here")
                            .help("remove the load, or `prescribed`"),
                        );
                        None
                    }
                    several => {
                        let free: Vec<String> = if needs_coordinate {
                            layout
                                .coordinates
                                .iter()
                                .filter_map(|s| match s {
                                    Source::Free(i) => Some(self.coordinates[*i].name.clone()),
                                    Source::Prescribed(_) => None,
                                })
                                .collect()
                        } else {
                            several
                                .iter()
                                .filter_map(|s| match s {
                                    Source::Free(i) => Some(self.speeds[*i].name.clone()),
                                    Source::Prescribed(_) => None,
                                })
                                .collect()
                        };
                        let noun = if needs_coordinate { "coordinate" } else { "speed" };
                        self.report(
                            Diagnostic::error(
                                "which-speed",
                                format!("{what} acts on joint `{}`, which has several {noun}s", name.value),
                            )
                            .at(name.span, format!("which {noun}?"))
                            .help(format!(
                                "write `{noun} = \"…\"` instead of `joint`, with one of: {}",
                                free.join(", ")
                            )),
                        );
                        None
                    }
                }
            }
            Target::Own(name) if needs_coordinate => self.own_coordinate(name, what),
            Target::Own(name) => {
                if let Some(Meaning::Speed(i)) = self.names.get(&name.value) {
                    return Some(Hit { coordinate: None, speed: i });
                }
                self.not_found(name, what, "speed");
                None
            }
        }
    }

    fn own_coordinate(&mut self, name: &Name, what: &str) -> Option<Hit> {
        let Some(Meaning::Coordinate(c)) = self.names.get(&name.value) else {
            self.not_found(name, what, "coordinate");
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
                .at(name.span, "its joint has other speeds")
                .help("give the joint speeds of kind \"rates\", or write the load as a torque"),
            );
        }
        speed.map(|speed| Hit { coordinate: Some(c), speed })
    }

    fn not_found(&mut self, name: &Name, what: &str, noun: &str) {
        if self.spec.broken.joints {
            return;
        }
        let known: Vec<String> = if noun == "speed" {
            self.speeds.iter().map(|s| s.name.clone()).collect()
        } else {
            self.coordinates.iter().map(|s| s.name.clone()).collect()
        };
        let d = Diagnostic::error(
            "unknown-name",
            format!("there is no {noun} `{}`, named by {what}", name.value),
        )
        .at(name.span, "not found");
        let d = match self.names.get(&name.value) {
            Some(m) => d.help(format!("`{}` is {}", name.value, m.noun())),
            None => d,
        };
        self.report(match self.suggest(&name.value, known.iter().map(String::as_str)) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None => d.help(format!("{noun}s: {}", known.into_iter().take(12).collect::<Vec<_>>().join(", "))),
        });
    }
}

/// The dimension of what is conjugate to a coordinate: power over rate.
fn effort_of(coordinate: Dimension) -> Dimension {
    Dimension::MOMENT.over(coordinate)
}
