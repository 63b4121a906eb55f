//! What a body hands out.

use std::sync::Arc;

use crate::ir::NodeId;

/// A value that the function hands out.
#[derive(Clone, Debug)]
pub struct Root {
    /// What.
    pub node: NodeId,
    /// What its temporaries are named after.
    pub name: String,
    /// Section of temporaries that serve no label.
    pub heading: Arc<str>,
}
