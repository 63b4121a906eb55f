//! The section `<equality>`: constraints between bodies, joints or tendons.

use super::element::XmlElement;
use super::element_defaults::{ElementWithDefaults, Notes};
use super::frame::{Angles, matrix_from_quaternion};
use super::model::{BodyFrame, Equality, EqualityKind, Model};
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::relevance::Relevance;
use crate::robot::turn::{Pose, Turn};
use dqdt_spec::spec::did_you_mean;

/// Reader of the elements of `<equality>`, with the model that they refer to.
pub(super) struct EqualityReader<'m, 'n> {
    pub model: &'m Model,
    pub angles: &'m Angles<'m>,
    pub notes: &'n mut Notes,
}

impl EqualityReader<'_, '_> {
    /// Reads an equality constraint of an MJCF; `None` if it is inactive or cannot be converted,
    /// which is reported.
    pub fn read_equality(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<Equality> {
        let element = attributes.element;
        let path = format!("equality/{}", element.tag);
        if !matches!(element.tag.as_str(), "connect" | "weld" | "joint" | "tendon") {
            self.notes.report_unread_element(&path, element);
            return None;
        }
        self.notes.report_unread_parts(element, &path);
        if !attributes.read_flag(self.notes, "active", true) {
            let text = format!("inactive equality <{}>", element.tag);
            self.notes.report.record_loss(Relevance::Harmless, path, Some(text), element.span);
            return None;
        }
        let kind = match element.tag.as_str() {
            "joint" => self.read_joint_equality(attributes)?,
            "tendon" => self.read_tendon_equality(attributes)?,
            "connect" => EqualityKind::Connect(self.read_connect_frames(attributes)?),
            _ => EqualityKind::Weld(self.read_weld_frames(attributes)?),
        };
        let name = element.attribute_value("name").filter(|n| !n.is_empty()).map(str::to_owned);
        Some(Equality { name, span: element.name_span(), kind })
    }

    /// Reports an equality without a required attribute.
    fn report_missing_attribute(&mut self, element: &XmlElement, name: &str) {
        let tag = &element.tag;
        let help = format!("write <{tag} {name}=\"…\">");
        self.notes.add_problem(
            "mjcf-missing",
            format!("<{tag}> has no attribute `{name}`"),
            (element.span, "here"),
            &help,
        );
    }

    /// The body that an attribute names; the inner `None` is the world.
    fn find_named_body(&mut self, element: &XmlElement, attribute: &str) -> Option<Option<usize>> {
        let name = element.attribute_value(attribute)?;
        let body = self.model.find_body(name);
        if body.is_none() {
            let names = self.model.bodies.iter().filter_map(|b| b.name.as_deref());
            report_unknown_name("body", element, attribute, names, self.notes);
        }
        body
    }

    /// The joint with one coordinate that an attribute names, as (body, joint in it).
    fn find_named_joint(&mut self, element: &XmlElement, attribute: &str) -> Option<(usize, usize)> {
        match self.model.find_joint(element.attribute_value(attribute)?) {
            Some(at) if self.model.joint_at_indices(at).is_some_and(|j| j.kind.has_one_coordinate()) => {
                Some(at)
            }
            Some(_) => {
                let place = (element.value_span(attribute), "expected a hinge joint or a slide joint");
                let message = format!(
                    "the joint `{}` has several coordinates",
                    element.attribute_value(attribute).unwrap_or("")
                );
                self.notes.add_problem(
                    "mjcf-equality",
                    message,
                    place,
                    "specify a hinge joint or a slide joint",
                );
                None
            }
            None => {
                let joints = self.model.bodies.iter().flat_map(|b| &b.joints);
                report_unknown_name(
                    "joint",
                    element,
                    attribute,
                    joints.filter_map(|j| j.name.as_deref()),
                    self.notes,
                );
                None
            }
        }
    }

    /// Index of the tendon that an attribute names.
    fn find_named_tendon(&mut self, element: &XmlElement, attribute: &str) -> Option<usize> {
        let tendon = self.model.find_tendon(element.attribute_value(attribute)?);
        if tendon.is_none() {
            let names = self.model.tendons.iter().filter_map(|t| t.name.as_deref());
            report_unknown_name("tendon", element, attribute, names, self.notes);
        }
        tendon
    }

    /// Reads `<joint>` of `<equality>`: a coordinate as a polynomial of another one.
    fn read_joint_equality(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<EqualityKind> {
        let element = attributes.element;
        if element.attribute_value("joint1").is_none() {
            self.report_missing_attribute(element, "joint1");
        }
        let first = self.find_named_joint(element, "joint1");
        let second = element.attribute_value("joint2").map(|_| self.find_named_joint(element, "joint2"));
        let polynomial = attributes.read_overlaid_numbers(self.notes, "polycoef", &[0.0, 1.0, 0.0, 0.0, 0.0]);
        let second = match second {
            Some(second) => Some(second?),
            None => None,
        };
        self.reject_self_equality(element, ["joint1", "joint2"], second == first && second.is_some());
        Some(EqualityKind::Joints { first: first?, second, polynomial: polynomial.try_into().ok()? })
    }

    /// Reads `<tendon>` of `<equality>`: the length of a tendon as a polynomial of another one.
    fn read_tendon_equality(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<EqualityKind> {
        let element = attributes.element;
        if element.attribute_value("tendon1").is_none() {
            self.report_missing_attribute(element, "tendon1");
        }
        let first = self.find_named_tendon(element, "tendon1");
        let second = element.attribute_value("tendon2").map(|_| self.find_named_tendon(element, "tendon2"));
        let polynomial = attributes.read_overlaid_numbers(self.notes, "polycoef", &[0.0, 1.0, 0.0, 0.0, 0.0]);
        let second = match second {
            Some(second) => Some(second?),
            None => None,
        };
        self.reject_self_equality(element, ["tendon1", "tendon2"], second == first && second.is_some());
        Some(EqualityKind::Tendons { first: first?, second, polynomial: polynomial.try_into().ok()? })
    }

    /// Rejects an equality that couples an item, such as a joint, with itself.
    fn reject_self_equality(&mut self, element: &XmlElement, [first, second]: [&str; 2], same: bool) {
        if same {
            let message = format!("`{first}` and `{second}` have the same value");
            let place = (element.value_span(second), "expected two different names");
            let help = format!("change one of the two names, or omit `{second}`");
            self.notes.add_problem("mjcf-equality", message, place, &help);
        }
    }

    /// The frames of the attributes `site1` and `site2`. The outer `None` means that both are
    /// missing, the inner one an error.
    fn read_site_frames(&mut self, element: &XmlElement) -> Option<Option<[BodyFrame; 2]>> {
        let names = ["site1", "site2"];
        if names.iter().all(|n| element.attribute_value(n).is_none()) {
            return None;
        }
        let mut frames = Vec::new();
        for attribute in names {
            let Some(name) = element.attribute_value(attribute) else {
                self.report_missing_attribute(element, attribute);
                continue;
            };
            let world_site = self.model.sites.iter().find(|s| s.name.as_deref() == Some(name));
            let body_frame = self.model.bodies.iter().enumerate().find_map(|(i, b)| {
                let site = b.sites.iter().find(|s| s.name.as_deref() == Some(name))?;
                Some(BodyFrame { body: Some(i), pose: site.pose.clone(), site: None })
            });
            match body_frame
                .or_else(|| world_site.map(|s| BodyFrame { body: None, pose: s.pose.clone(), site: None }))
            {
                Some(frame) => frames.push(frame),
                None => {
                    let of_bodies = self.model.bodies.iter().flat_map(|b| &b.sites);
                    let all = of_bodies.chain(&self.model.sites).filter_map(|s| s.name.as_deref());
                    report_unknown_name("site", element, attribute, all, self.notes);
                }
            }
        }
        Some(frames.try_into().ok())
    }

    /// The bodies of the attributes `body1` and `body2`; `None` in place of a body is the world.
    fn read_body_pair(&mut self, element: &XmlElement) -> Option<[Option<usize>; 2]> {
        if element.attribute_value("body1").is_none() {
            self.report_missing_attribute(element, "body1");
        }
        let first = self.find_named_body(element, "body1");
        let second = match element.attribute_value("body2") {
            Some(_) => self.find_named_body(element, "body2"),
            None => Some(None),
        };
        Some([first?, second?])
    }

    /// The two coincident points of a `<connect>`, one on each body.
    fn read_connect_frames(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<[BodyFrame; 2]> {
        if let Some(sites) = self.read_site_frames(attributes.element) {
            return sites.map(|s| s.map(|f| BodyFrame { pose: Pose { turn: Turn::NONE, ..f.pose }, ..f }));
        }
        let [first, second] = self.read_body_pair(attributes.element)?;
        if attributes.find_attribute("anchor").is_none() {
            self.report_missing_attribute(attributes.element, "anchor");
        }
        let at = attributes.read_triple(self.notes, "anchor")?;
        let there = self.transform_point_between_bodies(second, first, &at);
        Some([
            BodyFrame { body: first, pose: pose_at_point(at), site: None },
            BodyFrame { body: second, pose: pose_at_point(there), site: None },
        ])
    }

    /// Coordinates of a point of one body in the frame of another body (`viewer`), in the reference
    /// pose.
    fn transform_point_between_bodies(
        &self,
        viewer: Option<usize>,
        body: Option<usize>,
        at: &Triple,
    ) -> Triple {
        let world = self.model.reference_pose(body).compose(&pose_at_point(at.clone()));
        inverse_pose(&self.model.reference_pose(viewer)).compose(&world).at
    }

    /// The two coincident frames of a `<weld>`, one on each body.
    fn read_weld_frames(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<[BodyFrame; 2]> {
        if let Some(sites) = self.read_site_frames(attributes.element) {
            return sites;
        }
        let [first, second] = self.read_body_pair(attributes.element)?;
        let anchor = attributes.read_triple_or(self.notes, "anchor", [0.0; 3]);
        let relative = attributes.read_numbers(self.notes, "relpose", 7);
        let quaternion = relative
            .as_ref()
            .and_then(|r| Some([r.get(3)?, r.get(4)?, r.get(5)?, r.get(6)?].map(|x| x.value)));
        // Without a quaternion the relative pose is that of the reference pose.
        let stated = quaternion.and_then(matrix_from_quaternion);
        let pose = match (&relative, stated) {
            (Some(r), Some(matrix)) => {
                let at: Triple = r.iter().take(3).cloned().collect::<Vec<_>>().try_into().ok()?;
                Pose { at, turn: Turn::from_matrix(matrix, self.angles.snap).0 }
            }
            _ => {
                let between = inverse_pose(&self.model.reference_pose(first))
                    .compose(&self.model.reference_pose(second));
                between.compose(&pose_at_point(anchor.clone()))
            }
        };
        Some([
            BodyFrame { body: first, pose, site: None },
            BodyFrame { body: second, pose: pose_at_point(anchor), site: None },
        ])
    }
}

fn pose_at_point(at: Triple) -> Pose {
    Pose { at, turn: Turn::NONE }
}

/// The inverse of a pose.
fn inverse_pose(pose: &Pose) -> Pose {
    let turn = if pose.turn.is_identity() { Turn::NONE } else { pose.turn.inverse() };
    let back = turn.rotate_vector(pose.position_values()).map(|x| Decimal::from_f64(-x));
    Pose { at: back, turn }
}

/// Reports an attribute that names an unknown item, such as a joint, with a similar name as help.
pub(super) fn report_unknown_name<'n>(
    noun: &str,
    element: &XmlElement,
    attribute: &str,
    names: impl Iterator<Item = &'n str>,
    notes: &mut Notes,
) {
    let attributes = element.attribute_value(attribute).unwrap_or("");
    let help = did_you_mean(attributes, names)
        .map_or_else(|| format!("use the name of a {noun} in this file"), |meant| format!("write `{meant}`"));
    let place = (element.value_span(attribute), "not found");
    notes.add_problem("unknown-name", format!("there is no {noun} `{attributes}`"), place, &help);
}
