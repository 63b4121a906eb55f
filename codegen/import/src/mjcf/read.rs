//! Reads all sections of a file into a model.

use super::actuator;
use super::body::World;
use super::classes::{CLASSES, PARTS};
use super::defaults::Defaults;
use super::element::Element;
use super::equality;
use super::frame::Angles;
use super::given::Notes;
use super::model::Model;
use super::settings;
use super::springs;
use super::tendon;
use crate::robot::class::Class;
use dqdt_diagnostics::base::Span;
use dqdt_spec::spec::did_you_mean;

/// Sections of a file that are read.
const READ: [&str; 7] = ["compiler", "option", "default", "worldbody", "tendon", "equality", "actuator"];

/// Reads the model of a file with the root `<mujoco>`.
pub(super) fn read(root: &Element, snap: f64, notes: &mut Notes) -> Model {
    notes.attributes(root, "mujoco");
    misplaced(root, notes);
    let settings = settings::read(root, notes);
    let defaults = Defaults::read(root, notes);
    listed_defaults(&defaults, notes);
    let angles = || Angles { settings: &settings, snap };
    let mut world =
        World { defaults: &defaults, angles: angles(), notes, bodies: Vec::new(), sites: Vec::new() };
    for section in root.children.iter().filter(|s| s.tag == "worldbody") {
        world.read(section);
    }
    world.scale();
    let (bodies, sites) = (world.bodies, world.sites);
    let name = root.get("model").filter(|n| !n.is_empty()).unwrap_or("robot").to_owned();
    let gravity = settings.gravity.clone();
    let mut model = Model {
        name,
        gravity,
        bodies,
        sites,
        tendons: Vec::new(),
        equalities: Vec::new(),
        actuators: Vec::new(),
    };
    of_bodies_twice(&model, notes);
    for section in root.children.iter().filter(|s| s.tag == "tendon") {
        for element in &section.children {
            let given = defaults.given(element, None, &["tendon"], notes);
            let tendon = tendon::read(&given, &model, &settings, notes);
            model.tendons.extend(tendon);
        }
    }
    unnamed_attributes(root, notes);
    let (mut equalities, mut actuators) = (Vec::new(), Vec::new());
    for section in &root.children {
        match section.tag.as_str() {
            "equality" => {
                let angles = angles();
                for element in &section.children {
                    let given = defaults.given(element, None, &["equality"], notes);
                    let mut reader = equality::Reader { model: &model, angles: &angles, notes };
                    equalities.extend(reader.read(&given));
                }
            }
            "actuator" => {
                for element in &section.children {
                    let given = defaults.given(element, None, &actuator::TAGS, notes);
                    actuators.extend(actuator::read(&given, &model, &settings, notes));
                }
            }
            tag => other(tag, section, notes),
        }
    }
    if !settings.equalities {
        for e in &equalities {
            let text = "an equality: constraints are switched off".to_owned();
            notes.report.lose(Class::Harmless, "equality", Some(text), e.span);
        }
        equalities.clear();
    }
    model.equalities = equalities;
    model.actuators = actuators;
    twice("tendon", model.tendons.iter().map(|t| (t.name.as_deref(), t.span)), notes);
    twice("equality", model.equalities.iter().map(|e| (e.name.as_deref(), e.span)), notes);
    twice("actuator", model.actuators.iter().map(|a| (a.name.as_deref(), a.span)), notes);
    for (span, why) in springs::set(&mut model) {
        let message = format!("`springdamper` has no inertia to be made of: {why}");
        notes.problem(
            "mjcf-spring",
            message,
            (span, "of this joint"),
            "write stiffness and damping as numbers",
        );
    }
    let acts =
        settings.actuators && root.children.iter().any(|s| s.tag == "actuator" && !s.children.is_empty());
    carried_by_actuators(&model, acts, notes);
    switched_off(&mut model, &settings, notes);
    model
}

/// Elements that cannot contain parts of the robot.
const LEAVES: [&str; 6] = ["mujoco", "inertial", "joint", "freejoint", "geom", "site"];

/// Rejects parts of the robot in wrong places: they would be ignored, and the equations would be
/// those of another robot.
fn misplaced(parent: &Element, notes: &mut Notes) {
    for child in &parent.children {
        let own_place = parent.tag == "mujoco" && child.tag == "worldbody";
        let nowhere = LEAVES.contains(&parent.tag.as_str()) || child.tag == "worldbody";
        if PARTS.contains(&child.tag.as_str()) && nowhere && !own_place {
            notes.problem(
                "mjcf-misplaced",
                format!("<{}> does not stand in <{}>", child.tag, parent.tag),
                (child.span, "not read there"),
                "bodies stand in <worldbody> or in a <body>; joints, geoms, sites and <inertial> in a <body>",
            );
        }
        misplaced(child, notes);
    }
}

/// Reports attributes of sections that have none in the format.
fn unnamed_attributes(root: &Element, notes: &mut Notes) {
    let sections = ["tendon", "equality", "actuator"];
    for section in root.children.iter().filter(|s| sections.contains(&s.tag.as_str())) {
        for attribute in &section.attributes {
            let path = format!("{}@{}", section.tag, attribute.name);
            notes.report.lose(Class::Structural, path, None, attribute.span);
        }
    }
}

/// Removes springs, dampers and dry friction that are disabled by flags.
fn switched_off(model: &mut Model, settings: &settings::Settings, notes: &mut Notes) {
    use crate::robot::decimal::Decimal;
    let joints = model.bodies.iter_mut().flat_map(|b| &mut b.joints);
    for joint in joints {
        let values = [
            (settings.springs, &mut joint.stiffness, "stiffness"),
            (settings.dampers, &mut joint.damping, "damping"),
            (settings.dry_friction, &mut joint.dry_friction, "frictionloss"),
        ];
        for (on, value, what) in values {
            if !on && !value.is_zero() {
                let text = format!("{what} of a joint: a flag switches it off");
                notes.report.lose(Class::Harmless, "joint", Some(text), joint.span);
                *value = Decimal::of(0.0);
            }
        }
    }
    for actuator in model.actuators.iter_mut().filter(|a| !settings.dampers && !a.damping.is_zero()) {
        let text = "damping of an actuator: a flag switches it off".to_owned();
        notes.report.lose(Class::Harmless, "actuator", Some(text), actuator.span);
        actuator.damping = Decimal::of(0.0);
    }
    // If springs and dampers are both disabled, MuJoCo omits all passive forces.
    for body in model.bodies.iter_mut().filter(|b| !settings.springs && !settings.dampers && b.floats != 0.0)
    {
        let text = "`gravcomp` of a body: flags switch passive forces off".to_owned();
        notes.report.lose(Class::Harmless, "body@gravcomp", Some(text), body.span);
        body.floats = 0.0;
    }
}

/// Reports joints whose actuators should compensate weight although no actuator is active.
fn carried_by_actuators(model: &Model, acts: bool, notes: &mut Notes) {
    if acts || model.bodies.iter().all(|b| b.floats == 0.0) {
        return;
    }
    for joint in model.bodies.iter().flat_map(|b| &b.joints) {
        if let Some(span) = joint.carried_by_actuator {
            let text = "`actuatorgravcomp` of a joint where no actuator acts".to_owned();
            notes.report.lose(Class::Structural, "joint@actuatorgravcomp", Some(text), span);
        }
    }
}

/// Reports a section that is not read, element by element.
fn other(tag: &str, section: &Element, notes: &mut Notes) {
    if READ.contains(&tag) {
        return;
    }
    let meant = did_you_mean(tag, READ).filter(|_| CLASSES.row(tag).is_none());
    if let Some(meant) = meant {
        let message = format!("there is no section <{tag}>");
        notes.problem("mjcf-element", message, (section.span, "not read"), &format!("write <{meant}>"));
        return;
    }
    match CLASSES.element(tag) {
        Some(_) if !section.children.is_empty() => {
            for child in &section.children {
                notes.ignore(&format!("{tag}/{}", child.tag), child);
            }
        }
        _ => notes.ignore(tag, section),
    }
}

/// Reports default elements that are not read, and unused attributes of others.
fn listed_defaults(defaults: &Defaults<'_>, notes: &mut Notes) {
    for element in defaults.elements() {
        let path = format!("default/{}", element.tag);
        match CLASSES.element(&path) {
            // A default is not a part of the robot; what inherits it is reported in its own place.
            Some((Class::Used, _)) => notes.attributes(element, &path),
            Some((Class::Structural, _)) => notes.ignore_as(Class::Harmless, &path, element),
            _ => notes.ignore(&path, element),
        }
    }
}

/// Reports names that two items of one kind have.
fn twice<'m>(noun: &str, names: impl Iterator<Item = (Option<&'m str>, Span)>, notes: &mut Notes) {
    let mut first: std::collections::BTreeMap<&str, Span> = std::collections::BTreeMap::new();
    for (name, span) in names.filter_map(|(name, span)| Some((name?, span))) {
        if let Some(earlier) = first.get(name) {
            let d = dqdt_diagnostics::error::Diagnostic::error(
                "duplicate",
                format!("the {noun} `{name}` is given twice"),
            )
            .at(Some(span), "again here")
            .also(Some(*earlier), "first here")
            .help("rename one of them");
            notes.problems.push(d);
        } else {
            first.insert(name, span);
        }
    }
}

fn of_bodies_twice(model: &Model, notes: &mut Notes) {
    let bodies = &model.bodies;
    twice("body", bodies.iter().map(|b| (b.name.as_deref(), b.span)), notes);
    let joints = bodies.iter().flat_map(|b| &b.joints);
    twice("joint", joints.map(|j| (j.name.as_deref(), j.span)), notes);
    let sites = bodies.iter().flat_map(|b| &b.sites).chain(&model.sites);
    twice("site", sites.map(|s| (s.name.as_deref(), s.span)), notes);
}
