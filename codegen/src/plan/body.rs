//! The body of a function or block: what it hands out, takes and computes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::equal::Equal;
use super::root::Root;
use super::schedule::Schedule;
use crate::ir::{Graph, NodeId, Op};

/// Roots and statements of one body.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Outputs first, entry by entry, then divisors, each with what it is compared with. Of a block, what others use.
    pub roots: Vec<Root>,
    /// The statements.
    pub schedule: Schedule,
    /// What it takes of blocks.
    pub imports: Vec<Import>,
    /// Of a block: angles, sines and cosines that its callers hand it. Of a function: those that it hands to blocks.
    pub angles: Vec<NodeId>,
    /// What it computes in lanes, in the order in which it can.
    pub parts: Vec<Equal>,
    /// Names of lanes that hold the opposite of their value.
    pub opposites: FxHashMap<NodeId, String>,
    pub(super) taken: FxHashSet<NodeId>,
}

impl Body {
    /// What it computes ends here: what it hands out, and what its equal parts take.
    pub(super) fn ends(&self) -> impl Iterator<Item = NodeId> + '_ {
        let feeds = self.parts.iter().flat_map(|p| &p.inputs).flat_map(|c| &c.nodes).copied();
        self.roots.iter().map(|r| r.node).chain(feeds)
    }

    /// True if the value comes from a block or from an equal part.
    pub fn takes(&self, id: NodeId) -> bool {
        self.taken.contains(&id)
    }
}

/// What a body takes of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The block, by number.
    pub block: usize,
    /// The values, in order of ids.
    pub nodes: Vec<NodeId>,
}

/// True for a symbol.
pub(super) fn is_symbol(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.node(id).op, Op::Symbol(_))
}
