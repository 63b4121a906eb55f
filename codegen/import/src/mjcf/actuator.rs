//! The section `<actuator>`: motors and servos of joints.
//!
//! Problem: the force of an actuator is a gain times its control plus a bias in its length and
//!          speed, through a gear.
//! Method:  motor, position, velocity and general actuators without states, on a hinge, a slide or
//!          a tendon, are converted. All others are reported.
//! Not handled: sites, slider-cranks, activations, muscles, force limits combined with a bias.

use super::element::XmlElement;
use super::element_defaults::{ElementWithDefaults, Notes};
use super::equality::report_unknown_name;
use super::gains::read_gains;
use super::model::{Actuator, Drive, Model, TendonCourse};
use super::relevance::RELEVANCE;
use super::settings::CompilerSettings;
use crate::robot::decimal::Decimal;
use crate::robot::relevance::Relevance;

/// Tags that MJCF permits in `<actuator>`. They share one set of default attributes, so that a
/// default for one tag also applies to the others.
pub(super) const TAGS: [&str; 14] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "plugin",
    "dcmotor",
    "pid",
    "orientation",
    "user",
];
/// Reads an actuator of an MJCF; `None` if equations of motion cannot represent it, which is
/// reported.
pub(super) fn read_actuator(
    attributes: &ElementWithDefaults<'_>,
    model: &Model,
    settings: &CompilerSettings,
    notes: &mut Notes,
) -> Option<Actuator> {
    let element = attributes.element;
    let tag = element.tag.as_str();
    let name = element.attribute_value("name").filter(|n| !n.is_empty()).map(str::to_owned);
    let shown = name.as_ref().map_or_else(|| format!("actuator <{tag}>"), |n| format!("actuator `{n}`"));
    let path = format!("actuator/{tag}");
    let off = |why: &str, notes: &mut Notes| {
        let text = format!("{shown}: {why}");
        notes.report.record_loss(Relevance::Idealised("actuators"), path.as_str(), Some(text), element.span);
        report_lost_inertia_and_damping(attributes, &path, &shown, settings, notes);
        None
    };
    if !matches!(tag, "motor" | "position" | "velocity" | "general") {
        match RELEVANCE.element_relevance(&path) {
            Some((Relevance::Idealised(_), _)) => {
                return off("actuators of this kind are not supported", notes);
            }
            _ => {
                notes.report_unread_element(&path, element);
                return None;
            }
        }
    }
    notes.report_unread_parts(element, &path);
    if !settings.actuators {
        return off("a flag of the file disables all actuators", notes);
    }
    let group = attributes.read_number_or(notes, "group", 0.0).value;
    if settings.disabled_groups.contains(&group) {
        return off("the group of this actuator is disabled", notes);
    }
    if let Some(other) =
        ["site", "cranksite", "slidersite", "body"].iter().find(|n| attributes.find_attribute(n).is_some())
    {
        return off(&format!("the actuator drives a {other}, not a joint or a tendon"), notes);
    }
    let drive = match element.attribute_value("tendon").map(|name| model.find_tendon(name)) {
        Some(Some(tendon)) => {
            if model.tendons.get(tendon).is_some_and(|t| matches!(t.course, TendonCourse::Wrapped)) {
                return off("the tendon of this actuator wraps around a geom or a pulley", notes);
            }
            Drive::Tendon(tendon)
        }
        Some(None) => {
            let names = model.tendons.iter().filter_map(|t| t.name.as_deref());
            report_unknown_name("tendon", element, "tendon", names, notes);
            return None;
        }
        None => match find_actuated_joint(element, model, notes)? {
            Some(joint) => Drive::Joint(joint),
            None => return off("the joint of this actuator has several coordinates", notes),
        },
    };
    let (gain, bias) = match read_gains(attributes, &shown, notes) {
        Ok(gains) => gains,
        Err(what) => return off(&format!("{what} is not supported"), notes),
    };
    let gear = attributes
        .read_overlaid_numbers(notes, "gear", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        .into_iter()
        .next()?;
    let mut limits = read_limit_range(attributes, "ctrlrange", "ctrllimited", settings.autolimits, notes)
        .filter(|_| settings.clamp);
    let unbiased = bias.iter().all(Decimal::is_zero);
    if let Some([low, high]) =
        read_limit_range(attributes, "forcerange", "forcelimited", settings.autolimits, notes)
    {
        if unbiased && gain.value > 0.0 {
            // A force limit without a bias is equivalent to a control limit.
            let [low, high] = [low, high].map(|force| {
                if gain.value == 1.0 { force } else { Decimal::from_f64(force.value / gain.value) }
            });
            limits = Some(match limits {
                Some([a, b]) => {
                    [if a.value < low.value { low } else { a }, if b.value > high.value { high } else { b }]
                }
                None => [low, high],
            });
        } else {
            let text = format!("`forcerange` from {} to {} of {shown}", low.text, high.text);
            notes.report.record_loss(
                Relevance::Idealised("actuator limits"),
                path.as_str(),
                Some(text),
                attributes.attribute_span("forcerange"),
            );
        }
    }
    if let Some(x) = attributes.read_number(notes, "inheritrange").filter(|x| x.value > 0.0) {
        let text = format!("`inheritrange` {} of {shown}: the input of the actuator has no limits", x.text);
        let relevance = Relevance::Idealised("actuator limits");
        notes.report.record_loss(
            relevance,
            path.as_str(),
            Some(text),
            attributes.attribute_span("inheritrange"),
        );
    }
    let armature = attributes.read_number_or(notes, "armature", 0.0);
    let damping = attributes.read_coefficient(notes, "damping", &shown, &path);
    if matches!(drive, Drive::Tendon(_)) && !armature.is_zero() {
        let text = format!("`armature` of {shown} (which drives a tendon)");
        notes.report.record_loss(
            Relevance::Structural,
            format!("{path}@armature"),
            Some(text),
            attributes.attribute_span("armature"),
        );
    }
    Some(Actuator { name, span: element.name_span(), drive, gear, gain, bias, limits, armature, damping })
}

/// The joint that an actuator acts on, as (body, joint in it). The outer `None` is an error, which
/// is reported; the inner `None` is a joint with several coordinates.
fn find_actuated_joint(
    element: &XmlElement,
    model: &Model,
    notes: &mut Notes,
) -> Option<Option<(usize, usize)>> {
    let tag = &element.tag;
    let Some(attribute) =
        ["joint", "jointinparent"].into_iter().find(|n| element.attribute_value(n).is_some())
    else {
        let help = format!("write <{tag} joint=\"…\">");
        notes.add_problem(
            "mjcf-missing",
            format!("<{tag}> has no attribute `joint`"),
            (element.span, "here"),
            &help,
        );
        return None;
    };
    let Some(joint) = model.find_joint(element.attribute_value(attribute).unwrap_or("")) else {
        let joints = model.bodies.iter().flat_map(|b| &b.joints);
        report_unknown_name("joint", element, attribute, joints.filter_map(|j| j.name.as_deref()), notes);
        return None;
    };
    let single = model.joint_at_indices(joint).is_some_and(|j| j.kind.has_one_coordinate());
    Some(single.then_some(joint))
}

/// Reports inertia and damping of an actuator that is not converted, because they act in MuJoCo
/// even without control.
fn report_lost_inertia_and_damping(
    attributes: &ElementWithDefaults<'_>,
    path: &str,
    shown: &str,
    settings: &CompilerSettings,
    notes: &mut Notes,
) {
    for (name, on) in [("armature", true), ("damping", settings.dampers)] {
        if on && attributes.read_number(notes, name).is_some_and(|x| !x.is_zero()) {
            let text = format!("`{name}` of the dropped {shown}");
            notes.report.record_loss(
                Relevance::Structural,
                format!("{path}@{name}"),
                Some(text),
                attributes.attribute_span(name),
            );
        }
    }
}

/// Limits of the control or of the force of an actuator: a range attribute such as `ctrlrange`, if
/// it is active as a limit. `auto`: true if the range alone makes it active.
fn read_limit_range(
    attributes: &ElementWithDefaults<'_>,
    name: &str,
    limited: &str,
    auto: bool,
    notes: &mut Notes,
) -> Option<[Decimal; 2]> {
    let range = attributes.read_numbers(notes, name, 2);
    // MuJoCo treats the range 0 0 as undefined.
    let stated = range.as_ref().is_some_and(|r| !r.iter().all(Decimal::is_zero));
    let limited = attributes.read_flag(notes, limited, auto && stated);
    let range: [Decimal; 2] = range.filter(|_| limited)?.try_into().ok()?;
    if range[0].value >= range[1].value {
        let place = (attributes.attribute_span(name), "the first number must be less than the second");
        notes.add_problem(
            "mjcf-range",
            format!("the range of `{name}` is empty"),
            place,
            &format!("write {name}=\"lower upper\""),
        );
        return None;
    }
    Some(range)
}
