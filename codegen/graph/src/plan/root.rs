//! Roots: the values that a body exports.

use std::sync::Arc;

use crate::ir::NodeId;

/// A value that the body of a function or block exports: an output entry, a divisor, or a value for
/// other bodies.
#[derive(Clone, Debug)]
pub struct Root {
    /// The value that the body exports.
    pub node: NodeId,
    /// Name after which temporaries of its computation are named; empty if it has none.
    pub name: String,
    /// Heading of the paragraph of emitted code for temporaries that belong to no label.
    pub heading: Arc<str>,
}
