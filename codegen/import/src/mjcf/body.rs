//! Reads the world: bodies, joints, sites, masses and inertias.

use super::defaults::Defaults;
use super::element::XmlElement;
use super::element_defaults::{ElementWithDefaults, Notes};
use super::frame::Angles;
use super::geom;
use super::inertia;
use super::joint;
use super::model::{MjcfBody, MjcfJointKind, Site};
use super::relevance::RELEVANCE;
use super::settings::FromGeoms;
use crate::robot::decimal::Decimal;
use crate::robot::inertia::{BodyInertia, RigidPart};
use crate::robot::relevance::Relevance;
use crate::robot::turn::Pose;
use dqdt_spec::spec::did_you_mean;

/// Tags of the child elements of a `<body>` that become parts of the spec. [`MAKERS`] lists those
/// that generate bodies, which is not supported.
const READ: [&str; 7] = ["body", "inertial", "joint", "freejoint", "geom", "site", "frame"];
/// Tags that generate bodies when MuJoCo compiles a model; they are rejected.
const MAKERS: [&str; 4] = ["replicate", "composite", "flexcomp", "attach"];

/// Reader of `<worldbody>`, with the bodies and sites of the MJCF read so far.
pub(super) struct World<'a, 'n> {
    pub defaults: &'n Defaults<'a>,
    pub angles: Angles<'n>,
    pub notes: &'n mut Notes,
    pub bodies: Vec<MjcfBody>,
    pub sites: Vec<Site>,
}

/// Context in which a child element of `<worldbody>` is read: its body, the pose of enclosing
/// frames in it, the default class, and true if the body can move.
#[derive(Clone)]
struct ElementContext<'a> {
    body: Option<usize>,
    frame: Pose,
    class: Option<&'a str>,
    moves: bool,
}

/// Sources of the mass and the inertia of a body of an MJCF: its `<inertial>`, and its geoms.
#[derive(Default)]
struct InertiaSources<'a> {
    inertial: Option<BodyInertia>,
    inertial_element: Option<&'a XmlElement>,
    parts: Vec<RigidPart>,
    /// True if the inertia is computed from geoms rather than taken from `<inertial>`.
    is_computed_from_geoms: bool,
}

impl<'a> World<'a, '_> {
    /// Reads `<worldbody>` with all bodies in it.
    pub fn read_worldbody(&mut self, element: &'a XmlElement) {
        self.notes.report_unread_attributes(element, "worldbody");
        self.defaults.check_class_name(element, "childclass", self.notes);
        let context = ElementContext {
            body: None,
            frame: Pose::identity(),
            class: element.attribute_value("childclass"),
            moves: false,
        };
        self.read_body_children(element, "worldbody", &context, &mut InertiaSources::default());
    }

    /// Reads the child elements of a body, of the world or of a `<frame>`.
    fn read_body_children(
        &mut self,
        element: &'a XmlElement,
        path: &str,
        context: &ElementContext<'a>,
        weight: &mut InertiaSources<'a>,
    ) {
        for child in &element.children {
            let tag = child.tag.as_str();
            let path = format!("{path}/{tag}");
            match tag {
                "body" => self.read_body(child, context),
                "frame" => {
                    self.notes.report_unread_attributes(child, "frame");
                    self.defaults.check_class_name(child, "childclass", self.notes);
                    let pose = self.angles.read_pose(
                        &ElementWithDefaults::without_defaults(child),
                        "a frame",
                        self.notes,
                    );
                    let frame = context.frame.compose(&pose);
                    let class = child.attribute_value("childclass").or(context.class);
                    self.read_body_children(
                        child,
                        "frame",
                        &ElementContext { frame, class, ..context.clone() },
                        weight,
                    );
                }
                "joint" | "freejoint" => self.read_joint(child, context),
                "inertial" => self.read_inertial(child, &path, context, weight),
                "geom" => self.read_geom(child, &path, context, weight),
                "site" => self.read_site(child, context),
                _ => self.report_unread_child(child, &path),
            }
        }
    }

    /// Reports a child of a body that is not read; one that would generate bodies is an error.
    fn report_unread_child(&mut self, element: &XmlElement, path: &str) {
        let tag = element.tag.as_str();
        if MAKERS.contains(&tag) {
            let help = "compile the model in MuJoCo, which expands these bodies, and import the saved file (mj_saveLastXML)";
            let message = format!("<{tag}> generates bodies, which is not supported");
            self.notes.add_problem("mjcf-element", message, (element.span, "here"), help);
        } else if let Some(meant) =
            did_you_mean(tag, READ).filter(|_| RELEVANCE.element_relevance(path).is_none())
        {
            let message = format!("a <body> cannot contain an element <{tag}>");
            self.notes.add_problem(
                "mjcf-element",
                message,
                (element.span, "unknown element"),
                &format!("write <{meant}>"),
            );
        } else {
            self.notes.report_unread_element(path, element);
        }
    }

    /// Reads a `<body>` with its joints, masses and child bodies, and appends it to the bodies read
    /// so far.
    fn read_body(&mut self, element: &'a XmlElement, context: &ElementContext<'a>) {
        self.notes.report_unread_attributes(element, "body");
        self.defaults.check_class_name(element, "childclass", self.notes);
        let name = element.attribute_value("name").filter(|n| !n.is_empty()).map(str::to_owned);
        let label = name.as_ref().map_or_else(|| "a body".to_owned(), |n| format!("body `{n}`"));
        let attributes = ElementWithDefaults::without_defaults(element);
        let pose = context.frame.compose(&self.angles.read_pose(&attributes, &label, self.notes));
        let moves = context.moves || has_child_with_tag(element, &["joint", "freejoint"]);
        if attributes.read_flag(self.notes, "mocap", false) {
            let text = format!("`mocap` of {label}: the body stays in its initial pose");
            self.notes.report.record_loss(
                Relevance::Idealised("mocap"),
                "body@mocap",
                Some(text),
                attributes.attribute_span("mocap"),
            );
        }
        let gravity_compensation = attributes.read_number_or(self.notes, "gravcomp", 0.0).value;
        let at = self.bodies.len();
        let body = MjcfBody {
            name,
            span: element.name_span(),
            parent: context.body,
            pose: pose.clone(),
            joints: Vec::new(),
            sites: Vec::new(),
            inertia: None,
            shapes: Vec::new(),
            gravity_compensation,
        };
        self.bodies.push(body);
        let settings = self.angles.settings;
        let inertial = has_child_with_tag(element, &["inertial"]);
        let from_geoms = match settings.from_geoms {
            FromGeoms::Never => false,
            FromGeoms::Always => true,
            FromGeoms::Auto => !inertial,
        };
        let matters = moves || settings.total_mass.is_some();
        let mut weight =
            InertiaSources { is_computed_from_geoms: from_geoms && matters, ..InertiaSources::default() };
        let class = element.attribute_value("childclass").or(context.class);
        let inner = ElementContext { body: Some(at), frame: Pose::identity(), class, moves };
        self.read_body_children(element, "body", &inner, &mut weight);
        if let Some(stated) = weight.inertial_element.filter(|_| from_geoms && !weight.parts.is_empty()) {
            self.notes.report_unread_as(Relevance::Harmless, "body/inertial", stated);
        }
        if !matters {
            return;
        }
        let inertia = match (from_geoms, weight.inertial) {
            (true, inertial) if !weight.parts.is_empty() || inertial.is_none() => {
                inertia::combine_geom_parts(&weight.parts)
            }
            (_, inertial) => inertial,
        };
        let inertia = inertia::apply_inertia_bounds(inertia, &pose, settings);
        if let Some(inertia) = &inertia {
            self.reject_impossible_inertia(inertia, element, &label);
        }
        if let Some(body) = self.bodies.get_mut(at) {
            body.inertia = inertia;
        }
    }

    /// Reports an inertia that is not finite, or that no rigid body can have.
    fn reject_impossible_inertia(&mut self, inertia: &BodyInertia, element: &XmlElement, label: &str) {
        if !inertia.is_finite() {
            let message =
                format!("the inertia of {label} is not a finite number (mass: {})", inertia.mass.text);
            let place = (element.name_span(), "this inertia is computed from numbers that are too large");
            self.notes.add_problem(
                "mjcf-number",
                message,
                place,
                "express lengths in metres and masses in kilograms",
            );
        } else if let Some(why) = inertia::find_inertia_violation(inertia) {
            let place = (element.name_span(), why);
            let help = "correct the inertia tensor, or write balanceinertia=\"true\" in <compiler>, which makes the three principal moments equal";
            self.notes.add_problem(
                "mjcf-mass",
                format!("the inertia of {label} is physically impossible"),
                place,
                help,
            );
        }
    }

    /// Reads a joint of the current body.
    fn read_joint(&mut self, element: &'a XmlElement, context: &ElementContext<'a>) {
        let attributes = match element.tag.as_str() {
            "freejoint" => ElementWithDefaults::without_defaults(element),
            _ => self.defaults.with_inherited_defaults(element, context.class, &["joint"], self.notes),
        };
        let Some(joint) = joint::read_joint(&attributes, &context.frame, &self.angles, self.notes) else {
            return;
        };
        let Some(at) = context.body else {
            let help = "move this joint into a <body>";
            self.notes.add_problem(
                "mjcf-joint",
                "the world body cannot contain joints".into(),
                (element.span, "here"),
                help,
            );
            return;
        };
        let Some(body) = self.bodies.get_mut(at) else { return };
        if joint.kind == MjcfJointKind::Free && (body.parent.is_some() || !body.joints.is_empty()) {
            let help = "use a free joint only as the sole joint of a top-level body; elsewhere, use three slide joints and a ball joint";
            let place = (element.span, "here");
            self.notes.add_problem(
                "mjcf-joint",
                "a free joint is in a nested body, or in a body with another joint".into(),
                place,
                help,
            );
        } else if body.joints.iter().any(|j| j.kind == MjcfJointKind::Free) {
            let place = (element.span, "here");
            let help = "remove one of the two joints: a body with a free joint cannot have another joint";
            self.notes.add_problem(
                "mjcf-joint",
                "a body has a free joint and another joint".into(),
                place,
                help,
            );
        } else if matches!(joint.kind, MjcfJointKind::Ball | MjcfJointKind::Hinge)
            && body.joints.iter().any(|j| j.kind == MjcfJointKind::Ball)
        {
            let place = (element.span, "the preceding ball joint already allows all rotations");
            let help =
                "move this joint to another body: a ball joint must be the last rotational joint of its body";
            self.notes.add_problem(
                "mjcf-joint",
                "a rotational joint follows a ball joint in the same body".into(),
                place,
                help,
            );
        } else {
            body.joints.push(joint);
        }
    }

    /// Reads the `<inertial>` of a body; a second one is an error.
    fn read_inertial(
        &mut self,
        element: &'a XmlElement,
        path: &str,
        context: &ElementContext<'a>,
        weight: &mut InertiaSources<'a>,
    ) {
        let settings = self.angles.settings;
        if weight.inertial.is_some() {
            let help = "remove one of the two <inertial> elements";
            self.notes.add_problem(
                "duplicate",
                "the body has a second <inertial>".into(),
                (element.span, "here"),
                help,
            );
            return;
        }
        if context.body.is_none() {
            self.notes.report_unread_as(Relevance::Harmless, path, element);
            return;
        }
        if !context.moves && settings.total_mass.is_none() {
            let text = "<inertial> of a body that is fixed to the world".to_owned();
            self.notes.report.record_loss(Relevance::Harmless, path, Some(text), element.span);
        }
        weight.inertial_element = Some(element);
        weight.inertial = inertia::read_inertial(element, &context.frame, &self.angles, self.notes);
    }

    /// Reads a geom: its shape for drawings and, if the body needs it, its mass and inertia.
    fn read_geom(
        &mut self,
        element: &'a XmlElement,
        path: &str,
        context: &ElementContext<'a>,
        weight: &mut InertiaSources<'a>,
    ) {
        let attributes = self.defaults.with_inherited_defaults(element, context.class, &["geom"], self.notes);
        self.notes.report_unread_parts(element, path);
        let shape =
            context.body.and_then(|_| geom::read_drawing_shape(&attributes, &context.frame, &self.angles));
        let shown = shape.is_some();
        if let Some(body) = context.body.and_then(|at| self.bodies.get_mut(at)) {
            body.shapes.extend(shape);
        }
        let touches = geom::can_collide(&attributes, self.notes);
        if touches {
            self.notes.report_unread_as(
                Relevance::Idealised("contacts"),
                &format!("contacts of {path}"),
                element,
            );
        }
        if !weight.is_computed_from_geoms {
            if !touches && !shown {
                self.notes.report_unread_as(Relevance::Harmless, path, element);
            }
            return;
        }
        let [low, high] = self.angles.settings.groups;
        let group = geom::read_geom_group(&attributes, self.notes);
        let label =
            element.attribute_value("name").map_or_else(|| "a geom".to_owned(), |n| format!("geom `{n}`"));
        let part = if (low..=high).contains(&group) {
            geom::read_rigid_part(&attributes, &context.frame, &self.angles, &label, self.notes)
        } else {
            None
        };
        match part {
            Some(part) => weight.parts.push(part),
            None if touches || shown => {}
            None => self.notes.report_unread_as(Relevance::Harmless, path, element),
        }
    }

    /// Reads a site: a named frame on a body or on the world.
    fn read_site(&mut self, element: &'a XmlElement, context: &ElementContext<'a>) {
        let attributes = self.defaults.with_inherited_defaults(element, context.class, &["site"], self.notes);
        self.notes.report_unread_parts(element, "site");
        let name = element.attribute_value("name").filter(|n| !n.is_empty()).map(str::to_owned);
        let label = name.as_ref().map_or_else(|| "a site".to_owned(), |n| format!("site `{n}`"));
        let pose = self.angles.read_pose(&attributes, &label, self.notes);
        let pose = geom::read_fromto_frame(&attributes, &pose, self.notes).map_or(pose, |(pose, _)| pose);
        let site = Site { name, span: element.name_span(), pose: context.frame.compose(&pose) };
        let sites = match context.body {
            Some(at) => self.bodies.get_mut(at).map(|b| &mut b.sites),
            None => Some(&mut self.sites),
        };
        if let Some(sites) = sites {
            sites.push(site);
        }
    }

    /// Scales masses and inertias of all bodies so that the total mass is `settotalmass` of the
    /// compiler.
    pub fn scale_to_total_mass(&mut self) {
        let Some(total) = self.angles.settings.total_mass else { return };
        let masses = self.bodies.iter().filter_map(|b| b.inertia.as_ref()).map(|i| i.mass.value);
        let factor = total / masses.sum::<f64>();
        if !factor.is_finite() {
            return;
        }
        for inertia in self.bodies.iter_mut().filter_map(|b| b.inertia.as_mut()) {
            for x in inertia.tensor.iter_mut().chain([&mut inertia.mass]) {
                *x = Decimal::from_f64(factor * x.value);
            }
        }
    }
}

/// True if an element has a child of one of these tags, directly or within `<frame>` elements.
fn has_child_with_tag(element: &XmlElement, tags: &[&str]) -> bool {
    element
        .children
        .iter()
        .any(|c| tags.contains(&c.tag.as_str()) || (c.tag == "frame" && has_child_with_tag(c, tags)))
}
