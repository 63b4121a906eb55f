//! Chooses the values whose normal form saves operations.
//!
//! Method:  operations are counted with sharing, for each group alone and for all groups together,
//!          since either may be emitted. All forms are tried at once, then those of each group,
//!          then single values. A change is kept if it raises neither the operations per call nor
//!          their sum with those on parameters only, and changes a count. So work may move to where
//!          it is done once, but not back.
//! Cost:    a change touches only the nodes that it adds or drops.

use super::super::depend::{Group, dependency_groups};
use super::super::graph::Graph;
use super::super::node::{Node, NodeId, Op};

/// Operations per call, and operations on parameters only, of some values.
type OperationCounts = (u32, u32);

/// Reference counts of all nodes needed by some results, with the resulting operation counts.
struct Uses<'a> {
    graph: &'a Graph,
    groups: &'a [Group],
    uses: Vec<u32>,
    count: OperationCounts,
}

/// Cost of an operation of a node, in units of one addition, without its operands.
fn operation_weight(node: &Node) -> u32 {
    match node.op {
        // A form has no other sines and cosines than the value.
        Op::Const(_) | Op::Symbol(_) | Op::Neg | Op::Sin | Op::Cos => 0,
        Op::Add | Op::Sub | Op::Mul => 1,
        Op::Div => 4,
        Op::Sqrt => 5,
        Op::Func(_) | Op::Func2(_) | Op::Select(_) | Op::Table(_) => 12,
    }
}

impl<'a> Uses<'a> {
    fn new(graph: &'a Graph, groups: &'a [Group], roots: &[NodeId]) -> Self {
        let mut uses = Uses { graph, groups, uses: vec![0; groups.len()], count: (0, 0) };
        roots.iter().for_each(|id| uses.add_use(*id));
        uses
    }

    /// The count to which a node's operation belongs: on parameters only, or per call.
    fn group_counter(&mut self, id: NodeId) -> &mut u32 {
        if self.groups[id.0 as usize] <= Group::Parameter { &mut self.count.1 } else { &mut self.count.0 }
    }

    /// Adds a use of a node, with its operands if the node was not needed before.
    fn add_use(&mut self, id: NodeId) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            self.uses[id.0 as usize] += 1;
            if self.uses[id.0 as usize] == 1 {
                let node = self.graph.node(id);
                *self.group_counter(id) += operation_weight(&node);
                stack.extend_from_slice(node.args());
            }
        }
    }

    /// Removes a use of a node, with its operands if the node is not needed any more.
    fn remove_use(&mut self, id: NodeId) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            self.uses[id.0 as usize] -= 1;
            if self.uses[id.0 as usize] == 0 {
                let node = self.graph.node(id);
                *self.group_counter(id) -= operation_weight(&node);
                stack.extend_from_slice(node.args());
            }
        }
    }
}

/// True if neither the operations per call nor their sum with those on parameters only increased.
fn is_no_costlier(after: &OperationCounts, before: &OperationCounts) -> bool {
    after.0 <= before.0 && after.0 + after.1 <= before.0 + before.1
}

/// A replacement of a value by its normal form: group, index in the group, and the form.
#[derive(Clone, Copy)]
struct Change {
    group: usize,
    place: usize,
    form: NodeId,
}

/// The current values with their operation counts, while changes are tried.
struct Choice<'a, 'v> {
    values: &'v mut [Vec<NodeId>],
    /// Counts of each group, then of all groups together.
    uses: Vec<Uses<'a>>,
}

impl Choice<'_, '_> {
    /// Operation counts of each group, then of all groups together.
    fn operation_counts(&self) -> Vec<OperationCounts> {
        self.uses.iter().map(|u| u.count).collect()
    }

    /// Swaps values and their normal forms; a second call undoes the first.
    fn exchange_values_and_forms(&mut self, changes: &mut [Change]) {
        let whole = self.uses.len() - 1;
        for c in changes {
            let old = std::mem::replace(&mut self.values[c.group][c.place], c.form);
            for k in [c.group, whole] {
                self.uses[k].add_use(c.form);
                self.uses[k].remove_use(old);
            }
            c.form = old;
        }
    }

    /// Applies the changes; undoes them and returns false unless they save operations.
    fn keep_if_cheaper(&mut self, changes: &[Change]) -> bool {
        let before = self.operation_counts();
        let mut changes = changes.to_vec();
        self.exchange_values_and_forms(&mut changes);
        let after = self.operation_counts();
        let better = before != after && before.iter().zip(&after).all(|(b, a)| is_no_costlier(a, b));
        if !better {
            self.exchange_values_and_forms(&mut changes);
        }
        better
    }
}

/// Replaces values by their normal forms where that saves operations.
pub(super) fn choose_cheaper_forms(graph: &Graph, values: &mut [Vec<NodeId>], forms: &[Vec<Option<NodeId>>]) {
    let mut changes = Vec::new();
    for (group, (group_values, forms)) in values.iter().zip(forms).enumerate() {
        for (place, (value, form)) in group_values.iter().zip(forms).enumerate() {
            changes.extend(form.filter(|f| f != value).map(|form| Change { group, place, form }));
        }
    }
    if changes.is_empty() {
        return;
    }
    let groups = dependency_groups(graph);
    let all: Vec<NodeId> = values.iter().flatten().copied().collect();
    let mut uses: Vec<Uses<'_>> =
        values.iter().map(|group_values| Uses::new(graph, &groups, group_values)).collect();
    uses.push(Uses::new(graph, &groups, &all));
    let mut choice = Choice { values, uses };
    if choice.keep_if_cheaper(&changes) {
        return;
    }
    for k in 0..forms.len() {
        let group_changes: Vec<Change> = changes.iter().copied().filter(|c| c.group == k).collect();
        if choice.keep_if_cheaper(&group_changes) {
            changes.retain(|c| c.group != k);
        }
    }
    changes.retain(|c| !choice.keep_if_cheaper(&[*c]));
}
