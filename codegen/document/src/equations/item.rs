//! One unit of computation on a page of equations.

use dqdt_graph::ir::NodeId;

/// One equation to be placed on a page: a statement of an emitted body, or a result that the body
/// returns without a statement of its own.
#[derive(Clone, Debug)]
pub(super) struct PageItem {
    /// Graph nodes of the values that the statement or result defines.
    pub values: Vec<NodeId>,
    /// Index of the body (`Model::new`, block or function) that contains the item, see `places`.
    pub function: usize,
    /// Heading of the section in the emitted code that contains the item.
    pub section: String,
}
