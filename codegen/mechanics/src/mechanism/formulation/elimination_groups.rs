//! Groups of joints that the mixed form eliminates together, and joints where bias accelerations
//! restart.
//!
//! Problem: over a few joints it is cheaper to shift rigid inertias (CRBA) than articulated ones
//! (ABA); over many joints the columns of M cost more than they save. Each joint offers a choice
//! between the two.
//! Method:  joints that begin a group cut the tree; every other joint belongs to the group of its
//! parent. The choice affects only the cost: every cut gives the same accelerations. `optimise`
//! searches for a good one.

use super::EliminationGroups;
use crate::mechanism::index::JointId;
use crate::mechanism::model::Joint;

impl EliminationGroups {
    /// Number of joints of a chain in the default elimination groups.
    pub const DEFAULT_CHAIN_LENGTH: usize = 3;

    /// Elimination groups of chains with up to `chain_length` joints, counted from the leaves.
    /// Chains end at a body with several outboard joints, where a new chain begins.
    pub fn from_leaves(joints: &[Joint], chain_length: usize) -> Self {
        let n = joints.len();
        let mut outboard_counts = vec![0usize; n];
        for p in joints.iter().filter_map(|j| j.parent) {
            outboard_counts[p] += 1;
        }
        let mut joined = vec![false; n];
        // Number of joints in the group of each joint so far.
        let mut length = vec![1; n];
        for i in JointId::range(n).rev() {
            let Some(p) = joints[i].parent else { continue };
            if length[i] < chain_length && outboard_counts[p] == 1 && may_join_parent_group(joints, i) {
                joined[i] = true;
                length[p.inboard_joint()] = length[i] + 1;
            }
        }
        EliminationGroups { joined, carried: vec![true; n] }
    }

    /// Largest elimination groups allowed: CRBA, without the common subexpressions of the whole M.
    pub fn largest_groups(joints: &[Joint]) -> Self {
        let n = joints.len();
        EliminationGroups {
            joined: JointId::range(n).map(|i| may_join_parent_group(joints, i)).collect(),
            carried: vec![true; n],
        }
    }
}

/// True if a joint may be eliminated together with its parent. Joints with angles measured from the
/// ground, or with rotors, form groups of their own.
pub fn may_join_parent_group(joints: &[Joint], joint: JointId) -> bool {
    let is_joinable = |j: JointId| !joints[j].absolute && joints[j].rotor.is_none();
    joints[joint].parent.is_some_and(|p| is_joinable(p.inboard_joint()) && is_joinable(joint))
}

/// Classes of equivalent joints: the same kinds on the path to the ground and in the subtree. A
/// search makes one choice for a whole class, so that equal limbs stay equal.
pub fn group_equivalent_joints(joints: &[Joint]) -> Vec<Vec<JointId>> {
    let n = joints.len();
    let mut outboard_shapes: Vec<Vec<String>> = vec![Vec::new(); n];
    let mut shapes = vec![String::new(); n];
    for i in JointId::range(n).rev() {
        let mut outboard = std::mem::take(&mut outboard_shapes[i]);
        outboard.sort();
        shapes[i] = format!("{:?}({})", joints[i].kind, outboard.join(","));
        if let Some(p) = joints[i].parent {
            outboard_shapes[p.inboard_joint()].push(shapes[i].clone());
        }
    }
    let mut classes: Vec<Vec<JointId>> = Vec::new();
    let mut keys: Vec<(Option<usize>, &str)> = Vec::new();
    let mut class_of = vec![0; n];
    for i in JointId::range(n) {
        let key = (joints[i].parent.map(|p| class_of[p.inboard_joint()]), shapes[i].as_str());
        class_of[i] = keys.iter().position(|k| *k == key).unwrap_or_else(|| {
            keys.push(key);
            classes.push(Vec::new());
            keys.len() - 1
        });
        classes[class_of[i]].push(i);
    }
    classes
}
