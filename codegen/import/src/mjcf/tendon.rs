//! The section `<tendon>`: lengths over joints or along sites.
//!
//! Problem: a spring, a damper, an actuator or an equality may act on the length of a tendon.
//! Method:  a fixed tendon is a weighted sum of coordinates, a spatial one consists of straight
//!          segments between sites. The rest length is the given one, a dead band if two are given;
//!          by default it is the length at the rest positions of all joints.
//! Not handled: tendons around geoms and over pulleys (an error if they have a spring or a damper);
//!              inertia of tendons.

use super::element::XmlElement;
use super::element_defaults::{ElementWithDefaults, Notes};
use super::equality::report_unknown_name;
use super::frame::{matrix_about_axis, unit_vector};
use super::model::{BodyFrame, MjcfBody, MjcfJoint, MjcfJointKind, Model, Tendon, TendonCourse};
use super::settings::CompilerSettings;
use crate::robot::decimal::Decimal;
use crate::robot::relevance::Relevance;
use crate::robot::turn::{Pose, Turn};

/// Reads a tendon of an MJCF; `None` if it has no effect or cannot be converted, which is reported.
pub(super) fn read_tendon(
    attributes: &ElementWithDefaults<'_>,
    model: &Model,
    settings: &CompilerSettings,
    notes: &mut Notes,
) -> Option<Tendon> {
    let element = attributes.element;
    let path = format!("tendon/{}", element.tag);
    if !matches!(element.tag.as_str(), "fixed" | "spatial") {
        notes.report_unread_element(&path, element);
        return None;
    }
    notes.report_unread_attributes(element, &path);
    let name = element.attribute_value("name").filter(|n| !n.is_empty()).map(str::to_owned);
    let label = name.as_ref().map_or_else(|| "a tendon".to_owned(), |n| format!("tendon `{n}`"));
    let mut value = |name: &str, on: bool| {
        let x = attributes.read_number_or(notes, name, 0.0);
        attributes.reject_negative_number(notes, name, &x, &label);
        if on { x } else { Decimal::from_f64(0.0) }
    };
    let dry_friction = value("frictionloss", settings.dry_friction);
    let armature = value("armature", true);
    let mut value = |name: &str, on: bool| {
        let x = attributes.read_coefficient(notes, name, &label, &path);
        if on { x } else { Decimal::from_f64(0.0) }
    };
    let stiffness = value("stiffness", settings.springs);
    let damping = value("damping", settings.dampers);
    let bare = stiffness.is_zero() && damping.is_zero();
    report_unsupported_tendon_attributes(attributes, settings.autolimits, &armature, &label, notes);
    let course = match element.tag.as_str() {
        "fixed" => read_fixed_tendon(element, model, notes).map(TendonCourse::Fixed),
        _ => read_spatial_tendon(element, model, notes, &label, bare),
    }?;
    if matches!(course, TendonCourse::Wrapped) && !dry_friction.is_zero() {
        let text =
            format!("dry friction {} of {label}, which wraps around a geom or a pulley", dry_friction.text);
        let relevance = Relevance::Idealised("dry friction");
        notes.report.record_loss(
            relevance,
            format!("{path}@frictionloss"),
            Some(text),
            attributes.attribute_span("frictionloss"),
        );
    }
    let rest = choose_rest_lengths(attributes, &course, model, &label, notes);
    Some(Tendon { name, span: element.name_span(), course, stiffness, damping, rest, dry_friction })
}

/// Reports attributes of a tendon that a spec cannot express. `auto`: true if the range alone makes
/// its limits active.
fn report_unsupported_tendon_attributes(
    attributes: &ElementWithDefaults<'_>,
    auto: bool,
    armature: &Decimal,
    label: &str,
    notes: &mut Notes,
) {
    let element = attributes.element;
    let path = format!("tendon/{}", element.tag);
    let limits = attributes.read_numbers(notes, "range", 2);
    let stated = limits.is_some_and(|r| !r.iter().all(Decimal::is_zero));
    if attributes.read_flag(notes, "limited", auto && stated) {
        notes.report_unread_as(Relevance::Idealised("tendon limits"), "tendon limits", element);
    }
    if let Some(attribute) = attributes.find_attribute("actuatorfrcrange") {
        let text = format!("`actuatorfrcrange` of {label}");
        let relevance = Relevance::Idealised("actuator limits");
        notes.report.record_loss(relevance, "tendon@actuatorfrcrange", Some(text), attribute.value_span);
    }
    for (name, there) in [
        ("armature", !armature.is_zero()),
        (
            "springyield",
            attributes
                .find_attribute("springyield")
                .is_some_and(|a| a.value.split_whitespace().any(|x| x != "0")),
        ),
    ] {
        if there {
            let text = format!("`{name}` of {label}");
            notes.report.record_loss(
                Relevance::Structural,
                format!("{path}@{name}"),
                Some(text),
                attributes.attribute_span(name),
            );
        }
    }
}

/// Lengths between which the spring of a tendon is slack: those of the file, or the length in the
/// initial pose.
fn choose_rest_lengths(
    attributes: &ElementWithDefaults<'_>,
    course: &TendonCourse,
    model: &Model,
    label: &str,
    notes: &mut Notes,
) -> [Decimal; 2] {
    let rest = read_rest_lengths(attributes, notes).unwrap_or_else(|| {
        let length = Decimal::from_f64(tendon_length(course, model, true));
        [length.clone(), length]
    });
    if rest[0].value > rest[1].value {
        let place =
            (attributes.attribute_span("springlength"), "the first length must not exceed the second");
        let help = "write springlength=\"shortest longest\"";
        notes.add_problem(
            "mjcf-range",
            format!("the range of spring lengths of {label} is empty"),
            place,
            help,
        );
    }
    rest
}

/// Range of lengths without tension, from the attribute `springlength`; `None` if it is missing or
/// automatic.
fn read_rest_lengths(attributes: &ElementWithDefaults<'_>, notes: &mut Notes) -> Option<[Decimal; 2]> {
    let numbers = notes.parse_numbers(attributes.find_attribute("springlength")?, 2, true)?;
    let automatic = numbers.iter().all(|x| x.value == -1.0);
    match &numbers[..] {
        _ if automatic => None,
        [one] => Some([one.clone(), one.clone()]),
        [low, high] => Some([low.clone(), high.clone()]),
        _ => None,
    }
}

/// Joints and factors of a fixed tendon, whose length is the weighted sum of their coordinates.
fn read_fixed_tendon(
    element: &XmlElement,
    model: &Model,
    notes: &mut Notes,
) -> Option<Vec<((usize, usize), Decimal)>> {
    let mut parts: Vec<((usize, usize), Decimal)> = Vec::new();
    for child in &element.children {
        let path = format!("tendon/fixed/{}", child.tag);
        if child.tag != "joint" {
            notes.report_unread_element(&path, child);
            continue;
        }
        notes.report_unread_parts(child, &path);
        let attributes = ElementWithDefaults::without_defaults(child);
        let Some(name) = child.attribute_value("joint") else {
            let message = "a <joint> of a tendon has no attribute `joint`".to_owned();
            notes.add_problem(
                "mjcf-missing",
                message,
                (child.span, "here"),
                "write <joint joint=\"…\" coef=\"1\"/>",
            );
            continue;
        };
        let Some(at) = model.find_joint(name) else {
            let joints = model.bodies.iter().flat_map(|b| &b.joints);
            report_unknown_name("joint", child, "joint", joints.filter_map(|j| j.name.as_deref()), notes);
            continue;
        };
        if !model.joint_at_indices(at).is_some_and(|j| j.kind.has_one_coordinate()) {
            let message = format!("the joint `{name}` has several coordinates");
            let place = (child.value_span("joint"), "expected a hinge joint or a slide joint");
            notes.add_problem("mjcf-equality", message, place, "specify a hinge joint or a slide joint");
            continue;
        }
        if attributes.find_attribute("coef").is_none() {
            let message = format!("joint `{name}` of a tendon has no `coef`");
            notes.add_problem("mjcf-missing", message, (child.span, "here"), "write coef=\"1\"");
        }
        let factor = attributes.read_number_or(notes, "coef", 1.0);
        if parts.iter().any(|(joint, _)| *joint == at) {
            let message = format!("a tendon lists the joint `{name}` twice");
            notes.add_problem(
                "duplicate",
                message,
                (child.span, "again here"),
                "list the joint once, with the sum of its coefficients as `coef`",
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

/// The sites of a spatial tendon. `bare`: it has neither spring nor damper, so that a path around
/// geoms is no error.
fn read_spatial_tendon(
    element: &XmlElement,
    model: &Model,
    notes: &mut Notes,
    label: &str,
    bare: bool,
) -> Option<TendonCourse> {
    let mut frames = Vec::new();
    let mut wraps = false;
    for child in &element.children {
        let path = format!("tendon/spatial/{}", child.tag);
        if child.tag != "site" {
            // Without a spring it only measures a length; an actuator on it is reported by itself.
            wraps = true;
            match child.tag.as_str() {
                "geom" | "pulley" if bare => notes.report_unread_as(Relevance::Harmless, &path, child),
                tag @ ("geom" | "pulley") => {
                    let text = format!("{label} with a <{tag}> (including its spring and damper)");
                    notes.report.record_loss(Relevance::Structural, path, Some(text), child.span);
                }
                _ => notes.report_unread_element(&path, child),
            }
            continue;
        }
        notes.report_unread_parts(child, &path);
        match child.attribute_value("site").map(|name| model.find_body_site(name)) {
            Some(Some((body, site))) => {
                frames.push(BodyFrame { body, pose: site.pose.clone(), site: Some(site.span) });
            }
            Some(None) => {
                let of_bodies = model.bodies.iter().flat_map(|b| &b.sites);
                let all = of_bodies.chain(&model.sites).filter_map(|s| s.name.as_deref());
                report_unknown_name("site", child, "site", all, notes);
            }
            None => {
                let message = "a <site> of a tendon has no attribute `site`".to_owned();
                notes.add_problem("mjcf-missing", message, (child.span, "here"), "write <site site=\"…\"/>");
            }
        }
    }
    if wraps {
        return Some(TendonCourse::Wrapped);
    }
    (frames.len() > 1).then_some(TendonCourse::Spatial(frames))
}

/// Length of a tendon with all joints at the rest positions of their springs (`at_rest`) or in the
/// reference pose.
pub(super) fn tendon_length(course: &TendonCourse, model: &Model, at_rest: bool) -> f64 {
    match course {
        TendonCourse::Wrapped => 0.0,
        TendonCourse::Fixed(parts) => parts
            .iter()
            .filter_map(|(at, factor)| {
                let joint = model.joint_at_indices(*at)?;
                Some(factor.value * if at_rest { joint.rest.value } else { joint.reference.value })
            })
            .sum(),
        TendonCourse::Spatial(frames) => {
            let at = |f: &BodyFrame| {
                let body = if at_rest {
                    world_pose_at_spring_rest(model, f.body)
                } else {
                    model.reference_pose(f.body)
                };
                body.compose(&f.pose).position_values()
            };
            let points: Vec<[f64; 3]> = frames.iter().map(at).collect();
            points.windows(2).map(|w| distance_between_points(w[0], w[1])).sum()
        }
    }
}

pub(super) fn distance_between_points(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(&b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

/// Pose of a body in the world if all hinges and slides are at the rest positions of their springs.
fn world_pose_at_spring_rest(model: &Model, body: Option<usize>) -> Pose {
    let mut pose = Pose::identity();
    let mut at = body;
    while let Some(body) = at.and_then(|i| model.bodies.get(i)) {
        pose = pose_in_parent_at_spring_rest(body).compose(&pose);
        at = body.parent;
    }
    pose
}

/// Pose of a body in its parent, with its joints at the rest positions of their springs.
fn pose_in_parent_at_spring_rest(body: &MjcfBody) -> Pose {
    body.joints
        .iter()
        .fold(body.pose.clone(), |pose, joint| pose.compose(&joint_displacement_at_spring_rest(joint)))
}

/// Relative pose that a joint produces when it moves from its reference position to the rest
/// position of its spring.
fn joint_displacement_at_spring_rest(joint: &MjcfJoint) -> Pose {
    let by = joint.rest.value - joint.reference.value;
    let axis = unit_vector([0, 1, 2].map(|i| joint.axis[i].value)).unwrap_or([0.0; 3]);
    match joint.kind {
        MjcfJointKind::Slide => Pose { at: axis.map(|x| Decimal::from_f64(by * x)), turn: Turn::NONE },
        MjcfJointKind::Hinge => {
            let Some(matrix) = matrix_about_axis(axis, by) else { return Pose::identity() };
            let turn = Turn::from_matrix(matrix, 0.0).0;
            let center = [0, 1, 2].map(|i| joint.at[i].value);
            let moved = turn.rotate_vector(center);
            Pose { at: [0, 1, 2].map(|i| Decimal::from_f64(center[i] - moved[i])), turn }
        }
        MjcfJointKind::Ball | MjcfJointKind::Free => Pose::identity(),
    }
}
