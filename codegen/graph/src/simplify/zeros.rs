//! Removes zero entries from outputs while passes run.
//!
//! Problem: M of a thousand independent bodies has a million entries, of which a thousand are not
//!          zero, and every pass walks all outputs.
//! Method:  a list of the indices of zeros for each output. No pass changes a constant zero.

use crate::ir::{NodeId, Program};
use dqdt_algebra::Number;

/// Indices of the zero entries of each output, for all outputs of all functions in order.
pub(super) type Zeros = Vec<Vec<usize>>;

/// Removes the zero entries of all outputs and returns their indices, at which they are inserted
/// again after the passes.
pub fn remove_zero_entries(program: &mut Program) -> Zeros {
    let Program { graph, functions, .. } = program;
    let is_zero = |id: &NodeId| graph.is_zero(*id);
    let outputs = functions.iter_mut().flat_map(|f| &mut f.outputs);
    let places = outputs.map(|output| {
        let nodes = output.nodes.iter().enumerate();
        let places: Vec<usize> = nodes.filter(|(_, id)| is_zero(id)).map(|(i, _)| i).collect();
        output.nodes.retain(|id| !is_zero(id));
        places
    });
    places.collect()
}

/// Inserts the zero entries of all outputs again at their indices.
pub fn restore_zero_entries(program: &mut Program, zeros: &Zeros) {
    let zero = program.graph.number(Number::ZERO);
    let outputs = program.functions.iter_mut().flat_map(|f| &mut f.outputs);
    for (output, places) in outputs.zip(zeros).filter(|(_, places)| !places.is_empty()) {
        let mut kept = output.nodes.iter().copied();
        let mut places = places.iter().peekable();
        let length = output.nodes.len() + places.len();
        output.nodes = (0..length)
            .map(|i| match places.next_if(|place| **place == i) {
                Some(_) => zero,
                None => kept.next().unwrap_or(zero),
            })
            .collect();
    }
}
