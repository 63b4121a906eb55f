//! What a page computes in one go.

use dqdt_graph::ir::NodeId;

/// A statement, or a value that a body hands out without one.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// What it gives.
    pub values: Vec<NodeId>,
    /// The body that it stands in, by number.
    pub function: usize,
    /// The comment that it stands under.
    pub section: String,
}
