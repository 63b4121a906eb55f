//! Second derivatives of a recorded scalar, node by node.
//!
//! Method:  the gradient by reverse differentiation (`ir::gradient`), then its derivatives along
//!          each variable (`ir::Tangents`).
//! Order:   of each pair, the sweep along the variable closer to the root reads the gradient by the
//!          one further out, so that it reaches only bodies that are further out.

use super::derivation::Derivation;
use super::directions::{Direction, DirectionKind};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::{NodeId, Tangents, Tracer, gradient};
use dqdt_mechanics::mechanism::Mechanism;

/// A symmetric matrix of second derivatives by the variables, and the mixed ones by a variable
/// (row) and an acceleration (column).
#[derive(Clone)]
pub(super) struct SecondDerivatives<'g> {
    pub(super) by_variables: Vec<Vec<Tracer<'g>>>,
    pub(super) by_accelerations: Vec<Vec<Tracer<'g>>>,
}

/// Second derivatives of a scalar by variables, each of which changes one symbol, and by symbols of
/// accelerations. Entries that are not `wanted`, by two indices, are zero; the indices of the
/// accelerations follow those of the variables.
pub(super) fn differentiate_twice<'g>(
    d: &Derivation<'g, '_>,
    scalar: Tracer<'g>,
    variables: &[Direction<'g>],
    accelerations: &[Tracer<'g>],
    wanted: &dyn Fn(usize, usize) -> bool,
) -> SecondDerivatives<'g> {
    let n = variables.len();
    let symbols: Vec<NodeId> = (variables.iter().flat_map(|x| &x.seeds).map(|(symbol, _)| *symbol))
        .chain(accelerations.iter().map(|a| d.node_id(*a)))
        .collect();
    let slopes = gradient(d.graph, scalar, &symbols);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|i| rank(d.m, variables[*i].kind));
    let mut out = SecondDerivatives {
        by_variables: vec![vec![Tracer::ZERO; n]; n],
        by_accelerations: vec![vec![Tracer::ZERO; accelerations.len()]; n],
    };
    for (place, i) in order.iter().copied().enumerate() {
        let others = order[place..].iter().copied().chain(n..symbols.len());
        let others: Vec<usize> = others.filter(|j| wanted(i, *j) && !slopes[*j].is_zero()).collect();
        let read: Vec<Tracer<'g>> = others.iter().map(|j| slopes[*j]).collect();
        let along = Tangents::new(d.graph, &read).derivatives_along(&variables[i].seeds, &variables[i].name);
        for (j, x) in others.into_iter().zip(along) {
            match j.checked_sub(n) {
                Some(k) => out.by_accelerations[i][k] = x,
                None => {
                    out.by_variables[i][j] = x;
                    out.by_variables[j][i] = x;
                }
            }
        }
    }
    out
}

/// Sort key of a variable: the joint, from the root outwards, with its speeds first; then user
/// states and inputs, then parameters.
fn rank(m: &Mechanism, kind: DirectionKind) -> (usize, usize) {
    match kind {
        DirectionKind::Speed(j) => (m.speeds[j].joint.index(), 0),
        DirectionKind::Coordinate(i) => (m.coordinates[i].joint.index(), 1),
        DirectionKind::Attitude { joint, .. } => (joint.index(), 1),
        DirectionKind::Other | DirectionKind::Combined => (usize::MAX, 0),
        DirectionKind::Parameter => (usize::MAX, 1),
    }
}

/// The lower triangle of a symmetric matrix, diagonal included, one list a row.
pub(super) fn lower_triangle<'g>(all: &[Vec<Tracer<'g>>]) -> Vec<Vec<Tracer<'g>>> {
    all.iter().enumerate().map(|(i, row)| row[..=i].to_vec()).collect()
}
