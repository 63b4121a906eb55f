//! The body of a function or block: what it hands out, takes and computes.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::equal::Equal;
use super::root::Root;
use super::schedule::{Pair, Schedule, Step};
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

    /// Of each statement, whether it stands before the calls of blocks: what they are handed, and what that is made of.
    pub fn early(&self, graph: &Graph) -> Vec<bool> {
        let before = self.before_calls(graph);
        let is_early = |step: &Step| match step {
            Step::Value(id) => before.contains(id),
            Step::SinCos(pairs) => {
                pairs.iter().any(|p| [p.sin, p.cos].iter().flatten().any(|id| before.contains(id)))
            }
            Step::Part(_) => false,
        };
        self.schedule.statements.iter().map(|s| is_early(&s.step)).collect()
    }

    fn before_calls(&self, graph: &Graph) -> BTreeSet<NodeId> {
        let mut found: BTreeSet<NodeId> = BTreeSet::new();
        let mut stack = self.angles.clone();
        let steps = self.schedule.statements.iter().map(|s| &s.step);
        let together: Vec<&Vec<Pair>> = steps
            .filter_map(|step| match step {
                Step::SinCos(pairs) => Some(pairs),
                _ => None,
            })
            .collect();
        loop {
            while let Some(id) = stack.pop() {
                if !self.takes(id) && found.insert(id) {
                    stack.extend_from_slice(graph.node(id).args());
                }
            }
            // Sines of several angles are one call: with one of them come the angles of all.
            let of = |p: &Pair| [p.sin, p.cos, Some(p.angle)].into_iter().flatten();
            let drawn =
                together.iter().filter(|pairs| pairs.iter().flat_map(of).any(|id| found.contains(&id)));
            stack.extend(drawn.flat_map(|pairs| pairs.iter().flat_map(of)).filter(|id| !found.contains(id)));
            stack.retain(|id| !self.takes(*id));
            if stack.is_empty() {
                return found;
            }
        }
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
