//! Operation counts of emitted functions, for their documentation and for tests of the passes.

use std::fmt;

use super::depend::{Group, dependency_groups};
use super::graph::Graph;
use super::node::{NodeId, Op};
use super::program::{Function, Program};

/// Numbers of operations of emitted code by kind. Operations on constants alone are not counted:
/// they are evaluated at emission.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Operations {
    /// Number of products `a · b` in the emitted code.
    pub multiplications: u32,
    /// Number of sums `a + b` and differences `a − b` in the emitted code.
    pub additions: u32,
    /// Number of quotients `a / b` in the emitted code.
    pub divisions: u32,
    /// Number of square roots in the emitted code.
    pub square_roots: u32,
    /// Number of distinct angles whose sine, cosine or both are computed.
    pub sin_cos: u32,
    /// Number of negations `−a` in the emitted code, which are often free.
    pub negations: u32,
    /// Number of other functions, selections and table lookups.
    pub functions: u32,
}

impl Operations {
    /// Total number of operations. A sin/cos pair counts as one, negations as none.
    pub fn total(&self) -> u32 {
        self.multiplications
            + self.additions
            + self.divisions
            + self.square_roots
            + self.sin_cos
            + self.functions
    }

    /// Rough cost, in units of one addition: a division 4, a square root 5, a sin/cos pair 20,
    /// another function 12. Used to compare candidates.
    pub fn cost(&self) -> u32 {
        self.multiplications
            + self.additions
            + 4 * self.divisions
            + 5 * self.square_roots
            + 20 * self.sin_cos
            + 12 * self.functions
    }

    /// Counts one operation of this kind; sines and cosines are counted by the caller, by angle.
    fn count_operation(&mut self, op: Op) {
        let field = match op {
            Op::Const(_) | Op::Symbol(_) | Op::Sin | Op::Cos => return,
            Op::Add | Op::Sub => &mut self.additions,
            Op::Mul => &mut self.multiplications,
            Op::Div => &mut self.divisions,
            Op::Neg => &mut self.negations,
            Op::Sqrt => &mut self.square_roots,
            Op::Func(_) | Op::Func2(_) | Op::Select(_) | Op::Table(_) => &mut self.functions,
        };
        *field += 1;
    }
}

impl fmt::Display for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.multiplications, "multiplication", "multiplications"),
            (self.additions, "addition", "additions"),
            (self.sin_cos, "sin/cos pair", "sin/cos pairs"),
            (self.divisions, "division", "divisions"),
            (self.square_roots, "square root", "square roots"),
            (self.functions, "other function", "other functions"),
        ];
        let mut separator = "";
        for (n, one, many) in parts.iter().filter(|(n, _, _)| *n > 0) {
            write!(f, "{separator}{n} {}", if *n == 1 { one } else { many })?;
            separator = ", ";
        }
        if separator.is_empty() { f.write_str("no operations") } else { Ok(()) }
    }
}

/// Operation counts of one emitted function: per call, and once per model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Operations that each call executes.
    pub call: Operations,
    /// Operations that depend on parameters only, executed once in `Model::new`.
    pub once: Operations,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.call.fmt(f)?;
        if self.once.total() > 0 {
            write!(f, "; computed once in `Model::new`: {}", self.once)
        } else {
            Ok(())
        }
    }
}

/// All nodes that a function needs: its outputs, its divisors and the scales that divisors are
/// compared with.
pub fn needed_roots(function: &Function) -> Vec<NodeId> {
    let outputs = function.outputs.iter().flat_map(|o| o.nodes.iter().copied());
    let checks = function.checks.iter().flat_map(|c| [c.value, c.scale]);
    outputs.chain(checks).collect()
}

/// All nodes that the emitted function computes. An unchecked function does not test its divisors,
/// so it does not compute their scales.
fn computed_nodes(function: &Function) -> Vec<NodeId> {
    if function.declaration.checked {
        return needed_roots(function);
    }
    function.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect()
}

/// Operation counts of the emitted code of one function: per call, and once per model.
pub fn count(program: &Program, function: &Function) -> Cost {
    count_operations(&program.graph, &computed_nodes(function))
}

/// Operation counts of the nodes that `roots` need, per call and once per model.
pub fn count_operations(graph: &Graph, roots: &[NodeId]) -> Cost {
    count_in_groups(graph, &dependency_groups(graph), roots)
}

/// A table of the operation counts of all functions: the header, and one row per function. The
/// columns are the counts per call by kind, then the total of the operations done once. Printed by
/// commands.
pub fn table(program: &Program) -> (Vec<String>, Vec<Vec<String>>) {
    let header = ["function", "·", "+", "÷", "√", "sin/cos", "other", "once"].map(str::to_owned).to_vec();
    let groups = dependency_groups(&program.graph);
    (header, program.functions.iter().map(|f| operation_count_row(&program.graph, &groups, f)).collect())
}

/// The row of one function in the table of operation counts.
fn operation_count_row(graph: &Graph, groups: &[Group], f: &Function) -> Vec<String> {
    let cost = count_in_groups(graph, groups, &computed_nodes(f));
    let c = cost.call;
    let counts = [
        c.multiplications,
        c.additions,
        c.divisions,
        c.square_roots,
        c.sin_cos,
        c.functions,
        cost.once.total(),
    ];
    std::iter::once(f.declaration.name.to_owned()).chain(counts.map(|n| n.to_string())).collect()
}

/// Operation counts of the nodes that `roots` need, with those that depend on parameters only
/// included.
pub fn count_nodes(graph: &Graph, roots: &[NodeId]) -> Operations {
    let Cost { call: mut all, once } = count_in_groups(graph, &dependency_groups(graph), roots);
    all.multiplications += once.multiplications;
    all.additions += once.additions;
    all.divisions += once.divisions;
    all.square_roots += once.square_roots;
    all.sin_cos += once.sin_cos;
    all.negations += once.negations;
    all.functions += once.functions;
    all
}

/// Operation counts of the nodes that `roots` need, per call and once per model, from the
/// dependency groups of all nodes.
pub fn count_in_groups(graph: &Graph, groups: &[Group], roots: &[NodeId]) -> Cost {
    let mut cost = Cost::default();
    let needed = super::replay::mark_needed(graph, roots);
    let mut angles = vec![false; needed.len()];
    for (index, _) in needed.iter().enumerate().filter(|(_, n)| **n) {
        let node = graph.node(NodeId(index as u32));
        let operations = match groups[index] {
            Group::Constant => continue,
            Group::Parameter => &mut cost.once,
            _ => &mut cost.call,
        };
        operations.count_operation(node.op);
        if let (Op::Sin | Op::Cos, [angle]) = (node.op, node.args()) {
            let is_counted = &mut angles[angle.0 as usize];
            operations.sin_cos += u32::from(!*is_counted);
            *is_counted = true;
        }
    }
    cost
}

/// Length of the longest chain of dependent operations of a function: a lower bound for parallel
/// execution. Operations that depend on parameters only are done once and do not count.
pub fn function_longest_chain(program: &Program, function: &Function) -> u32 {
    longest_chain(program, &computed_nodes(function))
}

/// Length of the longest chain of dependent operations that these nodes need, per call.
pub fn longest_chain(program: &Program, roots: &[NodeId]) -> u32 {
    let graph = &program.graph;
    let groups = dependency_groups(graph);
    let needed = super::replay::mark_needed(graph, roots);
    let mut depth = vec![0u32; needed.len()];
    for (index, _) in needed.iter().enumerate().filter(|(_, n)| **n) {
        let node = graph.node(NodeId(index as u32));
        let free = matches!(groups[index], Group::Constant | Group::Parameter)
            || matches!(node.op, Op::Const(_) | Op::Symbol(_));
        if !free {
            depth[index] = 1 + node.args().iter().map(|a| depth[a.0 as usize]).max().unwrap_or(0);
        }
    }
    roots.iter().map(|r| depth[r.0 as usize]).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_as_a_sentence() {
        let call =
            Operations { multiplications: 26, additions: 18, sin_cos: 2, divisions: 1, ..Default::default() };
        assert_eq!(call.to_string(), "26 multiplications, 18 additions, 2 sin/cos pairs, 1 division");
        let once = Operations { square_roots: 1, ..Default::default() };
        let cost = Cost { call: Operations::default(), once };
        assert_eq!(cost.to_string(), "no operations; computed once in `Model::new`: 1 square root");
    }
}
