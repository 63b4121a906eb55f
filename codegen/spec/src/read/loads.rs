//! Loads and outputs.

use super::fields::{Fields, Reader};
use crate::read::document::{Data, Item};
use crate::spec::key::Kind;
use crate::spec::keys::{FRAME, SPOT};
use crate::spec::load_keys::{LOAD, LoadKeys, load_keys};
use crate::spec::output_keys::{OUTPUT, OutputKeys, output_keys};
use crate::spec::{Load, LoadKind, Output, OutputKind, Target};
use crate::spec::{Name, Value};
use dqdt_diagnostics::error::Diagnostic;

pub(super) fn loads(r: &mut Reader<'_>, top: &Fields<'_>) -> Vec<Load> {
    let mut out = Vec::new();
    for (name, item) in r.entries(top, "loads") {
        if let Some(kind) = load(r, &name, item) {
            out.push(Load { name, kind });
        }
    }
    out
}

fn load(r: &mut Reader<'_>, name: &Name, item: &Item) -> Option<LoadKind> {
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed(item, format!("load `{}`", name.value), &LOAD, span)?;
    kind(r, &f, load_keys(word)?)
}

/// What only loads of this type have. All of it is read before a part can end the load, so that all
/// errors are found.
fn kind(r: &mut Reader<'_>, f: &Fields<'_>, keys: &'static LoadKeys) -> Option<LoadKind> {
    let mut kind = LoadKind {
        kind: keys.kind,
        body: None,
        at: None,
        vector: None,
        frame: None,
        reaction: None,
        from: None,
        to: None,
        target: None,
        values: Vec::new(),
    };
    let mut whole = true;
    for key in keys.own {
        match (key.kind, key.name) {
            (Kind::Name, "body") => kind.body = r.reference(f, key.name),
            (Kind::Name, "reaction") => kind.reaction = r.reference(f, key.name),
            // Read below, together.
            (Kind::Name, name) if name == "joint" || keys.target == Some(name) => {}
            (Kind::Point, _) => kind.at = r.location(f, key.name),
            (Kind::Triple, _) => {
                let vector = r.triple(f, key.name);
                let broken = || std::array::from_fn(|_| Value::broken(Some(f.span)));
                kind.vector = Some(Box::new(vector.unwrap_or_else(broken)));
            }
            (Kind::Spot, "frame") => kind.frame = r.frame(f, key.name, &SPOT),
            (Kind::Spot | Kind::Frame, name) => {
                let shape = if matches!(key.kind, Kind::Frame) { &FRAME } else { &SPOT };
                let end = r.frame(f, name, shape);
                whole &= end.is_some();
                if name == "to" { kind.to = end } else { kind.from = end }
            }
            (Kind::Value, _) if key.required => kind.values.push((key.name, r.needed(f, key.name))),
            (Kind::Value, _) => kind.values.extend(r.value(f, key.name).map(|v| (key.name, v))),
            _ => r.unread(keys.word, key.name),
        }
    }
    if let Some(needs) = &keys.needs
        && kind.value(needs.key).is_some()
        && kind.value(needs.other).is_none()
    {
        r.report(
            Diagnostic::error("missing-key", format!("{} has no `{}`", f.what, needs.other))
                .at(f.key_span(needs.key), needs.label)
                .help(needs.help),
        );
    }
    if let Some(single) = keys.target {
        kind.target = target(r, f, single);
        whole &= kind.target.is_some();
    }
    whole &= kind.body.is_some() || !keys.own.iter().any(|k| k.name == "body");
    whole.then_some(kind)
}

/// `joint = …`, or the name of one coordinate or speed.
pub(super) fn target(r: &mut Reader<'_>, f: &Fields<'_>, own: &str) -> Option<Target> {
    let (joint, single) = (r.reference(f, "joint"), r.reference(f, own));
    match (joint, single) {
        (Some(j), None) => Some(Target::Joint(j)),
        (None, Some(s)) => Some(Target::Own(s)),
        (Some(_), Some(s)) => {
            r.report(
                Diagnostic::error("conflict", format!("{} names both a joint and a {own}", f.what))
                    .at(f.key_span(own), "either this")
                    .also(f.key_span("joint"), "or this")
                    .help(format!("`{own}` alone is enough: remove `joint`")),
            );
            Some(Target::Own(s))
        }
        (None, None) => {
            if f.item("joint").is_none() && f.item(own).is_none() {
                r.report(
                    Diagnostic::error("missing-key", format!("{} does not say what it acts on", f.what))
                        .at(Some(f.span), format!("`joint` or `{own}` is missing"))
                        .help(format!("add `joint = \"…\"`, or `{own} = \"…\"` where the joint has several")),
                );
            }
            None
        }
    }
}

pub(super) fn outputs(r: &mut Reader<'_>, top: &Fields<'_>) -> Vec<Output> {
    let mut out = Vec::new();
    for (name, item) in r.entries(top, "outputs") {
        if let Some(output) = output(r, name, item) {
            out.push(output);
        }
    }
    out
}

fn output(r: &mut Reader<'_>, name: Name, item: &Item) -> Option<Output> {
    let what = format!("output `{}`", name.value);
    if let Data::Text(_) | Data::Number(_) = item.data {
        let value = r.value_of(item, &what);
        return Some(Output { name, description: String::new(), kind: OutputKind::formula(value) });
    }
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed(item, what, &OUTPUT, span)?;
    let description = r.text(&f, "description");
    let kind = output_kind(r, &f, output_keys(word)?)?;
    Some(Output { name, description, kind })
}

/// What only outputs of this type have. All of it is read before a part can end the output, so that
/// all errors are found.
fn output_kind(r: &mut Reader<'_>, f: &Fields<'_>, keys: &'static OutputKeys) -> Option<OutputKind> {
    let mut kind = OutputKind::of(keys.kind);
    for key in keys.own {
        match (key.kind, key.name) {
            (Kind::Name, "body") => kind.body = r.reference(f, key.name),
            (Kind::Name, "joint") => kind.joint = r.reference(f, key.name),
            (Kind::Name, "load") => kind.load = r.reference(f, key.name),
            (Kind::Point, _) => kind.at = r.location(f, key.name),
            (Kind::Spot, _) => kind.frame = r.frame(f, key.name, &SPOT),
            (Kind::Unit, _) => kind.unit = r.unit(f, key.name),
            (Kind::Value, _) => kind.value = Some(r.needed(f, key.name)),
            _ => r.unread(keys.word, key.name),
        }
    }
    let is_there = |name: &str| match name {
        "body" => kind.body.is_some(),
        "joint" => kind.joint.is_some(),
        "load" => kind.load.is_some(),
        _ => true,
    };
    let whole = keys.own.iter().all(|key| is_there(key.name));
    whole.then_some(kind)
}
