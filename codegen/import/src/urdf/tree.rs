//! The tree of bodies in order from the root, with the links fixed to each.

use std::collections::{BTreeMap, BTreeSet};

use super::origin;
use super::robot::{Robot, UrdfJoint, UrdfJointKind};
use crate::robot::report::Report;
use crate::robot::turn::Pose;
use crate::robot::{Base, Options};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_spec::spec::did_you_mean;

/// Number of messages after which no similar names are suggested, because the search takes time.
const READ: usize = 100;

/// A link of a URDF with its pose in the frame of the body of the spec that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct PlacedLink {
    pub link: usize,
    pub pose: Pose,
}

/// A body of the spec: a link that is the child of a moving joint, and the links fixed to it.
#[derive(Clone, Debug)]
pub(super) struct TreeBody {
    /// Index of the inboard joint in the file; `None` for a root that moves freely.
    pub joint: Option<usize>,
    /// Index of the parent body; `None` is the ground.
    pub parent: Option<usize>,
    /// Pose of the inboard joint in the frame of the parent.
    pub pose: Pose,
    /// The links that the body consists of; the child of its joint is first.
    pub links: Vec<PlacedLink>,
}

/// The robot of a URDF as a tree of bodies of the spec, each with the links fixed to it.
#[derive(Clone, Debug)]
pub(super) struct BodyTree {
    /// Links that are fixed to the ground, directly or through others.
    pub ground: Vec<PlacedLink>,
    /// The bodies of the tree, depth first from the root, siblings in the order of the file.
    pub bodies: Vec<TreeBody>,
}

/// Joints of each link of a URDF, by index.
struct LinkJoints {
    /// Joint whose child is the link.
    inboard_joints: Vec<Option<usize>>,
    /// Joints whose parent is the link.
    child_joints: Vec<Vec<usize>>,
}

/// Finds the joints of each link. Unknown links, and links with two inboard joints, are reported.
fn connect_links(robot: &Robot, links: &BTreeMap<&str, usize>, problems: &mut Vec<Diagnostic>) -> LinkJoints {
    let mut inboard_joints: Vec<Option<usize>> = vec![None; robot.links.len()];
    let mut child_joints: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
    for (i, joint) in robot.joints.iter().enumerate() {
        let ends =
            [(&joint.parent, joint.parent_span), (&joint.child, joint.child_span)].map(|(name, span)| {
                let link = links.get(name.as_str()).copied();
                if link.is_none() {
                    // The search for similar names is limited to the first messages.
                    let near =
                        if problems.len() < READ { did_you_mean(name, links.keys().copied()) } else { None };
                    let meant = near;
                    let help = meant.map_or_else(
                        || "use the name of a link in this file".to_owned(),
                        |m| format!("write `{m}`"),
                    );
                    let message = format!("there is no link `{name}`");
                    problems.push(
                        Diagnostic::error("unknown-name", message).at(Some(span), "unknown link").help(help),
                    );
                }
                link
            });
        let [Some(parent), Some(child)] = ends else { continue };
        if let Some(other) = inboard_joints[child] {
            let other: &UrdfJoint = &robot.joints[other];
            problems.push(
                Diagnostic::error("urdf-loop", format!("the link `{}` is the child of two joints", joint.child))
                    .at(Some(joint.child_span), "here")
                    .also(Some(other.child_span), "and here")
                    .help("remove one of the joints, and close the loop with an entry in [constraints] of the spec, because a URDF describes a tree"),
            );
            continue;
        }
        inboard_joints[child] = Some(i);
        child_joints[parent].push(i);
    }
    LinkJoints { inboard_joints, child_joints }
}

/// Builds the tree of bodies from the links and joints of a URDF.
pub(super) fn build_bodies(
    robot: &Robot,
    options: &Options,
    report: &mut Report,
) -> Result<BodyTree, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let links: BTreeMap<&str, usize> =
        robot.links.iter().enumerate().map(|(i, l)| (l.name.as_str(), i)).collect();
    let LinkJoints { inboard_joints, child_joints } = connect_links(robot, &links, &mut problems);
    check_mimic_joints(robot, &mut problems);
    let roots: Vec<usize> = (0..robot.links.len()).filter(|l| inboard_joints[*l].is_none()).collect();
    if problems.is_empty() {
        problems.extend(root_error(robot, &roots));
    }
    let [root] = roots[..] else { return Err(problems) };
    if !problems.is_empty() {
        return Err(problems);
    }
    let walk = Walk { robot, links: &links, child_joints: &child_joints, snap: options.snap };
    let tree = walk.build_tree(root, options.base, report);
    let reached = tree.ground.len() + tree.bodies.iter().map(|b| b.links.len()).sum::<usize>();
    if reached == robot.links.len() && tree.bodies.is_empty() {
        let link = &robot.links[root];
        let d = Diagnostic::error("urdf-rigid", "the robot has no movable joint")
            .at(Some(link.span), "this link and all others are part of the ground")
            .help("use `--base free` (in a spec: [urdf] base = \"free\"), so that the robot is a single moving body");
        return Err(vec![d]);
    }
    if reached == robot.links.len() {
        return Ok(tree);
    }
    let mut is_reached = vec![false; robot.links.len()];
    for placed in tree.ground.iter().chain(tree.bodies.iter().flat_map(|b| &b.links)) {
        is_reached[placed.link] = true;
    }
    let lost = (0..is_reached.len()).find(|l| !is_reached[*l]).map(|l| &robot.links[l]);
    Err(lost.map(|link| joint_ring_error(&link.name, link.span)).into_iter().collect())
}

/// Error for a link that no path of joints connects to a root.
fn joint_ring_error(name: &str, span: dqdt_diagnostics::base::Span) -> Diagnostic {
    Diagnostic::error("urdf-loop", format!("the link `{name}` is part of a closed ring of joints, or is attached to one"))
        .at(Some(span), "no path of joints leads from a root link to this link")
        .help("remove one joint of the ring, and close the ring with a <loop> or with an entry in [constraints] of the spec, because a URDF describes a tree")
}

/// Error for a robot without a root link or with several.
fn root_error(robot: &Robot, roots: &[usize]) -> Option<Diagnostic> {
    match roots {
        [_] => None,
        [] => robot.links.first().map(|link| joint_ring_error(&link.name, link.span)),
        [first, second, ..] => {
            let (a, b) = (&robot.links[*first], &robot.links[*second]);
            Some(
                Diagnostic::error(
                    "urdf-roots",
                    format!(
                        "{} links are not the child of any joint, but a robot must have exactly one root link",
                        roots.len()
                    ),
                )
                .at(Some(a.span), "this link is not the child of any joint")
                .also(Some(b.span), "this link is not the child of any joint either")
                .help(format!("connect `{}` to another link with a joint, such as a fixed joint", b.name)),
            )
        }
    }
}

/// Checks that each mimic joint follows an existing joint with one coordinate, and that there is no
/// cycle.
fn check_mimic_joints(robot: &Robot, problems: &mut Vec<Diagnostic>) {
    let by_name: BTreeMap<&str, &UrdfJoint> = robot.joints.iter().map(|j| (j.name.as_str(), j)).collect();
    // Joints that are known to lead to a joint that follows no other.
    let mut free: BTreeSet<&str> = BTreeSet::new();

    for joint in &robot.joints {
        let Some(mimic) = joint.mimic.as_ref().filter(|_| joint.kind.has_one_coordinate()) else { continue };
        let message = match by_name.get(mimic.joint.as_str()).copied() {
            None => format!("there is no joint `{}`", mimic.joint),
            Some(other) if !other.kind.has_one_coordinate() => {
                format!("the joint `{}` does not have exactly one coordinate", mimic.joint)
            }
            Some(other) => {
                let (mut at, mut way) = (other, BTreeSet::from([joint.name.as_str()]));
                let leads = loop {
                    if free.contains(at.name.as_str()) {
                        break true;
                    }
                    if !way.insert(&at.name) {
                        break false;
                    }
                    match at.mimic.as_ref().and_then(|m| by_name.get(m.joint.as_str()).copied()) {
                        Some(next) => at = next,
                        None => break true,
                    }
                };
                if leads {
                    free.extend(way);
                    continue;
                }
                format!("the joint `{}` mimics itself, directly or through other joints", joint.name)
            }
        };
        let names = robot.joints.iter().map(|j| j.name.as_str());
        let near = if problems.len() < READ { did_you_mean(&mimic.joint, names) } else { None };
        let meant = near.filter(|m| *m != mimic.joint);
        let help = meant.map_or_else(
            || "specify a revolute, continuous or prismatic joint in <mimic>".to_owned(),
            |m| format!("write `{m}`"),
        );
        problems.push(Diagnostic::error("urdf-mimic", message).at(Some(mimic.span), "here").help(help));
    }
}

/// Traversal of the links from the root, which builds the tree of bodies.
struct Walk<'a> {
    robot: &'a Robot,
    links: &'a BTreeMap<&'a str, usize>,
    /// For each link, the indices of the joints whose parent it is.
    child_joints: &'a [Vec<usize>],
    snap: f64,
}

/// A link that remains to be placed: the body that it belongs to, and its pose on that.
struct Todo {
    link: usize,
    body: Option<usize>,
    pose: Pose,
}

impl Walk<'_> {
    fn build_tree(&self, root: usize, base: Base, report: &mut Report) -> BodyTree {
        let mut tree = BodyTree { ground: Vec::new(), bodies: Vec::new() };
        let free = base == Base::Free;
        if free {
            tree.bodies.push(TreeBody {
                joint: None,
                parent: None,
                pose: Pose::identity(),
                links: Vec::new(),
            });
        }
        // A stack, so that a long chain needs no deep recursion; siblings in the order of the file.
        let mut open = vec![Todo { link: root, body: free.then_some(0), pose: Pose::identity() }];
        let mut moving: Vec<(usize, Option<usize>, Pose)> = Vec::new();
        loop {
            let known = moving.len();
            while let Some(todo) = open.pop() {
                let placed = PlacedLink { link: todo.link, pose: todo.pose.clone() };
                match todo.body {
                    Some(body) => tree.bodies[body].links.push(placed),
                    None => tree.ground.push(placed),
                }
                for at in self.child_joints[todo.link].iter().rev() {
                    let joint = &self.robot.joints[*at];
                    let label = format!("joint `{}`", joint.name);
                    let pose =
                        todo.pose.compose(&origin::origin_pose(&joint.origin, self.snap, &label, report));
                    match joint.kind {
                        UrdfJointKind::Fixed => {
                            open.push(Todo { link: self.links[joint.child.as_str()], body: todo.body, pose });
                        }
                        _ => moving.push((*at, todo.body, pose)),
                    }
                }
            }
            moving[known..].sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
            let Some((at, parent, pose)) = moving.pop() else { return tree };
            let body = tree.bodies.len();
            tree.bodies.push(TreeBody { joint: Some(at), parent, pose, links: Vec::new() });
            let link = self.links[self.robot.joints[at].child.as_str()];
            open.push(Todo { link, body: Some(body), pose: Pose::identity() });
        }
    }
}

/// Indices of the moving joints in Pinocchio's order of coordinates: links depth first, the joints
/// on a link by name.
pub(super) fn pinocchio_order(robot: &Robot, root: usize) -> Vec<usize> {
    let mut child_joints: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, joint) in robot.joints.iter().enumerate() {
        child_joints.entry(&joint.parent).or_default().push(i);
    }
    for joints in child_joints.values_mut() {
        joints.sort_by(|a, b| robot.joints[*b].name.cmp(&robot.joints[*a].name));
    }
    let on = |link: &str| child_joints.get(link).cloned().unwrap_or_default();
    let mut open = on(&robot.links[root].name);
    let mut order = Vec::new();
    while let Some(at) = open.pop() {
        let joint = &robot.joints[at];
        if joint.kind != UrdfJointKind::Fixed {
            order.push(at);
        }
        open.extend(on(&joint.child));
    }
    order
}
