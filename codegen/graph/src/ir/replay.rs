//! Replays a graph in another algebra: strings, intervals, polynomials, another graph.

use super::graph::Graph;
use super::node::{NodeId, Op};

/// Evaluates the nodes that `outputs` need, operands first, and returns the values of `outputs`.
///
/// `f` receives the operation and the values of its operands; leaves have none. Nodes that no
/// output needs are skipped.
pub fn replay<A: Clone>(
    graph: &Graph,
    outputs: &[NodeId],
    mut f: impl FnMut(NodeId, Op, &[A]) -> A,
) -> Vec<A> {
    let needed = mark_needed(graph, outputs);
    let mut values: Vec<Option<A>> = vec![None; needed.len()];
    for index in 0..needed.len() {
        if !needed[index] {
            continue;
        }
        let id = NodeId(index as u32);
        let node = graph.node(id);
        let args: Vec<A> = node.args().iter().filter_map(|a| values[a.0 as usize].clone()).collect();
        debug_assert_eq!(
            args.len(),
            node.args().len(),
            "an argument must have a smaller index than the node that uses it"
        );
        values[index] = Some(f(id, node.op, &args));
    }
    outputs.iter().filter_map(|o| values[o.0 as usize].clone()).collect()
}

/// True for each node that the outputs depend on; the list ends at the largest such id.
pub fn mark_needed(graph: &Graph, outputs: &[NodeId]) -> Vec<bool> {
    let end = outputs.iter().map(|o| o.0 as usize + 1).max().unwrap_or(0);
    let mut needed = vec![false; end];
    for o in outputs {
        needed[o.0 as usize] = true;
    }
    for index in (0..end).rev() {
        if needed[index] {
            for a in graph.node(NodeId(index as u32)).args() {
                needed[a.0 as usize] = true;
            }
        }
    }
    needed
}
