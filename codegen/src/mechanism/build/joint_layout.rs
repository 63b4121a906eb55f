//! Which coordinates and speeds a joint has, what they are called, and which of them are prescribed.

use super::super::model::{Attitude, Coordinate, Speed, SpeedKind, VelocityFrame};
use super::names::Meaning;
use super::{Build, functions};
use crate::algebra::{Axis, Dimension};
use crate::base::{Span, Spanned};
use crate::error::Diagnostic;
use crate::spec::{Joint, JointKind, Name, Value, did_you_mean};

/// Where the value of a slot comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// Position in the mechanism's list.
    Free(usize),
    /// Position among the definitions.
    Prescribed(usize),
}

/// The slots of a joint.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub coordinates: Vec<Source>,
    pub speeds: Vec<Source>,
    /// Coordinates of the mechanism whose rate is a speed of the mechanism, with that speed.
    pub rates: Vec<(usize, usize)>,
}

/// A coordinate or speed of a kind of joint: suffix of its default name, dimension, what it is.
type Part = (&'static str, Dimension, &'static str);

const RATE: Dimension = Dimension([0, 0, -1, 0, 0]);
const ANGLE: Dimension = Dimension::NONE;
const LENGTH: Dimension = Dimension::LENGTH;

/// How the attitude of a spherical or free joint is written.
pub(super) fn attitude(joint: &Joint) -> Attitude {
    if joint.coordinates.quaternion {
        return Attitude::Quaternion;
    }
    let xyz = [Axis::X, Axis::Y, Axis::Z];
    Attitude::Sequence(joint.coordinates.sequence.as_ref().map_or(xyz, |s| s.value))
}

/// What the angular speeds of a spherical or free joint are.
pub(super) fn speed_kind(joint: &Joint) -> SpeedKind {
    let default = joint.coordinates.quaternion;
    if joint.speeds.body_rates.as_ref().map_or(default, |s| s.value) {
        SpeedKind::BodyRates
    } else {
        SpeedKind::Rates
    }
}

pub(super) fn velocity_frame(joint: &Joint) -> VelocityFrame {
    if joint.speeds.body_velocity { VelocityFrame::Body } else { VelocityFrame::Parent }
}

fn coordinate_parts(joint: &Joint) -> Vec<Part> {
    const POSITION: [Part; 3] = [
        ("x", LENGTH, "displacement along x"),
        ("y", LENGTH, "displacement along y"),
        ("z", LENGTH, "displacement along z"),
    ];
    let mut parts: Vec<Part> = match joint.kind {
        JointKind::Fixed => vec![],
        JointKind::Revolute(_) | JointKind::Helical(..) => vec![("", ANGLE, "angle")],
        JointKind::Prismatic(_) => vec![("", LENGTH, "displacement")],
        JointKind::Cylindrical(_) => vec![("angle", ANGLE, "angle"), ("slide", LENGTH, "displacement")],
        JointKind::Universal(..) => vec![("1", ANGLE, "first angle"), ("2", ANGLE, "second angle")],
        JointKind::Planar(..) => vec![
            ("x", LENGTH, "displacement along the first axis"),
            ("y", LENGTH, "displacement along the second axis"),
            ("angle", ANGLE, "angle"),
        ],
        JointKind::Direction => vec![("azimuth", ANGLE, "azimuth"), ("elevation", ANGLE, "elevation")],
        JointKind::Spherical => vec![],
        JointKind::Free => POSITION.to_vec(),
    };
    if matches!(joint.kind, JointKind::Spherical | JointKind::Free) {
        if joint.coordinates.quaternion {
            parts.extend([
                ("qw", ANGLE, "quaternion, scalar part"),
                ("qx", ANGLE, "quaternion, x"),
                ("qy", ANGLE, "quaternion, y"),
                ("qz", ANGLE, "quaternion, z"),
            ]);
        } else {
            parts.extend([
                ("1", ANGLE, "first angle"),
                ("2", ANGLE, "second angle"),
                ("3", ANGLE, "third angle"),
            ]);
        }
    }
    parts
}

/// A speed: the rate of a coordinate of the joint, or a part with a name of its own.
#[derive(Clone, Copy)]
enum SpeedPart {
    RateOf(usize),
    Own(Part),
}

fn speed_parts(joint: &Joint, coordinates: usize) -> Vec<SpeedPart> {
    const OMEGA: [SpeedPart; 3] = [
        SpeedPart::Own(("omega_x", RATE, "angular velocity about x")),
        SpeedPart::Own(("omega_y", RATE, "angular velocity about y")),
        SpeedPart::Own(("omega_z", RATE, "angular velocity about z")),
    ];
    const LINEAR: [SpeedPart; 3] = [
        SpeedPart::Own(("vx", Dimension::VELOCITY, "velocity along the body's x")),
        SpeedPart::Own(("vy", Dimension::VELOCITY, "velocity along the body's y")),
        SpeedPart::Own(("vz", Dimension::VELOCITY, "velocity along the body's z")),
    ];
    let attitude = || speed_kind(joint) == SpeedKind::BodyRates;
    match joint.kind {
        JointKind::Spherical if attitude() => OMEGA.to_vec(),
        JointKind::Free => {
            let mut parts: Vec<SpeedPart> = if joint.speeds.body_velocity {
                LINEAR.to_vec()
            } else {
                (0..3).map(SpeedPart::RateOf).collect()
            };
            parts.extend(if attitude() { OMEGA.to_vec() } else { (3..6).map(SpeedPart::RateOf).collect() });
            parts
        }
        _ => (0..coordinates).map(SpeedPart::RateOf).collect(),
    }
}

fn join(joint: &str, suffix: &str) -> String {
    if suffix.is_empty() { joint.to_owned() } else { format!("{joint}_{suffix}") }
}

impl Build<'_> {
    /// Gives the coordinates and speeds of a joint their names and places.
    pub(super) fn declare_joint(&mut self, j: usize) {
        let spec = self.spec;
        let joint = &spec.joints[j];
        let name = &joint.name;
        let what = format!("joint `{}`", name.value);
        let parts = coordinate_parts(joint);
        if joint.coordinates.quaternion && joint.speeds.body_rates.as_ref().is_some_and(|s| !s.value) {
            self.report(
                Diagnostic::error(
                    "quaternion-rates",
                    format!("{what} has a quaternion, whose rates cannot be speeds"),
                )
                .at(
                    joint.speeds.body_rates.as_ref().and_then(|s| s.span),
                    "a quaternion has four rates, not three",
                )
                .help("leave `kind` out: the speeds are then the angular velocity in child axes"),
            );
        }
        let given = self.given_names(joint.coordinates.names.as_ref(), parts.len(), "coordinate", &what);
        let names: Vec<Name> = parts
            .iter()
            .enumerate()
            .map(|(i, p)| match given {
                Some(list) => list[i].clone(),
                None => name.clone().map(|n| join(&n, p.0)),
            })
            .collect();
        let prescribed = self.prescribed(joint, &names, &what);
        let mut layout = Layout::default();
        for (i, (part, own)) in parts.iter().zip(&names).enumerate() {
            let source = match &prescribed[i] {
                Some(value) => {
                    let index = self.definition_sources.len();
                    self.definition_sources.push(super::Definition {
                        name: own.clone(),
                        value: (*value).clone(),
                        prescribes: Some(part.1),
                    });
                    self.declare_name(own, Meaning::Definition(index));
                    Source::Prescribed(index)
                }
                None => {
                    let index = self.coordinates.len();
                    self.coordinates.push(Coordinate {
                        name: own.value.clone(),
                        description: format!("{} of {what}", part.2),
                        dimension: part.1,
                        joint: j,
                        start: super::super::formula::Formula::ZERO,
                    });
                    self.declare_name(own, Meaning::Coordinate(index));
                    Source::Free(index)
                }
            };
            layout.coordinates.push(source);
        }
        self.declare_speeds(j, &what, &parts, &names, &mut layout);
        self.layouts.push(layout);
    }

    fn declare_speeds(&mut self, j: usize, what: &str, parts: &[Part], names: &[Name], layout: &mut Layout) {
        let joint = &self.spec.joints[j];
        let speeds = speed_parts(joint, parts.len());
        let free = |p: &SpeedPart| match p {
            SpeedPart::RateOf(c) => matches!(layout.coordinates[*c], Source::Free(_)),
            SpeedPart::Own(_) => true,
        };
        let count = speeds.iter().filter(|p| free(p)).count();
        let given = self.given_names(joint.speeds.names.as_ref(), count, "speed", what);
        let mut given = given.map(|g| g.iter());
        for part in &speeds {
            if let SpeedPart::RateOf(c) = part
                && let source @ Source::Prescribed(_) = layout.coordinates[*c]
            {
                layout.speeds.push(source);
                continue;
            }
            let (default, dimension, text) = match part {
                SpeedPart::RateOf(c) => (
                    names[*c].clone().map(|n| format!("{n}_dot")),
                    parts[*c].1.times(RATE),
                    format!("rate of {}", names[*c].value),
                ),
                SpeedPart::Own((suffix, d, text)) => {
                    (joint.name.clone().map(|n| join(&n, suffix)), *d, format!("{text} of {what}"))
                }
            };
            let own = given.as_mut().and_then(|g| g.next()).cloned().unwrap_or(default);
            let index = self.speeds.len();
            self.speeds.push(Speed {
                name: own.value.clone(),
                description: text,
                dimension,
                joint: j,
                start: super::super::formula::Formula::ZERO,
            });
            self.declare_name(&own, Meaning::Speed(index));
            if let SpeedPart::RateOf(c) = part
                && let Source::Free(c) = layout.coordinates[*c]
            {
                layout.rates.push((c, index));
            }
            layout.speeds.push(Source::Free(index));
        }
    }

    pub(super) fn declare_name(&mut self, name: &Name, meaning: Meaning) {
        if let Err(d) = self.names.add(name, meaning, &functions::names()) {
            self.report(d);
        }
    }

    /// The names that the spec gives, if there are as many as needed.
    fn given_names<'n>(
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
        self.count_error(what, noun, count, names.value.len(), "names", names.span);
        None
    }

    pub(super) fn count_error(
        &mut self,
        what: &str,
        noun: &str,
        count: usize,
        given: usize,
        of: &str,
        span: Option<Span>,
    ) {
        let s = if count == 1 { "" } else { "s" };
        let free = if of == "names" && noun == "coordinate" { "" } else { "free " };
        self.report(
            Diagnostic::error(
                "wrong-count",
                format!("{what} has {count} {free}{noun}{s}, but {given} {of} are given"),
            )
            .at(span, format!("expected {count}")),
        );
    }

    /// The formula that moves each coordinate, if one does.
    fn prescribed<'n>(&mut self, joint: &'n Joint, names: &[Name], what: &str) -> Vec<Option<&'n Value>> {
        let mut out: Vec<Option<&Value>> = vec![None; names.len()];
        for (name, value) in &joint.coordinates.prescribed {
            let index = match name {
                None if names.len() == 1 => Some(0),
                None => {
                    self.report(
                        Diagnostic::error(
                            "wrong-count",
                            format!("{what} has {} coordinates; say which is prescribed", names.len()),
                        )
                        .at(value.span, "for which coordinate?")
                        .help(format!(
                            "write prescribed = {{ {} = \"…\" }}",
                            names.first().map_or("name", |n| n.value.as_str())
                        )),
                    );
                    None
                }
                Some(name) => {
                    let found = names.iter().position(|n| n.value == name.value);
                    if found.is_none() {
                        let d = Diagnostic::error(
                            "unknown-name",
                            format!("{what} has no coordinate `{}`", name.value),
                        )
                        .at(name.span, "not found");
                        let list: Vec<&str> = names.iter().map(|n| n.value.as_str()).collect();
                        self.report(match did_you_mean(&name.value, list.iter().copied()) {
                            Some(near) => d.help(format!("did you mean `{near}`?")),
                            None => d.help(format!("its coordinates: {}", list.join(", "))),
                        });
                    }
                    found
                }
            };
            let Some(i) = index else { continue };
            let linear = matches!(joint.kind, JointKind::Free) && i < 3;
            let rates = match joint.kind {
                JointKind::Spherical => speed_kind(joint) == SpeedKind::Rates,
                JointKind::Free if linear => velocity_frame(joint) == VelocityFrame::Parent,
                JointKind::Free => speed_kind(joint) == SpeedKind::Rates,
                _ => true,
            };
            if rates {
                out[i] = Some(value);
            } else {
                self.report(
                    Diagnostic::error(
                        "prescribed-without-rate",
                        format!("`{}` of {what} cannot be prescribed: its rate is not a speed", names[i].value),
                    )
                    .at(value.span, "prescribed here")
                    .help("use angles of a sequence with `kind = \"rates\"`, and linear speeds in the parent's axes"),
                );
            }
        }
        out
    }
}
