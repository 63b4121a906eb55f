//! The order of equal parts, and the signs of their lanes.
//!
//! Problem: a part is computed at once, so none of its inputs may depend on its outputs, and all
//!          lanes must do the same operations.
//! Method:  a pack belongs to the stage after the last one that it depends on through the rest of
//!          the body. Signs solve the equations of all packs (`plan::signs`); a pack that
//!          contradicts the others returns to the rest of the body.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::super::signs::{self, Lanes, Parity};
use super::column::Column;
use super::search::{PackSearch, without_sign};
use crate::ir::{NodeId, Op};

/// Signs of a pack: for each lane, true if it contains the negated value.
pub(super) type Signs = Vec<bool>;

/// Signs of a column relative to the first lane, as one bit per lane.
fn relative_signs(c: &Column) -> Lanes {
    let bits = c.negated.iter().enumerate();
    bits.fold(0, |all, (lane, negated)| all | Lanes::from(*negated ^ c.negated[0]) << lane)
}

/// A vertex of the dependency graph between packs.
#[derive(Clone, Copy, PartialEq)]
enum PackOrNode {
    Pack(usize),
    Node(NodeId),
}

impl PackSearch<'_> {
    /// Packs and nodes that an item uses, each with the number of stages between the two.
    fn find_needs(&self, item: PackOrNode) -> Vec<(PackOrNode, usize)> {
        let need = |n: &NodeId| match self.positions.get(n) {
            Some((q, _)) => (PackOrNode::Pack(*q), 1),
            None => (PackOrNode::Node(*n), 0),
        };
        let mut needs: Vec<(PackOrNode, usize)> = Vec::new();
        match item {
            PackOrNode::Pack(p) => {
                for column in self.argument_columns(&self.packs[p]) {
                    match self.find_pack(&column.nodes) {
                        Some(q) => needs.push((PackOrNode::Pack(q), 0)),
                        None => needs.extend(column.nodes.iter().map(need)),
                    }
                }
            }
            PackOrNode::Node(n) if !(self.leaf)(n) => {
                needs.extend(self.graph.node(n).args().iter().map(need));
            }
            PackOrNode::Node(_) => {}
        }
        needs
    }

    /// The pack of a cycle to drop: one with an argument that is split among packs, else the first.
    fn choose_pack_to_drop(&self, packs: &[usize]) -> usize {
        let culprit = packs.iter().copied().find(|p| self.has_split_argument(*p));
        let culprit = culprit.or(packs.first().copied());
        debug_assert!(culprit.is_some(), "nodes outside SIMD lanes must not depend on each other cyclically");
        culprit.unwrap_or(0)
    }

    /// The stage of each pack. Packs take whole packs of the same or earlier stages; the rest of
    /// the body is computed between stages. The error is a pack of a dependency cycle, which must
    /// be dropped.
    pub fn pack_stages(&self) -> Result<Vec<usize>, usize> {
        const NEW: usize = usize::MAX;
        const OPEN: usize = usize::MAX - 1;
        let mut of_pack = vec![NEW; self.packs.len()];
        let mut of_node: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut stack: Vec<PackOrNode> = (0..self.packs.len()).map(PackOrNode::Pack).collect();
        while let Some(item) = stack.last().copied() {
            let known = match item {
                PackOrNode::Pack(p) => of_pack[p],
                PackOrNode::Node(n) => of_node.get(&n).copied().unwrap_or(NEW),
            };
            if known < OPEN {
                stack.pop();
                continue;
            }
            let needs = self.find_needs(item);
            let known = needs.iter().map(|(item, _)| match item {
                PackOrNode::Pack(p) => of_pack[*p],
                PackOrNode::Node(n) => of_node.get(n).copied().unwrap_or(NEW),
            });
            let known: Vec<usize> = known.collect();
            let mut set = |stage: usize| match item {
                PackOrNode::Pack(p) => of_pack[p] = stage,
                PackOrNode::Node(n) => {
                    of_node.insert(n, stage);
                }
            };
            if let Some(first) = known.iter().position(|stage| *stage == OPEN) {
                // The packs of the cycle.
                let circle = stack.iter().skip_while(|x| **x != needs[first].0);
                let circle = circle.filter(|x| matches!(x, PackOrNode::Pack(p) if of_pack[*p] == OPEN));
                let packs = circle.chain([&item]).filter_map(|x| match x {
                    PackOrNode::Pack(p) => Some(*p),
                    PackOrNode::Node(_) => None,
                });
                return Err(self.choose_pack_to_drop(&packs.collect::<Vec<_>>()));
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
        Ok(of_pack)
    }

    /// True for a factor that all columns of a matrix share; it has one sign.
    pub(super) fn is_shared_factor(&self, c: &Column) -> bool {
        self.columns.is_some() && c.nodes.iter().all(|n| *n == c.nodes[0])
    }

    /// True if an argument of a pack consists of packed values, but is no pack.
    fn has_split_argument(&self, pack: usize) -> bool {
        let columns = self.argument_columns(&self.packs[pack]);
        columns.iter().any(|c| {
            self.find_pack(&c.nodes).is_none() && c.nodes.iter().all(|n| self.positions.contains_key(n))
        })
    }

    /// For every pack and every other argument, the lanes that contain the negated value. Packs
    /// without consistent signs are dropped.
    pub fn solve_signs(&mut self) -> (Vec<Signs>, BTreeMap<Vec<NodeId>, Signs>) {
        loop {
            let mut inputs: BTreeMap<Vec<NodeId>, usize> = BTreeMap::new();
            let mut rank = vec![0; self.packs.len()];
            let mut equations: Vec<Parity> = Vec::new();
            for (p, pack) in self.packs.iter().enumerate() {
                let columns = self.argument_columns(pack);
                let mut unknowns: Vec<Option<usize>> = Vec::with_capacity(columns.len());
                for c in &columns {
                    unknowns.push(match self.find_pack(&c.nodes) {
                        _ if self.is_shared_factor(c) => None,
                        Some(pack) => Some(pack),
                        None => Some(*inputs.entry(c.nodes.clone()).or_insert_with(|| {
                            let number =
                                c.nodes.iter().all(|n| matches!(self.graph.node(*n).op, Op::Const(_)));
                            rank.push(if number { 1 } else { 2 });
                            rank.len() - 1
                        })),
                    });
                }
                let op = without_sign(self.graph.node(pack[0]).op);
                let mut add = |unknowns: Vec<Option<usize>>, odd: Lanes| {
                    equations.push(Parity { indices: unknowns.into_iter().flatten().collect(), odd, by: p });
                };
                match op {
                    Op::Add => columns
                        .iter()
                        .zip(&unknowns)
                        .for_each(|(c, x)| add(vec![Some(p), *x], relative_signs(c))),
                    Op::Sqrt => {
                        add(vec![Some(p)], 0);
                        add(vec![unknowns[0]], relative_signs(&columns[0]));
                    }
                    _ => add(
                        vec![Some(p), unknowns[0], unknowns[1]],
                        relative_signs(&columns[0]) ^ relative_signs(&columns[1]),
                    ),
                }
            }
            let solution = match signs::solve_parities(rank.len(), &rank, &equations) {
                Ok(solution) => solution,
                Err(pack) => {
                    self.retain_packs(|p| p != pack);
                    continue;
                }
            };
            let bits = |x: Lanes| (0..self.lanes).map(|lane| x >> lane & 1 == 1).collect::<Signs>();
            let of_inputs = inputs.into_iter().map(|(nodes, x)| (nodes, bits(solution[x]))).collect();
            return (solution[..self.packs.len()].iter().map(|x| bits(*x)).collect(), of_inputs);
        }
    }
}
