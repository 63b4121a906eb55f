//! Loads and outputs.

use super::fields::{Fields, Reader};
use crate::read::document::{Data, Item};
use crate::spec::keys::SPOT;
use crate::spec::load_keys::{LOAD, OUTPUT};
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

fn vector(r: &mut Reader<'_>, f: &Fields<'_>) -> [Value; 3] {
    r.triple(f, "value").unwrap_or_else(|| std::array::from_fn(|_| Value::broken(Some(f.span))))
}

fn load(r: &mut Reader<'_>, name: &Name, item: &Item) -> Option<LoadKind> {
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed(item, format!("load `{}`", name.value), &LOAD, span)?;
    Some(match word {
        "force" | "torque" => {
            let body = r.reference(&f, "body");
            let at = if word == "force" { r.location(&f, "at") } else { None };
            let value = Box::new(vector(r, &f));
            let frame = r.frame(&f, "frame", &SPOT).map(Box::new);
            let reaction = r.reference(&f, "reaction");
            let body = body?;
            if word == "force" {
                LoadKind::Force { body, at, value, frame, reaction }
            } else {
                LoadKind::Torque { body, value, frame, reaction }
            }
        }
        "spring" => {
            let (from, to) = (r.frame(&f, "from", &SPOT), r.frame(&f, "to", &SPOT));
            let stiffness = r.value(&f, "stiffness");
            let damping = r.value(&f, "damping");
            let rest_length = r.value(&f, "rest_length");
            LoadKind::Spring { from: Box::new(from?), to: Box::new(to?), stiffness, damping, rest_length }
        }
        "line_force" => {
            let (from, to) = (r.frame(&f, "from", &SPOT), r.frame(&f, "to", &SPOT));
            let tension = r.needed(&f, "tension");
            LoadKind::LineForce { from: Box::new(from?), to: Box::new(to?), tension }
        }
        "joint_spring" => {
            let stiffness = r.value(&f, "stiffness");
            let damping = r.value(&f, "damping");
            let rest = r.value(&f, "rest");
            LoadKind::JointSpring { target: target(r, &f, "coordinate")?, stiffness, damping, rest }
        }
        "actuator" => {
            let effort = r.needed(&f, "effort");
            LoadKind::Actuator { target: target(r, &f, "speed")?, effort }
        }
        "generalised_force" => {
            let value = r.needed(&f, "value");
            LoadKind::GeneralisedForce { target: target(r, &f, "speed")?, value }
        }
        _ => {
            let viscous = r.value(&f, "viscous");
            let coulomb = r.value(&f, "coulomb");
            let transition = r.value(&f, "transition");
            if coulomb.is_some() && transition.is_none() {
                r.report(
                    Diagnostic::error("missing-key", format!("{} has no `transition`", f.what))
                        .at(f.key_span("coulomb"), "dry friction needs a transition speed")
                        .help("add `transition = …`: the speed at which it has reached 76 % [rad/s or m/s]"),
                );
            }
            LoadKind::Friction { target: target(r, &f, "speed")?, viscous, coulomb, transition }
        }
    })
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
        let kind = OutputKind::Formula { value, unit: None };
        return Some(Output { name, description: String::new(), kind });
    }
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed(item, what, &OUTPUT, span)?;
    let description = r.text(&f, "description");
    let kind = match word {
        "energy" => OutputKind::Energy,
        "joint_effort" => OutputKind::JointEffort { joint: r.reference(&f, "joint")? },
        "formula" => OutputKind::Formula { value: r.needed(&f, "value"), unit: r.unit(&f, "unit") },
        _ => {
            let at = r.location(&f, "at");
            let frame = if f.may("frame") { r.frame(&f, "frame", &SPOT) } else { None };
            let body = r.reference(&f, "body")?;
            match word {
                "position" => OutputKind::Position { body, at, frame },
                "velocity" => OutputKind::Velocity { body, at, frame },
                "acceleration" => OutputKind::Acceleration { body, at, frame },
                "specific_force" => OutputKind::SpecificForce { body, at },
                _ => OutputKind::AngularRate { body, at },
            }
        }
    };
    Some(Output { name, description, kind })
}
