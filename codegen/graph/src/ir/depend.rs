//! Dependency groups: the kinds of symbols that a value depends on.

use super::graph::Graph;
use super::node::{NodeId, Op, SymbolKind};

/// Dependency group of a value: the kinds of symbols that it depends on. In order: a group includes
/// the earlier ones. Emitted code computes values as early as their group permits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The value depends on constants only: evaluated at emission.
    Constant,
    /// The value depends on parameters: computed once, in `Model::new`.
    Parameter,
    /// The value depends on time, coordinates, or lengths along loads.
    Pose,
    /// The value depends on speeds or independent coordinate rates.
    Motion,
    /// The value depends on user states or inputs.
    Input,
    /// The value depends on arguments such as accelerations, impulses, efforts, contact flags and
    /// costates, or on auxiliary unknowns.
    Acceleration,
}

impl Group {
    /// The dependency group of a symbol of this kind.
    pub fn from_symbol(kind: SymbolKind) -> Self {
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
            | SymbolKind::Costate(_)
            | SymbolKind::Named(_) => Group::Acceleration,
        }
    }
}

/// The dependency group of every node of the graph, in node order.
pub fn dependency_groups(graph: &Graph) -> Vec<Group> {
    let mut groups = Vec::with_capacity(graph.len());
    extend_groups(graph, &mut groups);
    groups
}

/// Appends to `groups` the groups of the nodes recorded since the last call.
pub(super) fn extend_groups(graph: &Graph, groups: &mut Vec<Group>) {
    for index in groups.len()..graph.len() {
        let node = graph.node(NodeId(index as u32));
        groups.push(match node.op {
            Op::Symbol(s) => Group::from_symbol(graph.symbol_info(s).kind),
            _ => node.args().iter().map(|a| groups[a.0 as usize]).max().unwrap_or(Group::Constant),
        });
    }
}
