//! Names of the leaves of a graph: time, parameters, entries of the arguments, numbers.

use super::constants;
use dqdt_graph::ir::{Graph, NodeId, Op, Program, SymbolKind};
use dqdt_graph::plan::Plan;

/// Text of each leaf node (parameter, argument entry, number) in emitted code; `None` for a
/// computed node. `entry` returns the local name of an entry of an argument.
pub fn leaf_texts(
    program: &Program,
    plan: &Plan,
    parameters: &[String],
    entry: impl Fn(SymbolKind) -> Option<String>,
) -> Vec<Option<String>> {
    let graph = &program.graph;
    (0..graph.len() as u32)
        .map(NodeId)
        .map(|id| match graph.node(id).op {
            Op::Symbol(s) => match graph.symbol_info(s).kind {
                SymbolKind::Time => Some("t".to_owned()),
                SymbolKind::Parameter(i) => parameters.get(i).cloned(),
                kind => entry(kind),
            },
            _ => constants::constant_text(graph, plan, id),
        })
        .collect()
}

/// Returns `true` if a graph node is a parameter of the mechanism.
pub fn is_parameter(graph: &Graph, id: NodeId) -> bool {
    match graph.node(id).op {
        Op::Symbol(s) => matches!(graph.symbol_info(s).kind, SymbolKind::Parameter(_)),
        _ => false,
    }
}
