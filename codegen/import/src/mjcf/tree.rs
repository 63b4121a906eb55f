//! The bodies of the spec: one for each joint, with everything fixed to it.

use super::model::{MjcfBody, Model};
use crate::robot::inertia::{BodyInertia, RigidPart, combine_parts};
use crate::robot::turn::Pose;

/// A body of the spec, which has exactly one joint. A body of the file with several joints becomes
/// several links; all but the last are massless.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Index of the body in the file whose joint this is, and of the joint in that body.
    pub body: usize,
    pub joint: usize,
    /// Index of the parent link in the tree; `None` is the ground.
    pub parent: Option<usize>,
    /// Pose of the body in the frame of the parent link, in the reference pose.
    pub pose: Pose,
    /// Bodies of the file that the body of the spec combines, with their poses in it.
    pub bodies: Vec<(usize, Pose)>,
}

/// The bodies of the spec, and the mapping to them from bodies of the MJCF.
#[derive(Clone, Debug)]
pub(super) struct LinkTree {
    pub links: Vec<Link>,
    /// For each body of the file: the link that it belongs to (`None`: the ground), and its pose in
    /// that.
    pub places: Vec<(Option<usize>, Pose)>,
}

/// Converts an MJCF model to the bodies of the spec: one link for each joint.
pub(super) fn build_link_tree(model: &Model) -> LinkTree {
    let mut tree = LinkTree { links: Vec::new(), places: Vec::new() };
    for (i, body) in model.bodies.iter().enumerate() {
        let carrier = body.parent.and_then(|p| tree.places.get(p)).cloned();
        let (mut link, pose) = carrier.unwrap_or((None, Pose::identity()));
        let mut pose = pose.compose(&body.pose);
        for joint in 0..body.joints.len() {
            let parent = link.replace(tree.links.len());
            let pose = std::mem::replace(&mut pose, Pose::identity());
            tree.links.push(Link { body: i, joint, parent, pose, bodies: Vec::new() });
        }
        if let Some(link) = link.and_then(|l| tree.links.get_mut(l)) {
            link.bodies.push((i, pose.clone()));
        }
        tree.places.push((link, pose));
    }
    tree
}

impl LinkTree {
    /// Combined mass and inertia of the bodies of the file that a link consists of, in its frame.
    pub fn link_inertia(&self, model: &Model, link: &Link) -> Option<BodyInertia> {
        let heavy: Vec<(BodyInertia, Pose)> = link
            .bodies
            .iter()
            .filter_map(|(body, pose)| Some((model.bodies.get(*body)?.inertia.clone()?, pose.clone())))
            .filter(|(i, _)| !i.mass.is_zero() || i.tensor.iter().any(|x| !x.is_zero()))
            .collect();
        match &heavy[..] {
            [] => None,
            [(inertia, pose)] if *pose == Pose::identity() => Some(inertia.clone()),
            _ => {
                let parts = heavy.iter().map(|(i, pose)| {
                    let moved = pose.turn.rotate_vector([0, 1, 2].map(|k| i.center[k].value));
                    let at = pose.position_values();
                    let center = [0, 1, 2].map(|k| at[k] + moved[k]);
                    RigidPart {
                        mass: i.mass.value,
                        center,
                        tensor: pose.turn.rotate_tensor(i.tensor_matrix()),
                    }
                });
                Some(combine_parts(&parts.collect::<Vec<_>>()))
            }
        }
    }

    /// Frames on a link, or on the ground, that become points of the spec: sites, and bodies of the
    /// file without a joint. Each has its name, noun and place.
    pub fn frames_on_link<'m>(
        &self,
        model: &'m Model,
        link: Option<usize>,
    ) -> Vec<(Option<&'m str>, &'static str, dqdt_diagnostics::base::Span, Pose)> {
        let mut frames = Vec::new();
        if link.is_none() {
            frames.extend(model.sites.iter().map(|s| (s.name.as_deref(), "site", s.span, s.pose.clone())));
        }
        for (i, body) in model.bodies.iter().enumerate() {
            let Some((_, pose)) = self.places.get(i).filter(|(at, _)| *at == link) else { continue };
            if has_no_joints(body) {
                frames.push((body.name.as_deref(), "body", body.span, pose.clone()));
            }
            let sites = body.sites.iter();
            frames.extend(sites.map(|s| (s.name.as_deref(), "site", s.span, pose.compose(&s.pose))));
        }
        frames
    }
}

/// True for a body without joints, which is fixed to its parent.
fn has_no_joints(body: &MjcfBody) -> bool {
    body.joints.is_empty()
}
