//! The section `<tendon>`: lengths over joints or along sites.
//!
//! Problem: a spring, a damper, an actuator or an equality may act on the length of a tendon.
//! Method:  a fixed tendon is a weighted sum of coordinates, a spatial one consists of straight
//!          segments between sites. The rest length is the given one, a dead band if two are given;
//!          by default it is the length at the rest positions of all joints.
//! Not handled: tendons around geoms and over pulleys (an error if they have a spring or a damper);
//!              inertia of tendons.

use super::element::Element;
use super::equality::unknown;
use super::frame::{about, unit};
use super::given::{Given, Notes};
use super::model::{Body, Course, Frame, Joint, Kind, Model, Tendon};
use super::settings::Settings;
use crate::robot::class::Class;
use crate::robot::decimal::Decimal;
use crate::robot::turn::{Pose, Turn};

/// Reads a tendon; `None` if it has no effect or cannot be converted, which is reported.
pub(super) fn read(
    given: &Given<'_>,
    model: &Model,
    settings: &Settings,
    notes: &mut Notes,
) -> Option<Tendon> {
    let element = given.element;
    let path = format!("tendon/{}", element.tag);
    if !matches!(element.tag.as_str(), "fixed" | "spatial") {
        notes.ignore(&path, element);
        return None;
    }
    notes.attributes(element, &path);
    let name = element.get("name").filter(|n| !n.is_empty()).map(str::to_owned);
    let of = name.as_ref().map_or_else(|| "a tendon".to_owned(), |n| format!("tendon `{n}`"));
    let mut value = |name: &str, on: bool| {
        let x = given.number_or(notes, name, 0.0);
        if x.value < 0.0 {
            let message = format!("the {name} {} of {of} is negative", x.text);
            notes.problem("mjcf-friction", message, (given.span(name), "here"), "write zero or more");
        }
        if on { x } else { Decimal::of(0.0) }
    };
    let dry_friction = value("frictionloss", settings.dry_friction);
    let armature = value("armature", true);
    let mut value = |name: &str, on: bool| {
        let x = given.coefficient(notes, name, &of, &path);
        if on { x } else { Decimal::of(0.0) }
    };
    let stiffness = value("stiffness", settings.springs);
    let damping = value("damping", settings.dampers);
    let bare = stiffness.is_zero() && damping.is_zero();
    let limits = given.numbers(notes, "range", 2);
    let stated = limits.is_some_and(|r| !r.iter().all(Decimal::is_zero));
    if given.flag(notes, "limited", settings.autolimits && stated) {
        notes.ignore_as(Class::Idealised("tendon limits"), "limits of tendon", element);
    }
    if let Some(attribute) = given.find("actuatorfrcrange") {
        let text = format!("actuatorfrcrange of {of}");
        let class = Class::Idealised("actuator limits");
        notes.report.lose(class, "tendon@actuatorfrcrange", Some(text), attribute.value_span);
    }
    for (name, there) in [
        ("armature", !armature.is_zero()),
        (
            "springyield",
            given.find("springyield").is_some_and(|a| a.value.split_whitespace().any(|x| x != "0")),
        ),
    ] {
        if there {
            let text = format!("`{name}` of {of}");
            notes.report.lose(Class::Structural, format!("{path}@{name}"), Some(text), given.span(name));
        }
    }
    let course = match element.tag.as_str() {
        "fixed" => fixed(element, model, notes).map(Course::Fixed),
        _ => spatial(element, model, notes, &of, bare),
    }?;
    if matches!(course, Course::Wrapped) && !dry_friction.is_zero() {
        let text = format!("dry friction {} of {of}, which wraps", dry_friction.text);
        let class = Class::Idealised("dry friction");
        notes.report.lose(class, format!("{path}@frictionloss"), Some(text), given.span("frictionloss"));
    }
    let rest = band(given, notes).unwrap_or_else(|| {
        let length = Decimal::of(length(&course, model, true));
        [length.clone(), length]
    });
    if rest[0].value > rest[1].value {
        let place = (given.span("springlength"), "the shorter one comes first");
        let help = "write springlength=\"shortest longest\"";
        notes.problem("mjcf-range", format!("the spring length of {of} has no width"), place, help);
    }
    Some(Tendon { name, span: element.name_span(), course, stiffness, damping, rest, dry_friction })
}

/// Range of lengths without tension, if it is given.
fn band(given: &Given<'_>, notes: &mut Notes) -> Option<[Decimal; 2]> {
    let numbers = notes.numbers(given.find("springlength")?, 2, true)?;
    let automatic = numbers.iter().all(|x| x.value == -1.0);
    match &numbers[..] {
        _ if automatic => None,
        [one] => Some([one.clone(), one.clone()]),
        [low, high] => Some([low.clone(), high.clone()]),
        _ => None,
    }
}

fn fixed(element: &Element, model: &Model, notes: &mut Notes) -> Option<Vec<((usize, usize), Decimal)>> {
    let mut parts: Vec<((usize, usize), Decimal)> = Vec::new();
    for child in &element.children {
        let path = format!("tendon/fixed/{}", child.tag);
        if child.tag != "joint" {
            notes.ignore(&path, child);
            continue;
        }
        notes.leaf(child, &path);
        let given = Given::alone(child);
        let Some(name) = child.get("joint") else {
            let message = "<joint> of a tendon has no `joint`".to_owned();
            notes.problem(
                "mjcf-missing",
                message,
                (child.span, "here"),
                "write <joint joint=\"…\" coef=\"1\"/>",
            );
            continue;
        };
        let Some(at) = model.joint(name) else {
            let joints = model.bodies.iter().flat_map(|b| &b.joints);
            unknown("joint", child, "joint", joints.filter_map(|j| j.name.as_deref()), notes);
            continue;
        };
        if !model.joint_at(at).is_some_and(|j| matches!(j.kind, Kind::Hinge | Kind::Slide)) {
            let message = format!("the joint `{name}` has several coordinates");
            let place = (child.value_span("joint"), "a hinge or a slide is meant");
            notes.problem("mjcf-equality", message, place, "name a hinge or a slide");
            continue;
        }
        if given.find("coef").is_none() {
            let message = format!("`{name}` of a tendon has no `coef`");
            notes.problem("mjcf-missing", message, (child.span, "here"), "write coef=\"1\"");
        }
        let factor = given.number_or(notes, "coef", 1.0);
        if parts.iter().any(|(joint, _)| *joint == at) {
            let message = format!("the tendon names the joint `{name}` twice");
            notes.problem(
                "duplicate",
                message,
                (child.span, "again here"),
                "name it once, with the sum as its coef",
            );
            continue;
        }
        parts.push((at, factor));
    }
    // A tendon whose factors are all zero has the constant length zero.
    let named = !parts.is_empty();
    parts.retain(|(_, factor)| !factor.is_zero());
    named.then_some(parts)
}

/// The sites of a spatial tendon. `bare`: it has neither spring nor damper.
fn spatial(element: &Element, model: &Model, notes: &mut Notes, of: &str, bare: bool) -> Option<Course> {
    let mut frames = Vec::new();
    let mut wraps = false;
    for child in &element.children {
        let path = format!("tendon/spatial/{}", child.tag);
        if child.tag != "site" {
            // Without a spring it only measures a length; an actuator on it is reported by itself.
            wraps = true;
            match child.tag.as_str() {
                "geom" | "pulley" if bare => notes.ignore_as(Class::Harmless, &path, child),
                tag @ ("geom" | "pulley") => {
                    let text = format!("{of} with its spring and damper, since it has a <{tag}>,");
                    notes.report.lose(Class::Structural, path, Some(text), child.span);
                }
                _ => notes.ignore(&path, child),
            }
            continue;
        }
        notes.leaf(child, &path);
        match child.get("site").map(|name| model.site(name)) {
            Some(Some((body, site))) => {
                frames.push(Frame { body, pose: site.pose.clone(), site: Some(site.span) });
            }
            Some(None) => {
                let of_bodies = model.bodies.iter().flat_map(|b| &b.sites);
                let all = of_bodies.chain(&model.sites).filter_map(|s| s.name.as_deref());
                unknown("site", child, "site", all, notes);
            }
            None => {
                let message = "<site> of a tendon has no `site`".to_owned();
                notes.problem("mjcf-missing", message, (child.span, "here"), "write <site site=\"…\"/>");
            }
        }
    }
    if wraps {
        return Some(Course::Wrapped);
    }
    (frames.len() > 1).then_some(Course::Spatial(frames))
}

/// Length of a tendon, at the rest positions of all joints or in the reference pose.
pub(super) fn length(course: &Course, model: &Model, at_rest: bool) -> f64 {
    match course {
        Course::Wrapped => 0.0,
        Course::Fixed(parts) => parts
            .iter()
            .filter_map(|(at, factor)| {
                let joint = model.joint_at(*at)?;
                Some(factor.value * if at_rest { joint.rest.value } else { joint.reference.value })
            })
            .sum(),
        Course::Spatial(frames) => {
            let at = |f: &Frame| {
                let body = if at_rest { relaxed(model, f.body) } else { model.drawn(f.body) };
                body.times(&f.pose).position()
            };
            let points: Vec<[f64; 3]> = frames.iter().map(at).collect();
            points.windows(2).map(|w| distance(w[0], w[1])).sum()
        }
    }
}

pub(super) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(&b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

/// Pose of a body in the world if all hinges and slides are at the rest positions of their springs.
fn relaxed(model: &Model, body: Option<usize>) -> Pose {
    let mut pose = Pose::none();
    let mut at = body;
    while let Some(body) = at.and_then(|i| model.bodies.get(i)) {
        pose = displaced(body).times(&pose);
        at = body.parent;
    }
    pose
}

fn displaced(body: &Body) -> Pose {
    body.joints.iter().fold(body.pose.clone(), |pose, joint| pose.times(&motion(joint)))
}

/// Displacement of a joint from its reference to its rest position.
fn motion(joint: &Joint) -> Pose {
    let by = joint.rest.value - joint.reference.value;
    let axis = unit([0, 1, 2].map(|i| joint.axis[i].value)).unwrap_or([0.0; 3]);
    match joint.kind {
        Kind::Slide => Pose { at: axis.map(|x| Decimal::of(by * x)), turn: Turn::NONE },
        Kind::Hinge => {
            let Some(matrix) = about(axis, by) else { return Pose::none() };
            let turn = Turn::of_matrix(matrix, 0.0).0;
            let center = [0, 1, 2].map(|i| joint.at[i].value);
            let moved = turn.apply(center);
            Pose { at: [0, 1, 2].map(|i| Decimal::of(center[i] - moved[i])), turn }
        }
        Kind::Ball | Kind::Free => Pose::none(),
    }
}
