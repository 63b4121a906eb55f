//! Letters for the lengths along which loads act.
//!
//! Problem: the force of a spring between points is `k (1 − l0/√(…)) (…)`. Its root occurs in every
//!          equation, and its products with speeds and lever arms fill a page. Papers denote the
//!          length by a letter.
//! Method:  the symbol `ell_rope`, ℓ, replaces the root in all quantities of a report, and one
//!          equation defines it. Forces and energies contain the root in different expressions, so
//!          equal roots are recognised by their values at a few points.
//! Limits:  constant lengths and lengths of one term, |x|, get no letter; they are short already.

use super::groups::{Arrangement, GroupRole, QuantityGroup, Recorder};
use super::letters;
use super::view::Part;
use dqdt_algebra::Scalar;
use dqdt_document::report::Math;
use dqdt_graph::ir::{
    Graph, NodeId, Op, SymbolKind, Tracer, evaluate, is_single_product, mark_needed, substitute_symbols,
};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{self, Kinematics};
use dqdt_mechanics::mechanism::{Environment, Mechanism};

/// Heading of the section that defines the letters for lengths between points.
pub const LENGTHS: &str = "Lengths between points";
/// Number of pseudo-random poses at which roots are compared with lengths of loads.
const POINTS: usize = 3;

/// The length along which a load acts.
pub(super) struct LoadLength<'g> {
    /// Index of the load in the mechanism.
    pub load: usize,
    /// The length \[m\], recorded in the graph.
    length: Tracer<'g>,
}

/// Name of the symbol for the length of a load, `ell_rope`.
pub(super) fn length_symbol_name(m: &Mechanism, load: &str) -> String {
    let name = format!("ell_{}", letters::to_identifier(load));
    // A trailing `dot` in the name of a load does not mean a derivative.
    let name = if name.ends_with("dot") { format!("{name}_line") } else { name };
    letters::unused_name(m, name)
}

/// Lengths of all loads that divide by theirs, each with its symbol.
pub fn load_lengths<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
) -> Vec<(SymbolKind, S)> {
    let squared = formalism::squared_line_lengths(m, k, env).into_iter();
    squared
        .filter_map(|(name, x)| {
            let load = m.loads.iter().position(|l| l.name == name)?;
            Some((SymbolKind::Length(load), x.sqrt()))
        })
        .collect()
}

/// Adds the equations that define the letters, and returns the lengths that have one.
pub(super) fn record_lengths<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    k: &Kinematics<Tracer<'g>>,
    env: &Environment<'_, Tracer<'g>>,
) -> Vec<LoadLength<'g>> {
    let graph = r.graph;
    let mut lines: Vec<LoadLength<'g>> = (load_lengths(m, k, env).into_iter())
        .filter_map(|(kind, length)| match kind {
            SymbolKind::Length(load) => Some(LoadLength { load, length }),
            _ => None,
        })
        .collect();
    lines.retain(|line| length_needs_letter(m, graph, line.length.id(graph)));
    if !lines.is_empty() {
        r.set_part(Part::Equations, &[]);
        let names =
            lines.iter().map(|l| Math::identifier(&length_symbol_name(m, &m.loads[l.load].name))).collect();
        let values: Vec<Tracer<'g>> = lines.iter().map(|l| l.length).collect();
        let note = "lengths of the lines along which loads act [m]";
        r.push_group(LENGTHS, note, GroupRole::Length, Arrangement::Equations(names), &values);
    }
    lines
}

/// Replaces the roots by their letters in all groups except the definitions.
pub(super) fn replace_length_roots<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    groups: &mut [QuantityGroup],
    lines: &[LoadLength<'g>],
) {
    if lines.is_empty() {
        return;
    }
    let replacements = root_replacements(graph, m, groups, lines);
    for group in groups.iter_mut().filter(|g| g.role != GroupRole::Length) {
        let terms = group.sums.iter().flatten().flat_map(|t| [Some(t.coefficient), t.factor]).flatten();
        let old: Vec<Tracer<'g>> =
            group.nodes.iter().copied().chain(terms).map(|id| Tracer::new(graph, id)).collect();
        let mut new = substitute_symbols(graph, &old, &replacements).into_iter().map(|x| x.id(graph));
        for node in &mut group.nodes {
            *node = new.next().unwrap_or(*node);
        }
        for term in group.sums.iter_mut().flatten() {
            term.coefficient = new.next().unwrap_or(term.coefficient);
            term.factor = term.factor.map(|factor| new.next().unwrap_or(factor));
        }
    }
}

/// True if any of these values depends on a length's symbol.
pub(super) fn depend_on_lengths(graph: &Graph, values: &[NodeId]) -> bool {
    let needed = mark_needed(graph, values).into_iter().enumerate();
    needed.filter(|(_, needed)| *needed).any(|(i, _)| match graph.node(NodeId(i as u32)).op {
        Op::Symbol(s) => matches!(graph.symbol_info(s).kind, SymbolKind::Length(_)),
        _ => false,
    })
}

/// Replacements for roots equal to a length, by its symbol, and for their radicands, by its square.
fn root_replacements<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    groups: &[QuantityGroup],
    lines: &[LoadLength<'g>],
) -> Vec<(NodeId, Tracer<'g>)> {
    let values: Vec<NodeId> = groups.iter().flat_map(|g| g.nodes.iter().copied()).collect();
    let roots: Vec<NodeId> = (mark_needed(graph, &values).into_iter().enumerate())
        .filter(|(_, needed)| *needed)
        .map(|(i, _)| NodeId(i as u32))
        .filter(|id| graph.node(*id).op == Op::Sqrt)
        .collect();
    let length_nodes: Vec<NodeId> = lines.iter().map(|l| l.length.id(graph)).collect();
    let root_values = values_at_poses(graph, m, &roots);
    let length_values = values_at_poses(graph, m, &length_nodes);
    let mut replacements = Vec::new();
    for (root, values) in roots.iter().zip(&root_values) {
        let place =
            (0..lines.len()).find(|i| length_nodes[*i] == *root || values_agree(values, &length_values[*i]));
        let Some(line) = place.map(|i| &lines[i]) else { continue };
        let kind = SymbolKind::Length(line.load);
        let symbol = Tracer::new(graph, graph.symbol(&length_symbol_name(m, &m.loads[line.load].name), kind));
        replacements.push((*root, symbol));
        replacements.extend(graph.node(*root).args().iter().map(|radicand| (*radicand, symbol * symbol)));
    }
    replacements
}

/// True if values at the same poses are equal up to rounding.
fn values_agree(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs())
}

/// True if a length is a root that changes with the pose and whose radicand has several terms.
fn length_needs_letter(m: &Mechanism, graph: &Graph, length: NodeId) -> bool {
    let values = values_at_poses(graph, m, &[length]).concat();
    let changes = values.iter().any(|x| (x - values[0]).abs() > 1e-9 * x.abs());
    let radicand = graph.node(length).args().first().copied().unwrap_or(length);
    graph.node(length).op == Op::Sqrt && changes && !is_single_product(graph, radicand)
}

/// Values of nodes at [`POINTS`] poses, by node; parameters are the same in all poses.
fn values_at_poses(graph: &Graph, m: &Mechanism, values: &[NodeId]) -> Vec<Vec<f64>> {
    let mut by_value = vec![Vec::with_capacity(POINTS); values.len()];
    for k in 0..POINTS {
        let pose = pseudo_random_pose(m, k);
        let at_pose = evaluate(graph, values, |kind| match kind {
            SymbolKind::Coordinate(i) => pose.get(i).copied().unwrap_or(0.0),
            SymbolKind::Parameter(_) => pseudo_random_value(kind, 0),
            _ => pseudo_random_value(kind, k),
        });
        for (list, x) in by_value.iter_mut().zip(at_pose) {
            list.push(x);
        }
    }
    by_value
}

/// Pseudo-random coordinates of test pose `k`; quaternions are normalised.
pub(super) fn pseudo_random_pose(m: &Mechanism, k: usize) -> Vec<f64> {
    let mut q: Vec<f64> = (0..m.nq()).map(|i| pseudo_random_value(SymbolKind::Coordinate(i), k)).collect();
    for first in kinematics::quaternion_starts(m) {
        let part = q.get_mut(first.quaternion_range()).unwrap_or_default();
        let length = part.iter().map(|x| x * x).sum::<f64>().sqrt();
        part.iter_mut().for_each(|x| *x /= length);
    }
    q
}

/// Pseudo-random value of a symbol between 0.3 and 1.3. Differences of coordinates also change from
/// one pose to the next.
pub(super) fn pseudo_random_value(kind: SymbolKind, k: usize) -> f64 {
    let (class, index) = kind.place();
    let (index, k) = (index as f64, k as f64);
    let step = 0.754_877_666_246_692_8 * k * (1.0 + 0.569_840_290_998_053_2 * index);
    0.3 + (0.137 * f64::from(class) + 0.618_033_988_749_894_9 * (index + 1.0) + step).fract()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_samples::random::random_mechanism;

    #[test]
    fn differences_of_coordinates_change_from_pose_to_pose() {
        let m = random_mechanism(3, 6).mechanism;
        let [a, b] = [pseudo_random_pose(&m, 0), pseudo_random_pose(&m, 1)];
        for i in 1..m.nq() {
            let turned = (a[i] - a[i - 1]) - (b[i] - b[i - 1]);
            assert!((turned - turned.round()).abs() > 1e-3, "{i}: {turned}");
        }
    }

    #[test]
    fn names_of_lengths_are_no_derivatives_and_none_of_the_mechanism() {
        let m = random_mechanism(1, 2).mechanism;
        assert_eq!(length_symbol_name(&m, "rope"), "ell_rope");
        assert_eq!(length_symbol_name(&m, "x_dot"), "ell_x_dot_line");
        let mut occupied = m;
        occupied.coordinates[0].name = "ell_rope".to_owned();
        assert_eq!(length_symbol_name(&occupied, "rope"), "ell_rope_");
    }
}
