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

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use super::schedule::Root;
use super::signs::{self, Parity};
use crate::algebra::Number;
use crate::ir::{Graph, Group, NodeId, Op};

/// The same computation in several lanes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Equal {
    /// Name of what computes it, as that of a type.
    pub name: String,
    /// How many lanes.
    pub lanes: usize,
    /// Its values, each after those it is made of.
    pub values: Vec<Value>,
    /// What it takes. Where all nodes are one, every lane has it.
    pub inputs: Vec<Column>,
    /// What others use of `values`.
    pub outputs: Vec<Column>,
    /// The symbols of each lane.
    pub symbols: Vec<Vec<NodeId>>,
}

impl Equal {
    /// What it needs before it can be computed.
    pub(super) fn feeds(&self) -> impl Iterator<Item = Root> + use<> {
        let once: BTreeSet<NodeId> = self.inputs.iter().flat_map(|c| &c.nodes).copied().collect();
        let heading: Arc<str> = Arc::from("what equal parts take");
        once.into_iter().map(move |node| Root { node, name: String::new(), heading: Arc::clone(&heading) })
    }

    /// What it hands out, of all lanes.
    pub(super) fn handed_out(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.outputs.iter().flat_map(|c| &c.nodes).copied()
    }
}

/// An operation on columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// One node a lane.
    pub nodes: Vec<NodeId>,
    /// Its arguments, with the sign by which they enter in the first lane.
    pub arguments: Vec<(Column, bool)>,
}

/// A value of every lane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Column {
    /// The value.
    pub nodes: Vec<NodeId>,
    /// Whether the lane holds its opposite.
    pub negated: Vec<bool>,
    /// Of an output: whether something outside of equal parts uses the lane.
    pub alone: Vec<bool>,
}

/// The fewest operations of a lane that are worth a function.
const LEAST: usize = 24;
/// The fewest operations that all lanes together must save.
const WORTH: usize = 100;
/// The most lanes.
const MOST: usize = 8;

/// The shape of every node: a number that equal computations share whatever symbols and numbers they are of.
fn shapes(graph: &Graph, groups: &[Group]) -> Vec<u64> {
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
                if commutes(op) {
                    args.sort_unstable();
                }
                (unsigned(op), args).hash(&mut hasher);
            }
        }
        shapes.push(hasher.finish());
    }
    shapes
}

/// But for signs.
fn commutes(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul)
}

/// A difference is a sum.
fn unsigned(op: Op) -> Op {
    if op == Op::Sub { Op::Add } else { op }
}

/// What a register does in all its lanes at once, besides changing signs.
fn in_lanes(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Sqrt)
}

/// The search in one body, for one number of lanes.
struct Search<'a, L> {
    graph: &'a Graph,
    shapes: &'a [u64],
    /// The last symbol that a node depends on.
    latest: &'a [(u32, usize)],
    leaf: &'a L,
    lanes: usize,
    /// Packs, one node a lane.
    packs: Vec<Vec<NodeId>>,
    /// The pack and lane of a node.
    of: FxHashMap<NodeId, (usize, usize)>,
    /// The lane that a symbol belongs to.
    symbols: FxHashMap<NodeId, usize>,
}

impl<L: Fn(NodeId) -> bool> Search<'_, L> {
    /// True if these values are computed side by side now.
    fn lay(&mut self, seed: Vec<NodeId>) -> bool {
        let mut stack = vec![seed];
        let mut any = false;
        while let Some(tuple) = stack.pop() {
            if !self.fits(&tuple) {
                continue;
            }
            any = true;
            for (lane, node) in tuple.iter().enumerate() {
                self.of.insert(*node, (self.packs.len(), lane));
            }
            stack.extend(self.arguments(&tuple).into_iter().map(|c| c.nodes));
            self.packs.push(tuple);
        }
        any
    }

    fn fits(&self, tuple: &[NodeId]) -> bool {
        let first = tuple[0];
        let op = unsigned(self.graph.node(first).op);
        let shape = self.shapes[first.0 as usize];
        let mut nodes = tuple.to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.len() == self.lanes
            && in_lanes(op)
            && tuple.iter().all(|n| {
                self.shapes[n.0 as usize] == shape
                    && unsigned(self.graph.node(*n).op) == op
                    && !(self.leaf)(*n)
                    && !self.of.contains_key(n)
            })
    }

    /// A value without its sign, and whether it had one.
    fn strip(&self, node: NodeId) -> (NodeId, bool) {
        let (mut node, mut negative) = (node, false);
        while self.graph.node(node).op == Op::Neg && !(self.leaf)(node) {
            (node, negative) = (self.graph.node(node).args()[0], !negative);
        }
        (node, negative)
    }

    /// The arguments of a pack, with the signs by which they enter; where an operation commutes, in the order that fits the
    /// first lane.
    fn arguments(&self, tuple: &[NodeId]) -> Vec<Column> {
        let signed = |node: NodeId| -> Vec<(NodeId, bool)> {
            let node = self.graph.node(node);
            let minus = |i: usize| node.op == Op::Sub && i == 1;
            let argument = |(i, a): (usize, &NodeId)| {
                let (a, negative) = self.strip(*a);
                (a, negative ^ minus(i))
            };
            node.args().iter().enumerate().map(argument).collect()
        };
        let op = self.graph.node(tuple[0]).op;
        let first = signed(tuple[0]);
        let mut columns: Vec<Column> = first.iter().map(|_| Column::default()).collect();
        for (lane, other) in tuple.iter().enumerate() {
            let mut args = signed(*other);
            if commutes(op) && lane > 0 {
                let straight = self.rank(&first, &args, lane);
                args.reverse();
                if self.rank(&first, &args, lane) <= straight {
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

    /// How well arguments of another lane fit those of the first.
    fn rank(&self, first: &[(NodeId, bool)], other: &[(NodeId, bool)], lane: usize) -> usize {
        let one = |((a, _), (b, _)): (&(NodeId, bool), &(NodeId, bool))| {
            let same = a == b;
            let known = matches!((self.of.get(a), self.of.get(b)), (Some((p, 0)), Some((r, l))) if p == r && *l == lane);
            let shape = self.shapes[a.0 as usize] == self.shapes[b.0 as usize];
            8 * usize::from(shape) + 2 * usize::from(same) + 4 * usize::from(known)
        };
        // Of legs whose parts stand in the same order, the same argument has the later symbol.
        let order = |args: &[(NodeId, bool)]| match args {
            [(a, _), (b, _)] => self.latest[a.0 as usize].cmp(&self.latest[b.0 as usize]),
            _ => std::cmp::Ordering::Equal,
        };
        first.iter().zip(other).map(one).sum::<usize>() + usize::from(order(first) == order(other))
    }

    /// Lays what is handed out side by side, unless a symbol would belong to two lanes then.
    fn seed(&mut self, seed: &[NodeId]) {
        let before = (self.packs.clone(), self.of.clone(), self.symbols.clone());
        let from = self.packs.len();
        if self.lay(seed.to_vec()) && !self.assign(from) {
            (self.packs, self.of, self.symbols) = before;
        }
    }

    /// Gives the symbols that packs from `from` on take to their lanes; false where one belongs to another lane already.
    fn assign(&mut self, from: usize) -> bool {
        for pack in from..self.packs.len() {
            for column in self.arguments(&self.packs[pack]) {
                let symbols: Vec<NodeId> = column.nodes.iter().filter_map(|n| self.only_symbol(*n)).collect();
                let different: BTreeSet<NodeId> = symbols.iter().copied().collect();
                if symbols.len() < self.lanes || different.len() == 1 {
                    continue;
                }
                if different.len() < self.lanes {
                    return false;
                }
                for (lane, symbol) in symbols.into_iter().enumerate() {
                    if *self.symbols.entry(symbol).or_insert(lane) != lane {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The symbol that a function of one symbol is of.
    fn only_symbol(&self, node: NodeId) -> Option<NodeId> {
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

    /// Lays side by side what the rest of the body takes of single lanes, until nothing more is found.
    fn complete(&mut self, roots: &[Root]) {
        loop {
            let lanes_of = self.lanes_of();
            let alone = self.alone(roots);
            let mut by_shape: BTreeMap<u64, Vec<Vec<NodeId>>> = BTreeMap::new();
            for node in alone {
                let of = lanes_of[node.0 as usize];
                if of.is_power_of_two() && in_lanes(self.graph.node(node).op) && !(self.leaf)(node) {
                    let columns = by_shape
                        .entry(self.shapes[node.0 as usize])
                        .or_insert_with(|| vec![Vec::new(); self.lanes]);
                    columns[of.trailing_zeros() as usize].push(node);
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
                self.seed(&seed);
            }
            if self.packs.len() == before {
                return;
            }
        }
    }

    /// The lanes whose symbols a node depends on.
    fn lanes_of(&self) -> Vec<u32> {
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

    /// What the body computes of single lanes, or of none, in order of ids.
    fn alone(&self, roots: &[Root]) -> BTreeSet<NodeId> {
        let mut alone = BTreeSet::new();
        let mut seen = vec![false; self.packs.len()];
        let mut stack: Vec<NodeId> = roots.iter().map(|r| r.node).collect();
        while let Some(node) = stack.pop() {
            match self.of.get(&node) {
                Some((pack, _)) => {
                    if !std::mem::replace(&mut seen[*pack], true) {
                        stack.extend(self.arguments(&self.packs[*pack]).into_iter().flat_map(|c| c.nodes));
                    }
                }
                None if (self.leaf)(node) => {}
                None => {
                    if alone.insert(node) {
                        stack.extend_from_slice(self.graph.node(node).args());
                    }
                }
            }
        }
        alone
    }

    /// The pack that these values are, in their order.
    fn pack(&self, column: &[NodeId]) -> Option<usize> {
        let (pack, _) = self.of.get(&column[0])?;
        (self.packs[*pack] == column).then_some(*pack)
    }

    /// Packs by stage: each with the packs of its stage and earlier ones as arguments; the rest of the body stands between
    /// stages. `None` where packs would wait for each other.
    fn stages(&self) -> Option<Vec<usize>> {
        const NEW: usize = usize::MAX;
        const OPEN: usize = usize::MAX - 1;
        let mut of_pack = vec![NEW; self.packs.len()];
        let mut of_node: FxHashMap<NodeId, usize> = FxHashMap::default();
        #[derive(Clone, Copy)]
        enum Item {
            Pack(usize),
            Node(NodeId),
        }
        let mut stack: Vec<Item> = (0..self.packs.len()).map(Item::Pack).collect();
        while let Some(item) = stack.last().copied() {
            let mut needs: Vec<(Item, usize)> = Vec::new();
            let known = match item {
                Item::Pack(p) => of_pack[p],
                Item::Node(n) => of_node.get(&n).copied().unwrap_or(NEW),
            };
            if known < OPEN {
                stack.pop();
                continue;
            }
            match item {
                Item::Pack(p) => {
                    for column in self.arguments(&self.packs[p]) {
                        match self.pack(&column.nodes) {
                            Some(q) => needs.push((Item::Pack(q), 0)),
                            None => needs.extend(column.nodes.iter().map(|n| match self.of.get(n) {
                                Some((q, _)) => (Item::Pack(*q), 1),
                                None => (Item::Node(*n), 0),
                            })),
                        }
                    }
                }
                Item::Node(n) if !(self.leaf)(n) => {
                    needs.extend(self.graph.node(n).args().iter().map(|a| match self.of.get(a) {
                        Some((q, _)) => (Item::Pack(*q), 1),
                        None => (Item::Node(*a), 0),
                    }));
                }
                Item::Node(_) => {}
            }
            let of = |item: &Item| match item {
                Item::Pack(p) => of_pack[*p],
                Item::Node(n) => of_node.get(n).copied().unwrap_or(NEW),
            };
            let known: Vec<usize> = needs.iter().map(|(item, _)| of(item)).collect();
            let mut set = |stage: usize| match item {
                Item::Pack(p) => of_pack[p] = stage,
                Item::Node(n) => {
                    of_node.insert(n, stage);
                }
            };
            if known.contains(&OPEN) {
                return None;
            }
            if known.contains(&NEW) {
                set(OPEN);
                let new = needs.iter().zip(&known).filter(|(_, stage)| **stage == NEW);
                stack.extend(new.map(|((item, _), _)| *item));
            } else {
                set(needs.iter().zip(&known).map(|((_, more), stage)| stage + more).max().unwrap_or(0));
                stack.pop();
            }
        }
        Some(of_pack)
    }

    /// Drops packs for which `keep` is false.
    fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let packs = std::mem::take(&mut self.packs);
        self.of.clear();
        for (i, pack) in packs.into_iter().enumerate() {
            if keep(i) {
                for (lane, node) in pack.iter().enumerate() {
                    self.of.insert(*node, (self.packs.len(), lane));
                }
                self.packs.push(pack);
            }
        }
    }

    /// For every pack and every other argument, whether a lane holds its opposite; packs that no signs make equal are dropped.
    fn signs(&mut self) -> (Vec<Vec<bool>>, BTreeMap<Vec<NodeId>, Vec<bool>>) {
        'again: loop {
            let mut inputs: BTreeMap<Vec<NodeId>, usize> = BTreeMap::new();
            let mut rank = vec![0; self.packs.len()];
            let mut equations: Vec<Vec<Parity>> = vec![Vec::new(); self.lanes];
            for (p, pack) in self.packs.iter().enumerate() {
                let columns = self.arguments(pack);
                let of: Vec<usize> = columns
                    .iter()
                    .map(|column| {
                        self.pack(&column.nodes).unwrap_or_else(|| {
                            *inputs.entry(column.nodes.clone()).or_insert_with(|| {
                                let number = column
                                    .nodes
                                    .iter()
                                    .all(|n| matches!(self.graph.node(*n).op, Op::Const(_)));
                                rank.push(if number { 1 } else { 2 });
                                rank.len() - 1
                            })
                        })
                    })
                    .collect();
                let op = unsigned(self.graph.node(pack[0]).op);
                for (lane, equations) in equations.iter_mut().enumerate().skip(1) {
                    let odd = |c: &Column| c.negated[lane] ^ c.negated[0];
                    let mut add = |of: Vec<usize>, odd: bool| equations.push(Parity { of, odd, by: p });
                    match op {
                        Op::Add => columns.iter().zip(&of).for_each(|(c, x)| add(vec![p, *x], odd(c))),
                        Op::Sqrt => {
                            add(vec![p], false);
                            add(vec![of[0]], odd(&columns[0]));
                        }
                        _ => add(vec![p, of[0], of[1]], odd(&columns[0]) ^ odd(&columns[1])),
                    }
                }
            }
            let mut all = vec![vec![false; self.lanes]; rank.len()];
            for (lane, equations) in equations.iter().enumerate() {
                match signs::solve(rank.len(), &rank, equations) {
                    Ok(found) => all.iter_mut().zip(found).for_each(|(all, x)| all[lane] = x),
                    Err(pack) => {
                        self.retain(|p| p != pack);
                        continue 'again;
                    }
                }
            }
            let of_inputs = inputs.into_iter().map(|(nodes, x)| (nodes, all[x].clone())).collect();
            all.truncate(self.packs.len());
            return (all, of_inputs);
        }
    }

    /// True if `node` is used outside of packs: one entry a pack and lane.
    fn used_alone(&self, roots: &[Root], parts: &[Equal]) -> Vec<Vec<bool>> {
        let mut used = vec![vec![false; self.lanes]; self.packs.len()];
        let mut uses = |node: NodeId| {
            if let Some((pack, lane)) = self.of.get(&node) {
                used[*pack][*lane] = true;
            }
        };
        roots.iter().for_each(|r| uses(r.node));
        for node in self.alone(roots) {
            self.graph.node(node).args().iter().for_each(|a| uses(*a));
        }
        for input in parts.iter().flat_map(|p| &p.inputs) {
            if self.pack(&input.nodes).is_none() {
                input.nodes.iter().for_each(|n| uses(*n));
            }
        }
        used
    }

    /// The parts; those with few operations are left to the rest of the body.
    fn parts(&mut self, roots: &[Root]) -> Vec<Equal> {
        let (stages, signs, of_inputs) = loop {
            let (signs, of_inputs) = self.signs();
            let Some(stages) = self.stages() else { return Vec::new() };
            let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
            stages.iter().for_each(|s| *sizes.entry(*s).or_default() += 1);
            let Some(small) = sizes.iter().find(|(_, size)| **size < LEAST).map(|(s, _)| *s) else {
                break (stages, signs, of_inputs);
            };
            self.retain(|pack| stages[pack] != small);
        };
        let count = stages.iter().max().map_or(0, |s| s + 1);
        let mut parts = vec![Equal { lanes: self.lanes, ..Equal::default() }; count];
        let mut order: Vec<usize> = (0..self.packs.len()).collect();
        order.sort_unstable_by_key(|p| self.packs[*p][0]);
        // Whole columns that a later part takes.
        let mut handed_on: BTreeSet<usize> = BTreeSet::new();
        for p in &order {
            let part = &mut parts[stages[*p]];
            let mut arguments = Vec::new();
            for column in self.arguments(&self.packs[*p]) {
                let (pack, first) = (self.pack(&column.nodes), column.negated[0]);
                let negated = match pack {
                    Some(q) => signs[q].clone(),
                    None => of_inputs.get(&column.nodes).cloned().unwrap_or_else(|| vec![false; self.lanes]),
                };
                let column = Column { nodes: column.nodes, negated, alone: Vec::new() };
                if pack.is_none_or(|q| stages[q] != stages[*p])
                    && same_number(self.graph, &column).is_none()
                    && !part.inputs.contains(&column)
                {
                    handed_on.extend(pack);
                    part.inputs.push(column.clone());
                }
                arguments.push((column, first));
            }
            part.values.push(Value { nodes: self.packs[*p].clone(), arguments });
        }
        let used = self.used_alone(roots, &parts);
        for p in order {
            if handed_on.contains(&p) || used[p].contains(&true) {
                let column = Column {
                    nodes: self.packs[p].clone(),
                    negated: signs[p].clone(),
                    alone: used[p].clone(),
                };
                parts[stages[p]].outputs.push(column);
            }
        }
        let mut symbols = vec![Vec::new(); self.lanes];
        let sorted: BTreeMap<NodeId, usize> = self.symbols.iter().map(|(s, lane)| (*s, *lane)).collect();
        sorted.into_iter().for_each(|(symbol, lane)| symbols[lane].push(symbol));
        parts.retain(|part| !part.values.is_empty());
        parts.iter_mut().for_each(|part| part.symbols.clone_from(&symbols));
        parts
    }
}

/// The number that a column is in all lanes.
pub(super) fn same_number(graph: &Graph, column: &Column) -> Option<Number> {
    let number = |(node, negated): (&NodeId, &bool)| match graph.node(*node).op {
        Op::Const(x) if *negated => x.checked_neg(),
        Op::Const(x) => Some(x),
        _ => None,
    };
    let mut all = column.nodes.iter().zip(&column.negated).map(number);
    let first = all.next().flatten()?;
    all.all(|x| x == Some(first)).then_some(first)
}

/// Operations that lanes save.
pub(super) fn saved(parts: &[Equal]) -> usize {
    parts.iter().map(|p| p.values.len() * (p.lanes - 1)).sum()
}

/// Values that go in and out of registers one by one.
fn carried(parts: &[Equal]) -> usize {
    let input = |c: &Column| if c.nodes.iter().all(|n| *n == c.nodes[0]) { 1 } else { c.nodes.len() };
    let inputs: usize = parts.iter().flat_map(|p| &p.inputs).map(input).sum();
    let outputs =
        parts.iter().flat_map(|p| &p.outputs).flat_map(|c| &c.alone).filter(|alone| **alone).count();
    inputs + outputs
}

/// What is only ever the argument of a sine and made of symbols: it is asked for before everything else.
fn angles(graph: &Graph, end: usize) -> Vec<bool> {
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
        if saved > best.0 && saved >= WORTH && saved >= 2 * carried(&found) {
            best = (saved, found);
        }
    }
    best.1
}
