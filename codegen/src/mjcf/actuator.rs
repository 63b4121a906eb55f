//! `<actuator>`: motors and servos of joints.
//!
//! Problem: an actuator is a gain times its control, and a bias of its length and speed, through a gear.
//! Method:  motor, position, velocity and general actuators without states, on a hinge, a slide or a tendon. All others are
//!          reported.
//! Not handled: sites, sliders and cranks, activations, muscles, limits of the force beside a bias.

use super::classes::CLASSES;
use super::element::Element;
use super::equality::unknown;
use super::given::{Given, Notes};
use super::model::{Actuator, Course, Drive, Kind, Model};
use super::settings::Settings;
use crate::robot::class::Class;
use crate::robot::decimal::Decimal;

/// The elements that share one set of defaults.
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
/// What makes the gain, by element.
const GAINS: [&str; 13] = [
    "kp",
    "kv",
    "dampratio",
    "timeconst",
    "gaintype",
    "gainprm",
    "biastype",
    "biasprm",
    "dyntype",
    "dynprm",
    "actdim",
    "delay",
    "input",
];

/// The actuator of an element; `None` if the equations cannot say what it does, which is reported.
pub(super) fn read(
    given: &Given<'_>,
    model: &Model,
    settings: &Settings,
    notes: &mut Notes,
) -> Option<Actuator> {
    let element = given.element;
    let tag = element.tag.as_str();
    let name = element.get("name").filter(|n| !n.is_empty()).map(str::to_owned);
    let shown = name.as_ref().map_or_else(|| format!("actuator <{tag}>"), |n| format!("actuator `{n}`"));
    let path = format!("actuator/{tag}");
    let off = |why: &str, notes: &mut Notes| {
        let text = format!("{shown}: {why}");
        notes.report.lose(Class::Idealised("actuators"), path.as_str(), Some(text), element.span);
        None
    };
    if !matches!(tag, "motor" | "position" | "velocity" | "general") {
        match CLASSES.element(&path) {
            Some((Class::Idealised(_), _)) => return off("its kind is not read", notes),
            _ => {
                notes.ignore(&path, element);
                return None;
            }
        }
    }
    notes.leaf(element, &path);
    if !settings.actuators {
        return off("actuation is switched off", notes);
    }
    let group = given.number_or(notes, "group", 0.0).value;
    if settings.disabled_groups.contains(&group) {
        return off("its group is switched off", notes);
    }
    if let Some(other) = ["site", "cranksite", "slidersite", "body"].iter().find(|n| given.find(n).is_some())
    {
        return off(&format!("it drives a {other}, not a joint or a tendon"), notes);
    }
    let drive = match element.get("tendon").map(|name| model.tendon(name)) {
        Some(Some(tendon)) => {
            if model.tendons.get(tendon).is_some_and(|t| matches!(t.course, Course::Wrapped)) {
                return off("its tendon wraps", notes);
            }
            Drive::Tendon(tendon)
        }
        Some(None) => {
            let names = model.tendons.iter().filter_map(|t| t.name.as_deref());
            unknown("tendon", element, "tendon", names, notes);
            return None;
        }
        None => match of_joint(element, model, notes)? {
            Some(joint) => Drive::Joint(joint),
            None => return off("its joint has several coordinates", notes),
        },
    };
    foreign(given, &shown, notes);
    let (gain, bias) = gain(given, &shown, notes)?;
    let gear = given.overlaid(notes, "gear", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).into_iter().next()?;
    let mut limits =
        range(given, "ctrlrange", "ctrllimited", settings.autolimits, notes).filter(|_| settings.clamp);
    let unbiased = bias.iter().all(Decimal::is_zero);
    if let Some([low, high]) = range(given, "forcerange", "forcelimited", settings.autolimits, notes) {
        if unbiased && gain.value > 0.0 {
            // A limit of the force is one of the control.
            let by = |x: Decimal| if gain.value == 1.0 { x } else { Decimal::of(x.value / gain.value) };
            let [low, high] = [low, high].map(by);
            limits = Some(match limits {
                Some([a, b]) => {
                    [if a.value < low.value { low } else { a }, if b.value > high.value { high } else { b }]
                }
                None => [low, high],
            });
        } else {
            let text = format!("forcerange {} {} of {shown}", low.text, high.text);
            notes.report.lose(
                Class::Idealised("actuator limits"),
                path.as_str(),
                Some(text),
                given.span("forcerange"),
            );
        }
    }
    if let Some(x) = given.number(notes, "inheritrange").filter(|x| x.value > 0.0) {
        let text = format!("inheritrange {} of {shown}: its input has no limits", x.text);
        let class = Class::Idealised("actuator limits");
        notes.report.lose(class, path.as_str(), Some(text), given.span("inheritrange"));
    }
    let armature = given.number_or(notes, "armature", 0.0);
    let damping = given.number_or(notes, "damping", 0.0);
    if matches!(drive, Drive::Tendon(_)) && !armature.is_zero() {
        let text = format!("`armature` of {shown} on a tendon");
        notes.report.lose(Class::Structural, format!("{path}@armature"), Some(text), given.span("armature"));
    }
    Some(Actuator { name, span: element.name_span(), drive, gear, gain, bias, limits, armature, damping })
}

/// The joint that an actuator names; within, `None` if it has several coordinates.
fn of_joint(element: &Element, model: &Model, notes: &mut Notes) -> Option<Option<(usize, usize)>> {
    let tag = &element.tag;
    let Some(attribute) = ["joint", "jointinparent"].into_iter().find(|n| element.get(n).is_some()) else {
        let help = format!("write <{tag} joint=\"…\">");
        notes.problem("mjcf-missing", format!("<{tag}> has no `joint`"), (element.span, "here"), &help);
        return None;
    };
    let Some(joint) = model.joint(element.get(attribute).unwrap_or("")) else {
        let joints = model.bodies.iter().flat_map(|b| &b.joints);
        unknown("joint", element, attribute, joints.filter_map(|j| j.name.as_deref()), notes);
        return None;
    };
    let single = model.joint_at(joint).is_some_and(|j| matches!(j.kind, Kind::Hinge | Kind::Slide));
    Some(single.then_some(joint))
}

/// Gains of a class that another element wrote: how MuJoCo mixes them is not repeated here.
fn foreign(given: &Given<'_>, shown: &str, notes: &mut Notes) {
    let tag = &given.element.tag;
    let others = given.defaults.iter().filter(|e| e.tag != *tag && e.tag != "motor");
    let gains = others.flat_map(|e| &e.attributes).find(|a| GAINS.contains(&a.name.as_str()));
    let own = given.all_gains().any(|a| GAINS.contains(&a.name.as_str()));
    if let Some(attribute) = gains.filter(|_| tag != "motor" && !own) {
        let help = format!("write the gains at the <{tag}> itself, or in a class by <{tag}>");
        let place = (attribute.span, "by another element than the actuator is");
        notes.problem(
            "mjcf-actuator",
            format!("the class of {shown} has a `{}`", attribute.name),
            place,
            &help,
        );
    }
}

impl<'a> Given<'a> {
    /// Attributes of the element, and of the elements of its class that are of its own kind.
    fn all_gains(&self) -> impl Iterator<Item = &'a super::element::Attribute> {
        let tag = self.element.tag.as_str();
        let defaults = self.defaults.iter().copied().filter(move |e| e.tag == tag);
        std::iter::once(self.element).chain(defaults).flat_map(|e| &e.attributes)
    }

    /// The same without elements of another kind: their gains are not its own.
    fn own_kind(&self) -> Given<'a> {
        let tag = self.element.tag.as_str();
        let defaults = self.defaults.iter().copied().filter(|e: &&Element| e.tag == tag).collect();
        Given { element: self.element, defaults }
    }
}

/// Gain and bias.
fn gain(given: &Given<'_>, shown: &str, notes: &mut Notes) -> Option<(Decimal, [Decimal; 3])> {
    let own = given.own_kind();
    let zero = || Decimal::of(0.0);
    let minus = |x: &Decimal| super::frame::opposite(x);
    let off = |what: &str, notes: &mut Notes| {
        let text = format!("{shown}: {what} is not read");
        notes.report.lose(Class::Idealised("actuators"), "actuator", Some(text), given.element.span);
        None
    };
    if own.number_or(notes, "delay", 0.0).value != 0.0 {
        return off("`delay`", notes);
    }
    match given.element.tag.as_str() {
        "position" => {
            for name in ["dampratio", "timeconst"] {
                if own.number(notes, name).is_some_and(|x| !x.is_zero()) {
                    return off(&format!("`{name}`"), notes);
                }
            }
            let (kp, kv) = (own.number_or(notes, "kp", 1.0), own.number_or(notes, "kv", 0.0));
            let bias = [zero(), minus(&kp), minus(&kv)];
            Some((kp, bias))
        }
        "velocity" => {
            let kv = own.number_or(notes, "kv", 1.0);
            let bias = [zero(), zero(), minus(&kv)];
            Some((kv, bias))
        }
        "general" => {
            const DYN: [&str; 7] =
                ["none", "integrator", "filter", "filterexact", "muscle", "user", "dcmotor"];
            const KINDS: [&str; 6] = ["none", "fixed", "affine", "muscle", "user", "dcmotor"];
            if own.word(notes, "dyntype", &DYN, "none") != "none" {
                return off("`dyntype`", notes);
            }
            if own.find("input").is_some() {
                return off("`input`", notes);
            }
            let gaintype = own.word(notes, "gaintype", &KINDS, "fixed");
            let biastype = own.word(notes, "biastype", &KINDS, "none");
            let gains = own.overlaid(notes, "gainprm", &[&[1.0][..], &[0.0; 9][..]].concat());
            let biases = own.overlaid(notes, "biasprm", &[0.0; 10]);
            let flat = gains.iter().skip(1).take(2).all(Decimal::is_zero);
            if !(gaintype == "fixed" || (gaintype == "affine" && flat)) {
                return off("`gaintype` but for a constant gain", notes);
            }
            let bias = match biastype {
                "none" => [zero(), zero(), zero()],
                "affine" => biases.into_iter().take(3).collect::<Vec<_>>().try_into().ok()?,
                _ => return off("`biastype`", notes),
            };
            Some((gains.into_iter().next()?, bias))
        }
        _ => Some((Decimal::of(1.0), [zero(), zero(), zero()])),
    }
}

/// A range, where it is a limit.
fn range(
    given: &Given<'_>,
    name: &str,
    limited: &str,
    auto: bool,
    notes: &mut Notes,
) -> Option<[Decimal; 2]> {
    let range = given.numbers(notes, name, 2);
    // Two zeros are no range.
    let stated = range.as_ref().is_some_and(|r| !r.iter().all(Decimal::is_zero));
    let limited = given.flag(notes, limited, auto && stated);
    let range: [Decimal; 2] = range.filter(|_| limited)?.try_into().ok()?;
    if range[0].value >= range[1].value {
        let place = (given.span(name), "the lower one comes first");
        notes.problem(
            "mjcf-range",
            format!("`{name}` has no width"),
            place,
            &format!("write {name}=\"lower upper\""),
        );
        return None;
    }
    Some(range)
}
