//! The sections `<compiler>` and `<option>`: interpretation of numbers, gravity, disabled features.

use super::element::XmlElement;
use super::element_defaults::{ElementWithDefaults, Notes};
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::relevance::Relevance;
use dqdt_diagnostics::base::Span;

/// Features of MuJoCo that `<flag>` enables or disables; the last setting of each applies.
struct Flags {
    gravity: bool,
    constraint: bool,
    equality: bool,
    passive: bool,
    spring: bool,
    damper: bool,
    friction: bool,
    actuation: bool,
    clamp: bool,
}

/// Source of the inertia of bodies, set by the attribute `inertiafromgeom`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FromGeoms {
    Never,
    Always,
    /// From the geoms if the body has no `<inertial>`.
    Auto,
}

/// Settings in `<compiler>` and `<option>` of an MJCF, which apply to the whole file.
#[derive(Clone, Debug)]
pub(super) struct CompilerSettings {
    pub degrees: bool,
    pub sequence: String,
    pub autolimits: bool,
    pub from_geoms: FromGeoms,
    pub groups: [f64; 2],
    pub bound_mass: f64,
    pub bound_inertia: f64,
    pub balance: bool,
    pub total_mass: Option<f64>,
    pub gravity: Triple,
    pub equalities: bool,
    pub springs: bool,
    pub dampers: bool,
    pub dry_friction: bool,
    pub actuators: bool,
    pub clamp: bool,
    /// Numbers of the groups of actuators that are disabled.
    pub disabled_groups: Vec<f64>,
}

/// Reads the settings of an MJCF. A section may occur several times; the last setting applies.
pub(super) fn read_settings(root: &XmlElement, notes: &mut Notes) -> CompilerSettings {
    let mut s = CompilerSettings {
        degrees: true,
        sequence: "xyz".to_owned(),
        autolimits: true,
        from_geoms: FromGeoms::Auto,
        groups: [0.0, 5.0],
        bound_mass: 0.0,
        bound_inertia: 0.0,
        balance: false,
        total_mass: None,
        gravity: ["0", "0", "-9.81"].map(|t| Decimal::parse(t).unwrap_or_else(|| Decimal::from_f64(0.0))),
        equalities: true,
        springs: true,
        dampers: true,
        dry_friction: true,
        actuators: true,
        clamp: true,
        disabled_groups: Vec::new(),
    };
    let mut fluid: Vec<(String, Span)> = Vec::new();
    let mut flags = Flags {
        gravity: true,
        constraint: true,
        equality: true,
        passive: true,
        spring: true,
        damper: true,
        friction: true,
        actuation: true,
        clamp: true,
    };
    for section in &root.children {
        match section.tag.as_str() {
            "compiler" => read_compiler_section(section, &mut s, notes),
            "option" => read_option_section(section, &mut s, &mut flags, &mut fluid, notes),
            _ => {}
        }
    }
    if !flags.gravity {
        s.gravity = [0.0; 3].map(Decimal::from_f64);
    }
    s.equalities = flags.constraint && flags.equality;
    s.springs = flags.passive && flags.spring;
    s.dampers = flags.passive && flags.damper;
    s.dry_friction = flags.constraint && flags.friction;
    s.actuators = flags.actuation;
    s.clamp = flags.clamp;
    if let Some((_, span)) = fluid.first() {
        let what: Vec<&str> = fluid.iter().map(|(text, _)| text.as_str()).collect();
        let text = format!("forces of the fluid ({}) on the bodies", what.join(", "));
        notes.report.record_loss(Relevance::Idealised("fluid"), "option", Some(text), *span);
    }
    s
}

/// Reads a section `<compiler>`.
fn read_compiler_section(section: &XmlElement, s: &mut CompilerSettings, notes: &mut Notes) {
    notes.report_unread_attributes(section, "compiler");
    for child in &section.children {
        notes.report_unread_element(&format!("compiler/{}", child.tag), child);
    }
    let attributes = ElementWithDefaults::without_defaults(section);
    s.degrees = attributes.read_word(
        notes,
        "angle",
        &["degree", "radian"],
        if s.degrees { "degree" } else { "radian" },
    ) == "degree";
    if attributes.read_word(notes, "coordinate", &["local", "global"], "local") == "global" {
        notes.add_problem(
            "mjcf-global",
            "global coordinates are not supported".into(),
            (
                attributes.attribute_span("coordinate"),
                "MuJoCo has not supported global coordinates since version 2.3.4",
            ),
            "save the file with a version of MuJoCo before 2.3.4, which writes local coordinates",
        );
    }
    if let Some(a) = section.attribute("eulerseq") {
        let letters = a.value.len() == 3 && a.value.bytes().all(|b| b"xyzXYZ".contains(&b));
        if letters {
            s.sequence.clone_from(&a.value);
        } else {
            let place = (
                a.value_span,
                "expected three letters from x, y, z (or from X, Y, Z for rotations about fixed axes)",
            );
            notes.add_problem(
                "mjcf-word",
                format!("`eulerseq` cannot be `{}`", a.value),
                place,
                "write eulerseq=\"xyz\"",
            );
        }
    }
    s.autolimits = attributes.read_flag(notes, "autolimits", s.autolimits);
    if let Some(a) = section.attribute("inertiafromgeom") {
        s.from_geoms = match notes.parse_word(a, &["true", "false", "auto"]) {
            Some("true") => FromGeoms::Always,
            Some("false") => FromGeoms::Never,
            _ => FromGeoms::Auto,
        };
    }
    if let Some(range) = attributes.read_numbers(notes, "inertiagrouprange", 2) {
        s.groups = [0, 1].map(|i| range.get(i).map_or(0.0, |x| x.value));
    }
    let mut number = |name: &str, old: f64| attributes.read_number_or(notes, name, old).value;
    s.bound_mass = number("boundmass", s.bound_mass);
    s.bound_inertia = number("boundinertia", s.bound_inertia);
    let total = number("settotalmass", s.total_mass.unwrap_or(-1.0));
    s.total_mass = (total > 0.0).then_some(total);
    s.balance = attributes.read_flag(notes, "balanceinertia", s.balance);
    if attributes.read_flag(notes, "alignfree", false) {
        reject_free_joint_alignment(attributes.attribute_span("alignfree"), notes);
    }
}

/// Rejects a free joint whose body frame MuJoCo would align with the principal axes (`align`).
pub(super) fn reject_free_joint_alignment(span: Span, notes: &mut Notes) {
    notes.add_problem(
        "mjcf-align",
        "alignment of free bodies with their principal axes is not supported".into(),
        (span, "the coordinates of this body would refer to another frame"),
        "write \"false\", so that the coordinates refer to the frame of the body",
    );
}

/// Reads a section `<option>` with its flags. Parameters of fluids are collected in `fluid`.
fn read_option_section(
    section: &XmlElement,
    s: &mut CompilerSettings,
    flags: &mut Flags,
    fluid: &mut Vec<(String, Span)>,
    notes: &mut Notes,
) {
    notes.report_unread_attributes(section, "option");
    let attributes = ElementWithDefaults::without_defaults(section);
    if let Some(gravity) = attributes.read_triple(notes, "gravity") {
        s.gravity = gravity;
    }
    for name in ["density", "viscosity"] {
        if let Some(x) = attributes.read_number(notes, name).filter(|x| !x.is_zero()) {
            fluid.push((format!("{name} {}", x.text), attributes.attribute_span(name)));
        }
    }
    if let Some(wind) = attributes.read_triple(notes, "wind").filter(|w| w.iter().any(|x| !x.is_zero())) {
        let wind = wind.map(|x| x.text).join(" ");
        fluid.push((format!("wind {wind}"), attributes.attribute_span("wind")));
    }
    if let Some(a) = section.attribute("actuatorgroupdisable").filter(|a| !a.value.is_empty()) {
        // Repeated sections accumulate.
        s.disabled_groups
            .extend(notes.parse_numbers(a, 32, true).unwrap_or_default().iter().map(|x| x.value));
    }
    for child in &section.children {
        if child.tag != "flag" {
            notes.report_unread_element(&format!("option/{}", child.tag), child);
            continue;
        }
        notes.report_unread_parts(child, "option/flag");
        let attributes = ElementWithDefaults::without_defaults(child);
        for (name, flag) in [
            ("gravity", &mut flags.gravity),
            ("constraint", &mut flags.constraint),
            ("equality", &mut flags.equality),
            ("passive", &mut flags.passive),
            ("spring", &mut flags.spring),
            ("damper", &mut flags.damper),
            ("frictionloss", &mut flags.friction),
            ("actuation", &mut flags.actuation),
            ("clampctrl", &mut flags.clamp),
        ] {
            if attributes.find_attribute(name).is_some() {
                *flag = attributes.read_word(notes, name, &["enable", "disable"], "enable") == "enable";
            }
        }
    }
}
