//! The body of a function or block: its exports, imports and statements.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::equal::Equal;
use super::root::Root;
use super::schedule::{Pair, Schedule, Step};
use crate::ir::{Graph, NodeId, Op};

/// Roots and statements of a function, a block or `Model::new`, from which printers emit its body.
#[derive(Clone, Debug, Default)]
pub struct PlannedBody {
    /// For a function: output entries, then each divisor with its scale. For a block: its exports.
    pub roots: Vec<Root>,
    /// The statements of the body, in order.
    pub schedule: Schedule,
    /// Values that the body takes from blocks.
    pub imports: Vec<Import>,
    /// For a block: angles, sines and cosines that its callers pass to it. For a function: those
    /// that it passes to blocks.
    pub angles: Vec<NodeId>,
    /// Equal parts that the body computes in SIMD lanes, in the order of computation.
    pub parts: Vec<Equal>,
    /// Names of the negated values that lanes compute instead of the values.
    pub opposites: FxHashMap<NodeId, String>,
    pub(super) taken: FxHashSet<NodeId>,
}

/// The sine and the cosine of a pair, and their angle.
fn pair_nodes(p: &Pair) -> impl Iterator<Item = NodeId> + use<> {
    [p.sin, p.cos, Some(p.angle)].into_iter().flatten()
}

impl PlannedBody {
    /// The nodes that the body's statements must compute: its roots, and the inputs of its equal
    /// parts.
    pub(super) fn computed_roots(&self) -> impl Iterator<Item = NodeId> + '_ {
        let feeds = self.parts.iter().flat_map(|p| &p.inputs).flat_map(|c| &c.nodes).copied();
        self.roots.iter().map(|r| r.node).chain(feeds)
    }

    /// True if a block or an equal part computes the value.
    pub fn is_computed_elsewhere(&self, id: NodeId) -> bool {
        self.taken.contains(&id)
    }

    /// For each statement, true if it precedes the calls of blocks: it computes arguments of these
    /// calls.
    pub fn precedes_calls(&self, graph: &Graph) -> Vec<bool> {
        let before = self.nodes_before_calls(graph);
        let steps = self.schedule.statements.iter().map(|s| &s.step);
        steps
            .map(|step| match step {
                Step::Value(id) => before.contains(id),
                Step::SinCos(pairs) => {
                    pairs.iter().any(|p| [p.sin, p.cos].iter().flatten().any(|id| before.contains(id)))
                }
                Step::Part(_) => false,
            })
            .collect()
    }

    /// The nodes that must be computed before blocks are called: angles passed to them, and their
    /// operands.
    fn nodes_before_calls(&self, graph: &Graph) -> BTreeSet<NodeId> {
        let mut before: BTreeSet<NodeId> = BTreeSet::new();
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
                if !self.is_computed_elsewhere(id) && before.insert(id) {
                    stack.extend_from_slice(graph.node(id).args());
                }
            }
            // Sines of several angles are one call: one of them requires all its angles.
            let drawn = together
                .iter()
                .filter(|pairs| pairs.iter().flat_map(pair_nodes).any(|id| before.contains(&id)));
            stack.extend(
                drawn.flat_map(|pairs| pairs.iter().flat_map(pair_nodes)).filter(|id| !before.contains(id)),
            );
            stack.retain(|id| !self.is_computed_elsewhere(*id));
            if stack.is_empty() {
                return before;
            }
        }
    }
}

/// Values that the body of a function or block takes from one block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// Index in the plan of the block that exports the values.
    pub block: usize,
    /// The values that the body imports from the block, in order of ids.
    pub nodes: Vec<NodeId>,
}

/// True if the node is a symbol of the graph.
pub(super) fn is_symbol(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.node(id).op, Op::Symbol(_))
}
