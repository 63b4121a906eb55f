//! What lanes hold.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::root::Root;
use crate::ir::{Graph, NodeId, Op, Taken, ValueNames, negative};
use dqdt_algebra::Number;

/// The same computation in several lanes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Equal {
    /// Name of what computes it, as that of a type.
    pub name: String,
    /// How many lanes.
    pub lanes: usize,
    /// Its values, each after those it is made of.
    pub values: Vec<Value>,
    /// What it takes: first what all lanes share.
    pub inputs: Vec<Column>,
    /// What others use of `values`.
    pub outputs: Vec<Column>,
    /// The symbols of each lane.
    pub symbols: Vec<Vec<NodeId>>,
    /// Whether lanes are columns of a matrix, and no parts of the mechanism.
    pub columns: bool,
}

impl Equal {
    /// How many of its inputs all lanes share.
    pub fn shared(&self) -> usize {
        self.inputs.iter().take_while(|c| c.is_shared()).count()
    }

    /// What it needs before it can be computed.
    pub(crate) fn feeds(&self) -> impl Iterator<Item = Root> + use<> {
        let once: BTreeSet<NodeId> = self.inputs.iter().flat_map(|c| &c.nodes).copied().collect();
        let heading: Arc<str> = Arc::from("what equal parts take");
        once.into_iter().map(move |node| Root { node, name: String::new(), heading: Arc::clone(&heading) })
    }

    /// What it hands out, of all lanes.
    pub(crate) fn handed_out(&self) -> impl Iterator<Item = NodeId> + '_ {
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

impl Column {
    /// True if it is the same value in all lanes.
    pub(super) fn is_shared(&self) -> bool {
        let first = (self.nodes.first(), self.negated.first());
        self.nodes.iter().zip(&self.negated).all(|(node, negated)| (Some(node), Some(negated)) == first)
    }
}

/// The number that a column is in all lanes.
pub fn same_number(graph: &Graph, column: &Column) -> Option<Number> {
    let number = |(node, negated): (&NodeId, &bool)| match graph.node(*node).op {
        Op::Const(x) if *negated => x.checked_neg(),
        Op::Const(x) => Some(x),
        _ => None,
    };
    let mut all = column.nodes.iter().zip(&column.negated).map(number);
    let first = all.next().flatten()?;
    all.all(|x| x == Some(first)).then_some(first)
}

/// Names of the opposites that lanes hold.
pub(crate) fn opposites(
    graph: &Graph,
    parts: &[Equal],
    names: &ValueNames,
    taken: &mut Taken,
) -> FxHashMap<NodeId, String> {
    let mut opposites = FxHashMap::default();
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    for column in parts.iter().flat_map(|p| &p.outputs) {
        for (node, _) in column.nodes.iter().zip(&column.negated).filter(|(_, negated)| **negated) {
            if seen.insert(*node) {
                let name = names.get(*node);
                let name = graph.invariants().require(name, "value", "a lane holds a value without a name");
                opposites.insert(*node, taken.unique(&negative(name)));
            }
        }
    }
    opposites
}

/// The fewest operations that all lanes together must save.
const WORTH: usize = 100;

/// True if lanes save enough, and more than what goes in and out of registers one by one.
pub(super) fn is_worth_it(parts: &[Equal]) -> bool {
    let saved = saved(parts);
    saved >= WORTH && saved >= 2 * carried(parts)
}

/// Operations that lanes save.
pub(crate) fn saved(parts: &[Equal]) -> usize {
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
