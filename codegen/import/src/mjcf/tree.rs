//! Bodies of the spec: one for each joint, with what is fixed to it.

use super::model::{Body, Model};
use crate::robot::inertia::{Inertia, Part, together};
use crate::robot::turn::Pose;

/// A body of the spec, carried by one joint. A body of the file with several joints is several of these; all but the last
/// have no mass.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// The body of the file, and the number of the joint in it.
    pub body: usize,
    pub joint: usize,
    /// The body of the spec that carries it; `None` is the ground.
    pub parent: Option<usize>,
    /// Where the body's frame stands on that in the pose that is drawn.
    pub pose: Pose,
    /// Bodies of the file that belong to it, and where they stand.
    pub bodies: Vec<(usize, Pose)>,
}

/// The robot as bodies of the spec.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub links: Vec<Link>,
    /// Where each body of the file is: on which link, and where there.
    pub places: Vec<(Option<usize>, Pose)>,
}

/// The tree of a model.
pub(super) fn tree(model: &Model) -> Tree {
    let mut tree = Tree { links: Vec::new(), places: Vec::new() };
    for (i, body) in model.bodies.iter().enumerate() {
        let carrier = body.parent.and_then(|p| tree.places.get(p)).cloned();
        let (mut link, pose) = carrier.unwrap_or((None, Pose::none()));
        let mut pose = pose.times(&body.pose);
        for joint in 0..body.joints.len() {
            let parent = link.replace(tree.links.len());
            let pose = std::mem::replace(&mut pose, Pose::none());
            tree.links.push(Link { body: i, joint, parent, pose, bodies: Vec::new() });
        }
        if let Some(link) = link.and_then(|l| tree.links.get_mut(l)) {
            link.bodies.push((i, pose.clone()));
        }
        tree.places.push((link, pose));
    }
    tree
}

impl Tree {
    /// What a body of the spec weighs.
    pub fn inertia(&self, model: &Model, link: &Link) -> Option<Inertia> {
        let weighed =
            |(body, pose): &(usize, Pose)| Some((model.bodies.get(*body)?.inertia.clone()?, pose.clone()));
        let heavy: Vec<(Inertia, Pose)> = link.bodies.iter().filter_map(weighed).collect();
        let heavy: Vec<_> = heavy
            .into_iter()
            .filter(|(i, _)| !i.mass.is_zero() || i.tensor.iter().any(|x| !x.is_zero()))
            .collect();
        match &heavy[..] {
            [] => None,
            [(inertia, pose)] if *pose == Pose::none() => Some(inertia.clone()),
            _ => {
                let parts = heavy.iter().map(|(i, pose)| {
                    let moved = pose.turn.apply([0, 1, 2].map(|k| i.center[k].value));
                    let at = pose.position();
                    let center = [0, 1, 2].map(|k| at[k] + moved[k]);
                    Part { mass: i.mass.value, center, tensor: pose.turn.turned(i.matrix()) }
                });
                Some(together(&parts.collect::<Vec<_>>()))
            }
        }
    }

    /// Frames on a body of the spec, or on the ground: bodies of the file that are fixed to it, and sites.
    pub fn frames<'m>(
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
            if fixed(body) {
                frames.push((body.name.as_deref(), "body", body.span, pose.clone()));
            }
            let sites = body.sites.iter();
            frames.extend(sites.map(|s| (s.name.as_deref(), "site", s.span, pose.times(&s.pose))));
        }
        frames
    }
}

fn fixed(body: &Body) -> bool {
    body.joints.is_empty()
}
