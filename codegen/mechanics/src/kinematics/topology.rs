//! The tree of speeds.
//!
//! Problem: M(i, j) ≠ 0 only if one of the two speeds is on the other's path to the root
//! (tree-forms paper, 1.3).
//! Method:  the speeds of a joint form a chain, attached to the last free speed towards the root.
//! Factoring `M = LᵀDL` from the leaves then causes no fill-in (Featherstone 2008, section 6.5).
//! Shapes:  nv.
//! Cost:    O(bodies).

use crate::mechanism::{JointId, JointVariable, Mechanism, SpeedId};

/// Free speeds of one joint, in its order.
fn joint_free_speeds(m: &Mechanism, joint: JointId) -> impl DoubleEndedIterator<Item = SpeedId> {
    m.joints[joint].speeds.iter().filter_map(JointVariable::free_index)
}

/// Elimination tree of the mass matrix: for each speed, the next free speed on the path to the
/// root, if any.
pub fn elimination_tree(m: &Mechanism) -> Vec<Option<SpeedId>> {
    let mut parents = vec![None; m.nv()];
    let mut last: Vec<Option<SpeedId>> = Vec::with_capacity(m.bodies.len());
    for (id, joint) in JointId::enumerate(&m.joints) {
        let mut before = joint.parent.and_then(|p| last[p]);
        for speed in joint_free_speeds(m, id) {
            parents[speed] = before;
            before = Some(speed);
        }
        last.push(before);
    }
    parents
}

/// All speeds, parents before children in the elimination tree.
pub fn speeds_parents_first(m: &Mechanism) -> Vec<SpeedId> {
    m.joint_ids().flat_map(|joint| joint_free_speeds(m, joint)).collect()
}
