//! Roots: the values that a body exports.

use std::sync::Arc;

use crate::ir::NodeId;

/// A value that a function or block exports.
#[derive(Clone, Debug)]
pub struct Root {
    /// The exported value.
    pub node: NodeId,
    /// Name for its temporaries; empty if it has none.
    pub name: String,
    /// Section heading of temporaries that belong to no label.
    pub heading: Arc<str>,
}
