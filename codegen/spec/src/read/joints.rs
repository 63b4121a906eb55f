//! Reads joints.

use super::fields::{Fields, SpecReader};
use crate::read::document::{Data, TomlItem};
use crate::spec::joint_keys::{JOINT, JointKeys, joint_keys};
use crate::spec::key::{Kind, TableShape};
use crate::spec::keys;
use crate::spec::{Coordinates, Joint, JointKind, JointLimits, Name, Rotor, Selection, Speeds, Start, Value};
use dqdt_diagnostics::base::Spanned;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::SpeedKind;

pub(super) fn joints(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Joint> {
    let mut out = Vec::new();
    for (name, item) in r.named_outside_formulas(top, "joints") {
        if let Some(joint) = joint(r, name, item) {
            out.push(joint);
        }
    }
    out
}

fn joint(r: &mut SpecReader<'_>, name: Name, item: &TomlItem) -> Option<Joint> {
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed(item, format!("joint `{}`", name.value), &JOINT, span)?;
    let shape = JOINT.member(word)?;
    // All parts are read before a missing one rejects the joint, so that all errors are reported.
    let parent = r.frame(&f, "parent", &keys::FRAME);
    let child = r.frame(&f, "child", &keys::FRAME);
    let coordinates = match inner(r, &f, shape, "coordinates") {
        Some(c) => coordinates(r, &c),
        None => Coordinates::default(),
    };
    let speeds = match inner(r, &f, shape, "speeds") {
        Some(s) => speeds(r, &s),
        None => Speeds::default(),
    };
    let armature = if f.allows("armature") { r.value(&f, "armature") } else { None };
    let rotor = inner(r, &f, shape, "rotor").map(|i| Rotor {
        span: i.span,
        inertia: r.needed(&i, "inertia"),
        ratio: r.needed(&i, "ratio"),
        on: r.reference(&i, "on"),
        axis: i.item("axis").is_some().then(|| r.axis(&i, "axis")),
    });
    let limits = inner(r, &f, shape, "limits").map(|i| JointLimits {
        position: r.pair(&i, "position"),
        speed: r.value(&i, "speed"),
        effort: r.value(&i, "effort"),
    });
    let limits = limits.unwrap_or_default();
    let kind = kind(r, &f, joint_keys(word)?);
    Some(Joint { name, kind, parent: parent?, child: child?, coordinates, speeds, armature, rotor, limits })
}

/// Reads the keys that only this type of joint has: its axes and values such as `pitch`.
fn kind(r: &mut SpecReader<'_>, f: &Fields<'_>, keys: &'static JointKeys) -> JointKind {
    let mut kind = JointKind { word: keys.word, axes: Vec::new(), values: Vec::new() };
    for key in keys.own {
        match key.kind {
            Kind::Axis => kind.axes.push(r.axis(f, key.name)),
            Kind::Axes => {
                let (first, second) = r.axes(f, key.name);
                kind.axes.extend([first, second]);
            }
            _ => kind.values.push((key.name, r.needed(f, key.name))),
        }
    }
    kind
}

/// Opens a table within a joint, such as `coordinates`, whose permitted keys depend on the type of
/// the joint.
fn inner<'d>(
    r: &mut SpecReader<'_>,
    f: &Fields<'d>,
    shape: &'static TableShape,
    key: &str,
) -> Option<Fields<'d>> {
    let known = shape.key(key)?;
    let item = f.item(key)?;
    match known.kind {
        Kind::Table(_) if !matches!(item.data, Data::Table(_)) => {
            let d = r.of_wrong_type(&f.key_name(key), item, "a table { … }");
            r.report(d.help(format!("such as `{key} = {}`", known.example)));
            None
        }
        Kind::Table(shape) => r.open(item, f.key_name(key), shape, f.key_span(key).unwrap_or(item.span)),
        _ => None,
    }
}

/// Reads the table `coordinates` of a joint.
fn coordinates(r: &mut SpecReader<'_>, f: &Fields<'_>) -> Coordinates {
    let attitude = f.allows("quaternion");
    let sequence = if attitude { r.sequence(f, "sequence") } else { None };
    let quaternion = attitude && r.flag(f, "quaternion");
    let measured =
        if f.allows("measured_from") { r.word(f, "measured_from", &["parent", "ground"]) } else { None };
    if quaternion && sequence.is_some() {
        r.report(
            Diagnostic::error("conflict", format!("{} has both a sequence and a quaternion", f.what))
                .at(f.key_span("quaternion"), "either this")
                .also(f.key_span("sequence"), "or this")
                .help(
                    "remove one of them: an attitude is described either by three angles or by a quaternion",
                ),
        );
    }
    Coordinates {
        span: Some(f.span),
        names: r.names(f, "names"),
        start: start(r, f),
        prescribed: prescribed(r, f),
        sequence,
        quaternion,
        hold: selection(r, f, "hold"),
        from_ground: measured.map(|w| w.map(|w| w == "ground")),
    }
}

/// Reads the key `prescribed`: formulas of the motion of some coordinates.
fn prescribed(r: &mut SpecReader<'_>, f: &Fields<'_>) -> Vec<(Option<Name>, Value)> {
    let Some(item) = f.item("prescribed") else { return Vec::new() };
    let what = f.key_name("prescribed");
    match &item.data {
        Data::Table(t) => {
            t.0.iter().map(|(name, item)| (Some(name.clone()), r.value_of(item, &what))).collect()
        }
        _ => vec![(None, r.value_of(item, &what))],
    }
}

/// Reads the initial values of coordinates or speeds: `start = [ … ]` or `start = { name = … }`.
fn start(r: &mut SpecReader<'_>, f: &Fields<'_>) -> Option<Start> {
    let what = f.key_name("start");
    match &f.item("start")?.data {
        Data::Table(t) => {
            let entries = t.0.iter().map(|(name, item)| (name.clone(), r.value_of(item, &what)));
            Some(Start::Named(entries.collect()))
        }
        Data::Array(_) => r.values(f, "start").map(Start::Listed),
        _ => {
            let item = f.item("start")?;
            r.wrong_type(&what, item, "a list [ … ], or a table { name = … } for some of them");
            None
        }
    }
}

/// Reads a selection of coordinates or speeds, as under `hold`: `true`, `false` or a list of names.
fn selection(r: &mut SpecReader<'_>, f: &Fields<'_>, key: &str) -> Selection {
    match f.item(key).map(|item| (item, &item.data)) {
        None => Selection::default(),
        Some((_, Data::Flag(all))) => Selection::Whole(*all),
        Some((_, Data::Array(_))) => {
            r.names(f, key).map_or_else(Selection::default, |names| Selection::Names(names.value))
        }
        Some((item, _)) => {
            r.wrong_type(&f.key_name(key), item, "`true`, `false` or a list of names [\"…\"]");
            Selection::default()
        }
    }
}

/// Reads the table `speeds` of a joint.
fn speeds(r: &mut SpecReader<'_>, f: &Fields<'_>) -> Speeds {
    let words = SpeedKind::WORDS.map(|(word, _)| word);
    let kind = if f.allows("kind") { r.word(f, "kind", &words) } else { None };

    let frame =
        if f.allows("velocity_frame") { r.word(f, "velocity_frame", &["parent", "body"]) } else { None };
    Speeds {
        names: r.names(f, "names"),
        start: start(r, f),
        free: selection(r, f, "free"),
        kind: kind.and_then(|word| {
            let (_, kind) = SpeedKind::WORDS.iter().find(|(w, _)| *w == word.value)?;
            Some(Spanned { value: *kind, span: word.span })
        }),
        body_velocity: frame.is_some_and(|w| w.value == "body"),
    }
}
