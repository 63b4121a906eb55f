//! Events.

use super::fields::{Fields, Reader};
use super::loads::target;
use crate::read::document::{Data, Item};
use crate::spec::event_keys::{DIRECTIONS, EVENT, SIDES};
use crate::spec::keys::SPOT;
use crate::spec::{Event, EventKind};
use crate::spec::{Name, Value};

pub(super) fn events(r: &mut Reader<'_>, top: &Fields<'_>) -> Vec<Event> {
    let mut out = Vec::new();
    for (name, item) in r.entries(top, "events") {
        if let Some(event) = event(r, name, item) {
            out.push(event);
        }
    }
    out
}

fn event(r: &mut Reader<'_>, name: Name, item: &Item) -> Option<Event> {
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed(item, format!("event `{}`", name.value), &EVENT, span)?;
    let description = r.text(&f, "description");
    let kind = match word {
        "end" | "switch" => {
            let when = r.needed(&f, "when");
            let direction = r.word(&f, "direction", DIRECTIONS);
            if word == "end" {
                EventKind::End { when, direction }
            } else {
                EventKind::Switch { when, direction, set: assignments(r, &f) }
            }
        }
        "impact" => {
            let body = r.reference(&f, "body");
            let at = r.location(&f, "at");
            let plane = r.frame(&f, "plane", &SPOT);
            let normal = r.axis(&f, "normal");
            let radius = r.value(&f, "radius");
            let restitution = r.needed(&f, "restitution");
            EventKind::Impact { body: body?, at, plane: Box::new(plane?), normal, radius, restitution }
        }
        _ => {
            let side = r.word(&f, "side", SIDES);
            let at = r.needed(&f, "at");
            let restitution = r.needed(&f, "restitution");
            EventKind::JointStop { target: target(r, &f, "coordinate")?, side, at, restitution }
        }
    };
    Some(Event { name, description, kind })
}

fn assignments(r: &mut Reader<'_>, f: &Fields<'_>) -> Vec<(Name, Value)> {
    let Some(item) = f.item("set") else { return Vec::new() };
    let Data::Table(table) = &item.data else {
        r.wrong_type(&f.of("set"), item, "a table `{ state = formula }`");
        return Vec::new();
    };
    let what = f.of("set");
    table
        .0
        .iter()
        .map(|(name, item)| (name.clone(), r.value_of(item, &format!("`{}` in {what}", name.value))))
        .collect()
}
