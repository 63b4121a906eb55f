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
    let reader = ActuatorReader { attributes, settings, path, shown };
    let ActuatorReader { path, shown, .. } = &reader;
    if !matches!(tag, "motor" | "position" | "velocity" | "general") {
        match RELEVANCE.element_relevance(path) {
            Some((Relevance::Idealised(_), _)) => {
                return reader.drop_actuator("actuators of this kind are not supported", notes);
            }
            _ => {
                notes.report_unread_element(path, element);
                return None;
            }
        }
    }
    notes.report_unread_parts(element, path);
    if let Some(why) = reader.find_exclusion_reason(notes) {
        return reader.drop_actuator(&why, notes);
    }
    let drive = match find_drive(element, model, notes)? {
        Ok(drive) => drive,
        Err(why) => return reader.drop_actuator(why, notes),
    };
    let (gain, bias) = match read_gains(attributes, shown, notes) {
        Ok(gains) => gains,
        Err(what) => return reader.drop_actuator(&format!("{what} is not supported"), notes),
    };
    let gear = attributes
        .read_overlaid_numbers(notes, "gear", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        .into_iter()
        .next()?;
    let limits = reader.read_control_limits(&gain, &bias, notes);
    let armature = attributes.read_number_or(notes, "armature", 0.0);
    let damping = attributes.read_coefficient(notes, "damping", shown, path);
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

/// Attributes and settings from which an actuator is read, with its name in messages.
struct ActuatorReader<'a> {
    attributes: &'a ElementWithDefaults<'a>,
    settings: &'a CompilerSettings,
    /// Path of the element, for the report of losses.
    path: String,
    /// The actuator in messages.
    shown: String,
}

impl ActuatorReader<'_> {
    /// Reports that the actuator is not converted.
    fn drop_actuator(&self, why: &str, notes: &mut Notes) -> Option<Actuator> {
        let Self { attributes, settings, path, shown } = self;
        let text = format!("{shown}: {why}");
        let span = attributes.element.span;
        notes.report.record_loss(Relevance::Idealised("actuators"), path.as_str(), Some(text), span);
        report_lost_inertia_and_damping(attributes, path, shown, settings, notes);
        None
    }

    /// The reason why the file disables the actuator or drives something unsupported with it.
    fn find_exclusion_reason(&self, notes: &mut Notes) -> Option<String> {
        let Self { attributes, settings, .. } = self;
        if !settings.actuators {
            return Some("a flag of the file disables all actuators".to_owned());
        }
        let group = attributes.read_number_or(notes, "group", 0.0).value;
        if settings.disabled_groups.contains(&group) {
            return Some("the group of this actuator is disabled".to_owned());
        }
        let other = ["site", "cranksite", "slidersite", "body"]
            .iter()
            .find(|n| attributes.find_attribute(n).is_some());
        other.map(|other| format!("the actuator drives a {other}, not a joint or a tendon"))
    }

    /// Limits of the control: `ctrlrange`, intersected with an equivalent `forcerange`. Limits that
    /// cannot be converted are reported.
    fn read_control_limits(
        &self,
        gain: &Decimal,
        bias: &[Decimal],
        notes: &mut Notes,
    ) -> Option<[Decimal; 2]> {
        let Self { attributes, settings, path, shown } = self;
        let auto = settings.autolimits;
        let mut limits =
            read_limit_range(attributes, "ctrlrange", "ctrllimited", auto, notes).filter(|_| settings.clamp);
        if let Some([low, high]) = read_limit_range(attributes, "forcerange", "forcelimited", auto, notes) {
            let is_unbiased = bias.iter().all(Decimal::is_zero);
            if is_unbiased && gain.value > 0.0 {
                // A force limit without a bias is equivalent to a control limit.
                let force_limits = [low, high].map(|force| {
                    if gain.value == 1.0 { force } else { Decimal::from_f64(force.value / gain.value) }
                });
                limits = Some(match limits {
                    Some(limits) => intersect_ranges(limits, force_limits),
                    None => force_limits,
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
            let text =
                format!("`inheritrange` {} of {shown}: the input of the actuator has no limits", x.text);
            let relevance = Relevance::Idealised("actuator limits");
            notes.report.record_loss(
                relevance,
                path.as_str(),
                Some(text),
                attributes.attribute_span("inheritrange"),
            );
        }
        limits
    }
}

fn intersect_ranges([a, b]: [Decimal; 2], [low, high]: [Decimal; 2]) -> [Decimal; 2] {
    [if a.value < low.value { low } else { a }, if b.value > high.value { high } else { b }]
}

/// The tendon or joint that an actuator acts on. The outer `None` is an error, which is reported;
/// the inner error is a reason why equations of motion cannot represent the actuator.
fn find_drive(element: &XmlElement, model: &Model, notes: &mut Notes) -> Option<Result<Drive, &'static str>> {
    match element.attribute_value("tendon").map(|name| model.find_tendon(name)) {
        Some(Some(tendon)) => {
            if model.tendons.get(tendon).is_some_and(|t| matches!(t.course, TendonCourse::Wrapped)) {
                return Some(Err("the tendon of this actuator wraps around a geom or a pulley"));
            }
            Some(Ok(Drive::Tendon(tendon)))
        }
        Some(None) => {
            let names = model.tendons.iter().filter_map(|t| t.name.as_deref());
            report_unknown_name("tendon", element, "tendon", names, notes);
            None
        }
        None => Some(match find_actuated_joint(element, model, notes)? {
            Some(joint) => Ok(Drive::Joint(joint)),
            None => Err("the joint of this actuator has several coordinates"),
        }),
    }
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
