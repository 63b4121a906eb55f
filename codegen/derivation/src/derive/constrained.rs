//! Constraints in a derivation: dependent speeds, multipliers, residuals.
//!
//! Problem: `M v̇ + c = Q + Aᵀ λ`, `A v + a₀ = 0`, `A v̇ = γ`, each constraint with the treatment
//!          of the spec.
//! Method:  multipliers by the Schur complement (`formalism::dynamics::saddle`). Elimination
//!          (Maggi; Kane with constraints): with `A_e = [A_d A_i]` of the eliminated rows,
//!          `v_d = −A_d⁻¹ (A_i v_i + a₀)` replaces the dependent speeds everywhere,
//!          `v̇ = N v̇_i + n` with `N = [1; −A_d⁻¹ A_i]`, and the equations are those for `NᵀMN`;
//!          constraints with multipliers are projected as well. If M of the tree is singular, the
//!          equations are projected onto the motions that all constraints allow.

use std::sync::Arc;

use super::derivation::Derivation;
use super::elimination::Elimination;
use super::solution::{
    Solution, factor_tree_mass_matrix, name_independence_measures, name_row_lengths, solve_tree,
};
use dqdt_algebra::{Scalar, TreeFactors};
use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::formalism::{Factorised, Pivot, Projected, RowNames, solve_constrained};
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::{Mechanism, Partition, PivotPlace, SpeedId};

/// Accelerations and multipliers for a mass matrix, a right-hand side `Q − c`, and γ of all rows.
pub(super) fn solve_with_constraints<'g>(
    d: &Derivation<'g, '_>,
    mass: &[Vec<Tracer<'g>>],
    right: &[Tracer<'g>],
    gamma: &[Tracer<'g>],
) -> Solution<'g> {
    if d.constraint_rows.is_empty() {
        return solve_tree(d.graph, d.m, mass, right);
    }
    let selection = &d.selection;
    let solution = solve_active_rows(d, mass, right, &selection.select_active_values("gamma", gamma));
    let section: Arc<str> = Arc::from("multipliers");
    for (lambda, row) in solution.multipliers.iter().zip(&selection.rows) {
        d.graph.label(lambda.id(d.graph), &format!("lambda_{}", row.name), &section);
    }
    Solution { multipliers: selection.expand_to_all_rows(&solution.multipliers), ..solution }
}

/// Like [`solve_with_constraints`], with γ and multipliers of the active rows, without their names.
pub(super) fn solve_active_rows<'g>(
    d: &Derivation<'g, '_>,
    mass: &[Vec<Tracer<'g>>],
    right: &[Tracer<'g>],
    gamma: &[Tracer<'g>],
) -> Solution<'g> {
    let (m, rows) = (d.m, &d.selection.rows);
    match &d.elimination {
        _ if d.partition.tree_is_singular => solve_by_projection((m, d.partition), mass, right, rows, gamma),
        None => solve_by_multipliers(d.graph, m, mass, right, rows, gamma),
        Some(e) => solve_by_elimination(m, mass, right, rows, gamma, e),
    }
}

/// Accelerations and multipliers by the Schur complement `A M⁻¹ Aᵀ`, for constraints without
/// elimination.
fn solve_by_multipliers<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    mass: &[Vec<Tracer<'g>>],
    right: &[Tracer<'g>],
    rows: &[ConstraintRow<Tracer<'g>>],
    gamma: &[Tracer<'g>],
) -> Solution<'g> {
    let factored = factor_tree_mass_matrix(graph, m, mass);
    let mut pivots = factored.pivots(m);
    let Factorised { order, factors, .. } = factored;
    let jacobian: Vec<Vec<_>> =
        rows.iter().map(|row| order.iter().map(|speed| row.jacobian[*speed]).collect()).collect();
    let permuted: Vec<_> = order.iter().map(|speed| right[*speed]).collect();
    let names =
        RowNames { row: &|i| rows[i].name.clone(), speed: &|k| m.speed_name_stem(order[k]).to_owned() };
    let solution = solve_constrained(&factors, &permuted, &jacobian, gamma, &names);
    let mut x = vec![Tracer::ZERO; m.nv()];
    for (k, speed) in order.iter().enumerate() {
        x[*speed] = solution.accelerations[k];
    }
    let all: Vec<usize> = (0..rows.len()).collect();
    pivots.extend(name_row_lengths(rows, &all, &solution.lengths));
    let independence = name_independence_measures(rows, &all, &solution.independence);
    Solution { x, pivots, multipliers: solution.multipliers, independence }
}

/// Accelerations from the equations projected onto the motions that all constraints allow, for a
/// singular M of the tree.
fn solve_by_projection<'g>(
    (m, partition): (&Mechanism, &Partition),
    mass: &[Vec<Tracer<'g>>],
    right: &[Tracer<'g>],
    rows: &[ConstraintRow<Tracer<'g>>],
    gamma: &[Tracer<'g>],
) -> Solution<'g> {
    let rows: Vec<_> =
        (rows.iter().zip(gamma)).map(|(row, gamma)| ConstraintRow { gamma: *gamma, ..row.clone() }).collect();
    let solution = Projected::new(m, partition, &rows, mass).solve(right);
    let all: Vec<usize> = (0..rows.len()).collect();
    let independence = name_independence_measures(&rows, &all, &solution.independence);
    Solution {
        x: solution.accelerations,
        pivots: solution.pivots,
        multipliers: solution.multipliers,
        independence,
    }
}

/// `start + Σ a b`, skipping terms with a structural zero.
fn add_nonzero_products<'g>(
    a: impl Iterator<Item = (Tracer<'g>, Tracer<'g>)>,
    start: Tracer<'g>,
) -> Tracer<'g> {
    a.fold(start, |sum, (a, b)| if a.is_zero() || b.is_zero() { sum } else { sum + a * b })
}

/// `start + Σ a b` of two vectors, skipping structural zeros like [`add_nonzero_products`].
fn add_dot_product<'g>(a: &[Tracer<'g>], b: &[Tracer<'g>], start: Tracer<'g>) -> Tracer<'g> {
    add_nonzero_products(a.iter().copied().zip(b.iter().copied()), start)
}

/// Names the entries of a vector for the reader of emitted code.
fn name_entries(x: &[Tracer<'_>], name: &dyn Fn(usize) -> String) {
    x.iter().enumerate().for_each(|(i, x)| {
        x.suggest_name(&|| name(i));
    });
}

/// Accelerations and multipliers with the dependent speeds of `e` eliminated; other constraints
/// keep multipliers.
fn solve_by_elimination<'g>(
    m: &Mechanism,
    mass: &[Vec<Tracer<'g>>],
    right: &[Tracer<'g>],
    rows: &[ConstraintRow<Tracer<'g>>],
    gamma: &[Tracer<'g>],
    e: &Elimination<'g>,
) -> Solution<'g> {
    let nv = m.nv();
    let n = e.independent.len();
    let columns: Vec<Vec<Tracer<'g>>> = (0..n)
        .map(|k| {
            let unit: Vec<_> = (0..n).map(|i| if i == k { Tracer::ONE } else { Tracer::ZERO }).collect();
            e.fill_all_speeds(nv, &vec![Tracer::ZERO; e.pairs.len()], &unit)
        })
        .collect();
    // Particular solution n of v̇ = N v̇_i + n.
    let eliminated_gamma: Vec<Tracer<'g>> = e.pairs.iter().map(|p| gamma[p.row.0]).collect();
    let fixed = e.fill_all_speeds(nv, &e.solver.solve(&eliminated_gamma), &vec![Tracer::ZERO; n]);
    let stem = |i: usize| m.speed_name_stem(SpeedId(i));
    let independent_stem = |k: usize| m.speed_name_stem(e.independent[k]);
    for (k, column) in columns.iter().enumerate() {
        name_entries(column, &|i| format!("N_{}_{}", stem(i), independent_stem(k)));
    }
    name_entries(&fixed, &|i| format!("particular_{}", stem(i)));
    let mass_columns: Vec<Vec<_>> = columns
        .iter()
        .map(|c| mass.iter().map(|row| add_dot_product(row, c, Tracer::ZERO)).collect())
        .collect();
    for (k, column) in mass_columns.iter().enumerate() {
        name_entries(column, &|i| format!("MN_{}_{}", stem(i), independent_stem(k)));
    }
    let reduced: Vec<Vec<_>> = (0..n)
        .map(|i| (0..=i).map(|j| add_dot_product(&columns[i], &mass_columns[j], Tracer::ZERO)).collect())
        .collect();
    for (k, row) in reduced.iter().enumerate() {
        name_entries(row, &|j| format!("NMN_{}_{}", independent_stem(k), independent_stem(j)));
    }
    let rest: Vec<_> = (0..nv).map(|i| right[i] - add_dot_product(&mass[i], &fixed, Tracer::ZERO)).collect();
    name_entries(&rest, &|i| format!("rhs_rest_{}", stem(i)));
    let force: Vec<_> = columns.iter().map(|c| add_dot_product(c, &rest, Tracer::ZERO)).collect();
    name_entries(&force, &|k| format!("N_rhs_{}", independent_stem(k)));
    let kept: Vec<usize> = (0..rows.len()).filter(|i| !e.is_eliminated(*i)).collect();
    let jacobian: Vec<Vec<_>> = kept
        .iter()
        .map(|i| columns.iter().map(|c| add_dot_product(&rows[*i].jacobian, c, Tracer::ZERO)).collect())
        .collect();
    let inner: Vec<_> =
        kept.iter().map(|i| gamma[*i] - add_dot_product(&rows[*i].jacobian, &fixed, Tracer::ZERO)).collect();
    let chain: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&chain, |i, j| if i >= j { reduced[i][j] } else { reduced[j][i] });
    let names = RowNames {
        row: &|i| rows[kept[i]].name.clone(),
        speed: &|k| m.speed_name_stem(e.independent[k]).to_owned(),
    };
    let solution = solve_constrained(&factors, &force, &jacobian, &inner, &names);
    let dependent: Vec<_> = e.pairs.iter().map(|p| fixed[p.column]).collect();
    let x = e.fill_all_speeds(nv, &dependent, &solution.accelerations);
    let mut multipliers = vec![Tracer::ZERO; rows.len()];
    kept.iter().zip(&solution.multipliers).for_each(|(i, l)| multipliers[*i] = *l);
    // The residual of the equations of the dependent speeds equals the forces of the eliminated
    // constraints.
    let left: Vec<_> = (e.pairs.iter())
        .map(|PivotPlace { column: speed, .. }| {
            let reactions = kept.iter().map(|i| (rows[*i].jacobian[*speed], multipliers[*i]));
            add_dot_product(&mass[*speed], &x, Tracer::ZERO) - add_nonzero_products(reactions, right[*speed])
        })
        .collect();
    for (p, lambda) in e.pairs.iter().zip(e.solver.solve_transposed(&left)) {
        multipliers[p.row.0] = lambda;
    }
    let of_speeds = e.independent.iter().zip(factors.pivots.iter().zip(&factors.diagonal));
    let mut pivots: Vec<_> = of_speeds.map(|(s, (d, whole))| Pivot::speed_pivot(m, *s, *d, *whole)).collect();
    pivots.extend(name_row_lengths(rows, &kept, &solution.lengths));
    pivots.extend(e.dependent_speed_pivots(rows));
    let independence = name_independence_measures(rows, &kept, &solution.independence);
    Solution { x, pivots, multipliers, independence }
}
