//! Reads joints.

use super::element_defaults::{ElementWithDefaults, Notes};
use super::frame::Angles;
use super::model::{MjcfJoint, MjcfJointKind};
use super::settings::reject_free_joint_alignment;
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::relevance::Relevance;
use crate::robot::turn::{Pose, snap_position};

/// Words of the attribute `type` of a joint in MJCF.
const TYPES: [&str; 4] = ["hinge", "slide", "ball", "free"];
/// Reads a joint of a body in MJCF; `None` if it cannot be converted. `frame`: pose of the
/// enclosing `<frame>` elements in the body.
pub(super) fn read_joint(
    attributes: &ElementWithDefaults<'_>,
    frame: &Pose,
    angles: &Angles<'_>,
    notes: &mut Notes,
) -> Option<MjcfJoint> {
    let element = attributes.element;
    let free = element.tag == "freejoint";
    let path = if free { "freejoint" } else { "joint" };
    if free {
        notes.report_unread_parts(element, path);
        if attributes.read_flag(notes, "align", false) {
            reject_free_joint_alignment(attributes.attribute_span("align"), notes);
        }
    } else {
        notes.report_unread_parts(element, path);
    }
    let kind = match if free { "free" } else { attributes.read_word(notes, "type", &TYPES, "hinge") } {
        "slide" => MjcfJointKind::Slide,
        "ball" => MjcfJointKind::Ball,
        "free" => MjcfJointKind::Free,
        _ => MjcfJointKind::Hinge,
    };
    let name = element.attribute_value("name").filter(|n| !n.is_empty()).map(str::to_owned);
    let label = name.as_ref().map_or_else(|| "a joint".to_owned(), |n| format!("joint `{n}`"));

    // The position of a slide has no effect, and that of a free joint is the origin of the body.
    let at = match kind {
        MjcfJointKind::Slide | MjcfJointKind::Free => [0.0; 3].map(Decimal::from_f64),
        _ => attributes.read_triple_or(notes, "pos", [0.0; 3]),
    };
    let at =
        snap_position(&at, angles.snap, &label, Some(attributes.attribute_span("pos")), &mut notes.report);
    let axis = read_joint_axis(attributes, kind, notes);
    let (at, axis) = joint_to_body_frame(at, axis, kind, frame);
    let single = kind.has_one_coordinate();
    let angle = |x: Decimal| if kind == MjcfJointKind::Slide { x } else { angles.angle_in_radians(&x) };
    let range = read_joint_range(attributes, single, angles.settings.autolimits, &label, notes);
    let mut value = |name: &str| attributes.read_number_or(notes, name, 0.0);
    let (reference, rest) = (value("ref"), value("springref"));
    let (armature, dry_friction) = (value("armature"), value("frictionloss"));
    for (name, x) in [("armature", &armature), ("frictionloss", &dry_friction)] {
        attributes.reject_negative_number(notes, name, x, &label);
    }
    let mut value = |name: &str| attributes.read_coefficient(notes, name, &label, "joint");
    let (damping, stiffness) = (value("damping"), value("stiffness"));
    let carried = attributes.read_flag(notes, "actuatorgravcomp", false);
    // Both numbers must be positive, otherwise MuJoCo ignores them.
    let spring_damper = attributes
        .read_numbers(notes, "springdamper", 2)
        .and_then(|x| <[f64; 2]>::try_from(x.iter().map(|x| x.value).collect::<Vec<_>>()).ok())
        .filter(|x| x.iter().all(|x| *x > 0.0));
    report_unsupported_joint_attributes(attributes, &label, notes);
    Some(MjcfJoint {
        name,
        span: element.name_span(),
        kind,
        at,
        axis,
        reference: if single { angle(reference) } else { Decimal::from_f64(0.0) },
        range: range.map(|r| r.map(angle)),
        damping,
        stiffness,
        carried_by_actuator: carried.then(|| attributes.attribute_span("actuatorgravcomp")),
        spring_damper,
        rest: if single { angle(rest) } else { Decimal::from_f64(0.0) },
        armature,
        dry_friction,
    })
}

/// Reads the limits of a joint, if they are active and the joint has one coordinate. `auto`: true
/// if the range alone makes them active.
fn read_joint_range(
    attributes: &ElementWithDefaults<'_>,
    has_one_coordinate: bool,
    auto: bool,
    label: &str,
    notes: &mut Notes,
) -> Option<[Decimal; 2]> {
    let range = attributes.read_numbers(notes, "range", 2);
    // MuJoCo treats the range 0 0 as undefined.
    let stated = range.as_ref().is_some_and(|r| !r.iter().all(Decimal::is_zero));
    let limited = attributes.read_flag(notes, "limited", auto && stated);
    if limited {
        // The message points at the joint, because the range may be inherited from a class.
        let text = match has_one_coordinate {
            true => "joint limits (kept in the spec as data, but not enforced)",
            false => "joint limits",
        };
        notes.report_unread_as(Relevance::Idealised("joint limits"), text, attributes.element);
    }
    let range = range.filter(|_| limited && has_one_coordinate)?;
    let [low, high] = <[Decimal; 2]>::try_from(range).ok()?;
    if low.value >= high.value {
        let message = format!("the range of {label} is empty: {} to {}", low.text, high.text);
        let help = "write range=\"lower upper\", or limited=\"false\"";
        notes.add_problem("mjcf-range", message, (attributes.attribute_span("range"), "here"), help);
    }
    Some([low, high])
}

/// Reports attributes of a joint that a spec cannot express.
fn report_unsupported_joint_attributes(attributes: &ElementWithDefaults<'_>, label: &str, notes: &mut Notes) {
    if let Some(attribute) = attributes.find_attribute("springyield")
        && attribute.value.split_whitespace().any(|x| x.parse() != Ok(0.0))
    {
        let message = format!("`springyield` of {label} is not supported");
        notes.add_problem(
            "mjcf-spring",
            message,
            (attribute.value_span, "not supported"),
            "remove the attribute `springyield`",
        );
    }
    if let Some(attribute) = attributes.find_attribute("actuatorfrcrange") {
        let text = format!("`actuatorfrcrange` of {label}");
        notes.report.record_loss(
            Relevance::Idealised("actuator limits"),
            "joint@actuatorfrcrange",
            Some(text),
            attribute.value_span,
        );
    }
}

/// The axis of a hinge or a slide; an axis of length zero is reported.
fn read_joint_axis(attributes: &ElementWithDefaults<'_>, kind: MjcfJointKind, notes: &mut Notes) -> Triple {
    let axis = attributes.read_triple_or(notes, "axis", [0.0, 0.0, 1.0]);
    let length = axis.iter().fold(0.0_f64, |a, x| a.max(x.value.abs()));
    if kind.has_one_coordinate() && !(1e-100..1e100).contains(&length) {
        let place = (attributes.attribute_span("axis"), "the length of this vector is zero or out of range");
        notes.add_problem(
            "bad-axis",
            "the axis of the joint has no direction".into(),
            place,
            "write the direction of the axis, such as axis=\"0 0 1\"",
        );
        return [0.0, 0.0, 1.0].map(Decimal::from_f64);
    }
    axis
}

/// Position and axis of a joint in the frame of the body, from those in the enclosing `<frame>`
/// elements.
fn joint_to_body_frame(at: Triple, axis: Triple, kind: MjcfJointKind, frame: &Pose) -> (Triple, Triple) {
    if *frame == Pose::identity() {
        return (at, axis);
    }
    let turned = frame.turn.rotate_vector([0, 1, 2].map(|i| axis[i].value));
    let axis = if frame.turn.is_identity() { axis } else { turned.map(Decimal::from_f64) };
    if matches!(kind, MjcfJointKind::Slide | MjcfJointKind::Free) {
        return (at, axis);
    }
    let moved = frame.compose(&Pose { at, turn: crate::robot::turn::Turn::NONE });
    (moved.at, axis)
}
