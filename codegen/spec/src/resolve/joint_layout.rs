//! Coordinates and speeds of a joint: their number and names, and which of them are prescribed.

use super::names::NameMeaning;
use super::{Build, functions};
use crate::spec::{Joint, Name, Value, did_you_mean};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::base::{Span, Spanned};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::joint::{JointComponent, JointKind, SpeedComponent, SpeedKind};
use dqdt_mechanics::mechanism::{Coordinate, CoordinateId, JointId, Speed, SpeedId};

/// Source of the value of a coordinate or a speed of a joint: a free variable or a prescribed
/// function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VariableSource<I> {
    /// A free coordinate or speed of the mechanism, by its index.
    Free(I),
    /// A prescribed function of time, by its index among the definitions.
    Prescribed(usize),
}

impl<I> VariableSource<I> {
    /// Index of the free coordinate or speed; `None` if it is prescribed.
    pub fn free_index(self) -> Option<I> {
        match self {
            VariableSource::Free(i) => Some(i),
            VariableSource::Prescribed(_) => None,
        }
    }
}

/// The dimension 1/time, which angular speeds have.
const RATE: Dimension = Dimension::new([0, 0, -1, 0, 0]);

/// Coordinates and speeds of one joint of the spec, free or prescribed.
#[derive(Clone, Debug, Default)]
pub(super) struct JointVariables {
    pub coordinates: Vec<VariableSource<CoordinateId>>,
    pub speeds: Vec<VariableSource<SpeedId>>,
    /// Coordinates of the joint whose rate is a speed of the mechanism, with that speed.
    pub rates: Vec<(CoordinateId, SpeedId)>,
}

/// Default name of a variable of a joint: the name of the joint and a suffix.
fn join_name(joint: &str, suffix: &str) -> String {
    if suffix.is_empty() { joint.to_owned() } else { format!("{joint}_{suffix}") }
}

impl Build<'_> {
    /// Reports a kind of speeds that a joint with a quaternion does not have.
    fn reject_quaternion_rates(&mut self, joint: &Joint, what: &str) {
        let kind_of_speeds = joint.speeds.kind.as_ref().filter(|_| joint.coordinates.quaternion);
        let missing = kind_of_speeds.and_then(|kind| match kind.value {
            SpeedKind::Rates => {
                Some(("whose rates cannot be speeds", "a quaternion has four rates, not three"))
            }
            SpeedKind::IntermediateRates => Some((
                "which has no intermediate axes",
                "intermediate axes are defined only for a sequence of angles",
            )),
            SpeedKind::BodyRates | SpeedKind::ParentRates => None,
        });
        if let (Some(kind), Some((which, label))) = (kind_of_speeds, missing) {
            self.report(
                Diagnostic::error("quaternion-rates", format!("{what} uses a quaternion, {which}"))
                    .at(kind.span, label)
                    .help(
                        "remove `kind` to use the angular velocity in child axes, or use \"parent_rates\" \
                         for the angular velocity in parent axes",
                    ),
            );
        }
    }

    /// Adds a prescribed coordinate as a definition. The flag is true if its name is unused so far.
    fn declare_prescribed_coordinate(
        &mut self,
        part: &JointComponent,
        name: &Name,
        value: &Value,
    ) -> (VariableSource<CoordinateId>, bool) {
        let index = self.definition_sources.len();
        self.definition_sources.push(super::DefinitionSource {
            name: name.clone(),
            value: value.clone(),
            prescribes: Some(part.dimension),
        });
        let is_declared = self.declare_name(name, NameMeaning::Definition(index));
        (VariableSource::Prescribed(index), is_declared)
    }

    /// Adds a free coordinate to the mechanism. The flag is true if its name is unused so far.
    fn declare_free_coordinate(
        &mut self,
        joint: JointId,
        part: &JointComponent,
        name: &Name,
        what: &str,
    ) -> (VariableSource<CoordinateId>, bool) {
        let index = CoordinateId(self.coordinates.len());
        self.coordinates.push(Coordinate {
            name: name.value.clone(),
            description: format!("{} of {what}", part.text),
            dimension: part.dimension,
            joint,
            start: dqdt_mechanics::mechanism::Formula::ZERO,
        });
        let is_declared = self.declare_name(name, NameMeaning::Coordinate(index));
        (VariableSource::Free(index), is_declared)
    }

    /// Names the coordinates and speeds of joint `j` and adds the free ones to the mechanism.
    pub(super) fn declare_joint_variables(&mut self, j: usize) {
        let spec = self.spec;
        let joint = &spec.joints[j];
        let name = &joint.name;
        let what = format!("joint `{}`", name.value);
        let kind = self.joint_kind_without_values(joint);
        let parts = kind.form().coordinate_components();
        self.reject_quaternion_rates(joint, &what);
        let spec_names =
            self.names_if_count_fits(joint.coordinates.names.as_ref(), parts.len(), "coordinate", &what);
        let names: Vec<Name> = parts
            .iter()
            .enumerate()
            .map(|(i, p)| match spec_names {
                Some(list) => list[i].clone(),
                None => name.clone().map_value(|n| join_name(&n, p.suffix)),
            })
            .collect();
        let prescribed = self.prescribed_functions(joint, &kind, &names, &what);
        let mut layout = JointVariables::default();
        let mut declared = Vec::new();
        for (i, (part, variable_name)) in parts.iter().zip(&names).enumerate() {
            let (source, is_declared) = match prescribed[i] {
                Some(value) => self.declare_prescribed_coordinate(part, variable_name, value),
                None => self.declare_free_coordinate(JointId(j), part, variable_name, &what),
            };
            declared.push(is_declared);
            layout.coordinates.push(source);
        }
        self.declare_joint_speeds(
            j,
            &what,
            &kind.form().speed_components(),
            (&parts, &names, &declared),
            &mut layout,
        );
        self.layouts.push(layout);
    }

    /// Names the speeds of a joint and adds the free ones to the mechanism.
    fn declare_joint_speeds(
        &mut self,
        j: usize,
        what: &str,
        speeds: &[SpeedComponent],
        (parts, names, declared): (&[JointComponent], &[Name], &[bool]),
        layout: &mut JointVariables,
    ) {
        let joint = &self.spec.joints[j];
        let free = speeds.iter().filter(|p| match p {
            SpeedComponent::RateOf(c) => matches!(layout.coordinates[*c], VariableSource::Free(_)),
            SpeedComponent::Own(_) => true,
        });
        let count = free.count();
        let spec_names = self.names_if_count_fits(joint.speeds.names.as_ref(), count, "speed", what);
        let mut spec_names = spec_names.map(|g| g.iter());
        for part in speeds {
            if let SpeedComponent::RateOf(c) = part
                && let VariableSource::Prescribed(definition) = layout.coordinates[*c]
            {
                layout.speeds.push(VariableSource::Prescribed(definition));
                continue;
            }
            let (default, dimension, text) = match part {
                SpeedComponent::RateOf(c) => (
                    names[*c].clone().map_value(|n| format!("{n}_dot")),
                    parts[*c].dimension.times(RATE),
                    format!("rate of {}", names[*c].value),
                ),
                SpeedComponent::Own(component) => (
                    joint.name.clone().map_value(|n| join_name(&n, component.suffix)),
                    component.dimension,
                    format!("{} of {what}", component.text),
                ),
            };
            let variable_name = spec_names.as_mut().and_then(|g| g.next()).cloned();
            // If the name of a coordinate was rejected, the name of its rate is not reported as
            // well.
            let blamed =
                variable_name.is_none() && matches!(part, SpeedComponent::RateOf(c) if !declared[*c]);
            let variable_name = variable_name.unwrap_or(default);
            let index = SpeedId(self.speeds.len());
            self.speeds.push(Speed {
                name: variable_name.value.clone(),
                description: text,
                dimension,
                joint: JointId(j),
                start: dqdt_mechanics::mechanism::Formula::ZERO,
            });
            if !blamed {
                self.declare_name(&variable_name, NameMeaning::Speed(index));
            }
            if let SpeedComponent::RateOf(c) = part
                && let VariableSource::Free(c) = layout.coordinates[*c]
            {
                layout.rates.push((c, index));
            }
            layout.speeds.push(VariableSource::Free(index));
        }
    }

    /// Adds a name to the symbol table of formulas; false if it is rejected, which is reported.
    pub(super) fn declare_name(&mut self, name: &Name, meaning: NameMeaning) -> bool {
        match self.names.add_name(name, meaning, &functions::function_names()) {
            Ok(()) => true,
            Err(d) => {
                self.report(*d);
                false
            }
        }
    }

    /// Names that the spec gives to the variables of a joint, if there are exactly `count`;
    /// otherwise reports it.
    fn names_if_count_fits<'n>(
        &mut self,
        names: Option<&'n Spanned<Vec<Name>>>,
        count: usize,
        noun: &str,
        what: &str,
    ) -> Option<&'n Vec<Name>> {
        let names = names?;
        if names.value.len() == count {
            return Some(&names.value);
        }
        self.report_wrong_count(what, noun, count, names.value.len(), "names", names.span);
        None
    }

    pub(super) fn report_wrong_count(
        &mut self,
        what: &str,
        noun: &str,
        count: usize,
        given_count: usize,
        plural: &str,
        span: Option<Span>,
    ) {
        let s = if count == 1 { "" } else { "s" };
        let verb = if given_count == 1 {
            format!("{} is", plural.trim_end_matches('s'))
        } else {
            format!("{plural} are")
        };
        let free = if plural == "names" && noun == "coordinate" { "" } else { "free " };
        self.report(
            Diagnostic::error(
                "wrong-count",
                format!("{what} has {count} {free}{noun}{s}, but {given_count} {verb} given"),
            )
            .at(span, format!("expected {count}")),
        );
    }

    /// For each coordinate of a joint its prescribed function of time, if the spec has one.
    fn prescribed_functions<'n>(
        &mut self,
        joint: &'n Joint,
        kind: &JointKind,
        names: &[Name],
        what: &str,
    ) -> Vec<Option<&'n Value>> {
        let mut out: Vec<Option<&Value>> = vec![None; names.len()];
        for (name, value) in &joint.coordinates.prescribed {
            let index = match name {
                None if names.len() == 1 => Some(0),
                None => {
                    self.report(
                        Diagnostic::error(
                            "wrong-count",
                            format!(
                                "{what} has {} coordinates, but `prescribed` does not name any of them",
                                names.len()
                            ),
                        )
                        .at(value.span, "no coordinate is named")
                        .help(format!(
                            "write prescribed = {{ {} = \"…\" }}",
                            names.first().map_or("name", |n| n.value.as_str())
                        )),
                    );
                    None
                }
                Some(name) => {
                    let position = names.iter().position(|n| n.value == name.value);
                    if position.is_none() {
                        let d = Diagnostic::error(
                            "unknown-name",
                            format!("`prescribed` of {what} names an unknown coordinate `{}`", name.value),
                        )
                        .at(name.span, "not found");
                        let list: Vec<&str> = names.iter().map(|n| n.value.as_str()).collect();
                        self.report(match did_you_mean(&name.value, list.iter().copied()) {
                            Some(near) => d.help(format!("did you mean `{near}`?")),
                            None => d.help(format!("its coordinates: {}", list.join(", "))),
                        });
                    }
                    position
                }
            };
            let Some(i) = index else { continue };
            if kind.form().speed_components().contains(&SpeedComponent::RateOf(i)) {
                out[i] = Some(value);
            } else {
                self.report(
                    Diagnostic::error(
                        "prescribed-without-rate",
                        format!("`{}` of {what} cannot be prescribed: its rate is not a speed", names[i].value),
                    )
                    .at(value.span, "prescribed here")
                    .help("describe the attitude by the angles of a sequence with `kind = \"rates\"`, and express linear speeds in the parent's axes"),
                );
            }
        }
        out
    }
}
