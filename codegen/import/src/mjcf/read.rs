//! Reads all sections of a file into a model.

use super::actuator;
use super::body::World;
use super::defaults::Defaults;
use super::element::XmlElement;
use super::element_defaults::Notes;
use super::equality;
use super::frame::Angles;
use super::model::{Actuator, Equality, Model};
use super::relevance::{PARTS, RELEVANCE};
use super::settings;
use super::springs;
use super::tendon;
use crate::robot::relevance::Relevance;
use dqdt_diagnostics::base::Span;
use dqdt_spec::spec::did_you_mean;

/// Sections of an MJCF file that become parts of the spec.
const READ: [&str; 7] = ["compiler", "option", "default", "worldbody", "tendon", "equality", "actuator"];

/// Reads the model of an MJCF file with the root `<mujoco>`. `snap`: tolerance of right angles
/// \[rad\].
pub(super) fn read_model(root: &XmlElement, snap: f64, notes: &mut Notes) -> Model {
    notes.report_unread_attributes(root, "mujoco");
    reject_misplaced_elements(root, notes);
    let settings = settings::read_settings(root, notes);
    let defaults = Defaults::read(root, notes);
    report_unread_defaults(&defaults, notes);
    let angles = || Angles { settings: &settings, snap };
    let mut world =
        World { defaults: &defaults, angles: angles(), notes, bodies: Vec::new(), sites: Vec::new() };
    for section in root.children.iter().filter(|s| s.tag == "worldbody") {
        world.read_worldbody(section);
    }
    world.scale_to_total_mass();
    let (bodies, sites) = (world.bodies, world.sites);
    let name = root.attribute_value("model").filter(|n| !n.is_empty()).unwrap_or("robot").to_owned();
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
    reject_duplicate_names_in_bodies(&model, notes);
    for section in root.children.iter().filter(|s| s.tag == "tendon") {
        for element in &section.children {
            let attributes = defaults.with_inherited_defaults(element, None, &["tendon"], notes);
            let tendon = tendon::read_tendon(&attributes, &model, &settings, notes);
            model.tendons.extend(tendon);
        }
    }
    report_section_attributes(root, notes);
    let (mut equalities, actuators) =
        read_equalities_and_actuators(root, &model, &defaults, &angles(), notes);
    if !settings.equalities {
        for e in &equalities {
            let text = "an equality constraint: a flag disables all constraints".to_owned();
            notes.report.record_loss(Relevance::Harmless, "equality", Some(text), e.span);
        }
        equalities.clear();
    }
    model.equalities = equalities;
    model.actuators = actuators;
    reject_duplicate_names("tendon", model.tendons.iter().map(|t| (t.name.as_deref(), t.span)), notes);
    reject_duplicate_names("equality", model.equalities.iter().map(|e| (e.name.as_deref(), e.span)), notes);
    reject_duplicate_names("actuator", model.actuators.iter().map(|a| (a.name.as_deref(), a.span)), notes);
    for (span, why) in springs::set_spring_dampers(&mut model) {
        let message = format!("`springdamper` cannot be converted to stiffness and damping: {why}");
        notes.add_problem(
            "mjcf-spring",
            message,
            (span, "this joint has `springdamper`"),
            "specify `stiffness` and `damping` instead of `springdamper`",
        );
    }
    let acts =
        settings.actuators && root.children.iter().any(|s| s.tag == "actuator" && !s.children.is_empty());
    report_inactive_gravity_compensation(&model, acts, notes);
    remove_disabled_forces(&mut model, &settings, notes);
    model
}

/// Reads the sections `<equality>` and `<actuator>`; other sections that are not read are reported.
fn read_equalities_and_actuators(
    root: &XmlElement,
    model: &Model,
    defaults: &Defaults<'_>,
    angles: &Angles<'_>,
    notes: &mut Notes,
) -> (Vec<Equality>, Vec<Actuator>) {
    let (mut equalities, mut actuators) = (Vec::new(), Vec::new());
    for section in &root.children {
        match section.tag.as_str() {
            "equality" => {
                for element in &section.children {
                    let attributes = defaults.with_inherited_defaults(element, None, &["equality"], notes);
                    let mut reader = equality::EqualityReader { model, angles, notes };
                    equalities.extend(reader.read_equality(&attributes));
                }
            }
            "actuator" => {
                for element in &section.children {
                    let attributes = defaults.with_inherited_defaults(element, None, &actuator::TAGS, notes);
                    actuators.extend(actuator::read_actuator(&attributes, model, angles.settings, notes));
                }
            }
            tag => report_unread_section(tag, section, notes),
        }
    }
    (equalities, actuators)
}

/// Elements of an MJCF that cannot contain parts of the robot.
const LEAVES: [&str; 6] = ["mujoco", "inertial", "joint", "freejoint", "geom", "site"];

/// Rejects parts of the robot in wrong places: they would be ignored, and the equations would be
/// those of another robot.
fn reject_misplaced_elements(parent: &XmlElement, notes: &mut Notes) {
    for child in &parent.children {
        let own_place = parent.tag == "mujoco" && child.tag == "worldbody";
        let nowhere = LEAVES.contains(&parent.tag.as_str()) || child.tag == "worldbody";
        if PARTS.contains(&child.tag.as_str()) && nowhere && !own_place {
            notes.add_problem(
                "mjcf-misplaced",
                format!("<{}> is not allowed in <{}>", child.tag, parent.tag),
                (child.span, "an element in this place is ignored"),
                "put bodies into <worldbody> or a <body>, and put joints, geoms, sites and <inertial> into a <body>",
            );
        }
        reject_misplaced_elements(child, notes);
    }
}

/// Reports attributes of `<tendon>`, `<equality>` and `<actuator>`, which have none in MJCF.
fn report_section_attributes(root: &XmlElement, notes: &mut Notes) {
    let sections = ["tendon", "equality", "actuator"];
    for section in root.children.iter().filter(|s| sections.contains(&s.tag.as_str())) {
        for attribute in &section.attributes {
            let path = format!("{}@{}", section.tag, attribute.name);
            notes.report.record_loss(Relevance::Structural, path, None, attribute.span);
        }
    }
}

/// Removes springs, dampers and dry friction that flags of `<option>` disable.
fn remove_disabled_forces(model: &mut Model, settings: &settings::CompilerSettings, notes: &mut Notes) {
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
                let text = format!("`{what}` of a joint (disabled by a flag)");
                notes.report.record_loss(Relevance::Harmless, "joint", Some(text), joint.span);
                *value = Decimal::from_f64(0.0);
            }
        }
    }
    for actuator in model.actuators.iter_mut().filter(|a| !settings.dampers && !a.damping.is_zero()) {
        let text = "`damping` of an actuator (disabled by a flag)".to_owned();
        notes.report.record_loss(Relevance::Harmless, "actuator", Some(text), actuator.span);
        actuator.damping = Decimal::from_f64(0.0);
    }
    // If springs and dampers are both disabled, MuJoCo omits all passive forces.
    for body in model
        .bodies
        .iter_mut()
        .filter(|b| !settings.springs && !settings.dampers && b.gravity_compensation != 0.0)
    {
        let text = "`gravcomp` of a body: flags disable passive forces".to_owned();
        notes.report.record_loss(Relevance::Harmless, "body@gravcomp", Some(text), body.span);
        body.gravity_compensation = 0.0;
    }
}

/// Reports joints whose actuators should compensate weight (`actuatorgravcomp`) although no
/// actuator is active.
fn report_inactive_gravity_compensation(model: &Model, acts: bool, notes: &mut Notes) {
    if acts || model.bodies.iter().all(|b| b.gravity_compensation == 0.0) {
        return;
    }
    for joint in model.bodies.iter().flat_map(|b| &b.joints) {
        if let Some(span) = joint.carried_by_actuator {
            let text = "`actuatorgravcomp` of a joint without an actuator".to_owned();
            notes.report.record_loss(Relevance::Structural, "joint@actuatorgravcomp", Some(text), span);
        }
    }
}

/// Reports a section of the file that is not read, element by element.
fn report_unread_section(tag: &str, section: &XmlElement, notes: &mut Notes) {
    if READ.contains(&tag) {
        return;
    }
    let meant = did_you_mean(tag, READ).filter(|_| RELEVANCE.find_row(tag).is_none());
    if let Some(meant) = meant {
        let message = format!("MJCF has no section <{tag}>");
        notes.add_problem(
            "mjcf-element",
            message,
            (section.span, "unknown section"),
            &format!("write <{meant}>"),
        );
        return;
    }
    match RELEVANCE.element_relevance(tag) {
        Some(_) if !section.children.is_empty() => {
            for child in &section.children {
                notes.report_unread_element(&format!("{tag}/{}", child.tag), child);
            }
        }
        _ => notes.report_unread_element(tag, section),
    }
}

/// Reports elements of `<default>` that are not read, and unused attributes of the others.
fn report_unread_defaults(defaults: &Defaults<'_>, notes: &mut Notes) {
    for element in defaults.default_elements() {
        let path = format!("default/{}", element.tag);
        match RELEVANCE.element_relevance(&path) {
            // A default is not a part of the robot; what inherits it is reported in its own place.
            Some((Relevance::Used, _)) => notes.report_unread_attributes(element, &path),
            Some((Relevance::Structural, _)) => notes.report_unread_as(Relevance::Harmless, &path, element),
            _ => notes.report_unread_element(&path, element),
        }
    }
}

/// Rejects names that two items of one kind have; `noun` is the kind in messages.
fn reject_duplicate_names<'m>(
    noun: &str,
    names: impl Iterator<Item = (Option<&'m str>, Span)>,
    notes: &mut Notes,
) {
    let mut first: std::collections::BTreeMap<&str, Span> = std::collections::BTreeMap::new();
    for (name, span) in names.filter_map(|(name, span)| Some((name?, span))) {
        if let Some(earlier) = first.get(name) {
            let d = dqdt_diagnostics::error::Diagnostic::error(
                "duplicate",
                format!("the {noun} `{name}` is defined twice"),
            )
            .at(Some(span), "again here")
            .also(Some(*earlier), "first here")
            .help("rename one of the two elements");
            notes.problems.push(d);
        } else {
            first.insert(name, span);
        }
    }
}

fn reject_duplicate_names_in_bodies(model: &Model, notes: &mut Notes) {
    let bodies = &model.bodies;
    reject_duplicate_names("body", bodies.iter().map(|b| (b.name.as_deref(), b.span)), notes);
    let joints = bodies.iter().flat_map(|b| &b.joints);
    reject_duplicate_names("joint", joints.map(|j| (j.name.as_deref(), j.span)), notes);
    let sites = bodies.iter().flat_map(|b| &b.sites).chain(&model.sites);
    reject_duplicate_names("site", sites.map(|s| (s.name.as_deref(), s.span)), notes);
}
