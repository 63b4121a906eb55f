//! The search for packs: values that SIMD lanes compute together.
//!
//! Problem: which values of a body are the same computation in every lane?
//! Method:  from the outputs down to values that all lanes share; then from the values of single
//!          lanes that the rest uses. The lane of a value follows from the symbols that it depends
//!          on.
//! Cost:    O(n) per seed.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::super::root::Root;
use super::column::Column;
use crate::ir::{Graph, Group, NodeId, Op};

/// The shape of every node: a hash of its operations, equal for computations that differ only in
/// symbols and constants.
pub(super) fn node_shapes(graph: &Graph, groups: &[Group]) -> Vec<u64> {
    let mut shapes: Vec<u64> = Vec::with_capacity(groups.len());
    for (index, group) in groups.iter().enumerate() {
        let node = graph.node(NodeId(index as u32));
        let mut hasher = FxHasher::default();
        match node.op {
            _ if *group == Group::Constant => 1u32.hash(&mut hasher),
            _ if *group == Group::Parameter => 2u32.hash(&mut hasher),
            Op::Symbol(s) => (3 + graph.symbol_info(s).kind.place().0).hash(&mut hasher),
            Op::Neg => {
                shapes.push(shapes[node.args()[0].0 as usize]);
                continue;
            }
            op => {
                let mut args: Vec<u64> = node.args().iter().map(|a| shapes[a.0 as usize]).collect();
                if is_commutative(op) {
                    args.sort_unstable();
                }
                (without_sign(op), args).hash(&mut hasher);
            }
        }
        shapes.push(hasher.finish());
    }
    shapes
}

/// True for operations whose operands may be swapped, up to sign: sums and products.
fn is_commutative(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul)
}

/// The operation without its sign: a difference counts as a sum.
pub(super) fn without_sign(op: Op) -> Op {
    if op == Op::Sub { Op::Add } else { op }
}

/// True for operations that a SIMD register does in all lanes at once; sign changes are handled
/// separately.
pub(super) fn is_vectorisable(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Sqrt)
}

/// True for nodes used only as arguments of sines and cosines: these are computed before all else.
pub(super) fn mark_angles(graph: &Graph, end: usize) -> Vec<bool> {
    let mut angle = vec![false; end];
    for index in (0..end).rev() {
        let node = graph.node(NodeId(index as u32));
        if matches!(node.op, Op::Sin | Op::Cos)
            || angle[index] && matches!(node.op, Op::Add | Op::Sub | Op::Mul | Op::Neg)
        {
            node.args().iter().for_each(|a| angle[a.0 as usize] = true);
        }
    }
    angle
}

/// The state of a search for packs (values that SIMD lanes compute together) in one body, for one
/// number of lanes.
pub(super) struct PackSearch<'a> {
    pub graph: &'a Graph,
    pub shapes: &'a [u64],
    /// For each node, the last symbol that it depends on.
    pub latest: &'a [(u32, usize)],
    pub leaf: &'a dyn Fn(NodeId) -> bool,
    pub lanes: usize,
    /// Packs: values computed together, one node per lane.
    pub packs: Vec<Vec<NodeId>>,
    /// Pack and lane of each packed node, by node.
    pub positions: FxHashMap<NodeId, (usize, usize)>,
    /// The lane that a symbol, such as a coordinate of a limb, belongs to.
    pub symbols: FxHashMap<NodeId, usize>,
    /// Set if lanes are columns of a matrix; values are then matched by the column that uses them,
    /// not by shapes and symbols.
    pub columns: Option<LaneColumns<'a>>,
}

/// Matrix columns that are matched as SIMD lanes, and the values that belong to each.
#[derive(Clone, Copy)]
pub(super) struct LaneColumns<'a> {
    /// For each value, the column that alone uses it.
    pub exclusive: &'a [Option<usize>],
    /// The index of the matrix column of each lane.
    pub of_lanes: &'a [usize],
}

impl LaneColumns<'_> {
    /// True if the value belongs to the matrix column of this lane alone.
    fn is_exclusive(&self, node: NodeId, lane: usize) -> bool {
        self.exclusive.get(node.0 as usize).copied().flatten() == Some(self.of_lanes[lane])
    }
}

impl PackSearch<'_> {
    /// Packs these values and, recursively, their arguments; true if any was packed.
    fn pack_recursively(&mut self, seed: Vec<NodeId>) -> bool {
        let mut stack = vec![seed];
        let mut any = false;
        while let Some(tuple) = stack.pop() {
            if !self.can_pack(&tuple) {
                continue;
            }
            any = true;
            stack.extend(self.argument_columns(&tuple).into_iter().map(|c| c.nodes));
            self.add_pack(tuple);
        }
        any
    }

    /// Adds a pack without further tests.
    fn add_pack(&mut self, tuple: Vec<NodeId>) {
        for (lane, node) in tuple.iter().enumerate() {
            self.positions.insert(*node, (self.packs.len(), lane));
        }
        self.packs.push(tuple);
    }

    /// Packs these values, one per lane, without their arguments; true if they fit.
    pub fn pack_if_fitting(&mut self, tuple: &[NodeId]) -> bool {
        let fits = self.can_pack(tuple);
        if fits {
            self.add_pack(tuple.to_vec());
        }
        fits
    }

    /// True if the values can be a pack: the same vectorisable operation and shape in every lane,
    /// none packed yet.
    fn can_pack(&self, tuple: &[NodeId]) -> bool {
        let first = tuple[0];
        let op = without_sign(self.graph.node(first).op);
        let shape = self.shapes[first.0 as usize];
        let mut nodes = tuple.to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.len() == self.lanes
            && is_vectorisable(op)
            && tuple.iter().all(|n| {
                self.shapes[n.0 as usize] == shape
                    && without_sign(self.graph.node(*n).op) == op
                    && !(self.leaf)(*n)
                    && !self.positions.contains_key(n)
            })
            && self.columns.is_none_or(|c| tuple.iter().enumerate().all(|(lane, n)| c.is_exclusive(*n, lane)))
    }

    /// The operand of nested negations, and true if the sign changes.
    pub fn strip_negations(&self, node: NodeId) -> (NodeId, bool) {
        let (mut node, mut negative) = (node, false);
        while self.graph.node(node).op == Op::Neg && !(self.leaf)(node) {
            (node, negative) = (self.graph.node(node).args()[0], !negative);
        }
        (node, negative)
    }

    /// The arguments of a pack with their signs. Arguments of a commuting operation are ordered to
    /// match the first lane.
    pub fn argument_columns(&self, tuple: &[NodeId]) -> Vec<Column> {
        let signed = |node: NodeId| -> Vec<(NodeId, bool)> {
            let node = self.graph.node(node);
            let arguments = node.args().iter().enumerate().map(|(i, a)| {
                let (a, negative) = self.strip_negations(*a);
                (a, negative ^ (node.op == Op::Sub && i == 1))
            });
            arguments.collect()
        };
        let op = self.graph.node(tuple[0]).op;
        let first = signed(tuple[0]);
        let mut columns: Vec<Column> = first.iter().map(|_| Column::default()).collect();
        for (lane, other) in tuple.iter().enumerate() {
            let mut args = signed(*other);
            if is_commutative(op) && lane > 0 {
                let straight = self.match_score(&first, &args, lane);
                args.reverse();
                if self.match_score(&first, &args, lane) <= straight {
                    args.reverse();
                }
            }
            for (column, (node, negative)) in columns.iter_mut().zip(args) {
                column.nodes.push(node);
                column.negated.push(negative);
            }
        }
        columns
    }

    /// Score of how well the arguments of another lane match those of the first.
    fn match_score(&self, first: &[(NodeId, bool)], other: &[(NodeId, bool)], lane: usize) -> usize {
        // In limbs whose parts have the same order, corresponding arguments have the later symbol.
        let order = |args: &[(NodeId, bool)]| match args {
            _ if self.columns.is_some() => std::cmp::Ordering::Equal,
            [(a, _), (b, _)] => self.latest[a.0 as usize].cmp(&self.latest[b.0 as usize]),
            _ => std::cmp::Ordering::Equal,
        };
        let pairs = first.iter().zip(other);
        pairs.map(|((a, _), (b, _))| self.pair_score(*a, *b, lane)).sum::<usize>()
            + usize::from(order(first) == order(other))
    }

    /// Agreement of an argument `a` in the first lane with an argument `b` in another lane.
    fn pair_score(&self, a: NodeId, b: NodeId, lane: usize) -> usize {
        let same = a == b;
        let positions = (self.positions.get(&a), self.positions.get(&b));
        let known = matches!(positions, (Some((p, 0)), Some((r, l))) if p == r && *l == lane);
        if let Some(c) = self.columns {
            let exclusive = c.is_exclusive(a, 0) && c.is_exclusive(b, lane);
            let [a_op, b_op] = [a, b].map(|n| without_sign(self.graph.node(n).op));
            return 4 * usize::from(same || known) + usize::from(exclusive && a_op == b_op);
        }
        let shape = self.shapes[a.0 as usize] == self.shapes[b.0 as usize];
        8 * usize::from(shape) + 2 * usize::from(same) + 4 * usize::from(known)
    }

    /// Packs outputs and their arguments, unless a symbol would then belong to two lanes.
    pub fn pack_seed(&mut self, seed: &[NodeId]) {
        let from = self.packs.len();
        let mut assigned = Vec::new();
        if self.pack_recursively(seed.to_vec()) && !self.assign_symbols_to_lanes(from, &mut assigned) {
            // Undo only the new packs: most seeds that fail are small, the packs before them are
            // not.
            for node in self.packs.drain(from..).flatten() {
                self.positions.remove(&node);
            }
            for symbol in assigned {
                self.symbols.remove(&symbol);
            }
        }
    }

    /// Assigns the symbols that packs from index `from` on use to their lanes, and lists the new
    /// ones; false if one belongs to another lane already.
    fn assign_symbols_to_lanes(&mut self, from: usize, assigned: &mut Vec<NodeId>) -> bool {
        for pack in from..self.packs.len() {
            for column in self.argument_columns(&self.packs[pack]) {
                let symbols: Vec<NodeId> =
                    column.nodes.iter().filter_map(|n| self.underlying_symbol(*n)).collect();
                let different: BTreeSet<NodeId> = symbols.iter().copied().collect();
                if symbols.len() < self.lanes || different.len() == 1 {
                    continue;
                }
                if different.len() < self.lanes {
                    return false;
                }
                for (lane, symbol) in symbols.into_iter().enumerate() {
                    let known = *self.symbols.entry(symbol).or_insert_with(|| {
                        assigned.push(symbol);
                        lane
                    });
                    if known != lane {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The symbol, for a symbol or a sine or cosine of one.
    fn underlying_symbol(&self, node: NodeId) -> Option<NodeId> {
        let mut node = node;
        loop {
            let n = self.graph.node(node);
            match (n.op, n.args()) {
                (Op::Symbol(_), _) => return Some(node),
                (Op::Sin | Op::Cos, [a]) => node = *a,
                _ => return None,
            }
        }
    }

    /// Packs the values of single lanes that the rest of the body uses, until no more are found.
    pub fn pack_remaining(&mut self, roots: &[Root]) {
        loop {
            let lanes_of = self.lanes_by_node();
            let scalar = self.find_scalar_nodes(roots);
            let mut by_shape: BTreeMap<u64, Vec<Vec<NodeId>>> = BTreeMap::new();
            for node in scalar {
                let lanes = lanes_of[node.0 as usize];
                if lanes.is_power_of_two() && is_vectorisable(self.graph.node(node).op) && !(self.leaf)(node)
                {
                    let columns = by_shape
                        .entry(self.shapes[node.0 as usize])
                        .or_insert_with(|| vec![Vec::new(); self.lanes]);
                    columns[lanes.trailing_zeros() as usize].push(node);
                }
            }
            let mut seeds: Vec<Vec<NodeId>> = Vec::new();
            for columns in by_shape.values() {
                if columns.iter().all(|c| c.len() == columns[0].len()) {
                    seeds.extend((0..columns[0].len()).map(|i| columns.iter().map(|c| c[i]).collect()));
                }
            }
            seeds.sort_unstable_by_key(|seed| std::cmp::Reverse(seed[0]));
            let before = self.packs.len();
            for seed in seeds {
                self.pack_seed(&seed);
            }
            if self.packs.len() == before {
                return;
            }
        }
    }

    /// For each node, the set of lanes on whose symbols it depends, as bits.
    fn lanes_by_node(&self) -> Vec<u32> {
        let mut lanes = vec![0u32; self.shapes.len()];
        for index in 0..lanes.len() {
            let id = NodeId(index as u32);
            lanes[index] = match self.symbols.get(&id) {
                Some(lane) => 1 << lane,
                None => self.graph.node(id).args().iter().fold(0, |all, a| all | lanes[a.0 as usize]),
            };
        }
        lanes
    }

    /// The nodes that the body computes outside of packs, in order of ids.
    pub fn find_scalar_nodes(&self, roots: &[Root]) -> Vec<NodeId> {
        let mut scalar = vec![false; self.shapes.len()];
        let mut visited = vec![false; self.packs.len()];
        let mut stack: Vec<NodeId> = roots.iter().map(|r| r.node).collect();
        while let Some(node) = stack.pop() {
            match self.positions.get(&node) {
                Some((pack, _)) => {
                    if !std::mem::replace(&mut visited[*pack], true) {
                        stack.extend(
                            self.argument_columns(&self.packs[*pack]).into_iter().flat_map(|c| c.nodes),
                        );
                    }
                }
                None if (self.leaf)(node) => {}
                None => {
                    if !std::mem::replace(&mut scalar[node.0 as usize], true) {
                        stack.extend_from_slice(self.graph.node(node).args());
                    }
                }
            }
        }
        (0..scalar.len()).filter(|i| scalar[*i]).map(|i| NodeId(i as u32)).collect()
    }

    /// The index of the pack that consists of these values in this order.
    pub fn find_pack(&self, column: &[NodeId]) -> Option<usize> {
        let (pack, _) = self.positions.get(&column[0])?;
        (self.packs[*pack] == column).then_some(*pack)
    }

    /// Drops the packs for which `keep` is false; their values are then computed as scalars.
    pub fn retain_packs(&mut self, keep: impl Fn(usize) -> bool) {
        let packs = std::mem::take(&mut self.packs);
        self.positions.clear();
        for (i, pack) in packs.into_iter().enumerate() {
            if keep(i) {
                for (lane, node) in pack.iter().enumerate() {
                    self.positions.insert(*node, (self.packs.len(), lane));
                }
                self.packs.push(pack);
            }
        }
    }
}
