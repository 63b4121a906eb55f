//! Columns of matrices in SIMD lanes: derivatives along directions whose equations are solved with
//! the same factors.
//!
//! Problem: sixteen right-hand sides of one linear system are sixteen times the same products with
//!          the same factors.
//! Method:  a value used by one column only belongs to it. From the entries down, the columns are
//!          matched with the first one; where all have the same operation on values of their own,
//!          it is emitted once, in lanes. Only a product by a factor that all columns share, or a
//!          value that depends on such products, is vectorised. All other values are inputs.
//!          Columns that have most of their products in common, as those of one limb, form a group.
//! Order:   lanes follow the order of columns. Parts of one group may depend on each other, those
//!          of different groups never do.
//! Cost:    O(n) per group, and the operations of one column for each pair of column and group.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rustc_hash::FxHashMap;

use super::super::root::Root;
use super::column::{Equal, is_worth_it};
use super::search::{LaneColumns, PackSearch};
use crate::ir::{Graph, Group, NodeId, Op};

/// Minimum number of matrix columns that are computed in lanes.
const FEWEST: usize = 3;
/// Minimum number of products of a matrix column that is computed in lanes.
const LEAST: usize = 16;
/// Maximum number of matrix columns of one part, which have one bit each in a set of lanes.
const MOST: usize = super::super::signs::Lanes::BITS as usize;

/// The entries of all matrix outputs with equally many columns, by column.
pub type Columns = Vec<Vec<NodeId>>;

/// The matrix columns of a body that are vectorised, and the values of the body that depend on
/// them.
pub(super) struct SideBySide {
    /// The vectorised columns as equal parts.
    pub parts: Vec<Equal>,
    /// For each node, true if it depends on a vectorised column.
    pub late: Vec<bool>,
    /// For each node, true if the body computes it.
    needed: Vec<bool>,
}

impl SideBySide {
    /// The values that must be computed before the columns or independently of them, as roots.
    pub fn scalar_roots(&self, graph: &Graph, roots: &[Root]) -> Vec<Root> {
        let mut in_parts = vec![false; self.needed.len()];
        let values = self.parts.iter().flat_map(|p| &p.values).flat_map(|v| &v.nodes);
        values.for_each(|n| in_parts[n.0 as usize] = true);
        let mut ends = roots.to_vec();
        let mut add = |node: NodeId| {
            ends.push(Root { node, name: String::new(), heading: "inputs of columns".into() });
        };
        for part in &self.parts {
            part.input_roots().for_each(|root| add(root.node));
        }
        for index in (0..self.needed.len()).filter(|i| self.needed[*i] && self.late[*i] && !in_parts[*i]) {
            let node = graph.node(NodeId(index as u32));
            node.args().iter().filter(|a| !self.late[a.0 as usize]).for_each(|a| add(*a));
        }
        ends
    }

    /// Adds parts, unless they depend on earlier parts or earlier parts on them.
    fn add_independent_parts(&mut self, graph: &Graph, mut parts: Vec<Equal>) {
        let mut late = vec![false; self.late.len()];
        let values = parts.iter().flat_map(|p| &p.values).flat_map(|v| &v.nodes);
        values.for_each(|n| late[n.0 as usize] = true);
        for index in 0..late.len() {
            late[index] |= graph.node(NodeId(index as u32)).args().iter().any(|a| late[a.0 as usize]);
        }
        if !has_late_input(&parts, &self.late) && !has_late_input(&self.parts, &late) {
            self.late.iter_mut().zip(late).for_each(|(all, late)| *all |= late);
            parts.iter_mut().for_each(|part| part.columns = true);
            self.parts.append(&mut parts);
        }
    }
}

/// True if an input of these parts is a late value, one that depends on other parts.
fn has_late_input(parts: &[Equal], late: &[bool]) -> bool {
    parts.iter().flat_map(|p| &p.inputs).flat_map(|c| &c.nodes).any(|n| late[n.0 as usize])
}

/// Selects the columns of these matrices that are worth vectorising.
pub(super) fn vectorise_matrix_columns(
    graph: &Graph,
    groups: &[Group],
    roots: &[Root],
    matrices: &[Columns],
    leaf: &dyn Fn(NodeId) -> bool,
) -> SideBySide {
    let end = roots.iter().map(|r| r.node.0 as usize + 1).max().unwrap_or(0);
    let mut needed = vec![false; end];
    roots.iter().for_each(|r| needed[r.node.0 as usize] = true);
    for index in (0..end).rev().filter(|_| !matrices.is_empty()) {
        let id = NodeId(index as u32);
        needed[index] &= !leaf(id);
        if needed[index] {
            graph.node(id).args().iter().for_each(|a| needed[a.0 as usize] = true);
        }
    }
    let mut selection = SideBySide { parts: Vec::new(), late: vec![false; end], needed };
    // Columns are not matched by shape.
    let shapes = vec![0; groups.len()];
    for columns in matrices {
        let exclusive = exclusive_columns(graph, &selection.needed, columns);
        // Matrices of several functions may have the same values.
        let late = selection.late.clone();
        // Entries that a block does not compute are beyond its end.
        let leaf = |id: NodeId| leaf(id) || late.get(id.0 as usize) != Some(&false);
        let these = Matrices { graph, leaf: &leaf, shapes: &shapes, columns, exclusive };
        for group in these.group_columns() {
            for lanes in group.chunks(MOST).filter(|lanes| lanes.len() >= FEWEST) {
                let mut search = these.search_packs(lanes);
                retain_worthwhile_packs(&mut search);
                selection.add_independent_parts(graph, find_worthwhile_parts(&mut search, roots));
            }
        }
    }
    selection
}

/// Marks a value as used by a column, or by a value that several columns use if there is none.
fn mark_column_use(id: NodeId, column: Option<usize>, exclusive: &mut [Option<usize>], used: &mut [bool]) {
    let i = id.0 as usize;
    if i >= exclusive.len() {
        return;
    }
    exclusive[i] = if std::mem::replace(&mut used[i], true) {
        exclusive[i].filter(|x| Some(*x) == column)
    } else {
        column
    };
}

/// For each value, the matrix column that alone uses it, if there is one.
fn exclusive_columns(graph: &Graph, needed: &[bool], columns: &Columns) -> Vec<Option<usize>> {
    let (mut exclusive, mut used) = (vec![None; needed.len()], vec![false; needed.len()]);
    for (c, entries) in columns.iter().enumerate() {
        entries.iter().for_each(|id| mark_column_use(*id, Some(c), &mut exclusive, &mut used));
    }
    for index in (0..needed.len()).rev() {
        if !needed[index] {
            exclusive[index] = None;
        } else if used[index] {
            let column = exclusive[index];
            let node = graph.node(NodeId(index as u32));
            node.args().iter().for_each(|a| mark_column_use(*a, column, &mut exclusive, &mut used));
        }
    }
    exclusive
}

/// The stacked matrices of a body, by column, with the values that each column alone uses.
struct Matrices<'a> {
    graph: &'a Graph,
    leaf: &'a dyn Fn(NodeId) -> bool,
    shapes: &'a [u64],
    columns: &'a Columns,
    exclusive: Vec<Option<usize>>,
}

impl Matrices<'_> {
    /// Groups of matrix columns that have most of their products in common.
    fn group_columns(&self) -> Vec<Vec<usize>> {
        let products = self.count_shared_products();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for c in (0..self.columns.len()).filter(|c| products[*c] >= LEAST) {
            let candidates = groups.iter().enumerate().filter_map(|(i, group)| {
                let count = self.count_common_products([group[0], c]);
                (20 * count >= 11 * products[group[0]].max(products[c])).then_some((count, i))
            });
            match candidates.max_by_key(|(count, i)| (*count, std::cmp::Reverse(*i))) {
                Some((_, i)) => groups[i].push(c),
                None => groups.push(vec![c]),
            }
        }
        groups
    }

    /// Number of products that two matrix columns would do together in lanes.
    fn count_common_products(&self, pair: [usize; 2]) -> usize {
        let mut search = self.search_packs(&pair);
        retain_worthwhile_packs(&mut search);
        search.packs.iter().filter(|p| self.graph.node(p[0]).op == Op::Mul).count()
    }

    /// For each column, the number of products by a factor that several columns share.
    fn count_shared_products(&self) -> Vec<usize> {
        let mut by: BTreeMap<NodeId, (BTreeSet<usize>, Vec<usize>)> = BTreeMap::new();
        for (index, column) in self.exclusive.iter().enumerate() {
            let node = self.graph.node(NodeId(index as u32));
            let Some(c) = column.filter(|_| node.op == Op::Mul) else { continue };
            let factors = node.args().iter().copied().filter(|a| self.exclusive[a.0 as usize] != Some(c));
            let factors: Vec<NodeId> = factors.collect();
            if let [factor] = factors[..] {
                let (columns, products) = by.entry(factor).or_default();
                columns.insert(c);
                products.push(c);
            }
        }
        let mut counts = vec![0; self.columns.len()];
        let several = by.values().filter(|(columns, _)| columns.len() >= FEWEST);
        several.flat_map(|(_, products)| products).for_each(|c| counts[*c] += 1);
        counts
    }

    /// The operations that these matrix columns have in common, as packs.
    fn search_packs<'a>(&'a self, lanes: &'a [usize]) -> PackSearch<'a> {
        let columns = Some(LaneColumns { exclusive: &self.exclusive, of_lanes: lanes });
        let mut search = PackSearch {
            graph: self.graph,
            shapes: self.shapes,
            latest: &[],
            leaf: self.leaf,
            lanes: lanes.len(),
            packs: Vec::new(),
            positions: FxHashMap::default(),
            symbols: FxHashMap::default(),
            columns,
        };
        let mut open: BinaryHeap<Vec<NodeId>> = BinaryHeap::new();
        for row in 0..self.columns[lanes[0]].len() {
            open.push(lanes.iter().map(|c| search.strip_negations(self.columns[*c][row]).0).collect());
        }
        // Users have larger ids than their operands, so a tuple is packed after all its users.
        while let Some(tuple) = open.pop() {
            if search.pack_if_fitting(&tuple) {
                open.extend(search.argument_columns(&tuple).into_iter().map(|c| c.nodes));
            }
        }
        search
    }
}

/// The parts that save enough; operations of the others return to the rest of the body.
fn find_worthwhile_parts(search: &mut PackSearch<'_>, roots: &[Root]) -> Vec<Equal> {
    loop {
        let parts = search.build_parts(roots);
        let others = parts.iter().filter(|part| !is_worth_it(std::slice::from_ref(*part)));
        let others = others.flat_map(|part| &part.values);
        let given_up: BTreeSet<NodeId> = others.map(|value| value.nodes[0]).collect();
        if given_up.is_empty() {
            return parts;
        }
        let kept: Vec<bool> = search.packs.iter().map(|pack| !given_up.contains(&pack[0])).collect();
        search.retain_packs(|pack| kept[pack]);
    }
}

/// Keeps products by shared factors and values that depend on them, unless moving their operands
/// costs more than they save.
fn retain_worthwhile_packs(search: &mut PackSearch<'_>) {
    let mut order: Vec<usize> = (0..search.packs.len()).collect();
    order.sort_unstable_by_key(|p| search.packs[*p][0]);
    let arguments: Vec<Vec<Vec<NodeId>>> = search
        .packs
        .iter()
        .map(|p| search.argument_columns(p).into_iter().map(|c| c.nodes).collect())
        .collect();
    let mut kept = vec![false; search.packs.len()];
    for p in &order {
        let by_shared = search.graph.node(search.packs[*p][0]).op == Op::Mul
            && arguments[*p].iter().any(|t| is_same_in_all_lanes(t));
        let made = |tuple: &Vec<NodeId>| search.find_pack(tuple).is_some_and(|q| kept[q]);
        kept[*p] = by_shared || arguments[*p].iter().any(made);
    }
    let mut uses: BTreeMap<&[NodeId], usize> = BTreeMap::new();
    for p in order.iter().filter(|p| kept[**p]) {
        arguments[*p].iter().for_each(|tuple| *uses.entry(tuple).or_default() += 1);
    }
    let mut worthwhile = vec![false; kept.len()];
    for p in (0..kept.len()).filter(|p| kept[*p]) {
        let made = |tuple: &Vec<NodeId>| search.find_pack(tuple).is_some_and(|q| kept[q]);
        worthwhile[p] = uses.contains_key(&search.packs[p][..])
            || arguments[p].iter().any(made)
            || !arguments[p]
                .iter()
                .any(|tuple| !is_same_in_all_lanes(tuple) && !made(tuple) && uses[&tuple[..]] == 1);
    }
    search.retain_packs(|p| worthwhile[p]);
}

/// True if all lanes of a pack have the same node.
fn is_same_in_all_lanes(tuple: &[NodeId]) -> bool {
    tuple.iter().all(|n| *n == tuple[0])
}
