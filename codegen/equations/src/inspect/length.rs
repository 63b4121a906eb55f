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
/// Largest number of speeds for which closed forms are tried despite a large tree, if speeds are
/// eliminated.
const ELIMINATED: usize = 8;

/// Parts that were omitted for their length.
#[derive(Default)]
pub(super) struct LeftOut {
    /// True if the closed equations of motion were omitted; they are printed step by step instead.
    pub equations: bool,
    /// Position of the first omitted form; the forms before it remain.
    pub forms: Option<usize>,
    /// True if the constraint rows were omitted.
    pub constraints: bool,
    /// True if the energies were omitted.
    pub energy: bool,
    /// True if poses and velocities in ground axes were omitted; relative ones are printed instead.
    pub kinematics: bool,
    /// True if the partial velocities were omitted.
    pub partial: bool,
    /// True if the vectors of the tree in ground axes were omitted.
    pub topology: bool,
}

/// Groups that are omitted or kept together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Equations of motion, by the position of the first form in which they are shown.
    Equations(usize),
    Constraints,
    Energy,
    Kinematics,
    Partial,
    Topology,
    /// Never omitted.
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

/// Decides by length which groups of a report to keep: true for each group that remains. `length`
/// returns the length of a group, `None` if it has no readable closed form. `equations` and
/// `others` permit omission of equations of motion and of all other parts.
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
    // A group shared by several forms counts for the first of them, so no form remains without
    // those before it.
    let forms = units.iter().filter_map(|u| if let Unit::Equations(k) = u { Some(*k) } else { None }).max();
    let first = forms.filter(|_| equations).and_then(|n| (0..=n).find(|k| too_long(Unit::Equations(*k))));
    left.equations |= first == Some(0);
    left.forms = first.or(left.forms);
    left.constraints |= others && too_long(Unit::Constraints);
    left.energy |= others && too_long(Unit::Energy);
    left.kinematics |= others && too_long(Unit::Kinematics);
    // Partial velocities and vectors in ground axes are of little use without the poses.
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

/// Estimated length of a group before closed forms exist: 0, or `None` if its tree is too large.
pub(super) fn estimated(q: &Quantities, loaded: &Assembled) -> impl Fn(usize) -> Option<usize> {
    let shortens = !loaded.partition.eliminated.is_empty() && loaded.mechanism.nv() <= ELIMINATED;
    let sizes = written_out(&q.graph);
    let hopeless: Vec<bool> = (q.groups.iter())
        .map(|g| g.nodes.iter().map(|n| size(&sizes, *n)).fold(0, u64::saturating_add) > WRITTEN_OUT)
        .collect();
    move |group| (shortens || !hopeless[group]).then_some(0)
}

/// Length of a group by its closed forms, in characters of a terminal; `None` if one has no form.
pub(super) fn printed(q: &Quantities, forms: &[Result<Math, String>]) -> impl Fn(usize) -> Option<usize> {
    let mut rest = forms;
    let mut lengths = Vec::new();
    for group in &q.groups {
        let (own, next) = rest.split_at(group.nodes.len().min(rest.len()));
        rest = next;
        let one = |f: &Result<Math, String>| f.as_ref().ok().map(|math| math.text().chars().count());
        // Entries of one character (mostly zeros) take little room in a matrix.
        let blank = usize::from(matches!(group.arrangement, Arrangement::Matrix(..)));
        lengths
            .push(own.iter().map(|f| one(f).map(|n| if n == 1 { blank } else { n })).sum::<Option<usize>>());
    }
    move |group| lengths.get(group).copied().flatten()
}

/// Operations of each node in the expanded tree, with shared operands counted at each use.
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
