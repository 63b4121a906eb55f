//! Poses on both sides of the switches in constraint formulas.
//!
//! Problem: rows that are redundant on one side of a condition, a limit or a knot may be
//!          independent on the other, where no sampled pose near the start lies.
//! Method:  the rows are recorded with the coordinates as symbols; `ir::SwitchSearch` finds
//!          candidates numerically, with translations in units of the mechanism's size. Each is
//!          assembled, and dropped if that fails. The rank of the rows is also computed at these
//!          poses (`rank`).
//!
//! Not handled: switches that depend on speeds or time, which no choice of rank follows.

use super::Manifold;
use super::manifold::TOLERANCE;
use super::solve::solve_positions;
use dqdt_algebra::{Number, Scalar};
use dqdt_graph::ir::{Graph, Space, SwitchSearch, SymbolKind, Tracer, find_switches};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Mechanism, Partition, joint};

/// Maximum number of poses beside switches of constraint formulas that are assembled.
const MOST: usize = 48;
/// Largest power of ten of a coordinate in the search for switches, in sizes of the mechanism or
/// radians.
const LARGEST: i32 = 6;

/// Assembled poses on both sides of the switches in the rows; empty without switches.
pub(super) fn find_switch_poses(manifold: &Manifold<'_>, t: f64, q: &[f64]) -> Vec<Vec<f64>> {
    let m = manifold.mechanism;
    let graph = Graph::new();
    let number = |n: Number| Tracer::number(&graph, n);
    let constant = |x: f64| number(Number::float(x));
    let coordinates: Vec<Tracer<'_>> = (m.coordinates.iter().enumerate())
        .map(|(i, c)| Tracer::new(&graph, graph.symbol(&c.name, SymbolKind::Coordinate(i))))
        .collect();
    let parameters: Vec<Tracer<'_>> = manifold.parameters.iter().map(|p| constant(*p)).collect();
    let [v, z, u] = [m.nv(), m.states.len(), m.inputs.len()].map(|n| vec![Tracer::ZERO; n]);
    let env = Environment {
        number: &number,
        t: constant(t),
        q: &coordinates,
        v: &v,
        z: &z,
        u: &u,
        p: &parameters,
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: None,
        partition: Partition::ALL_ROWS,
    };
    let rows = kinematics::constraint_rows(m, &env);
    let residuals = kinematics::position_residuals(m, &env);
    let entries = rows.iter().flat_map(|r| &r.jacobian).chain(&residuals);
    let outputs: Vec<_> = entries.filter(|x| x.constant().is_none()).map(|x| x.id(&graph)).collect();
    let all = find_switches(&graph, &outputs);
    if all.is_empty() {
        return Vec::new();
    }
    let quaternions: Vec<[usize; 4]> = m
        .joints
        .iter()
        .filter_map(joint::free_quaternion)
        .map(|CoordinateId(i)| [i, i + 1, i + 2, i + 3])
        .collect();
    let units = coordinate_units(m);
    let space = Space::new((0..m.nq()).map(SymbolKind::Coordinate), &quaternions, |kind| match kind {
        SymbolKind::Coordinate(i) => units.get(i).copied().unwrap_or(1.0),
        _ => 1.0,
    });
    let start = search_variables(&space, q);
    let points = SwitchSearch::new(&graph, &outputs, &all, &space, LARGEST).find_points(vec![start]);
    let free = vec![true; m.nq()];
    let candidates = points.iter().take(MOST).filter(|p| p.at_zero.is_none());
    candidates
        .filter_map(|p| {
            let at: Vec<f64> =
                (0..m.nq()).map(|i| space.symbol_value(SymbolKind::Coordinate(i), &p.x)).collect();
            let (at, residual) = solve_positions(manifold, t, &at, &free);
            let is_assembled =
                residual.iter().all(|r| r.abs() < TOLERANCE) && manifold.axes_are_aligned(t, &at);
            is_assembled.then_some(at)
        })
        .collect()
}

/// Unit of each coordinate: the size of the mechanism for translations, else one.
fn coordinate_units(m: &Mechanism) -> Vec<f64> {
    let size = formalism::default_mechanism_length(m);
    m.coordinates
        .iter()
        .map(|c| if c.dimension.is_translational() && size > 0.0 { size } else { 1.0 })
        .collect()
}

/// A pose as variables of the search space; a quaternion has three.
fn search_variables(space: &Space, q: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; space.len()];
    for (kind, i) in space.plain() {
        if let SymbolKind::Coordinate(c) = kind {
            x[i] = q[c];
        }
    }
    for (group, first) in space.quaternions() {
        let below = 1.0 + q[group[0]].max(-0.999);
        for (k, c) in group[1..].iter().enumerate() {
            x[first + k] = q[*c] / below;
        }
    }
    x
}
