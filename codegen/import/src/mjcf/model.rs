//! Data model of a robot in MJCF.

use super::geom::GeomShape;
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::inertia::BodyInertia;
use crate::robot::turn::Pose;
use dqdt_diagnostics::base::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MjcfJointKind {
    Hinge,
    Slide,
    Ball,
    Free,
}

impl MjcfJointKind {
    /// True for a hinge or a slide, whose joint in the spec has one coordinate.
    pub fn has_one_coordinate(self) -> bool {
        matches!(self, MjcfJointKind::Hinge | MjcfJointKind::Slide)
    }
}

/// A joint of a body of an MJCF. Values of angles are in radians; their texts may be in degrees.
#[derive(Clone, Debug)]
pub(super) struct MjcfJoint {
    pub name: Option<String>,
    pub span: Span,
    pub kind: MjcfJointKind,
    /// Position of the joint in the frame of the body that it carries.
    pub at: Triple,
    pub axis: Triple,
    /// Value of the coordinate in the reference pose, in which the file is drawn (`ref`).
    pub reference: Decimal,
    pub range: Option<[Decimal; 2]>,
    pub damping: Decimal,
    pub stiffness: Decimal,
    /// Place of the attribute `actuatorgravcomp` if it is set: the actuators of the joint then
    /// compensate the weight of bodies with `gravcomp`.
    pub carried_by_actuator: Option<Span>,
    /// Time constant \[s\] and damping ratio (`springdamper`), from which stiffness and damping of
    /// the joint are computed.
    pub spring_damper: Option<[f64; 2]>,
    pub rest: Decimal,
    pub armature: Decimal,
    pub dry_friction: Decimal,
}

/// A named frame of an MJCF, fixed to a body or to the world.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub name: Option<String>,
    pub span: Span,
    pub pose: Pose,
}

/// A body of an MJCF; parents precede their children.
#[derive(Clone, Debug)]
pub(super) struct MjcfBody {
    pub name: Option<String>,
    pub span: Span,
    /// Index of the parent body; `None` is the world.
    pub parent: Option<usize>,
    /// Pose of the body in the frame of its parent, in the reference pose of the joints.
    pub pose: Pose,
    pub joints: Vec<MjcfJoint>,
    pub sites: Vec<Site>,
    pub inertia: Option<BodyInertia>,
    /// Shapes of the geoms of the body, for drawings.
    pub shapes: Vec<GeomShape>,
    /// Fraction of the weight that is compensated (`gravcomp`): 0 none, 1 all.
    pub gravity_compensation: f64,
}

impl MjcfBody {
    /// Name of the body in quotes, for messages.
    pub fn quoted_name(&self) -> String {
        self.name.as_ref().map_or_else(|| "without a name".to_owned(), |n| format!("`{n}`"))
    }
}

/// A frame on a body of the model, or on the world (`None`); an end of an equality or of a tendon
/// segment.
#[derive(Clone, Debug)]
pub(super) struct BodyFrame {
    pub body: Option<usize>,
    pub pose: Pose,
    /// Place of the element `<site>` that defines the frame, if it is a site.
    pub site: Option<Span>,
}

#[derive(Clone, Debug)]
pub(super) enum EqualityKind {
    /// A `<connect>`, which is a ball joint: two points coincide.
    Connect([BodyFrame; 2]),
    /// A `<weld>`: two frames coincide.
    Weld([BodyFrame; 2]),
    /// One coordinate as a polynomial of another one, both relative to their reference values. A
    /// joint is given as (body, joint in it); without a second joint, the first is constant.
    Joints { first: (usize, usize), second: Option<(usize, usize)>, polynomial: [Decimal; 5] },
    /// Length of one tendon as a polynomial of that of another one, both relative to the reference
    /// pose. Without a second tendon, the first length is constant.
    Tendons { first: usize, second: Option<usize>, polynomial: [Decimal; 5] },
}

impl EqualityKind {
    /// True if the equality constrains the length of the tendon with index `at`.
    pub fn involves_tendon(&self, at: usize) -> bool {
        matches!(self, EqualityKind::Tendons { first, second, .. } if *first == at || *second == Some(at))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Equality {
    pub name: Option<String>,
    pub span: Span,
    pub kind: EqualityKind,
}

/// The path of a tendon, which defines its length.
#[derive(Clone, Debug)]
pub(super) enum TendonCourse {
    /// A weighted sum of joint coordinates: each joint as (body, joint in it), with its factor.
    Fixed(Vec<((usize, usize), Decimal)>),
    /// Straight segments from site to site, whose lengths are added.
    Spatial(Vec<BodyFrame>),
    /// A path around geoms or over pulleys, which is not supported.
    Wrapped,
}

#[derive(Clone, Debug)]
pub(super) struct Tendon {
    pub name: Option<String>,
    pub span: Span,
    pub course: TendonCourse,
    pub stiffness: Decimal,
    pub damping: Decimal,
    /// Range of lengths in which the spring of the tendon has no tension.
    pub rest: [Decimal; 2],
    pub dry_friction: Decimal,
}

/// Target of an actuator: the joint or the tendon that its force acts on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Drive {
    /// A joint, given by the indices of the body and of the joint in it.
    Joint((usize, usize)),
    Tendon(usize),
}

/// An actuator on a joint or a tendon. Its force is `gear (gain u + bias · (1, gear q, gear q̇))`.
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
    pub bodies: Vec<MjcfBody>,
    /// Sites fixed to the world.
    pub sites: Vec<Site>,
    pub tendons: Vec<Tendon>,
    pub equalities: Vec<Equality>,
    pub actuators: Vec<Actuator>,
}

impl Model {
    /// Index of the body of the given name; the inner `None` is the world.
    pub fn find_body(&self, name: &str) -> Option<Option<usize>> {
        if name == "world" {
            return Some(None);
        }
        self.bodies.iter().position(|b| b.name.as_deref() == Some(name)).map(Some)
    }

    /// The joint of the given name, as (body, joint in it).
    pub fn find_joint(&self, name: &str) -> Option<(usize, usize)> {
        self.bodies.iter().enumerate().find_map(|(i, b)| {
            let joint = b.joints.iter().position(|j| j.name.as_deref() == Some(name))?;
            Some((i, joint))
        })
    }

    /// Body (`None`: the world) and site of the given name.
    pub fn find_body_site(&self, name: &str) -> Option<(Option<usize>, &Site)> {
        let world_site = find_site_by_name(&self.sites, name).map(|site| (None, site));
        world_site.or_else(|| {
            self.bodies
                .iter()
                .enumerate()
                .find_map(|(body, b)| Some((Some(body), find_site_by_name(&b.sites, name)?)))
        })
    }

    /// Index of the tendon of the given name.
    pub fn find_tendon(&self, name: &str) -> Option<usize> {
        self.tendons.iter().position(|t| t.name.as_deref() == Some(name))
    }

    /// The joint with these indices: of the body, and of the joint in it.
    pub fn joint_at_indices(&self, (body, number): (usize, usize)) -> Option<&MjcfJoint> {
        self.bodies.get(body)?.joints.get(number)
    }

    /// Pose of a body (`None`: the world) in the world, in the reference pose of the joints.
    pub fn reference_pose(&self, body: Option<usize>) -> Pose {
        let mut pose = Pose::identity();
        let mut at = body;
        while let Some(body) = at.and_then(|i| self.bodies.get(i)) {
            pose = body.pose.compose(&pose);
            at = body.parent;
        }
        pose
    }
}

fn find_site_by_name<'m>(sites: &'m [Site], name: &str) -> Option<&'m Site> {
    sites.iter().find(|s| s.name.as_deref() == Some(name))
}
