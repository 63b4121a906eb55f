//! Memo table of recent operations and the nodes that they folded to.
//!
//! Problem: the mechanics records the same kinematics for every function. Each time, folding would
//!          inspect the arguments and their arguments only to return an existing node.
//! Method:  a direct-mapped table with one entry per hash; a newer entry replaces an older one. A
//!          hit returns the node that folding would return.

use super::node::{NodeId, Op};

/// Initial number of entries of the memo table. It grows with the number of nodes, up to [`MOST`].
const FIRST: usize = 1 << 10;
/// Maximum number of entries of the memo table of operations: 4 MB.
const MOST: usize = 1 << 18;

/// Cache of recorded operations: the nodes to which they folded, by operation and arguments.
#[derive(Default, Debug)]
pub(super) struct MemoTable {
    entries: Vec<(u64, NodeId)>,
}

/// An operation and its arguments packed into a word, the key of the memo table. Only the
/// operations that the mechanics mostly uses have one; zero marks an empty entry.
fn pack_operation_key(op: Op, args: &[NodeId]) -> Option<u64> {
    let tag = match op {
        Op::Add => 1,
        Op::Sub => 2,
        Op::Mul => 3,
        Op::Neg => 4,
        Op::Sin => 5,
        Op::Cos => 6,
        _ => return None,
    };
    let argument = |i: usize| args.get(i).map_or(0, |a| u64::from(a.0));
    (argument(0) | argument(1) < 1 << 30).then_some(tag << 60 | argument(0) << 30 | argument(1))
}

impl MemoTable {
    /// Slot of the table for a key, by a multiplicative hash.
    fn slot_index(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        mixed as usize & (self.entries.len() - 1)
    }

    /// The node that an operation folded to, if it is in the table.
    pub fn find_node(&self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        let key = pack_operation_key(op, args).filter(|_| !self.entries.is_empty())?;
        let (stored_key, id) = self.entries[self.slot_index(key)];
        (stored_key == key).then_some(id)
    }

    /// Stores the node of an operation; `nodes` is the size of the graph, by which the table grows.
    pub fn store_node(&mut self, op: Op, args: &[NodeId], id: NodeId, nodes: usize) {
        let Some(key) = pack_operation_key(op, args) else { return };
        if self.entries.is_empty() || self.entries.len() < nodes.min(MOST) {
            let entries = (2 * nodes).next_power_of_two().clamp(FIRST, MOST);
            self.entries = vec![(0, NodeId(0)); entries];
        }
        let index = self.slot_index(key);
        self.entries[index] = (key, id);
    }
}
