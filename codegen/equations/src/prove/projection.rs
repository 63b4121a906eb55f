//! Claims about the null-space matrix B of the constraints, and the equations projected on it.
//!
//! Problem: multipliers, elimination and projection (Maggi) must give the same motion. Their common
//!          basis is `v = B v_i + b`, `v̇ = B v̇_i + β`.
//! Method:  B, b and β by Gauss–Jordan elimination over the graph, independent of the formalisms.
//!          Proved are `A B = 0`, `A b + a₀ = 0`, `A β = γ`, and that `Bᵀ (M v̇ + c − Q − Aᵀ λ)` of
//!          Lagrange, λ being symbols, equals `Bᵀ (M v̇ + c − Q)` of Kane for `v̇ = B v̇_i + β`:
//!          the multipliers cancel.
//! Pairs:   assembly pairs rows with dependent speeds at the start; an identity holds wherever the
//!          pivots do not vanish.
//! Limits:  redundant rows are omitted: they vanish along B on the constraints only.

use super::claim::{
    Claim, FormalismPart, acceleration_symbols, auxiliary_symbols, implicit_equations, names_by_speed,
    node_ids, nonzero_dot_product, with_symbols,
};
use crate::inspect::{self, Elimination};
use crate::symbolic::{Assumptions, Expressions, Query};
use dqdt_algebra::Scalar;
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::kinematics::{self, ConstraintRow};
use dqdt_mechanics::mechanism::{Environment, Mechanism, SpeedId};

/// Largest number of terms of an exact proof of these claims: with many rows the entries of B are
/// quotients of large polynomials.
const TERMS: usize = 20_000;

/// Claims about B and the projected equations; none for a tree.
pub(super) fn projection_claims(loaded: &Assembled) -> Vec<Claim> {
    if loaded.mechanism.constraints.is_empty() {
        Vec::new()
    } else {
        [null_space_claim(loaded), projected_equations_claim(loaded)].into_iter().flatten().collect()
    }
}

/// The independent rows in the order of the pivots, and the elimination by them. `None` if some row
/// has no dependent speed in the initial pose.
pub(super) fn eliminate_at_start<'g>(
    m: &Mechanism,
    env: &Environment<'_, Tracer<'g>>,
) -> Option<(Vec<ConstraintRow<Tracer<'g>>>, Elimination<'g>)> {
    let all = kinematics::active_stabilised_rows(m, env);
    let pairs = &env.partition.basis.at_start;
    if pairs.len() != all.len() {
        return None;
    }
    let rows: Vec<_> = pairs.iter().map(|p| all[p.row.0].clone()).collect();
    let dependent: Vec<SpeedId> = pairs.iter().map(|p| p.speed()).collect();
    let elimination = Elimination::from_rows(m, &rows, &dependent).ok()?;
    Some((rows, elimination))
}

/// Claim that `A B = 0`, `A b + a₀ = 0` and `A β = γ`.
fn null_space_claim(loaded: &Assembled) -> Option<Claim> {
    let m = &loaded.mechanism;
    let graph = Graph::new();
    let n = m.nv();
    let mut entries = Vec::new();
    let (left, right) = with_symbols(&graph, m, &loaded.partition, |env| {
        let (rows, e) = eliminate_at_start(m, env)?;
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let (drift, beta) = (e.drift(n), e.acceleration_offset(&rows, n));
        for row in &rows {
            for free in e.independent_speeds(n) {
                left.push(nonzero_dot_product(&row.jacobian, &e.null_space_column(n, free)));
                right.push(Tracer::ZERO);
                entries.push(format!("A B: row `{}`, column `{}`", row.name, m.speeds[free].name));
            }
            left.extend([
                nonzero_dot_product(&row.jacobian, &drift),
                nonzero_dot_product(&row.jacobian, &beta),
            ]);
            right.extend([-row.drift, row.gamma]);
            entries.extend([format!("A b + a₀: row `{}`", row.name), format!("A β = γ: row `{}`", row.name)]);
        }
        Some((left, right))
    })?;
    Some(Claim {
        title: "constraints: A B = 0 for their null-space matrix B, A b + a₀ = 0, A β = γ".to_owned(),
        entries,
        query: Query::ProveEqual {
            left: Expressions::new(&graph, &node_ids(&graph, &left)),
            right: Expressions::new(&graph, &node_ids(&graph, &right)),
        },
        assumptions: Assumptions { limit: TERMS, together: true, ..inspect::engine_assumptions(m) },
        about: Some((Formalism::MaggiCoordinates, FormalismPart::Equations)),
    })
}

/// Claim that `Bᵀ (M v̇ + c − Q − Aᵀ λ)` of Lagrange equals `Bᵀ (M v̇ + c − Q)` of Kane.
fn projected_equations_claim(loaded: &Assembled) -> Option<Claim> {
    let m = &loaded.mechanism;
    let graph = Graph::new();
    let n = m.nv();
    let mut entries = names_by_speed(m, &["row"]);
    let (left, right) = with_symbols(&graph, m, &loaded.partition, |env| {
        let (rows, elimination) = eliminate_at_start(m, env)?;
        let mut v_dot = acceleration_symbols(&graph, m);
        elimination.complete_accelerations(&mut v_dot, &elimination.acceleration_offset(&rows, n));
        let lambda = auxiliary_symbols(&graph, "lambda", 0, rows.len());
        let rest = |f: Formalism| -> Vec<Tracer<'_>> {
            let e = implicit_equations(m, f, env);
            (0..n).map(|i| nonzero_dot_product(&e.mass[i], &v_dot) + e.c[i] - e.force[i]).collect()
        };
        let mut left = rest(Formalism::Lagrange);
        for (row, lambda) in rows.iter().zip(&lambda) {
            let reactions = row.jacobian.iter().map(|a| *a * *lambda);
            left.iter_mut().zip(reactions).for_each(|(x, f)| *x = *x - f);
        }
        let right = rest(Formalism::Kane);
        let free = elimination.independent_speeds(n);
        entries = free.iter().map(|i| entries[*i].clone()).collect();
        let along = |x: &[Tracer<'_>]| -> Vec<_> {
            free.iter().map(|j| elimination.project_vector(n, *j, |k| x[k]).id(&graph)).collect()
        };
        Some((along(&left), along(&right)))
    })?;
    Some(Claim {
        title: "constraints: projected onto B, Lagrange's equations lose their multipliers and equal Kane's"
            .to_owned(),
        entries,
        query: Query::ProveEqual {
            left: Expressions::new(&graph, &left),
            right: Expressions::new(&graph, &right),
        },
        assumptions: Assumptions { limit: TERMS, together: true, ..inspect::engine_assumptions(m) },
        about: Some((Formalism::MaggiCoordinates, FormalismPart::Equations)),
    })
}
