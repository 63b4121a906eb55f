//! Initial values from the spec, and whether assembly must keep them or may change them.

use super::formulas::PermittedNames;
use super::joint_layout::VariableSource;
use super::names::NameMeaning;
use super::{Build, did_you_mean};
use crate::spec::{Joint, Name, Selection, Start, Value};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{CoordinateId, Formula, Given, SpeedId, StartRole, Starts};

/// Selects the initial values of coordinates or those of speeds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VariableKind {
    Coordinates,
    Speeds,
}

impl VariableKind {
    fn noun(self) -> &'static str {
        match self {
            VariableKind::Coordinates => "coordinate",
            VariableKind::Speeds => "speed",
        }
    }
}

/// The free coordinates or the free speeds of one joint, for their initial values.
struct FreeVariables<'a> {
    kind: VariableKind,
    indices: &'a [usize],
    /// True if plain numbers may be angles; false for the components of a quaternion.
    angles: bool,
    /// Name of the joint in messages.
    what: &'a str,
}

impl Build<'_> {
    /// Resolves the initial values of all coordinates and speeds, with their roles in assembly.
    pub(super) fn build_starts(&mut self) {
        self.starts = Starts {
            coordinates: vec![Given::default(); self.coordinates.len()],
            speeds: vec![Given::default(); self.speeds.len()],
        };
        let spec = self.spec;
        for (j, joint) in spec.joints.iter().enumerate() {
            let Some(layout) = self.layouts.get(j).cloned() else { continue };
            let what = &format!("joint `{}`", joint.name.value);
            let coordinates = layout.coordinates.into_iter().filter_map(VariableSource::free_index);
            let coordinates: Vec<usize> = coordinates.map(CoordinateId::index).collect();
            let speeds = layout.speeds.into_iter().filter_map(VariableSource::free_index);
            let speeds: Vec<usize> = speeds.map(SpeedId::index).collect();
            let angles = !joint.coordinates.quaternion;
            let variables =
                FreeVariables { kind: VariableKind::Coordinates, indices: &coordinates, angles, what };
            // The identity quaternion by default; its components are the last coordinates.
            let attitude = coordinates.len().checked_sub(4).filter(|_| joint.coordinates.quaternion);
            if let Some(first) = attitude {
                self.coordinates[coordinates[first]].start = Formula::ONE;
            }
            self.set_joint_starts(&variables, joint.coordinates.start.as_ref(), StartRole::Guess);
            if let Some(first) = attitude {
                self.reset_scalar_part(joint, &coordinates[first..]);
            }
            self.change_start_roles(&variables, &joint.coordinates.hold, StartRole::Kept);
            if let Some(first) = attitude {
                self.check_held_attitude(&joint.coordinates.hold, &coordinates[first..], what);
            }
            let variables =
                FreeVariables { kind: VariableKind::Speeds, indices: &speeds, angles: false, what };
            self.set_joint_starts(&variables, joint.speeds.start.as_ref(), StartRole::Kept);
            self.change_start_roles(&variables, &joint.speeds.free, StartRole::Guess);
        }
    }

    /// Sets the initial values that the spec gives for a joint, with their role in assembly.
    fn set_joint_starts(&mut self, variables: &FreeVariables<'_>, start: Option<&Start>, role: StartRole) {
        match start {
            None => {}
            Some(Start::Listed(list)) if list.value.len() == variables.indices.len() => {
                for (i, value) in variables.indices.iter().zip(&list.value) {
                    self.set_start_value(variables, *i, value, role);
                }
            }
            Some(Start::Listed(list)) => {
                let (count, given_count) = (variables.indices.len(), list.value.len());
                self.report_wrong_count(
                    variables.what,
                    variables.kind.noun(),
                    count,
                    given_count,
                    "starts",
                    list.span,
                );
            }
            Some(Start::Named(entries)) => {
                let names: Vec<&Name> = entries.iter().map(|e| &e.0).collect();
                for (i, (_, value)) in self.find_joint_variables(variables, &names).into_iter().zip(entries) {
                    if let Some(i) = i {
                        self.set_start_value(variables, i, value, role);
                    }
                }
            }
        }
    }

    fn set_start_value(&mut self, variables: &FreeVariables<'_>, i: usize, value: &Value, role: StartRole) {
        let kind = variables.kind;
        let (name, dimension): (&str, Dimension) = match kind {
            VariableKind::Coordinates => (&self.coordinates[i].name, self.coordinates[i].dimension),
            VariableKind::Speeds => (&self.speeds[i].name, self.speeds[i].dimension),
        };
        let text = format!("the initial value of `{name}`");
        let formula = self.resolve_formula(value, &text, PermittedNames::Parameters, Some(dimension));
        if variables.angles && dimension == Dimension::NONE {
            self.warn_degrees(&text, value);
        }
        let start = Given { role, value: 0.0, span: value.span };
        match kind {
            VariableKind::Coordinates => {
                (self.coordinates[i].start, self.starts.coordinates[i]) = (formula, start)
            }
            VariableKind::Speeds => (self.speeds[i].start, self.starts.speeds[i]) = (formula, start),
        }
    }

    /// Warns about an initial angle beyond one turn without a unit, which is probably meant in
    /// degrees.
    fn warn_degrees(&mut self, what: &str, value: &Value) {
        let number = value.text.trim();
        let Some(x) = number.parse::<f64>().ok().filter(|x| x.abs() > std::f64::consts::TAU) else { return };
        self.report(
            Diagnostic::warning(
                "angle-beyond-a-turn",
                format!("{what} is {number} rad, which is more than one full turn"),
            )
            .at(value.span, format!("{:.4} turns", x / std::f64::consts::TAU))
            .help(format!(
                "if you mean degrees, write \"{number} deg\": numbers without a unit are in SI units"
            ))
            .help(format!("if you mean radians, write \"{number} rad\" to suppress this warning")),
        );
    }

    /// Changes the role in assembly of the selected variables, as `hold` and `free` ask. One
    /// without an initial value stays open, unless it is to be kept.
    fn change_start_roles(&mut self, variables: &FreeVariables<'_>, selection: &Selection, role: StartRole) {
        let selected: Vec<(usize, Option<Span>)> = match selection {
            Selection::Whole(false) => return,
            Selection::Whole(true) => variables.indices.iter().map(|i| (*i, None)).collect(),
            Selection::Names(names) => {
                let indices = self.find_joint_variables(variables, &names.iter().collect::<Vec<_>>());
                indices.into_iter().zip(names).filter_map(|(i, n)| Some((i?, n.span))).collect()
            }
        };
        let starts = match variables.kind {
            VariableKind::Coordinates => &mut self.starts.coordinates,
            VariableKind::Speeds => &mut self.starts.speeds,
        };
        for (i, span) in selected {
            let start = &mut starts[i];
            if role == StartRole::Kept || start.role != StartRole::Open {
                start.role = role;
            }
            start.span = start.span.or(span);
        }
    }

    /// Indices of the named coordinates or speeds of a joint. Unknown and repeated names are
    /// reported.
    fn find_joint_variables(&mut self, variables: &FreeVariables<'_>, names: &[&Name]) -> Vec<Option<usize>> {
        let mut out = Vec::new();
        for (k, name) in names.iter().enumerate() {
            if names[..k].iter().any(|n| n.value == name.value) {
                self.report(
                    Diagnostic::error(
                        "duplicate",
                        format!("{} names `{}` twice", variables.what, name.value),
                    )
                    .at(name.span, "again here"),
                );
                out.push(None);
                continue;
            }
            let index = variables.indices.iter().copied().find(|i| match variables.kind {
                VariableKind::Coordinates => self.coordinates[*i].name == name.value,
                VariableKind::Speeds => self.speeds[*i].name == name.value,
            });
            if index.is_none() {
                let d = self.unknown_variable_error(variables, name);
                self.report(d);
            }
            out.push(index);
        }
        out
    }

    fn unknown_variable_error(&self, variables: &FreeVariables<'_>, name: &Name) -> Diagnostic {
        let noun = variables.kind.noun();
        let text = format!("{} has no free {noun} `{}`", variables.what, name.value);
        let d = Diagnostic::error("unknown-name", text);
        let joint = match (variables.kind, self.names.get(&name.value)) {
            (VariableKind::Coordinates, Some(NameMeaning::Coordinate(i))) => {
                self.coordinates.get(i.index()).map(|c| c.joint)
            }
            (VariableKind::Speeds, Some(NameMeaning::Speed(i))) => {
                self.speeds.get(i.index()).map(|v| v.joint)
            }
            _ => None,
        };
        if let Some(joint) = joint.and_then(|j| self.spec.joints.get(j.index())) {
            let at = format!("this is a {noun} of joint `{}`", joint.name.value);
            return d.at(name.span, at).help("move this entry to that joint");
        }
        let known: Vec<&str> = variables
            .indices
            .iter()
            .map(|i| match variables.kind {
                VariableKind::Coordinates => self.coordinates[*i].name.as_str(),
                VariableKind::Speeds => self.speeds[*i].name.as_str(),
            })
            .collect();
        let d = match (self.names.get(&name.value), variables.kind) {
            (Some(NameMeaning::Definition(_)), VariableKind::Coordinates) => {
                return d
                    .at(name.span, "this coordinate is prescribed, so its initial value cannot be set")
                    .help("remove this entry: the prescribed formula at t = 0 determines the initial value");
            }
            (Some(NameMeaning::Speed(_)), VariableKind::Coordinates) => d
                .at(name.span, "a speed")
                .help("name only coordinates: initial values of speeds that are specified are always kept"),
            (Some(NameMeaning::Coordinate(_)), VariableKind::Speeds) => d.at(name.span, "a coordinate"),
            _ => d.at(name.span, "not found"),
        };
        match did_you_mean(&name.value, known.iter().copied()) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => d.help(format!("this joint has no free {noun}s")),
            None => d.help(format!("its {noun}s: {}", known.join(", "))),
        }
    }

    /// Sets the missing components of a quaternion to zero if only some are given by name.
    fn reset_scalar_part(&mut self, joint: &Joint, four: &[usize]) {
        if matches!(joint.coordinates.start, Some(Start::Named(_)))
            && four.iter().any(|i| self.starts.coordinates[*i].role != StartRole::Open)
            && self.starts.coordinates[four[0]].role == StartRole::Open
        {
            self.coordinates[four[0]].start = Formula::ZERO;
        }
    }

    /// Rejects a quaternion of which `hold` keeps only some components: assembly would change the
    /// others, and with them the attitude.
    fn check_held_attitude(&mut self, hold: &Selection, four: &[usize], what: &str) {
        let Selection::Names(names) = hold else { return };
        let (held, others): (Vec<&str>, Vec<&str>) = {
            let names_of = |kept: bool| {
                four.iter()
                    .filter(|i| (self.starts.coordinates[**i].role == StartRole::Kept) == kept)
                    .map(|i| self.coordinates[*i].name.as_str())
                    .collect()
            };
            (names_of(true), names_of(false))
        };
        if held.is_empty() || others.is_empty() {
            return;
        }
        let span = names.iter().find(|n| n.value == held[0]).and_then(|n| n.span);
        let d = Diagnostic::error(
            "quaternion-held-in-part",
            format!("`hold` of {what} names only some components of its quaternion"),
        )
        .at(span, format!("held without `{}`", others.join("`, `")))
        .help("hold all four components or none: together they describe one attitude");
        self.report(d);
    }
}
