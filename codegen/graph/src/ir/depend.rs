//! Dependency groups of values.

use super::graph::Graph;
use super::node::{NodeId, Op, SymbolKind};

/// Kinds of values by what they need, cheapest to know first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Numbers only.
    Constant,
    /// Parameters: computed once, in `Model::new`.
    Parameter,
    /// `t` and `q`.
    Pose,
    /// `v` (or independent rates) besides.
    Motion,
    /// `z` and `u` besides.
    Input,
    /// Given accelerations and auxiliary unknowns besides.
    Acceleration,
}

impl Group {
    /// The group of a symbol.
    pub fn of_symbol(kind: SymbolKind) -> Self {
        match kind {
            SymbolKind::Parameter(_) => Group::Parameter,
            SymbolKind::Time | SymbolKind::Coordinate(_) | SymbolKind::Length(_) => Group::Pose,
            SymbolKind::Speed(_) | SymbolKind::Rate(_) => Group::Motion,
            SymbolKind::State(_) | SymbolKind::Input(_) => Group::Input,
            SymbolKind::Acceleration(_)
            | SymbolKind::Auxiliary(_)
            | SymbolKind::Impulse(_)
            | SymbolKind::Effort(_)
            | SymbolKind::Contact(_)
            | SymbolKind::Named(_) => Group::Acceleration,
        }
    }
}

/// The group of every node, in one walk.
pub fn groups(graph: &Graph) -> Vec<Group> {
    let mut groups = Vec::with_capacity(graph.len());
    extend(graph, &mut groups);
    groups
}

/// Adds the groups of the nodes that were recorded since.
pub(super) fn extend(graph: &Graph, groups: &mut Vec<Group>) {
    for index in groups.len()..graph.len() {
        let node = graph.node(NodeId(index as u32));
        groups.push(match node.op {
            Op::Symbol(s) => Group::of_symbol(graph.symbol_info(s).kind),
            _ => node.args().iter().map(|a| groups[a.0 as usize]).max().unwrap_or(Group::Constant),
        });
    }
}
