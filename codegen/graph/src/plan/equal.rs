//! Equal parts of a body: the legs of a quadruped, the arms and legs of a humanoid, the struts of a platform.
//!
//! Problem: four equal legs are four times the same computation with other numbers. Written once, it is read once, takes a
//!          quarter of the instruction cache, and runs in the lanes of one register.
//! Method:  values of equal shape (the same operations; symbols and numbers may differ) that a body hands out are laid side by
//!          side, one a lane, and their arguments likewise, down to what all lanes share and to symbols. What is left
//!          follows from the other end: what the rest of the body takes of single lanes. A part that must wait for what
//!          the rest makes of an earlier part is a part of its own.
//!          Mirror images count as equal: a lane may hold the opposite of its value (`signs`), which costs nothing but for
//!          the opposite of what it takes.
//! Order:   lanes in the order of what is handed out.
//! Rounding: that of the values alone, but that a zero may have the other sign.

mod column;
mod columns;
mod finish;
mod search;
mod stages;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use self::column::is_worth_it;
pub(super) use self::column::opposites;
pub(super) use self::column::saved;
pub use self::column::{Column, Equal, same_number};
pub(super) use self::columns::Columns;
use self::search::{Search, angles, in_lanes, shapes};
use super::root::Root;
use crate::ir::{Graph, Group, NodeId, Op};

/// The most lanes.
const MOST: usize = 8;

/// What a body computes in lanes, in the order in which it can be: equal parts of the mechanism, and columns of matrices.
pub(super) fn parts(
    graph: &Graph,
    groups: &[Group],
    roots: &[Root],
    matrices: &[Columns],
    leaf: &dyn Fn(NodeId) -> bool,
) -> Vec<Equal> {
    let columns = columns::side_by_side(graph, groups, roots, matrices, leaf);
    if columns.parts.is_empty() {
        return equal_parts(graph, groups, roots, leaf);
    }
    let leaf = |id: NodeId| leaf(id) || columns.late.get(id.0 as usize) == Some(&true);
    let mut all = equal_parts(graph, groups, &columns.ends(graph, roots), &leaf);
    all.extend(columns.parts);
    all
}

/// The equal parts of a body, in the order in which they can be computed; none where it has none that are worth it.
pub fn equal_parts(
    graph: &Graph,
    groups: &[Group],
    roots: &[Root],
    leaf: &dyn Fn(NodeId) -> bool,
) -> Vec<Equal> {
    let shapes = shapes(graph, groups);
    let angle = angles(graph, groups.len());
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
    for root in roots.iter().filter(|r| in_lanes(graph.node(r.node).op) && !leaf(r.node)) {
        let class = classes.entry(shapes[root.node.0 as usize]).or_default();
        if !class.contains(&root.node) {
            class.push(root.node);
        }
    }
    let sizes: BTreeSet<usize> = classes.values().map(Vec::len).filter(|n| (2..=MOST).contains(n)).collect();
    let mut best: (usize, Vec<Equal>) = (0, Vec::new());
    for lanes in sizes {
        let mut search = Search {
            graph,
            shapes: &shapes,
            latest: &latest,
            leaf: &leaf,
            lanes,
            packs: Vec::new(),
            of: FxHashMap::default(),
            symbols: FxHashMap::default(),
            columns: None,
        };
        for class in classes.values_mut() {
            // Stable: what depends on all lanes stays in the order in which it is handed out.
            class.sort_by_key(|node| latest[node.0 as usize]);
        }
        let mut seeds: Vec<&Vec<NodeId>> = classes.values().filter(|c| c.len() == lanes).collect();
        seeds.sort_unstable_by_key(|class| std::cmp::Reverse(class[0]));
        for seed in seeds {
            search.seed(seed);
        }
        search.complete(roots);
        let found = search.parts(roots);
        let saved = saved(&found);
        if saved > best.0 && is_worth_it(&found) {
            best = (saved, found);
        }
    }
    best.1
}
