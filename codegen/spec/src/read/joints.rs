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

pub(super) fn read_joints(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Joint> {
    let mut out = Vec::new();
    for (name, item) in r.entries_outside_formulas(top, "joints") {
        if let Some(joint) = read_joint(r, name, item) {
            out.push(joint);
        }
    }
    out
}

fn read_joint(r: &mut SpecReader<'_>, name: Name, item: &TomlItem) -> Option<Joint> {
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed_table(item, format!("joint `{}`", name.value), &JOINT, span)?;
    let shape = JOINT.member_shape(word)?;
    // All parts are read before a missing one rejects the joint, so that all errors are reported.
    let parent = r.read_frame(&f, "parent", &keys::FRAME);
    let child = r.read_frame(&f, "child", &keys::FRAME);
    let coordinates = match open_joint_table(r, &f, shape, "coordinates") {
        Some(c) => read_coordinates(r, &c),
        None => Coordinates::default(),
    };
    let speeds = match open_joint_table(r, &f, shape, "speeds") {
        Some(s) => read_speeds(r, &s),
        None => Speeds::default(),
    };
    let armature = if f.allows_key("armature") { r.read_value(&f, "armature") } else { None };
    let rotor = open_joint_table(r, &f, shape, "rotor").map(|i| Rotor {
        span: i.span,
        inertia: r.read_required_value(&i, "inertia"),
        ratio: r.read_required_value(&i, "ratio"),
        on: r.read_reference(&i, "on"),
        axis: i.find_item("axis").is_some().then(|| r.read_axis(&i, "axis")),
    });
    let limits = open_joint_table(r, &f, shape, "limits").map(|i| JointLimits {
        position: r.read_range(&i, "position"),
        speed: r.read_value(&i, "speed"),
        effort: r.read_value(&i, "effort"),
    });
    let limits = limits.unwrap_or_default();
    let kind = read_joint_kind(r, &f, joint_keys(word)?);
    Some(Joint { name, kind, parent: parent?, child: child?, coordinates, speeds, armature, rotor, limits })
}

/// Reads the keys that only this type of joint has: its axes and values such as `pitch`.
fn read_joint_kind(r: &mut SpecReader<'_>, f: &Fields<'_>, keys: &'static JointKeys) -> JointKind {
    let mut kind = JointKind { word: keys.word, axes: Vec::new(), values: Vec::new() };
    for key in keys.own {
        match key.kind {
            Kind::Axis => kind.axes.push(r.read_axis(f, key.name)),
            Kind::Axes => {
                let (first, second) = r.read_axis_pair(f, key.name);
                kind.axes.extend([first, second]);
            }
            _ => kind.values.push((key.name, r.read_required_value(f, key.name))),
        }
    }
    kind
}

/// Opens a table within a joint, such as `coordinates`, whose permitted keys depend on the type of
/// the joint.
fn open_joint_table<'d>(
    r: &mut SpecReader<'_>,
    f: &Fields<'d>,
    shape: &'static TableShape,
    key: &str,
) -> Option<Fields<'d>> {
    let known = shape.key(key)?;
    let item = f.find_item(key)?;
    match known.kind {
        Kind::Table(_) if !matches!(item.data, Data::Table(_)) => {
            let d = r.wrong_type_error(&f.quoted_key_name(key), item, "a table { … }");
            r.report(d.help(format!("write a table, such as `{key} = {}`", known.example)));
            None
        }
        Kind::Table(shape) => {
            r.open_table(item, f.quoted_key_name(key), shape, f.key_span(key).unwrap_or(item.span))
        }
        _ => None,
    }
}

/// Reads the table `coordinates` of a joint.
fn read_coordinates(r: &mut SpecReader<'_>, f: &Fields<'_>) -> Coordinates {
    let attitude = f.allows_key("quaternion");
    let sequence = if attitude { r.read_sequence(f, "sequence") } else { None };
    let quaternion = attitude && r.read_flag(f, "quaternion");
    let measured = if f.allows_key("measured_from") {
        r.read_word(f, "measured_from", &["parent", "ground"])
    } else {
        None
    };
    if quaternion && sequence.is_some() {
        r.report(
            Diagnostic::error(
                "conflict",
                format!("{} sets both `sequence` and `quaternion`", f.name_in_messages),
            )
            .at(f.key_span("quaternion"), "either this")
            .also(f.key_span("sequence"), "or this")
            .help("remove one of the two keys: an attitude is described either by three angles or by a quaternion"),
        );
    }
    Coordinates {
        span: Some(f.span),
        names: r.read_names(f, "names"),
        start: read_start(r, f),
        prescribed: read_prescribed(r, f),
        sequence,
        quaternion,
        hold: read_selection(r, f, "hold"),
        from_ground: measured.map(|w| w.map_value(|w| w == "ground")),
    }
}

/// Reads the key `prescribed`: formulas of the motion of some coordinates.
fn read_prescribed(r: &mut SpecReader<'_>, f: &Fields<'_>) -> Vec<(Option<Name>, Value)> {
    let Some(item) = f.find_item("prescribed") else { return Vec::new() };
    let what = f.quoted_key_name("prescribed");
    match &item.data {
        Data::Table(t) => {
            t.0.iter().map(|(name, item)| (Some(name.clone()), r.parse_value(item, &what))).collect()
        }
        _ => vec![(None, r.parse_value(item, &what))],
    }
}

/// Reads the initial values of coordinates or speeds: `start = [ … ]` or `start = { name = … }`.
fn read_start(r: &mut SpecReader<'_>, f: &Fields<'_>) -> Option<Start> {
    let what = f.quoted_key_name("start");
    match &f.find_item("start")?.data {
        Data::Table(t) => {
            let entries = t.0.iter().map(|(name, item)| (name.clone(), r.parse_value(item, &what)));
            Some(Start::Named(entries.collect()))
        }
        Data::Array(_) => r.read_values(f, "start").map(Start::Listed),
        _ => {
            let item = f.find_item("start")?;
            r.report_wrong_type(
                &what,
                item,
                "a list [ … ] of all values, or a table { name = … } of some of them",
            );
            None
        }
    }
}

/// Reads a selection of coordinates or speeds, as under `hold`: `true`, `false` or a list of names.
fn read_selection(r: &mut SpecReader<'_>, f: &Fields<'_>, key: &str) -> Selection {
    match f.find_item(key).map(|item| (item, &item.data)) {
        None => Selection::default(),
        Some((_, Data::Flag(all))) => Selection::Whole(*all),
        Some((_, Data::Array(_))) => {
            r.read_names(f, key).map_or_else(Selection::default, |names| Selection::Names(names.value))
        }
        Some((item, _)) => {
            r.report_wrong_type(&f.quoted_key_name(key), item, "`true`, `false` or a list of names [\"…\"]");
            Selection::default()
        }
    }
}

/// Reads the table `speeds` of a joint.
fn read_speeds(r: &mut SpecReader<'_>, f: &Fields<'_>) -> Speeds {
    let words = SpeedKind::WORDS.map(|(word, _)| word);
    let kind = if f.allows_key("kind") { r.read_word(f, "kind", &words) } else { None };

    let frame = if f.allows_key("velocity_frame") {
        r.read_word(f, "velocity_frame", &["parent", "body"])
    } else {
        None
    };
    Speeds {
        names: r.read_names(f, "names"),
        start: read_start(r, f),
        free: read_selection(r, f, "free"),
        kind: kind.and_then(|word| {
            let (_, kind) = SpeedKind::WORDS.iter().find(|(w, _)| *w == word.value)?;
            Some(Spanned { value: *kind, span: word.span })
        }),
        body_velocity: frame.is_some_and(|w| w.value == "body"),
    }
}
