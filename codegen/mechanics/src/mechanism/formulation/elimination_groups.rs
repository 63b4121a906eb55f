//! How the mixed form takes a tree: which joints it eliminates together, and where accelerations start anew.
//!
//! Problem: within a few joints rigid inertias are moved for less than articulated ones, over many joints the columns of M cost
//!          more than they save. Between them lies a choice for every joint.
//! Method:  the joints that begin a group cut the tree; all others belong to the group of their parent. It is a choice of cost
//!          alone: every cut gives the same accelerations. `optimise` looks for a good one.

use super::EliminationGroups;
use crate::mechanism::index::JointId;
use crate::mechanism::model::Joint;

impl EliminationGroups {
    /// Joints of a chain where a formulation leaves the groups open.
    pub const OPEN: usize = 3;

    /// EliminationGroups of chains with up to `longest` joints, counted from the leaves. A body with several joints beyond it begins anew.
    pub fn from_leaves(joints: &[Joint], longest: usize) -> Self {
        let n = joints.len();
        let mut beyond = vec![0usize; n];
        for p in joints.iter().filter_map(|j| j.parent) {
            beyond[p] += 1;
        }
        let mut joined = vec![false; n];
        // Joints of the group that this one is in, so far.
        let mut length = vec![1; n];
        for i in JointId::range(n).rev() {
            let Some(p) = joints[i].parent else { continue };
            if length[i] < longest && beyond[p] == 1 && may_join(joints, i) {
                joined[i] = true;
                length[p.inboard_joint()] = length[i] + 1;
            }
        }
        EliminationGroups { joined, carried: vec![true; n] }
    }

    /// One group as far as it may be: the composite-body form, without the sharing that M as a whole allows.
    pub fn one(joints: &[Joint]) -> Self {
        let n = joints.len();
        EliminationGroups {
            joined: JointId::range(n).map(|i| may_join(joints, i)).collect(),
            carried: vec![true; n],
        }
    }
}

/// Whether a joint can be eliminated together with its parent: where angles are measured from the ground, or rotors ride on bodies,
/// each joint stays alone.
pub fn may_join(joints: &[Joint], joint: JointId) -> bool {
    let plain = |j: JointId| !joints[j].absolute && joints[j].rotor.is_none();
    joints[joint].parent.is_some_and(|p| plain(p.inboard_joint()) && plain(joint))
}

/// Joints that look alike from the ground: the same kinds on the way to them and beyond them. Choices are made for all of a class at
/// once, so that equal limbs stay equal.
pub fn classes(joints: &[Joint]) -> Vec<Vec<JointId>> {
    let n = joints.len();
    let mut beyond: Vec<Vec<String>> = vec![Vec::new(); n];
    let mut shapes = vec![String::new(); n];
    for i in JointId::range(n).rev() {
        let mut below = std::mem::take(&mut beyond[i]);
        below.sort();
        shapes[i] = format!("{:?}({})", joints[i].kind, below.join(","));
        if let Some(p) = joints[i].parent {
            beyond[p.inboard_joint()].push(shapes[i].clone());
        }
    }
    let mut classes: Vec<Vec<JointId>> = Vec::new();
    let mut keys: Vec<(Option<usize>, &str)> = Vec::new();
    let mut of = vec![0; n];
    for i in JointId::range(n) {
        let key = (joints[i].parent.map(|p| of[p.inboard_joint()]), shapes[i].as_str());
        of[i] = keys.iter().position(|k| *k == key).unwrap_or_else(|| {
            keys.push(key);
            classes.push(Vec::new());
            keys.len() - 1
        });
        classes[of[i]].push(i);
    }
    classes
}
