//! Conversion of closed loops and couplings to constraints of a spec.

use std::collections::BTreeMap;

use super::origin;
use super::robot::{ClosureKind, Coupling, LoopClosure, Robot, UrdfJoint, UrdfJointKind};
use super::tree::{BodyTree, PlacedLink};
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::relevance::Relevance;
use crate::robot::report::Report;
use crate::robot::turn::{Pose, round_off_to_zero};
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_spec::spec::did_you_mean;

/// A frame on a body of the spec (`None`: the ground); an end of a loop closure.
pub(super) struct ClosureFrame {
    pub body: Option<usize>,
    pub pose: Pose,
}

/// A loop closure of a URDF as a constraint of the spec: its type, its two frames, and its axes in
/// the first frame.
pub(super) struct ClosureConstraint {
    pub name: String,
    pub word: &'static str,
    pub ends: [ClosureFrame; 2],
    pub directions: Vec<(&'static str, Triple)>,
}

/// Mapping from links of a URDF to bodies of the spec, with the poses of the bodies at zero
/// coordinates; used to write loop closures.
pub(super) struct BodyPlacements<'a> {
    robot: &'a Robot,
    tree: &'a BodyTree,
    links: BTreeMap<&'a str, (Option<usize>, &'a Pose)>,
    /// Poses of the bodies in the frame of the ground, at zero coordinates.
    world: Vec<Pose>,
    snap: f64,
}

impl<'a> BodyPlacements<'a> {
    pub fn new(robot: &'a Robot, tree: &'a BodyTree, snap: f64) -> Self {
        let mut links = BTreeMap::new();
        let mut add = |body: Option<usize>, placed: &'a [PlacedLink]| {
            for p in placed {
                links.insert(robot.links[p.link].name.as_str(), (body, &p.pose));
            }
        };
        add(None, &tree.ground);
        let mut world: Vec<Pose> = Vec::new();
        for (i, body) in tree.bodies.iter().enumerate() {
            add(Some(i), &body.links);
            // Parents precede their children.
            let parent = body.parent.and_then(|p| world.get(p)).cloned().unwrap_or_else(Pose::identity);
            world.push(parent.compose(&body.pose));
        }
        BodyPlacements { robot, tree, links, world, snap }
    }

    /// Body and pose of the named link; an unknown name is reported.
    fn find_link(
        &self,
        (name, span): (&str, Span),
        report: &mut Report,
    ) -> Option<(Option<usize>, &'a Pose)> {
        let link = self.links.get(name).copied();
        if link.is_none() {
            let help = did_you_mean(name, self.links.keys().copied()).map_or_else(
                || "use the name of a link in this file".to_owned(),
                |meant| format!("write `{meant}`"),
            );
            let d = Diagnostic::error("unknown-name", format!("there is no link `{name}`"));
            report.add_problem(d.at(Some(span), "not found").help(help));
        }
        link
    }

    /// For each of the two bodies of a loop closure, its ancestors including itself, up to but
    /// without the common ancestor (or the ground): the branches of the loop.
    fn chains_to_common_ancestor(&self, ends: [Option<usize>; 2]) -> [Vec<usize>; 2] {
        let [mut first, mut second] = ends.map(|end| -> Vec<usize> {
            std::iter::successors(end, |b| self.tree.bodies[*b].parent).collect()
        });
        while first.last().is_some() && first.last() == second.last() {
            first.pop();
            second.pop();
        }
        [first, second]
    }

    /// The bodies of a chain with their inboard joints.
    fn inboard_joints(&self, chain: &[usize]) -> impl Iterator<Item = (usize, Option<&'a UrdfJoint>)> {
        chain.iter().map(|b| (*b, self.tree.bodies[*b].joint.map(|j| &self.robot.joints[j])))
    }

    /// Axis of a joint in axes of the ground, at zero coordinates.
    fn joint_axis_in_ground(&self, body: usize, joint: &UrdfJoint) -> [f64; 3] {
        self.world[body].turn.rotate_vector(unit_vector([0, 1, 2].map(|i| joint.axis[i].value)))
    }

    /// Converts a loop closure to a constraint of the spec; `None` if that is impossible, which is
    /// reported.
    pub fn closure_constraint(
        &self,
        closure: &LoopClosure,
        report: &mut Report,
    ) -> Option<ClosureConstraint> {
        let name = closure.name.clone().unwrap_or_else(|| "loop".to_owned());
        let [first, second] = closure.ends.each_ref().map(|end| {
            let (body, pose) = self.find_link((&end.link, end.span), report)?;
            let label = format!("closure `{name}`, end on `{}`", end.link);
            let pose = pose.compose(&origin::origin_pose(&end.origin, self.snap, &label, report));
            Some(ClosureFrame { body, pose })
        });
        let ends = [first?, second?];
        if ends[0].body == ends[1].body {
            let d = Diagnostic::error("urdf-closure", format!("the closure `{name}` does not close a loop"))
                .at(Some(closure.span), "the two links of a loop closure have no movable joint between them")
                .help("choose links on opposite sides of a movable joint, or remove the closure");
            report.add_problem(d);
            return None;
        }
        let (word, directions) = match self.planar_constraint(closure, &ends, &name, report) {
            Some(planar) => planar,
            None => spatial_constraint_type(closure),
        };
        Some(ClosureConstraint { name, word, ends, directions })
    }

    /// Planar constraint for a loop closure, if all joints of the loop move in one plane; it has
    /// fewer rows than that in space.
    fn planar_constraint(
        &self,
        closure: &LoopClosure,
        ends: &[ClosureFrame; 2],
        name: &str,
        report: &mut Report,
    ) -> Option<(&'static str, Vec<(&'static str, Triple)>)> {
        let world = ends.each_ref().map(|end| match end.body {
            Some(b) => self.world[b].compose(&end.pose),
            None => end.pose.clone(),
        });
        let chains = self.chains_to_common_ancestor([ends[0].body, ends[1].body]);
        let joints: Vec<(usize, &UrdfJoint)> = (chains.iter())
            .flat_map(|chain| self.inboard_joints(chain))
            .map(|(body, joint)| joint.map(|j| (body, j)))
            .collect::<Option<_>>()?;
        let (body, joint) = *joints.iter().find(|(_, j)| j.kind.turns_in_a_plane())?;
        let normal = self.joint_axis_in_ground(body, joint);
        let near = self.snap.max(1e-9);
        let along = |axis: [f64; 3]| vector_length(cross(axis, normal)) <= near;
        let across = |axis: [f64; 3]| dot(axis, normal).abs() <= near;
        let planar = joints.iter().all(|(body, joint)| {
            let axis = self.joint_axis_in_ground(*body, joint);
            match joint.kind {
                UrdfJointKind::Prismatic => across(axis),
                kind => kind.turns_in_a_plane() && along(axis),
            }
        });
        let axes = closure.axis.as_ref().map(|a| {
            let axis = unit_vector([0, 1, 2].map(|i| a[i].value));
            world.each_ref().map(|pose| pose.turn.rotate_vector(axis))
        });
        let fits = match (closure.kind, axes) {
            (ClosureKind::Revolute, Some(axes)) => axes.into_iter().all(along),
            (ClosureKind::Prismatic, Some(axes)) => axes.into_iter().all(across),
            (ClosureKind::Spherical, _) => true,
            _ => false,
        };
        if !(planar && fits) {
            return None;
        }
        report_gap_along_normal(closure, name, &world, normal, report);
        let normal = world[0].turn.inverse().rotate_vector(normal);
        let normal = ("normal", normal.map(|x| Decimal::from_f64(round_off_to_zero(x, 1.0))));
        Some(match (closure.kind, &closure.axis) {
            (ClosureKind::Prismatic, Some(axis)) => {
                ("planar_prismatic", vec![("axis", axis.clone()), normal])
            }
            (ClosureKind::Revolute, Some(axis)) => ("planar_revolute", vec![("normal", axis.clone())]),
            _ => ("planar_revolute", vec![normal]),
        })
    }

    /// For both links of a coupling, the joints between it and the common ancestor. Chains whose
    /// joints cannot be coupled are reported.
    pub fn coupled_joints(&self, coupling: &Coupling, report: &mut Report) -> Option<[Vec<usize>; 2]> {
        let sides = [&coupling.predecessor, &coupling.successor];
        let [first, second] = sides.map(|(link, span)| self.find_link((link, *span), report));
        let chains = self.chains_to_common_ancestor([first?.0, second?.0]);
        let mut joints = Vec::new();
        for ((link, span), chain) in sides.into_iter().zip(&chains) {
            let named: Option<Vec<(usize, &UrdfJoint)>> =
                self.inboard_joints(chain).map(|(body, joint)| joint.map(|j| (body, j))).collect();
            let trouble = match named.as_deref() {
                Some([]) => Some("no joint moves this link relative to the other coupled link"),
                Some([(_, one)]) if one.kind == UrdfJointKind::Prismatic => None,
                Some(several) if several.iter().all(|(_, j)| j.kind.turns_about_one_axis()) => {
                    let axes = several.iter().map(|(body, joint)| self.joint_axis_in_ground(*body, joint));
                    let axes: Vec<[f64; 3]> = axes.collect();
                    let all_parallel = axes
                        .iter()
                        .all(|a| dot(*a, axes[0]) > 0.0 && vector_length(cross(*a, axes[0])) <= 1e-3);
                    (!all_parallel)
                        .then_some("this link is carried by joints that rotate about different axes")
                }
                _ => Some("this link is carried by joints that do not rotate about a common axis"),
            };
            if let Some(trouble) = trouble {
                let d = Diagnostic::error(
                    "urdf-coupling",
                    format!("link `{link}` has no angle or displacement that a coupling can use"),
                )
                .at(Some(*span), trouble)
                .help("couple links that are carried by parallel revolute joints or by one prismatic joint");
                report.add_problem(d);
                return None;
            }
            joints.push(chain.iter().rev().filter_map(|b| self.tree.bodies[*b].joint).collect());
        }
        joints.try_into().ok()
    }
}

/// Reports ends of a closure that are apart along the normal of the plane of motion.
fn report_gap_along_normal(
    closure: &LoopClosure,
    name: &str,
    world: &[Pose; 2],
    normal: [f64; 3],
    report: &mut Report,
) {
    let [a, b] = world.each_ref().map(Pose::position_values);
    let gap = dot([0, 1, 2].map(|i| b[i] - a[i]), normal);
    let reach = a.iter().chain(&b).fold(0.0_f64, |m, x| m.max(x.abs()));
    if gap.abs() > 1e-6 * reach {
        let text = format!(
            "closure `{name}` whose two ends are {} m apart along the plane normal in every pose (it is enforced only in the plane of motion)",
            Decimal::from_f64((gap.abs() * 1e9).round() / 1e9).text
        );
        // Small gaps are rounding in the file; ends that never meet are a different mechanism.
        if gap.abs() > 1e-3 * reach {
            report.record_loss(Relevance::Structural, "loop", Some(text), closure.span);
        } else {
            report.add_note(text, Some(closure.span));
        }
    }
}

/// Type and axis keys of the constraint that closes a loop in space.
fn spatial_constraint_type(closure: &LoopClosure) -> (&'static str, Vec<(&'static str, Triple)>) {
    let (word, key) = match closure.kind {
        ClosureKind::Weld => ("weld", None),
        ClosureKind::Spherical => ("spherical", None),
        ClosureKind::Revolute => ("revolute", Some("axis")),
        ClosureKind::Prismatic => ("prismatic", Some("axis")),
        ClosureKind::Cylindrical => ("cylindrical", Some("axis")),
        ClosureKind::Planar => ("planar", Some("normal")),
    };
    (word, key.zip(closure.axis.clone()).into_iter().collect())
}

fn unit_vector(x: [f64; 3]) -> [f64; 3] {
    let largest = x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let scaled = x.map(|x| x / largest);
    let length = vector_length(scaled);
    scaled.map(|x| x / length)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn vector_length(x: [f64; 3]) -> f64 {
    dot(x, x).sqrt()
}
