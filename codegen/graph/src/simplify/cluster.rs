//! Clusters: sums of products whose inner nodes have no other user.
//!
//! A node is part of its user if, in the functions that need the result, it has no other user and
//! no label, and the user can absorb it: sums absorb sums and products, products absorb products.
//! Reassociating such parts loses no common subexpression within a function. If another function
//! shares the node, that function computes it separately.

use crate::ir::{Graph, NodeId, Op, Program, needed_roots, program_roots};

/// A signed product, one term of a sum, while a pass rewrites it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedTerm {
    /// True for a term of the sum that is subtracted.
    pub negative: bool,
    /// Factors of the product, nodes of the graph.
    pub factors: Vec<NodeId>,
}

/// The clusters of a program: which nodes are part of their users, and how often each node is a
/// divisor. A set of functions is a bit mask; functions beyond the last bit share that bit.
#[derive(Debug)]
pub struct Clusters {
    needed_by: Vec<u64>,
    /// Functions in which a node has several users or is a result.
    shared_in: Vec<u64>,
    /// For each node, true if it is part of the clusters of all its users.
    is_absorbed: Vec<bool>,
    /// Number of quotients with each node as denominator.
    count_divisions: Vec<u32>,
}

/// True for operations of a sum: addition, subtraction, negation.
fn is_sum_operation(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Neg)
}

/// True if a node with the operation `user` can absorb an operand with the operation `op`.
fn can_absorb(user: Op, op: Op) -> bool {
    is_sum_operation(user) && (is_sum_operation(op) || op == Op::Mul) || user == Op::Mul && op == Op::Mul
}

/// The bit of the function at an index; functions from the 64th on share the last bit.
fn function_bit(function: usize) -> u64 {
    1 << function.min(63)
}

/// The functions that need each node; the list ends at the largest needed id.
fn functions_of_nodes(program: &Program) -> Vec<u64> {
    let ends = program_roots(program).into_iter().map(|id| id.0 as usize + 1);
    let mut needed_by = vec![0u64; ends.max().unwrap_or(0)];
    for (k, f) in program.functions.iter().enumerate() {
        for id in needed_roots(f) {
            needed_by[id.0 as usize] |= function_bit(k);
        }
    }
    for index in (0..needed_by.len()).rev() {
        for a in program.graph.node(NodeId(index as u32)).args() {
            needed_by[a.0 as usize] |= needed_by[index];
        }
    }
    needed_by
}

impl Clusters {
    /// Finds the clusters of all sums and products of a program.
    pub fn new(program: &Program) -> Self {
        let graph = &program.graph;
        let needed_by = functions_of_nodes(program);
        let n = needed_by.len();
        let mut divisions = vec![0u32; n];
        let mut used_in = vec![0u64; n];
        let mut shared_in = vec![0u64; n];
        let mut inside = vec![true; n];
        for (k, f) in program.functions.iter().enumerate() {
            needed_roots(f).iter().for_each(|id| shared_in[id.0 as usize] |= function_bit(k));
        }
        for index in (0..n).filter(|i| needed_by[*i] != 0) {
            let id = NodeId(index as u32);
            let node = graph.node(id);
            if graph.has_label(id) {
                shared_in[index] = u64::MAX;
            }
            for a in node.args() {
                let at = a.0 as usize;
                inside[at] &= can_absorb(node.op, graph.node(*a).op);
                shared_in[at] |= used_in[at] & needed_by[index];
                used_in[at] |= needed_by[index];
            }
            if let (Op::Div, [_, d]) = (node.op, node.args()) {
                divisions[d.0 as usize] += 1;
            }
        }
        for (inside, shared) in inside.iter_mut().zip(&shared_in) {
            *inside &= *shared == 0;
        }
        Clusters { needed_by, shared_in, is_absorbed: inside, count_divisions: divisions }
    }

    /// True if `id` is part of the cluster of `head`; `user` is the operation of the part that uses
    /// it.
    fn is_in_cluster(&self, graph: &Graph, head: NodeId, user: Op, id: NodeId) -> bool {
        can_absorb(user, graph.node(id).op)
            && self.shared_in[id.0 as usize] & self.needed_by[head.0 as usize] == 0
    }

    /// True if the node is part of the clusters of all its users, so that no value of its own is
    /// needed.
    pub fn inside(&self, id: NodeId) -> bool {
        self.is_absorbed[id.0 as usize]
    }

    /// Number of quotients in the program with this denominator.
    pub fn divisions(&self, id: NodeId) -> u32 {
        self.count_divisions[id.0 as usize]
    }

    /// The terms of the cluster of a sum, or the one term of a product; factors are in order.
    pub fn cluster_terms(&self, graph: &Graph, head: NodeId) -> Vec<SignedTerm> {
        let mut terms = Vec::new();
        let mut stack = vec![(head, false, None)];
        while let Some((id, negative, user)) = stack.pop() {
            let node = graph.node(id);
            let part = user.is_none_or(|user| self.is_in_cluster(graph, head, user, id));
            if !part || !is_sum_operation(node.op) {
                let factors = if part { self.term_factors(graph, head, id) } else { vec![id] };
                terms.push(SignedTerm { negative, factors });
                continue;
            }
            match (node.op, node.args()) {
                (Op::Neg, [a]) => stack.push((*a, !negative, Some(Op::Neg))),
                (op, [a, b]) => {
                    stack.push((*b, negative != (op == Op::Sub), Some(op)));
                    stack.push((*a, negative, Some(op)));
                }
                _ => {}
            }
        }
        terms
    }

    /// The factors of a term in the cluster of `head`.
    fn term_factors(&self, graph: &Graph, head: NodeId, term: NodeId) -> Vec<NodeId> {
        let mut factors = Vec::new();
        let mut stack = vec![(term, true)];
        while let Some((id, part)) = stack.pop() {
            let node = graph.node(id);
            if node.op == Op::Mul && part {
                let open = node.args().iter().rev();
                stack.extend(open.map(|a| (*a, self.is_in_cluster(graph, head, Op::Mul, *a))));
            } else {
                factors.push(id);
            }
        }
        factors
    }
}
