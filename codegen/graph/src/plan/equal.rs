//! Equal parts of a body, to be computed in SIMD lanes: the legs of a quadruped, the arms and legs
//! of a humanoid, the struts of a platform.
//!
//! Problem: four equal legs are four times the same computation with other numbers. Emitted once,
//!          it is read once, takes a quarter of the instruction cache, and runs in the lanes of one
//!          register.
//! Method:  the outputs of equal shape (the same operations; symbols and constants may differ) are
//!          packed, one per lane, and so are their arguments, down to values that all lanes share
//!          and to symbols. The same is then done from the values of single lanes that the rest of
//!          the body uses. A part that depends on values which the rest computes from an earlier
//!          part is separate. Mirror images count as equal: a lane may compute the negated value
//!          (`signs`), at no cost but the negation of its inputs.
//! Order:   lanes follow the order of the outputs.
//! Rounding: unchanged; the sign of a zero may differ.

mod column;
mod columns;
mod finish;
mod search;
mod stages;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use self::column::is_worth_it;
pub(super) use self::column::name_negated_values;
pub(super) use self::column::saved_operations;
pub use self::column::{Column, Equal, common_constant};
pub(super) use self::columns::Columns;
use self::search::{PackSearch, is_vectorisable, mark_angles, node_shapes};
use super::root::Root;
use crate::ir::{Graph, Group, NodeId, Op};

/// Maximum number of SIMD lanes of an equal part (equal limbs).
const MOST: usize = 8;

/// The equal parts of a body, in the order of computation: equal limbs of the mechanism, then
/// columns of matrices.
pub(super) fn find_equal_parts(
    graph: &Graph,
    groups: &[Group],
    roots: &[Root],
    matrices: &[Columns],
    leaf: &dyn Fn(NodeId) -> bool,
) -> Vec<Equal> {
    let columns = columns::vectorise_matrix_columns(graph, groups, roots, matrices, leaf);
    if columns.parts.is_empty() {
        return find_equal_limbs(graph, groups, roots, leaf);
    }
    let leaf = |id: NodeId| leaf(id) || columns.late.get(id.0 as usize) == Some(&true);
    let mut all = find_equal_limbs(graph, groups, &columns.scalar_roots(graph, roots), &leaf);
    all.extend(columns.parts);
    all
}

/// The equal limbs of a body, in the order of computation; empty if vectorising them does not pay.
pub fn find_equal_limbs(
    graph: &Graph,
    groups: &[Group],
    roots: &[Root],
    leaf: &dyn Fn(NodeId) -> bool,
) -> Vec<Equal> {
    let shapes = node_shapes(graph, groups);
    let angle = mark_angles(graph, groups.len());
    let leaf = |id: NodeId| leaf(id) || angle[id.0 as usize];
    let mut latest: Vec<(u32, usize)> = Vec::with_capacity(groups.len());
    for index in 0..groups.len() {
        let node = graph.node(NodeId(index as u32));
        latest.push(match node.op {
            Op::Symbol(s) => graph.symbol_info(s).kind.place(),
            _ => node.args().iter().map(|a| latest[a.0 as usize]).max().unwrap_or((0, 0)),
        });
    }
    let mut classes: BTreeMap<u64, Vec<NodeId>> = BTreeMap::new();
    for root in roots.iter().filter(|r| is_vectorisable(graph.node(r.node).op) && !leaf(r.node)) {
        let class = classes.entry(shapes[root.node.0 as usize]).or_default();
        if !class.contains(&root.node) {
            class.push(root.node);
        }
    }
    let sizes: BTreeSet<usize> = classes.values().map(Vec::len).filter(|n| (2..=MOST).contains(n)).collect();
    let mut best: (usize, Vec<Equal>) = (0, Vec::new());
    for lanes in sizes {
        let mut search = PackSearch {
            graph,
            shapes: &shapes,
            latest: &latest,
            leaf: &leaf,
            lanes,
            packs: Vec::new(),
            positions: FxHashMap::default(),
            symbols: FxHashMap::default(),
            columns: None,
        };
        for class in classes.values_mut() {
            // A stable sort: values that depend on all lanes keep the order of the outputs.
            class.sort_by_key(|node| latest[node.0 as usize]);
        }
        let mut seeds: Vec<&Vec<NodeId>> = classes.values().filter(|c| c.len() == lanes).collect();
        seeds.sort_unstable_by_key(|class| std::cmp::Reverse(class[0]));
        for seed in seeds {
            search.pack_seed(seed);
        }
        search.pack_remaining(roots);
        let parts = search.build_parts(roots);
        let saved = saved_operations(&parts);
        if saved > best.0 && is_worth_it(&parts) {
            best = (saved, parts);
        }
    }
    best.1
}
