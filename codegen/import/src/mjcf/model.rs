//! What an MJCF says of a robot.

use super::geom::Shape;
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::inertia::Inertia;
use crate::robot::turn::Pose;
use dqdt_diagnostics::base::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Hinge,
    Slide,
    Ball,
    Free,
}

/// A joint of a body. Angles are in radians; their texts may be in degrees.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub name: Option<String>,
    pub span: Span,
    pub kind: Kind,
    /// Where it stands, in the body's frame.
    pub at: Triple,
    pub axis: Triple,
    /// The coordinate in the pose that is drawn.
    pub reference: Decimal,
    pub range: Option<[Decimal; 2]>,
    pub damping: Decimal,
    pub stiffness: Decimal,
    /// Where it says that its actuators carry the weight of bodies (`gravcomp`).
    pub carried_by_actuator: Option<Span>,
    /// Time and damping ratio that make its stiffness and damping.
    pub spring_damper: Option<[f64; 2]>,
    pub rest: Decimal,
    pub armature: Decimal,
    pub dry_friction: Decimal,
}

/// A frame on a body.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub name: Option<String>,
    pub span: Span,
    pub pose: Pose,
}

/// A body; those that hold others come first.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub name: Option<String>,
    pub span: Span,
    /// `None` is the world.
    pub parent: Option<usize>,
    /// In the frame of the parent.
    pub pose: Pose,
    pub joints: Vec<Joint>,
    pub sites: Vec<Site>,
    pub inertia: Option<Inertia>,
    /// Shapes for pictures.
    pub shapes: Vec<Shape>,
    /// The part of its weight that something carries.
    pub floats: f64,
}

impl Body {
    /// Its name, for messages.
    pub fn shown(&self) -> String {
        self.name.as_ref().map_or_else(|| "without a name".to_owned(), |n| format!("`{n}`"))
    }
}

/// A frame on a body, or on the world.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub body: Option<usize>,
    pub pose: Pose,
    /// The site that it is.
    pub site: Option<Span>,
}

#[derive(Clone, Debug)]
pub(super) enum Held {
    /// Points that coincide.
    Connect([Frame; 2]),
    /// Frames that coincide.
    Weld([Frame; 2]),
    /// The first joint (body, number) is a polynomial of the other, both from their references.
    Joints { first: (usize, usize), second: Option<(usize, usize)>, polynomial: [Decimal; 5] },
    /// The length of the first tendon is a polynomial of that of the other, both from the pose that is drawn.
    Tendons { first: usize, second: Option<usize>, polynomial: [Decimal; 5] },
}

impl Held {
    /// True if it holds the length of a tendon.
    pub fn names_tendon(&self, at: usize) -> bool {
        matches!(self, Held::Tendons { first, second, .. } if *first == at || *second == Some(at))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Equality {
    pub name: Option<String>,
    pub span: Span,
    pub held: Held,
}

/// The way of a tendon.
#[derive(Clone, Debug)]
pub(super) enum Course {
    /// A sum of coordinates (body, number of the joint in it) with factors.
    Fixed(Vec<((usize, usize), Decimal)>),
    /// Straight from site to site.
    Spatial(Vec<Frame>),
    /// Around geoms or over pulleys, which is not read.
    Wrapped,
}

#[derive(Clone, Debug)]
pub(super) struct Tendon {
    pub name: Option<String>,
    pub span: Span,
    pub course: Course,
    pub stiffness: Decimal,
    pub damping: Decimal,
    /// Between these lengths its spring has no tension.
    pub rest: [Decimal; 2],
    pub dry_friction: Decimal,
}

/// Where an actuator acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Drive {
    /// Body, number of the joint in it.
    Joint((usize, usize)),
    Tendon(usize),
}

/// A motor of a joint or a tendon: `gear (gain u + bias · (1, gear q, gear q̇))`.
#[derive(Clone, Debug)]
pub(super) struct Actuator {
    pub name: Option<String>,
    pub span: Span,
    pub drive: Drive,
    pub gear: Decimal,
    pub gain: Decimal,
    pub bias: [Decimal; 3],
    pub limits: Option<[Decimal; 2]>,
    pub armature: Decimal,
    pub damping: Decimal,
}

#[derive(Clone, Debug)]
pub(super) struct Model {
    pub name: String,
    pub gravity: Triple,
    pub bodies: Vec<Body>,
    /// Sites of the world.
    pub sites: Vec<Site>,
    pub tendons: Vec<Tendon>,
    pub equalities: Vec<Equality>,
    pub actuators: Vec<Actuator>,
}

impl Model {
    /// The body of a name; `None` in it is the world.
    pub fn body(&self, name: &str) -> Option<Option<usize>> {
        if name == "world" {
            return Some(None);
        }
        self.bodies.iter().position(|b| b.name.as_deref() == Some(name)).map(Some)
    }

    /// The body and the number of the joint of a name.
    pub fn joint(&self, name: &str) -> Option<(usize, usize)> {
        let joints = |b: &Body| b.joints.iter().position(|j| j.name.as_deref() == Some(name));
        self.bodies.iter().enumerate().find_map(|(i, b)| Some((i, joints(b)?)))
    }

    /// The body and the site of a name.
    pub fn site(&self, name: &str) -> Option<(Option<usize>, &Site)> {
        let named = |sites: &'_ [Site]| sites.iter().position(|s| s.name.as_deref() == Some(name));
        let of_world = named(&self.sites).and_then(|i| Some((None, self.sites.get(i)?)));
        let of_body = |(i, b): (usize, &'_ Body)| Some((i, named(&b.sites)?));
        of_world.or_else(|| {
            let (body, site) = self.bodies.iter().enumerate().find_map(of_body)?;
            Some((Some(body), self.bodies.get(body)?.sites.get(site)?))
        })
    }

    /// The tendon of a name.
    pub fn tendon(&self, name: &str) -> Option<usize> {
        self.tendons.iter().position(|t| t.name.as_deref() == Some(name))
    }

    pub fn joint_at(&self, (body, number): (usize, usize)) -> Option<&Joint> {
        self.bodies.get(body)?.joints.get(number)
    }

    /// Where a body stands in the world in the pose that is drawn.
    pub fn drawn(&self, body: Option<usize>) -> Pose {
        let mut pose = Pose::none();
        let mut at = body;
        while let Some(body) = at.and_then(|i| self.bodies.get(i)) {
            pose = body.pose.times(&pose);
            at = body.parent;
        }
        pose
    }
}
