//! Sums of products: nodes that belong to nobody else, taken together.
//!
//! A node is *inside* if it has one user, no label, and the user can take it in: sums into sums, products into
//! products and into sums. Reassociating what is inside costs no sharing.

use crate::ir::{Graph, NodeId, Op, Program, all_roots, needed};

/// A signed product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// True for a term that is subtracted.
    pub negative: bool,
    /// The factors.
    pub factors: Vec<NodeId>,
}

/// Which nodes are inside, and how often each is divided by.
#[derive(Debug)]
pub struct Clusters {
    inside: Vec<bool>,
    divisions: Vec<u32>,
}

fn is_sum(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Neg)
}

impl Clusters {
    /// Looks at a program.
    pub fn new(program: &Program) -> Self {
        let graph = &program.graph;
        let all = all_roots(program);
        let needed = needed(graph, &all);
        let mut uses = vec![0u32; needed.len()];
        let mut taken_in = vec![false; needed.len()];
        let mut divisions = vec![0u32; needed.len()];
        // A result has a user outside.
        for id in &all {
            uses[id.0 as usize] += 2;
        }
        for index in (0..needed.len()).filter(|i| needed[*i]) {
            let node = graph.node(NodeId(index as u32));
            for a in node.args() {
                let op = graph.node(*a).op;
                uses[a.0 as usize] += 1;
                taken_in[a.0 as usize] =
                    is_sum(node.op) && (is_sum(op) || op == Op::Mul) || node.op == Op::Mul && op == Op::Mul;
            }
            if let (Op::Div, [_, d]) = (node.op, node.args()) {
                divisions[d.0 as usize] += 1;
            }
        }
        let inside = (0..needed.len())
            .map(|i| needed[i] && uses[i] == 1 && taken_in[i] && graph.label_of(NodeId(i as u32)).is_none())
            .collect();
        Clusters { inside, divisions }
    }

    /// True if the node is part of its user.
    pub fn inside(&self, id: NodeId) -> bool {
        self.inside[id.0 as usize]
    }

    /// How many quotients have this denominator.
    pub fn divisions(&self, id: NodeId) -> u32 {
        self.divisions[id.0 as usize]
    }

    /// The terms of a sum, or the one term of a product; factors in order.
    pub fn terms(&self, graph: &Graph, head: NodeId) -> Vec<Term> {
        let mut terms = Vec::new();
        let mut stack = vec![(head, false)];
        while let Some((id, negative)) = stack.pop() {
            let node = graph.node(id);
            if id != head && !self.inside(id) || !is_sum(node.op) {
                terms.push(Term { negative, factors: self.factors(graph, id, id == head) });
                continue;
            }
            match (node.op, node.args()) {
                (Op::Neg, [a]) => stack.push((*a, !negative)),
                (op, [a, b]) => {
                    stack.push((*b, negative != (op == Op::Sub)));
                    stack.push((*a, negative));
                }
                _ => {}
            }
        }
        terms
    }

    fn factors(&self, graph: &Graph, id: NodeId, head: bool) -> Vec<NodeId> {
        let mut factors = Vec::new();
        let mut stack = vec![(id, head)];
        while let Some((id, head)) = stack.pop() {
            let node = graph.node(id);
            if node.op == Op::Mul && (head || self.inside(id)) {
                stack.extend(node.args().iter().rev().map(|a| (*a, false)));
            } else {
                factors.push(id);
            }
        }
        factors
    }
}
