//! The symbolic engine as the command uses it: in a child process.

use crate::emit::report::MathText;
use crate::ir::{Graph, NodeId};
use crate::mechanism::Mechanism;

pub(super) fn closed_forms(_m: &Mechanism) -> impl FnMut(&Graph, &[NodeId]) -> Vec<Result<MathText, String>> {
    |_, nodes| nodes.iter().map(|_| Err("no symbolic engine".to_owned())).collect()
}
