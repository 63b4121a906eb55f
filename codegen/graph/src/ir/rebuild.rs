//! Rebuilds a program node by node into a new graph; the common frame of all passes.
//!
//! A pass is a function from a program to a program. It walks the needed nodes, operands first, and
//! returns the new node for each; labels, outputs and checks follow. Nodes that no function needs
//! are not copied.

use super::count::needed_roots;
use super::depend::{Group, extend_groups};
use super::graph::Graph;
use super::node::{Node, NodeId, Op};
use super::program::{Function, Program};
use super::replay::mark_needed;
use dqdt_algebra::Number;

/// The new graph while a pass rebuilds a program, with the dependency group of every node.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    /// The new graph, to which a pass records.
    pub graph: Graph,
    groups: Vec<Group>,
}

impl GraphBuilder {
    /// The dependency group of a node of the new graph.
    pub fn dependency_group(&mut self, id: NodeId) -> Group {
        extend_groups(&self.graph, &mut self.groups);
        self.groups[id.0 as usize]
    }

    /// Copies an operation or leaf of `old` into the new graph, with new arguments.
    ///
    /// Folding moves constants out of products. A product of parameters keeps its constant, since
    /// it is computed once.
    pub fn copy_operation(&mut self, old: &Graph, node: Node, args: &[NodeId]) -> NodeId {
        match (node.op, args) {
            (Op::Symbol(s), _) => {
                let symbol = old.symbol_info(s);
                self.graph.symbol(&symbol.name, symbol.kind)
            }
            (Op::Const(n), _) => self.graph.number(n),
            (Op::Table(t), _) => {
                let t = self.graph.table(&old.table_data(t));
                self.graph.operation(Op::Table(t), args)
            }
            (Op::Mul, &[a, b]) => self.record_product(a, b),
            (op, _) => self.graph.operation(op, args),
        }
    }

    /// Records a product. A value of parameters times a later value is not folded, unless one of
    /// them is a constant or a negation.
    pub fn record_product(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (ga, gb) = (self.dependency_group(a), self.dependency_group(b));
        let hoisted = (ga == Group::Parameter) != (gb == Group::Parameter) && ga.max(gb) > Group::Parameter;
        let plain = |id: NodeId| !matches!(self.graph.node(id).op, Op::Const(_) | Op::Neg);
        if hoisted && plain(a) && plain(b) {
            self.graph.raw(Op::Mul, &[a.min(b), a.max(b)])
        } else {
            self.graph.operation(Op::Mul, &[a, b])
        }
    }

    /// Records `1 / a` in the new graph.
    pub fn record_reciprocal(&mut self, a: NodeId) -> NodeId {
        let one = self.graph.number(Number::ONE);
        self.graph.operation(Op::Div, &[one, a])
    }
}

/// All nodes that the functions of a program need for their outputs and checks.
pub fn program_roots(program: &Program) -> Vec<NodeId> {
    program.functions.iter().flat_map(needed_roots).collect()
}

/// Rebuilds a program: the frame of all passes. `step` returns the new node for an old one; its
/// last argument maps older nodes to their new ones. `None` means that the node is part of a later
/// one and is not copied.
pub fn rebuild(
    program: &Program,
    mut step: impl FnMut(&mut GraphBuilder, NodeId, Node, &dyn Fn(NodeId) -> NodeId) -> Option<NodeId>,
) -> Program {
    let old = &program.graph;
    let all = program_roots(program);
    let needed = mark_needed(old, &all);
    let mut builder = GraphBuilder { graph: Graph::sharing_invariants(old), ..GraphBuilder::default() };
    if old.ignores_notes() {
        builder.graph = builder.graph.without_notes();
    }
    builder.graph.copy_knowledge(old);
    builder.graph.reserve_nodes(needed.iter().filter(|n| **n).count());
    let mut map: Vec<Option<NodeId>> = vec![None; needed.len()];
    let copied = |map: &[Option<NodeId>], id: NodeId| {
        let new = map.get(id.0 as usize).copied().flatten();
        old.invariants().require(
            new,
            NodeId(0),
            "a graph pass uses a node that was not copied to the new graph",
        )
    };
    for index in (0..needed.len()).filter(|i| needed[*i]) {
        let id = NodeId(index as u32);
        let new = step(&mut builder, id, old.node(id), &|id| copied(&map, id));
        if let Some(new) = new {
            builder.graph.copy_label(new, old, id);
            builder.graph.copy_note(new, old, id);
        }
        map[index] = new;
    }
    let new_node = |id: &NodeId| copied(&map, *id);
    let mut functions = Vec::with_capacity(program.functions.len());
    for f in &program.functions {
        let (mut outputs, mut checks) = (f.outputs.clone(), f.checks.clone());
        for output in &mut outputs {
            output.nodes = output.nodes.iter().map(new_node).collect();
        }
        for check in &mut checks {
            (check.value, check.scale) = (new_node(&check.value), new_node(&check.scale));
        }
        functions.push(Function { declaration: f.declaration, outputs, parts: f.parts.clone(), checks });
    }
    Program {
        name: program.name.clone(),
        description: program.description.clone(),
        spec: program.spec.clone(),
        spec_hash: program.spec_hash.clone(),
        formalism: program.formalism.clone(),
        layout: program.layout.clone(),
        graph: builder.graph,
        functions,
        parameter_checks: program.parameter_checks.clone(),
        evaluation: program.evaluation,
    }
}

/// Drops nodes that no function needs, and folds all operations again.
pub fn drop_unneeded_nodes(program: &Program) -> Program {
    rebuild(program, |b, _, node, map| {
        let args: Vec<NodeId> = node.args().iter().map(|a| map(*a)).collect();
        Some(b.copy_operation(&program.graph, node, &args))
    })
}

/// The same program without labels. Passes may then take every value apart.
pub fn drop_labels(program: &Program) -> Program {
    let mut bare = drop_unneeded_nodes(program);
    bare.graph.clear_labels();
    bare
}
