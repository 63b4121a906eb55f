//! Reads loads, outputs and events: tables with a key `type`, whose other keys are declared with
//! the type.

use super::fields::{Fields, SpecReader};
use crate::read::document::{Data, TomlItem};
use crate::spec::event_keys::{self, EVENT};
use crate::spec::key::{Key, Kind};
use crate::spec::keys::{FRAME, SPOT};
use crate::spec::load_keys::{self, LOAD};
use crate::spec::output_keys::{self, OUTPUT};
use crate::spec::type_keys::TypeKeys;
use crate::spec::{Event, KeyValue, KeyValues, Load, Name, Output, Target, Value};
use dqdt_diagnostics::error::Diagnostic;

pub(super) fn read_loads(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Load> {
    let mut out = Vec::new();
    for (name, item) in r.entries_outside_formulas(top, "loads") {
        out.extend(read_load(r, name, item));
    }
    out
}

fn read_load(r: &mut SpecReader<'_>, name: Name, item: &TomlItem) -> Option<Load> {
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed_table(item, format!("load `{}`", name.value), &LOAD, span)?;
    let keys = read_key_values(r, &f, load_keys::by_word(word)?)?;
    Some(Load { name, keys })
}

pub(super) fn read_outputs(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Output> {
    let mut out = Vec::new();
    for (name, item) in r.named_entries(top, "outputs") {
        out.extend(read_output(r, name, item));
    }
    out
}

fn read_output(r: &mut SpecReader<'_>, name: Name, item: &TomlItem) -> Option<Output> {
    let what = format!("output `{}`", name.value);
    if let Data::Text(_) | Data::Number(_) = item.data {
        let value = r.parse_value(item, &what);
        return Some(Output { name, description: String::new(), keys: KeyValues::plain_formula(value) });
    }
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed_table(item, what, &OUTPUT, span)?;
    let description = r.read_text(&f, "description");
    let keys = read_key_values(r, &f, output_keys::by_word(word)?)?;
    Some(Output { name, description, keys })
}

pub(super) fn read_events(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Event> {
    let mut out = Vec::new();
    for (name, item) in r.named_entries(top, "events") {
        out.extend(read_event(r, name, item));
    }
    out
}

fn read_event(r: &mut SpecReader<'_>, name: Name, item: &TomlItem) -> Option<Event> {
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed_table(item, format!("event `{}`", name.value), &EVENT, span)?;
    let description = r.read_text(&f, "description");
    let keys = read_key_values(r, &f, event_keys::by_word(word)?)?;
    Some(Event { name, description, keys })
}

/// Reads the keys that only this type of load, output or event has. All are read before a missing
/// one rejects the entry, so that all errors are reported.
fn read_key_values(r: &mut SpecReader<'_>, f: &Fields<'_>, keys: &'static TypeKeys) -> Option<KeyValues> {
    let declared = keys.own.iter().map(|key| key.name).collect();
    let mut read = KeyValues { kind: keys.kind, word: keys.word, declared, target: None, values: Vec::new() };
    let mut whole = true;
    for key in keys.own {
        let is_target = keys.target.is_some_and(|target| key.name == "joint" || key.name == target);
        if is_target {
            continue;
        }
        match read_key_value(r, f, keys, key) {
            Some(value) => read.values.push((key.name, value)),
            // An invalid word is reported but does not reject the entry, so that further errors in
            // it are found.
            None => whole &= !key.required || matches!(key.kind, Kind::Word(_)),
        }
    }
    let is_written = |key: &str| read.values.iter().any(|(name, _)| *name == key);
    if let Some(needs) = &keys.needs
        && is_written(needs.key)
        && !is_written(needs.other)
    {
        r.report(
            Diagnostic::error(
                "missing-key",
                format!("{} lacks the key `{}`", f.name_in_messages, needs.other),
            )
            .at(f.key_span(needs.key), needs.label)
            .help(needs.help),
        );
    }
    if let Some(name) = keys.target {
        read.target = read_target(r, f, name);
        whole &= read.target.is_some();
    }
    whole.then_some(read)
}

/// Reads one key as the kind of value that its declaration states.
fn read_key_value(r: &mut SpecReader<'_>, f: &Fields<'_>, keys: &TypeKeys, key: &Key) -> Option<KeyValue> {
    match key.kind {
        Kind::Name => r.read_reference(f, key.name).map(KeyValue::Name),
        Kind::Word(words) => r.read_word(f, key.name, words).map(KeyValue::Word),
        Kind::Value if key.required => Some(KeyValue::Value(r.read_required_value(f, key.name))),
        Kind::Value => r.read_value(f, key.name).map(KeyValue::Value),
        Kind::Triple if !key.required => r.read_triple(f, key.name).map(|v| KeyValue::Triple(Box::new(v))),
        Kind::Triple => {
            let triple = r.read_triple(f, key.name);
            let triple = triple.unwrap_or_else(|| std::array::from_fn(|_| Value::unreadable(Some(f.span))));
            Some(KeyValue::Triple(Box::new(triple)))
        }
        Kind::Axis if !key.required && f.find_item(key.name).is_none() => None,
        Kind::Axis => Some(KeyValue::Axis(Box::new(r.read_axis(f, key.name)))),
        Kind::Point => r.read_location(f, key.name).map(KeyValue::Point),
        Kind::Spot => r.read_frame(f, key.name, &SPOT).map(|frame| KeyValue::Frame(Box::new(frame))),
        Kind::Frame => r.read_frame(f, key.name, &FRAME).map(|frame| KeyValue::Frame(Box::new(frame))),
        Kind::Unit => r.read_unit(f, key.name).map(KeyValue::Unit),
        Kind::Named(Kind::Value) => Some(KeyValue::Named(read_named_formulas(r, f, key.name))),
        _ => {
            r.report_unread_key(keys.word, key.name);
            None
        }
    }
}

/// Value of a key that is a table `{ name = formula, … }`.
fn read_named_formulas(r: &mut SpecReader<'_>, f: &Fields<'_>, key: &str) -> Vec<(Name, Value)> {
    let Some(item) = f.find_item(key) else { return Vec::new() };
    let what = f.quoted_key_name(key);
    let Data::Table(table) = &item.data else {
        r.report_wrong_type(&what, item, "a table `{ state = formula }`");
        return Vec::new();
    };
    let values = table.0.iter().map(|(name, item)| {
        let value = r.parse_value(item, &format!("`{}` in {what}", name.value));
        (name.clone(), value)
    });
    values.collect()
}

/// Reads the target of a load or an event: `joint = …`, or a single coordinate or speed under
/// `key`.
fn read_target(r: &mut SpecReader<'_>, f: &Fields<'_>, key: &str) -> Option<Target> {
    let (joint, single) = (r.read_reference(f, "joint"), r.read_reference(f, key));
    match (joint, single) {
        (Some(j), None) => Some(Target::Joint(j)),
        (None, Some(s)) => Some(Target::Own(s)),
        (Some(_), Some(s)) => {
            r.report(
                Diagnostic::error(
                    "conflict",
                    format!("{} names both a joint and a {key}", f.name_in_messages),
                )
                .at(f.key_span(key), "either this")
                .also(f.key_span("joint"), "or this")
                .help(format!("`{key}` alone is enough: remove `joint`")),
            );
            Some(Target::Own(s))
        }
        (None, None) => {
            if f.find_item("joint").is_none() && f.find_item(key).is_none() {
                r.report(
                    Diagnostic::error(
                        "missing-key",
                        format!("{} names neither a joint nor a {key}", f.name_in_messages),
                    )
                    .at(Some(f.span), format!("`joint` or `{key}` is missing"))
                    .help(format!("add `joint = \"…\"`, or `{key} = \"…\"` if the joint has several")),
                );
            }
            None
        }
    }
}
