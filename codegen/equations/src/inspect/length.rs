//! Selection of the parts of a report that are too long to read.
//!
//! Problem: for a robot with seven degrees of freedom an engineer expects two pages, and would get
//!          forty.
//! Method:  unless the user requests a form, parts longer than about a page are omitted, and the
//!          report says where they are complete: the equations step by step, the rest by section.
//!          For parts that would be far longer, no closed form is computed at all: the size of the
//!          expanded tree of operations tells in advance. This estimate is not used where a few
//!          speeds are eliminated, since Gauss–Jordan results are large in the graph but often
//!          short once common factors cancel.

use super::groups::{Arrangement, GroupRole, Quantities, QuantityGroup};
use super::view::Part;
use dqdt_derivation::assemble::Assembled;
use dqdt_document::report::Math;
use dqdt_graph::ir::{Graph, NodeId};

/// Largest length, in characters, of the equations in one form or of a section that is still
/// printed.
const READABLE: usize = 5_000;
/// Number of operations in the expanded tree beyond which a closed form is never shorter than
/// [`READABLE`].
const WRITTEN_OUT: u64 = 60_000;
/// Largest number of speeds for which closed forms are tried despite a large tree of operations, if
/// speeds are eliminated.
const ELIMINATED: usize = 8;

/// Parts of a report that were omitted since they are too long to read.
#[derive(Default)]
pub(super) struct Omissions {
    /// True if the closed equations of motion were omitted; they are printed step by step instead.
    pub equations: bool,
    /// Position of the first omitted form; the forms before it remain.
    pub forms: Option<usize>,
    /// True if the constraint rows were omitted.
    pub constraints: bool,
    /// True if the closed forms of the energies were omitted.
    pub energy: bool,
    /// True if poses and velocities in ground axes were omitted; relative ones are printed instead.
    pub kinematics: bool,
    /// True if the partial velocities of the bodies were omitted.
    pub partial: bool,
    /// True if the vectors of the tree in ground axes were omitted.
    pub topology: bool,
}

/// Parts of the report that may be omitted, since the user did not request them.
#[derive(Clone, Copy)]
pub(super) struct MayOmit {
    /// True if equations of motion may be omitted: the user named no form.
    pub equations: bool,
    /// True if all other parts may be omitted.
    pub others: bool,
}

/// Groups of a report that are omitted or kept together for their length.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Equations of motion, by the position of the first form in which they are shown.
    Equations(usize),
    Constraints,
    Energy,
    Kinematics,
    Partial,
    Topology,
    /// Groups that are never omitted.
    Always,
}

impl Omissions {
    /// True if the groups of this unit are omitted.
    fn is_omitted(&self, unit: Unit) -> bool {
        match unit {
            Unit::Equations(form) => self.forms.is_some_and(|first| form >= first),
            Unit::Constraints => self.constraints,
            Unit::Energy => self.energy,
            Unit::Kinematics => self.kinematics,
            Unit::Partial => self.partial,
            Unit::Topology => self.topology,
            Unit::Always => false,
        }
    }
}

/// Unit of a group; `place` is the position of the first form in which it is shown.
fn omission_unit(g: &QuantityGroup, place: Option<usize>) -> Unit {
    match g.part {
        _ if g.nodes.is_empty() && g.part != Part::Equations => Unit::Always,
        Part::Equations if !g.forms.is_empty() => Unit::Equations(place.unwrap_or(0)),
        Part::Constraints => Unit::Constraints,
        Part::Energy => Unit::Energy,
        Part::Kinematics if matches!(g.role, GroupRole::Rates | GroupRole::Relative) => Unit::Always,
        Part::Kinematics if g.heading.starts_with("Partial") => Unit::Partial,
        Part::Kinematics => Unit::Kinematics,
        Part::Topology => Unit::Topology,
        _ => Unit::Always,
    }
}

/// Decides by length which groups of a report to keep: true for each group that remains. `length`
/// returns the length of a group, `None` if it has no readable closed form.
pub(super) fn select_groups(
    q: &Quantities,
    omissions: &mut Omissions,
    place: &dyn Fn(&QuantityGroup) -> Option<usize>,
    length: &dyn Fn(usize) -> Option<usize>,
    MayOmit { equations, others }: MayOmit,
) -> Vec<bool> {
    let units: Vec<Unit> = q.groups.iter().map(|g| omission_unit(g, place(g))).collect();
    let is_too_long = |wanted: Unit| {
        let lengths = units.iter().enumerate().filter(|(_, u)| **u == wanted).map(|(i, _)| length(i));
        lengths.sum::<Option<usize>>().is_none_or(|sum| sum > READABLE)
    };
    // A group shared by several forms counts for the first of them, so no form remains without
    // those before it.
    let forms = units.iter().filter_map(|u| if let Unit::Equations(k) = u { Some(*k) } else { None }).max();
    let first = forms.filter(|_| equations).and_then(|n| (0..=n).find(|k| is_too_long(Unit::Equations(*k))));
    omissions.equations |= first == Some(0);
    omissions.forms = first.or(omissions.forms);
    omissions.constraints |= others && is_too_long(Unit::Constraints);
    omissions.energy |= others && is_too_long(Unit::Energy);
    omissions.kinematics |= others && is_too_long(Unit::Kinematics);
    // Partial velocities and vectors in ground axes are of little use without the poses.
    omissions.partial |= omissions.kinematics || others && is_too_long(Unit::Partial);
    omissions.topology |= omissions.kinematics || others && is_too_long(Unit::Topology);
    units.iter().map(|unit| !omissions.is_omitted(*unit)).collect()
}

/// Estimated length of a group before closed forms exist: 0, or `None` if its tree is too large.
pub(super) fn estimate_lengths(q: &Quantities, loaded: &Assembled) -> impl Fn(usize) -> Option<usize> {
    let shortens = !loaded.partition.eliminated.is_empty() && loaded.mechanism.nv() <= ELIMINATED;
    let sizes = expanded_sizes(&q.graph);
    let hopeless: Vec<bool> = (q.groups.iter())
        .map(|g| g.nodes.iter().map(|n| expanded_size(&sizes, *n)).fold(0, u64::saturating_add) > WRITTEN_OUT)
        .collect();
    move |group| (shortens || !hopeless[group]).then_some(0)
}

/// Length of a group by its closed forms, in characters of a terminal; `None` if one has no form.
pub(super) fn printed_lengths(
    q: &Quantities,
    forms: &[Result<Math, String>],
) -> impl Fn(usize) -> Option<usize> {
    let mut rest = forms;
    let mut lengths = Vec::new();
    for group in &q.groups {
        let (entries, next) = rest.split_at(group.nodes.len().min(rest.len()));
        rest = next;
        // Entries of one character (mostly zeros) take little room in a matrix.
        let blank = usize::from(matches!(group.arrangement, Arrangement::Matrix(..)));
        let characters = entries.iter().map(|form| Some(form.as_ref().ok()?.text().chars().count()));
        lengths.push(characters.map(|n| n.map(|n| if n == 1 { blank } else { n })).sum::<Option<usize>>());
    }
    move |group| lengths.get(group).copied().flatten()
}

/// Operations of each node in the expanded tree, with shared operands counted at each use.
fn expanded_sizes(graph: &Graph) -> Vec<u64> {
    let mut sizes: Vec<u64> = Vec::with_capacity(graph.len());
    for i in 0..graph.len() {
        let node = graph.node(NodeId(i as u32));
        let expanded = node.args().iter().map(|a| expanded_size(&sizes, *a)).fold(1, u64::saturating_add);
        sizes.push(expanded);
    }
    sizes
}

/// Operations of a node in the expanded tree; the largest number if the node is unknown.
fn expanded_size(sizes: &[u64], node: NodeId) -> u64 {
    sizes.get(node.0 as usize).copied().unwrap_or(u64::MAX)
}
