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
    pub fn read(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<Equality> {
        let element = attributes.element;
        let path = format!("equality/{}", element.tag);
        if !matches!(element.tag.as_str(), "connect" | "weld" | "joint" | "tendon") {
            self.notes.ignore(&path, element);
            return None;
        }
        self.notes.ignore_rest(element, &path);
        if !attributes.flag(self.notes, "active", true) {
            let text = format!("inactive equality <{}>", element.tag);
            self.notes.report.record_loss(Relevance::Harmless, path, Some(text), element.span);
            return None;
        }
        let kind = match element.tag.as_str() {
            "joint" => self.joints(attributes)?,
            "tendon" => self.tendons(attributes)?,
            "connect" => EqualityKind::Connect(self.connect(attributes)?),
            _ => EqualityKind::Weld(self.weld(attributes)?),
        };
        let name = element.get("name").filter(|n| !n.is_empty()).map(str::to_owned);
        Some(Equality { name, span: element.name_span(), kind })
    }

    /// Reports an equality without a required attribute.
    fn report_missing(&mut self, element: &XmlElement, name: &str) {
        let tag = &element.tag;
        let help = format!("write <{tag} {name}=\"…\">");
        self.notes.add_problem(
            "mjcf-missing",
            format!("<{tag}> has no `{name}`"),
            (element.span, "here"),
            &help,
        );
    }

    /// The body that an attribute names; the inner `None` is the world.
    fn body(&mut self, element: &XmlElement, attribute: &str) -> Option<Option<usize>> {
        let name = element.get(attribute)?;
        let body = self.model.body(name);
        if body.is_none() {
            let names = self.model.bodies.iter().filter_map(|b| b.name.as_deref());
            report_unknown("body", element, attribute, names, self.notes);
        }
        body
    }

    /// The joint with one coordinate that an attribute names, as (body, joint in it).
    fn joint(&mut self, element: &XmlElement, attribute: &str) -> Option<(usize, usize)> {
        match self.model.joint(element.get(attribute)?) {
            Some(at) if self.model.joint_at(at).is_some_and(|j| j.kind.has_one_coordinate()) => Some(at),
            Some(_) => {
                let place = (element.value_span(attribute), "expected a hinge or a slide");
                let message =
                    format!("the joint `{}` has several coordinates", element.get(attribute).unwrap_or(""));
                self.notes.add_problem("mjcf-equality", message, place, "name a hinge or a slide");
                None
            }
            None => {
                let joints = self.model.bodies.iter().flat_map(|b| &b.joints);
                report_unknown(
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
    fn tendon(&mut self, element: &XmlElement, attribute: &str) -> Option<usize> {
        let tendon = self.model.tendon(element.get(attribute)?);
        if tendon.is_none() {
            let names = self.model.tendons.iter().filter_map(|t| t.name.as_deref());
            report_unknown("tendon", element, attribute, names, self.notes);
        }
        tendon
    }

    /// Reads `<joint>` of `<equality>`: a coordinate as a polynomial of another one.
    fn joints(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<EqualityKind> {
        let element = attributes.element;
        if element.get("joint1").is_none() {
            self.report_missing(element, "joint1");
        }
        let first = self.joint(element, "joint1");
        let second = element.get("joint2").map(|_| self.joint(element, "joint2"));
        let polynomial = attributes.overlay_numbers(self.notes, "polycoef", &[0.0, 1.0, 0.0, 0.0, 0.0]);
        let second = match second {
            Some(second) => Some(second?),
            None => None,
        };
        self.reject_same(element, ["joint1", "joint2"], second == first && second.is_some());
        Some(EqualityKind::Joints { first: first?, second, polynomial: polynomial.try_into().ok()? })
    }

    /// Reads `<tendon>` of `<equality>`: the length of a tendon as a polynomial of another one.
    fn tendons(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<EqualityKind> {
        let element = attributes.element;
        if element.get("tendon1").is_none() {
            self.report_missing(element, "tendon1");
        }
        let first = self.tendon(element, "tendon1");
        let second = element.get("tendon2").map(|_| self.tendon(element, "tendon2"));
        let polynomial = attributes.overlay_numbers(self.notes, "polycoef", &[0.0, 1.0, 0.0, 0.0, 0.0]);
        let second = match second {
            Some(second) => Some(second?),
            None => None,
        };
        self.reject_same(element, ["tendon1", "tendon2"], second == first && second.is_some());
        Some(EqualityKind::Tendons { first: first?, second, polynomial: polynomial.try_into().ok()? })
    }

    /// Rejects an equality that couples an item, such as a joint, with itself.
    fn reject_same(&mut self, element: &XmlElement, [first, second]: [&str; 2], same: bool) {
        if same {
            let message = format!("`{first}` and `{second}` are the same");
            let place = (element.value_span(second), "expected two different names");
            let help = format!("name another one, or omit `{second}`");
            self.notes.add_problem("mjcf-equality", message, place, &help);
        }
    }

    /// The frames of the attributes `site1` and `site2`. The outer `None` means that both are
    /// missing, the inner one an error.
    fn sites(&mut self, element: &XmlElement) -> Option<Option<[BodyFrame; 2]>> {
        let names = ["site1", "site2"];
        if names.iter().all(|n| element.get(n).is_none()) {
            return None;
        }
        let mut frames = Vec::new();
        for attribute in names {
            let Some(name) = element.get(attribute) else {
                self.report_missing(element, attribute);
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
                    report_unknown("site", element, attribute, all, self.notes);
                }
            }
        }
        Some(frames.try_into().ok())
    }

    /// The bodies of the attributes `body1` and `body2`; `None` in place of a body is the world.
    fn bodies(&mut self, element: &XmlElement) -> Option<[Option<usize>; 2]> {
        if element.get("body1").is_none() {
            self.report_missing(element, "body1");
        }
        let first = self.body(element, "body1");
        let second = match element.get("body2") {
            Some(_) => self.body(element, "body2"),
            None => Some(None),
        };
        Some([first?, second?])
    }

    /// The two coincident points of a `<connect>`, one on each body.
    fn connect(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<[BodyFrame; 2]> {
        if let Some(sites) = self.sites(attributes.element) {
            return sites.map(|s| s.map(|f| BodyFrame { pose: Pose { turn: Turn::NONE, ..f.pose }, ..f }));
        }
        let [first, second] = self.bodies(attributes.element)?;
        if attributes.find("anchor").is_none() {
            self.report_missing(attributes.element, "anchor");
        }
        let at = attributes.triple(self.notes, "anchor")?;
        let there = self.transform_point(second, first, &at);
        Some([
            BodyFrame { body: first, pose: point(at), site: None },
            BodyFrame { body: second, pose: point(there), site: None },
        ])
    }

    /// Coordinates of a point of one body in the frame of another body (`viewer`), in the reference
    /// pose.
    fn transform_point(&self, viewer: Option<usize>, body: Option<usize>, at: &Triple) -> Triple {
        let world = self.model.reference_pose(body).times(&point(at.clone()));
        inverse(&self.model.reference_pose(viewer)).times(&world).at
    }

    /// The two coincident frames of a `<weld>`, one on each body.
    fn weld(&mut self, attributes: &ElementWithDefaults<'_>) -> Option<[BodyFrame; 2]> {
        if let Some(sites) = self.sites(attributes.element) {
            return sites;
        }
        let [first, second] = self.bodies(attributes.element)?;
        let anchor = attributes.triple_or(self.notes, "anchor", [0.0; 3]);
        let relative = attributes.numbers(self.notes, "relpose", 7);
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
                let between =
                    inverse(&self.model.reference_pose(first)).times(&self.model.reference_pose(second));
                between.times(&point(anchor.clone()))
            }
        };
        Some([
            BodyFrame { body: first, pose, site: None },
            BodyFrame { body: second, pose: point(anchor), site: None },
        ])
    }
}

fn point(at: Triple) -> Pose {
    Pose { at, turn: Turn::NONE }
}

/// The inverse of a pose.
fn inverse(pose: &Pose) -> Pose {
    let turn = if pose.turn.is_none() { Turn::NONE } else { pose.turn.inverse() };
    let back = turn.apply(pose.position()).map(|x| Decimal::from_f64(-x));
    Pose { at: back, turn }
}

/// Reports an attribute that names an unknown item, such as a joint, with a similar name as help.
pub(super) fn report_unknown<'n>(
    noun: &str,
    element: &XmlElement,
    attribute: &str,
    names: impl Iterator<Item = &'n str>,
    notes: &mut Notes,
) {
    let attributes = element.get(attribute).unwrap_or("");
    let help = did_you_mean(attributes, names)
        .map_or_else(|| format!("name a {noun} of the file"), |meant| format!("write `{meant}`"));
    let place = (element.value_span(attribute), "not found");
    notes.add_problem("unknown-name", format!("there is no {noun} `{attributes}`"), place, &help);
}
