//! Reads joints.

use super::frame::Angles;
use super::given::{Given, Notes};
use super::model::{Joint, Kind};
use super::settings::align_problem;
use crate::robot::class::Class;
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::turn::{Pose, place};

const TYPES: [&str; 4] = ["hinge", "slide", "ball", "free"];
/// Reads a joint. `frame`: pose of the enclosing `<frame>` elements in the body.
pub(super) fn read(given: &Given<'_>, frame: &Pose, angles: &Angles<'_>, notes: &mut Notes) -> Option<Joint> {
    let element = given.element;
    let free = element.tag == "freejoint";
    let path = if free { "freejoint" } else { "joint" };
    if free {
        notes.leaf(element, path);
        if given.flag(notes, "align", false) {
            align_problem(given.span("align"), notes);
        }
    } else {
        notes.leaf(element, path);
    }
    let kind = match if free { "free" } else { given.word(notes, "type", &TYPES, "hinge") } {
        "slide" => Kind::Slide,
        "ball" => Kind::Ball,
        "free" => Kind::Free,
        _ => Kind::Hinge,
    };
    let name = element.get("name").filter(|n| !n.is_empty()).map(str::to_owned);
    let of = name.as_ref().map_or_else(|| "a joint".to_owned(), |n| format!("joint `{n}`"));
    let zeros = || [0.0; 3].map(Decimal::of);
    // The position of a slide has no effect, and that of a free joint is the origin of the body.
    let at = match kind {
        Kind::Slide | Kind::Free => zeros(),
        _ => given.triple_or(notes, "pos", [0.0; 3]),
    };
    let at = place(&at, angles.snap, &of, Some(given.span("pos")), &mut notes.report);
    let axis = axis(given, kind, notes);
    let (at, axis) = in_body(at, axis, kind, frame);
    let single = matches!(kind, Kind::Hinge | Kind::Slide);
    let angle = |x: Decimal| if kind == Kind::Slide { x } else { angles.angle(&x) };
    let range = given.numbers(notes, "range", 2);
    // MuJoCo treats the range 0 0 as undefined.
    let stated = range.as_ref().is_some_and(|r| !r.iter().all(Decimal::is_zero));
    let limited = given.flag(notes, "limited", angles.settings.autolimits && stated);
    if limited {
        // The message points at the joint, because the range may be inherited from a class.
        let text = if single { "limits of joint (data in the spec, no stops)" } else { "limits of joint" };
        notes.ignore_as(Class::Idealised("joint limits"), text, element);
    }
    let range = range.filter(|_| limited && single).and_then(|r| <[Decimal; 2]>::try_from(r).ok());
    if let Some([low, high]) = &range
        && low.value >= high.value
    {
        let message = format!("the range of {of} leaves no room: {} to {}", low.text, high.text);
        let help = "write range=\"lowest highest\", or limited=\"false\"";
        notes.problem("mjcf-range", message, (given.span("range"), "here"), help);
    }
    let mut value = |name: &str| given.number_or(notes, name, 0.0);
    let (reference, rest) = (value("ref"), value("springref"));
    let (armature, dry_friction) = (value("armature"), value("frictionloss"));
    for (name, x) in [("armature", &armature), ("frictionloss", &dry_friction)] {
        if x.value < 0.0 {
            let message = format!("the {name} {} of {of} is negative", x.text);
            notes.problem("mjcf-friction", message, (given.span(name), "here"), "write zero or more");
        }
    }
    let mut value = |name: &str| given.coefficient(notes, name, &of, "joint");
    let (damping, stiffness) = (value("damping"), value("stiffness"));
    let carried = given.flag(notes, "actuatorgravcomp", false);
    // Both numbers must be positive, otherwise MuJoCo ignores them.
    let spring_damper = given
        .numbers(notes, "springdamper", 2)
        .and_then(|x| <[f64; 2]>::try_from(x.iter().map(|x| x.value).collect::<Vec<_>>()).ok())
        .filter(|x| x.iter().all(|x| *x > 0.0));
    if let Some(attribute) = given.find("springyield")
        && attribute.value.split_whitespace().any(|x| x.parse() != Ok(0.0))
    {
        let message = format!("`springyield` of {of} makes its spring in a way that is not read");
        notes.problem("mjcf-spring", message, (attribute.value_span, "not read"), "leave it out");
    }
    if let Some(attribute) = given.find("actuatorfrcrange") {
        let text = format!("actuatorfrcrange of {of}");
        notes.report.lose(
            Class::Idealised("actuator limits"),
            "joint@actuatorfrcrange",
            Some(text),
            attribute.value_span,
        );
    }
    Some(Joint {
        name,
        span: element.name_span(),
        kind,
        at,
        axis,
        reference: if single { angle(reference) } else { Decimal::of(0.0) },
        range: range.map(|r| r.map(angle)),
        damping,
        stiffness,
        carried_by_actuator: carried.then(|| given.span("actuatorgravcomp")),
        spring_damper,
        rest: if single { angle(rest) } else { Decimal::of(0.0) },
        armature,
        dry_friction,
    })
}

fn axis(given: &Given<'_>, kind: Kind, notes: &mut Notes) -> Triple {
    let axis = given.triple_or(notes, "axis", [0.0, 0.0, 1.0]);
    let length = axis.iter().fold(0.0_f64, |a, x| a.max(x.value.abs()));
    if matches!(kind, Kind::Hinge | Kind::Slide) && !(1e-100..1e100).contains(&length) {
        let place = (given.span("axis"), "its length is zero, or beyond all measure");
        notes.problem(
            "bad-axis",
            "an axis without a direction".into(),
            place,
            "write a direction such as axis=\"0 0 1\"",
        );
        return [0.0, 0.0, 1.0].map(Decimal::of);
    }
    axis
}

/// Position and axis of a joint in the frame of the body.
fn in_body(at: Triple, axis: Triple, kind: Kind, frame: &Pose) -> (Triple, Triple) {
    if *frame == Pose::none() {
        return (at, axis);
    }
    let turned = frame.turn.apply([0, 1, 2].map(|i| axis[i].value));
    let axis = if frame.turn.is_none() { axis } else { turned.map(Decimal::of) };
    if matches!(kind, Kind::Slide | Kind::Free) {
        return (at, axis);
    }
    let moved = frame.times(&Pose { at, turn: crate::robot::turn::Turn::NONE });
    (moved.at, axis)
}
