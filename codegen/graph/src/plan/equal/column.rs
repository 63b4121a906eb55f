//! Data of equal parts: values in SIMD lanes.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::root::Root;
use crate::ir::{Graph, NodeId, Op, Taken, ValueNames, toggle_negative_prefix};
use dqdt_algebra::Number;

/// An equal part of a body: one computation done for several limbs or matrix columns in SIMD lanes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Equal {
    /// Name of the type in emitted Rust that implements `dqdt::Part`.
    pub name: String,
    /// Number of SIMD lanes: of equal limbs, or of matrix columns.
    pub lanes: usize,
    /// Operations of the part, each done in all lanes; operands first.
    pub values: Vec<LaneValue>,
    /// Inputs of the part; those that all lanes share come first.
    pub inputs: Vec<Column>,
    /// The columns of `values` that code outside of the part uses.
    pub outputs: Vec<Column>,
    /// For each lane, the symbols that belong to it, such as the coordinates of one limb.
    pub symbols: Vec<Vec<NodeId>>,
    /// True if the lanes are columns of a matrix, false if they are limbs of the mechanism.
    pub columns: bool,
}

impl Equal {
    /// Number of inputs that all lanes share; they come first.
    pub fn shared_input_count(&self) -> usize {
        self.inputs.iter().take_while(|c| c.is_shared()).count()
    }

    /// The input values of this part as roots of the body, which must be computed before it; each
    /// once.
    pub(crate) fn input_roots(&self) -> impl Iterator<Item = Root> + use<> {
        let once: BTreeSet<NodeId> = self.inputs.iter().flat_map(|c| &c.nodes).copied().collect();
        let heading: Arc<str> = Arc::from("inputs of equal parts");
        once.into_iter().map(move |node| Root { node, name: String::new(), heading: Arc::clone(&heading) })
    }

    /// The values of all lanes that the part computes for code outside of it.
    pub(crate) fn exported_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.outputs.iter().flat_map(|c| &c.nodes).copied()
    }
}

/// An operation of an equal part: the same operation in every SIMD lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneValue {
    /// The nodes that the operation computes, one per lane.
    pub nodes: Vec<NodeId>,
    /// Operands of the operation, each with its sign in the first lane.
    pub argument_columns: Vec<(Column, bool)>,
}

/// An operand or result of an equal part: one value in every SIMD lane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Column {
    /// The node in each lane.
    pub nodes: Vec<NodeId>,
    /// For each lane, true if it contains the negated value of the node.
    pub negated: Vec<bool>,
    /// For an output, true for each lane whose value is used outside of equal parts.
    pub alone: Vec<bool>,
}

impl Column {
    /// True if all lanes have the same value and sign.
    pub(super) fn is_shared(&self) -> bool {
        let first = (self.nodes.first(), self.negated.first());
        self.nodes.iter().zip(&self.negated).all(|(node, negated)| (Some(node), Some(negated)) == first)
    }
}

/// The constant that a column has in all lanes with its sign, if it is one.
pub fn common_constant(graph: &Graph, column: &Column) -> Option<Number> {
    let signed = column.nodes.iter().zip(&column.negated);
    let mut all = signed.map(|(node, negated)| match graph.node(*node).op {
        Op::Const(x) if *negated => x.checked_neg(),
        Op::Const(x) => Some(x),
        _ => None,
    });
    let first = all.next().flatten()?;
    all.all(|x| x == Some(first)).then_some(first)
}

/// Unique names for the negated values that lanes compute, by node.
pub(crate) fn name_negated_values(
    graph: &Graph,
    parts: &[Equal],
    names: &ValueNames,
    taken: &mut Taken,
) -> FxHashMap<NodeId, String> {
    let mut opposites = FxHashMap::default();
    let mut named: FxHashSet<NodeId> = FxHashSet::default();
    for column in parts.iter().flat_map(|p| &p.outputs) {
        for (node, _) in column.nodes.iter().zip(&column.negated).filter(|(_, negated)| **negated) {
            if named.insert(*node) {
                let name = names.node_name(*node);
                let name = graph.invariants().require(name, "value", "a value in a SIMD lane has no name");
                opposites.insert(*node, taken.make_unique(&toggle_negative_prefix(name)));
            }
        }
    }
    opposites
}

/// Minimum number of operations that all lanes together must save for parts to be vectorised.
const WORTH: usize = 100;

/// True if lanes save enough operations, and at least twice the number of values moved into and out
/// of registers.
pub(super) fn is_worth_it(parts: &[Equal]) -> bool {
    let saved = saved_operations(parts);
    saved >= WORTH && saved >= 2 * count_moves_to_registers(parts)
}

/// Number of operations that SIMD lanes save, compared with scalar code.
pub(crate) fn saved_operations(parts: &[Equal]) -> usize {
    parts.iter().map(|p| p.values.len() * (p.lanes - 1)).sum()
}

/// Number of values that are moved into and out of registers one by one.
fn count_moves_to_registers(parts: &[Equal]) -> usize {
    let mut inputs = 0;
    for column in parts.iter().flat_map(|p| &p.inputs) {
        let same_in_all_lanes = column.nodes.iter().all(|n| *n == column.nodes[0]);
        inputs += if same_in_all_lanes { 1 } else { column.nodes.len() };
    }
    let outputs =
        parts.iter().flat_map(|p| &p.outputs).flat_map(|c| &c.alone).filter(|alone| **alone).count();
    inputs + outputs
}
