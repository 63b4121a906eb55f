//! What of a report is too long to be read.
//!
//! Problem: an engineer opens seven degrees of freedom for two pages and gets forty.
//! Method:  where nobody asked for a form, what is longer than about a page is left out, and the report says where it is complete: the
//!          equations step by step, the rest by its section. Of what would be far longer no closed form is made: the tree of its
//!          operations, common parts written out, says so beforehand. Not where a few speeds are eliminated: what Gauss and Jordan
//!          leave is large as it stands, and often short once factors that cancel have gone.

use super::groups::{Arrangement, GroupRole, Quantities, QuantityGroup};
use super::view::Part;
use dqdt_derivation::assemble::Assembled;
use dqdt_document::report::Math;
use dqdt_graph::ir::{Graph, NodeId};

/// Characters of the equations in one form, or of a section, that are still read.
const READABLE: usize = 5_000;
/// Operations, common parts written out, beyond which the closed form of a section is never that short.
const WRITTEN_OUT: u64 = 60_000;
/// Speeds up to which eliminated ones are tried in closed form.
const ELIMINATED: usize = 8;

/// What was left out, by what takes its place.
#[derive(Default)]
pub(super) struct LeftOut {
    /// The closed equations of motion: they stand step by step.
    pub equations: bool,
    /// From which place on forms are left out, where those before them stay.
    pub forms: Option<usize>,
    /// Rows of constraints.
    pub constraints: bool,
    /// The energies.
    pub energy: bool,
    /// Poses and velocities in ground axes: they stand from body to body.
    pub kinematics: bool,
    /// Partial velocities.
    pub partial: bool,
    /// Vectors of the tree.
    pub topology: bool,
}

/// What stays or goes together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// By the first of the forms that it is shown with.
    Equations(usize),
    Constraints,
    Energy,
    Kinematics,
    Partial,
    Topology,
    /// Always there.
    Kept,
}

fn unit(g: &QuantityGroup, place: Option<usize>) -> Unit {
    match g.part {
        _ if g.nodes.is_empty() && g.part != Part::Equations => Unit::Kept,
        Part::Equations if !g.forms.is_empty() => Unit::Equations(place.unwrap_or(0)),
        Part::Constraints => Unit::Constraints,
        Part::Energy => Unit::Energy,
        Part::Kinematics if matches!(g.role, GroupRole::Rates | GroupRole::Relative) => Unit::Kept,
        Part::Kinematics if g.heading.starts_with("Partial") => Unit::Partial,
        Part::Kinematics => Unit::Kinematics,
        Part::Topology => Unit::Topology,
        _ => Unit::Kept,
    }
}

/// Leaves out what is too long by `length`, which says how long a group is, and `None` if it has no closed form that can be read.
/// `equations` and `others`: whether these may go. True for the groups that stay.
pub(super) fn kept(
    q: &Quantities,
    left: &mut LeftOut,
    place: &dyn Fn(&QuantityGroup) -> Option<usize>,
    length: &dyn Fn(usize) -> Option<usize>,
    [equations, others]: [bool; 2],
) -> Vec<bool> {
    let units: Vec<Unit> = q.groups.iter().map(|g| unit(g, place(g))).collect();
    let too_long = |wanted: Unit| {
        let lengths = units.iter().enumerate().filter(|(_, u)| **u == wanted).map(|(i, _)| length(i));
        lengths.sum::<Option<usize>>().is_none_or(|sum| sum > READABLE)
    };
    // What several forms have stands at the first of them, so none stays without those before it.
    let forms = units.iter().filter_map(|u| if let Unit::Equations(k) = u { Some(*k) } else { None }).max();
    let first = forms.filter(|_| equations).and_then(|n| (0..=n).find(|k| too_long(Unit::Equations(*k))));
    left.equations |= first == Some(0);
    left.forms = first.or(left.forms);
    left.constraints |= others && too_long(Unit::Constraints);
    left.energy |= others && too_long(Unit::Energy);
    left.kinematics |= others && too_long(Unit::Kinematics);
    // Partial velocities and vectors in ground axes say little without the poses.
    left.partial |= left.kinematics || others && too_long(Unit::Partial);
    left.topology |= left.kinematics || others && too_long(Unit::Topology);
    let goes = |u: &Unit| match u {
        Unit::Equations(k) => left.forms.is_some_and(|first| *k >= first),
        Unit::Constraints => left.constraints,
        Unit::Energy => left.energy,
        Unit::Kinematics => left.kinematics,
        Unit::Partial => left.partial,
        Unit::Topology => left.topology,
        Unit::Kept => false,
    };
    units.iter().map(|u| !goes(u)).collect()
}

/// The length of a group before it has closed forms: nothing, or `None` if it is hopeless.
pub(super) fn estimated(q: &Quantities, loaded: &Assembled) -> impl Fn(usize) -> Option<usize> {
    let shortens = !loaded.partition.eliminated.is_empty() && loaded.mechanism.nv() <= ELIMINATED;
    let sizes = written_out(&q.graph);
    let hopeless: Vec<bool> = (q.groups.iter())
        .map(|g| g.nodes.iter().map(|n| size(&sizes, *n)).fold(0, u64::saturating_add) > WRITTEN_OUT)
        .collect();
    move |group| (shortens || !hopeless[group]).then_some(0)
}

/// The length of a group by its closed forms, in the characters of a terminal.
pub(super) fn printed(q: &Quantities, forms: &[Result<Math, String>]) -> impl Fn(usize) -> Option<usize> {
    let mut rest = forms;
    let mut lengths = Vec::new();
    for group in &q.groups {
        let (own, next) = rest.split_at(group.nodes.len().min(rest.len()));
        rest = next;
        let one = |f: &Result<Math, String>| f.as_ref().ok().map(|math| math.text().chars().count());
        // A matrix of small entries takes little room.
        let blank = usize::from(matches!(group.arrangement, Arrangement::Matrix(..)));
        lengths
            .push(own.iter().map(|f| one(f).map(|n| if n == 1 { blank } else { n })).sum::<Option<usize>>());
    }
    move |group| lengths.get(group).copied().flatten()
}

/// Operations of each node with what is shared written out each time.
fn written_out(graph: &Graph) -> Vec<u64> {
    let mut sizes: Vec<u64> = Vec::with_capacity(graph.len());
    for i in 0..graph.len() {
        let node = graph.node(NodeId(i as u32));
        let own = node.args().iter().map(|a| size(&sizes, *a)).fold(1, u64::saturating_add);
        sizes.push(own);
    }
    sizes
}

fn size(sizes: &[u64], node: NodeId) -> u64 {
    sizes.get(node.0 as usize).copied().unwrap_or(u64::MAX)
}
