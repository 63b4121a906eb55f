//! Initial values from the spec, and whether assembly must keep them or may change them.

use super::formulas::May;
use super::joint_layout::Source;
use super::names::Meaning;
use super::{Build, did_you_mean};
use crate::spec::{Joint, Name, Selection, Start, Value};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{CoordinateId, Formula, Given, SpeedId, StartRole, Starts};

/// Selects whether initial values are those of coordinates or of speeds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Coordinates,
    Speeds,
}

impl Of {
    fn noun(self) -> &'static str {
        match self {
            Of::Coordinates => "coordinate",
            Of::Speeds => "speed",
        }
    }
}

/// The free coordinates or the free speeds of one joint.
struct Own<'a> {
    of: Of,
    indices: &'a [usize],
    /// True if plain numbers may be angles; false for a quaternion.
    angles: bool,
    /// Name of the joint in messages.
    what: &'a str,
}

impl Build<'_> {
    /// Resolves the initial values of all coordinates and speeds.
    pub(super) fn build_starts(&mut self) {
        self.starts = Starts {
            coordinates: vec![Given::default(); self.coordinates.len()],
            speeds: vec![Given::default(); self.speeds.len()],
        };
        let spec = self.spec;
        for (j, joint) in spec.joints.iter().enumerate() {
            let Some(layout) = self.layouts.get(j).cloned() else { continue };
            let what = &format!("joint `{}`", joint.name.value);
            let coordinates = layout.coordinates.into_iter().filter_map(Source::free);
            let coordinates: Vec<usize> = coordinates.map(CoordinateId::index).collect();
            let speeds = layout.speeds.into_iter().filter_map(Source::free);
            let speeds: Vec<usize> = speeds.map(SpeedId::index).collect();
            let angles = !joint.coordinates.quaternion;
            let own = Own { of: Of::Coordinates, indices: &coordinates, angles, what };
            // The identity quaternion by default; its components are the last coordinates.
            let attitude = coordinates.len().checked_sub(4).filter(|_| joint.coordinates.quaternion);
            if let Some(first) = attitude {
                self.coordinates[coordinates[first]].start = Formula::ONE;
            }
            self.given(&own, joint.coordinates.start.as_ref(), StartRole::Guess);
            if let Some(first) = attitude {
                self.named_attitude(joint, &coordinates[first..]);
            }
            self.select(&own, &joint.coordinates.hold, StartRole::Kept);
            if let Some(first) = attitude {
                self.check_held_attitude(&joint.coordinates.hold, &coordinates[first..], what);
            }
            let own = Own { of: Of::Speeds, indices: &speeds, angles: false, what };
            self.given(&own, joint.speeds.start.as_ref(), StartRole::Kept);
            self.select(&own, &joint.speeds.free, StartRole::Guess);
        }
    }

    /// Sets the initial values in the spec, with their role in assembly.
    fn given(&mut self, own: &Own<'_>, start: Option<&Start>, role: StartRole) {
        match start {
            None => {}
            Some(Start::Listed(list)) if list.value.len() == own.indices.len() => {
                for (i, value) in own.indices.iter().zip(&list.value) {
                    self.set(own, *i, value, role);
                }
            }
            Some(Start::Listed(list)) => {
                let (count, given) = (own.indices.len(), list.value.len());
                self.count_error(own.what, own.of.noun(), count, given, "starts", list.span);
            }
            Some(Start::Named(entries)) => {
                let names: Vec<&Name> = entries.iter().map(|e| &e.0).collect();
                for (i, (_, value)) in self.find_own(own, &names).into_iter().zip(entries) {
                    if let Some(i) = i {
                        self.set(own, i, value, role);
                    }
                }
            }
        }
    }

    fn set(&mut self, own: &Own<'_>, i: usize, value: &Value, role: StartRole) {
        let of = own.of;
        let (name, dimension): (&str, Dimension) = match of {
            Of::Coordinates => (&self.coordinates[i].name, self.coordinates[i].dimension),
            Of::Speeds => (&self.speeds[i].name, self.speeds[i].dimension),
        };
        let text = format!("the start of `{name}`");
        let formula = self.formula(value, &text, May::Parameters, Some(dimension));
        if own.angles && dimension == Dimension::NONE {
            self.warn_degrees(&text, value);
        }
        let given = Given { role, value: 0.0, span: value.span };
        match of {
            Of::Coordinates => (self.coordinates[i].start, self.starts.coordinates[i]) = (formula, given),
            Of::Speeds => (self.speeds[i].start, self.starts.speeds[i]) = (formula, given),
        }
    }

    /// Warns about an angle beyond one turn without a unit, which is probably meant in degrees.
    fn warn_degrees(&mut self, what: &str, value: &Value) {
        let number = value.text.trim();
        let Some(x) = number.parse::<f64>().ok().filter(|x| x.abs() > std::f64::consts::TAU) else { return };
        self.report(
            Diagnostic::warning("angle-beyond-a-turn", format!("{what} is {number} rad, more than a turn"))
                .at(value.span, format!("{:.4} turns", x / std::f64::consts::TAU))
                .help(format!(
                    "numbers without a unit are in SI: write \"{number} deg\" if degrees are meant"
                ))
                .help(format!("write \"{number} rad\" if radians are: then nothing is said")),
        );
    }

    /// Changes the role of the selected components. One without an initial value stays open, unless
    /// it is to be kept.
    fn select(&mut self, own: &Own<'_>, selection: &Selection, role: StartRole) {
        let chosen: Vec<(usize, Option<Span>)> = match selection {
            Selection::Whole(false) => return,
            Selection::Whole(true) => own.indices.iter().map(|i| (*i, None)).collect(),
            Selection::Names(names) => {
                let found = self.find_own(own, &names.iter().collect::<Vec<_>>());
                found.into_iter().zip(names).filter_map(|(i, n)| Some((i?, n.span))).collect()
            }
        };
        let starts = match own.of {
            Of::Coordinates => &mut self.starts.coordinates,
            Of::Speeds => &mut self.starts.speeds,
        };
        for (i, span) in chosen {
            let start = &mut starts[i];
            if role == StartRole::Kept || start.role != StartRole::Open {
                start.role = role;
            }
            start.span = start.span.or(span);
        }
    }

    /// Indices of the named coordinates or speeds of a joint. Unknown and repeated names are
    /// reported.
    fn find_own(&mut self, own: &Own<'_>, names: &[&Name]) -> Vec<Option<usize>> {
        let mut out = Vec::new();
        for (k, name) in names.iter().enumerate() {
            if names[..k].iter().any(|n| n.value == name.value) {
                self.report(
                    Diagnostic::error("duplicate", format!("{} names `{}` twice", own.what, name.value))
                        .at(name.span, "again here"),
                );
                out.push(None);
                continue;
            }
            let is = |i: &usize| match own.of {
                Of::Coordinates => self.coordinates[*i].name == name.value,
                Of::Speeds => self.speeds[*i].name == name.value,
            };
            let found = own.indices.iter().copied().find(is);
            if found.is_none() {
                let d = self.not_own(own, name);
                self.report(d);
            }
            out.push(found);
        }
        out
    }

    fn not_own(&self, own: &Own<'_>, name: &Name) -> Diagnostic {
        let noun = own.of.noun();
        let text = format!("{} has no free {noun} `{}`", own.what, name.value);
        let d = Diagnostic::error("unknown-name", text);
        let joint = match (own.of, self.names.get(&name.value)) {
            (Of::Coordinates, Some(Meaning::Coordinate(i))) => {
                self.coordinates.get(i.index()).map(|c| c.joint)
            }
            (Of::Speeds, Some(Meaning::Speed(i))) => self.speeds.get(i.index()).map(|v| v.joint),
            _ => None,
        };
        if let Some(joint) = joint.and_then(|j| self.spec.joints.get(j.index())) {
            let at = format!("a {noun} of joint `{}`", joint.name.value);
            return d.at(name.span, at).help("say it in that joint");
        }
        let known: Vec<&str> = own
            .indices
            .iter()
            .map(|i| match own.of {
                Of::Coordinates => self.coordinates[*i].name.as_str(),
                Of::Speeds => self.speeds[*i].name.as_str(),
            })
            .collect();
        let d = match (self.names.get(&name.value), own.of) {
            (Some(Meaning::Definition(_)), Of::Coordinates) => {
                return d
                    .at(name.span, "prescribed: it has no start")
                    .help("its formula at t = 0 is its start");
            }
            (Some(Meaning::Speed(_)), Of::Coordinates) => d
                .at(name.span, "a speed")
                .help("coordinates are held; the start of a speed is kept wherever it is given"),
            (Some(Meaning::Coordinate(_)), Of::Speeds) => d.at(name.span, "a coordinate"),
            _ => d.at(name.span, "not found"),
        };
        match did_you_mean(&name.value, known.iter().copied()) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => d.help(format!("it has no free {noun}s")),
            None => d.help(format!("its {noun}s: {}", known.join(", "))),
        }
    }

    /// If only some components of a quaternion are given by name, the others are zero.
    fn named_attitude(&mut self, joint: &Joint, four: &[usize]) {
        if matches!(joint.coordinates.start, Some(Start::Named(_)))
            && four.iter().any(|i| self.starts.coordinates[*i].role != StartRole::Open)
            && self.starts.coordinates[four[0]].role == StartRole::Open
        {
            self.coordinates[four[0]].start = Formula::ZERO;
        }
    }

    /// Rejects a quaternion of which only some components are kept: assembly would change the
    /// others, and with them the attitude.
    fn check_held_attitude(&mut self, hold: &Selection, four: &[usize], what: &str) {
        let Selection::Names(names) = hold else { return };
        let (held, others): (Vec<&str>, Vec<&str>) = {
            let of = |kept: bool| {
                let same = |i: &&usize| (self.starts.coordinates[**i].role == StartRole::Kept) == kept;
                four.iter().filter(same).map(|i| self.coordinates[*i].name.as_str()).collect()
            };
            (of(true), of(false))
        };
        if held.is_empty() || others.is_empty() {
            return;
        }
        let span = names.iter().find(|n| n.value == held[0]).and_then(|n| n.span);
        let d =
            Diagnostic::error("quaternion-held-in-part", format!("{what} holds a part of its quaternion"))
                .at(span, format!("held without `{}`", others.join("`, `")))
                .help("the four components mean one attitude: hold all of them or none");
        self.report(d);
    }
}
