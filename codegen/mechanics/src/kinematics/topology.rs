//! The tree of speeds.
//!
//! Problem: M(i, j) ≠ 0 only if one of the two speeds stands on the other's way to the root (tree-forms paper, 1.3).
//! Method:  the speeds of a joint form a chain, hung onto the last free speed towards the root. Factoring `M = LᵀDL`
//! from the leaves then makes no fill-in (Featherstone 2008, section 6.5).
//! Shapes:  nv.
//! Cost:    O(bodies).

use crate::mechanism::{JointVariable, Mechanism};

fn free_speeds(m: &Mechanism, body: usize) -> impl DoubleEndedIterator<Item = usize> {
    m.joints[body].speeds.iter().filter_map(|slot| match slot {
        JointVariable::Free(i) => Some(*i),
        JointVariable::Prescribed(_) => None,
    })
}

/// For each speed the speed before it on the way to the root, if any: the elimination tree of the mass matrix.
pub fn parents_of_speeds(m: &Mechanism) -> Vec<Option<usize>> {
    let mut parents = vec![None; m.nv()];
    let mut last: Vec<Option<usize>> = Vec::with_capacity(m.bodies.len());
    for (body, joint) in m.joints.iter().enumerate() {
        let mut before = joint.parent.and_then(|p| last[p]);
        for speed in free_speeds(m, body) {
            parents[speed] = before;
            before = Some(speed);
        }
        last.push(before);
    }
    parents
}

/// The speeds in an order in which parents stand before children.
pub fn order_of_speeds(m: &Mechanism) -> Vec<usize> {
    (0..m.joints.len()).flat_map(|body| free_speeds(m, body)).collect()
}
