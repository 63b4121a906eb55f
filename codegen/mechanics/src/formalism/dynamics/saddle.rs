//! Accelerations and multipliers of a constrained mechanism: the saddle-point system
//! `[M −Aᵀ; A 0]`.
//!
//! Problem: `M v̇ = r + Aᵀ λ`, `A v̇ = γ`, M symmetric positive definite, A of full rank.
//! Method:  Schur complement `S = A M⁻¹ Aᵀ`, factored as `LᵀDL` from the last row up. With the
//!          tree-sparse factors `M = Lᵀ D L`, M⁻¹ is split: with `W = L⁻ᵀ Aᵀ`, `z = L⁻ᵀ r`:
//!          `S = Wᵀ D⁻¹ W`, `S λ = γ − Wᵀ D⁻¹ z`, `L v̇ = D⁻¹ (z + W λ)`, so M⁻¹ is applied once. A
//!          formalism without a mass matrix applies its own M⁻¹, one solve for each row.
//! Report:  each pivot of S over its diagonal entry: the squared sine of the angle between a row
//!          and those after it in the metric of M⁻¹. It is dimensionless and vanishes where a row
//!          becomes dependent.
//! Shapes:  one multiplier for each row.
//! Units:   λ in the unit of effort per unit of its row.
//! Cost:    O(rows² · nv + rows³) in addition to M.
//!
//! Not handled: dependent rows; callers pass the rows that are active at the pose
//! (`kinematics::selection`).

use crate::kinematics::ConstraintRow;
use dqdt_algebra::{Scalar, TreeFactors, dot};

/// Names of rows and speeds for recorded values; speeds in the order of the factors.
pub struct RowNames<'a> {
    /// Name of a constraint row, by index.
    pub row: &'a dyn Fn(usize) -> String,
    /// Name of a speed, by position in the factors.
    pub speed: &'a dyn Fn(usize) -> String,
}

/// Accelerations and multipliers of a constrained mechanism: result of [`solve_constrained`].
#[derive(Clone, Debug)]
pub struct ConstrainedSolution<S> {
    /// Accelerations `v̇`, in the order of the factors.
    pub accelerations: Vec<S>,
    /// Multipliers `λ`, one a row.
    pub multipliers: Vec<S>,
    /// Independence of each row from those after it, between 0 and 1; a zero is singular.
    pub independence: Vec<S>,
    /// Diagonal of the Schur complement S: the squared length of each row in the metric of M⁻¹.
    pub lengths: Vec<S>,
}

/// Solves the saddle-point system for accelerations and multipliers by the Schur complement. `rows`
/// is A, with the speeds in the order of `factors`.
pub fn solve_constrained<S: Scalar>(
    factors: &TreeFactors<S>,
    right: &[S],
    rows: &[Vec<S>],
    gamma: &[S],
    names: &RowNames,
) -> ConstrainedSolution<S> {
    let name_by_speed = |x: Vec<S>, kind: &str, row: usize| -> Vec<S> {
        let entries = x.into_iter().enumerate();
        entries
            .map(|(k, x)| x.suggest_name(&|| format!("{kind}_{}_{}", (names.row)(row), (names.speed)(k))))
            .collect()
    };
    let w: Vec<Vec<S>> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| name_by_speed(factors.solve_lower_transposed(row), "reduced_A", i))
        .collect();
    let scaled: Vec<Vec<S>> = (w.iter().enumerate())
        .map(|(i, w)| {
            let products = w.iter().zip(&factors.reciprocals).map(|(x, r)| multiply_unless_zero(*x, *r));
            name_by_speed(products.collect(), "scaled_A", i)
        })
        .collect();
    let z: Vec<S> = (factors.solve_lower_transposed(right).into_iter().enumerate())
        .map(|(k, z)| z.suggest_name(&|| format!("reduced_rhs_{}", (names.speed)(k))))
        .collect();
    let (multipliers, independence, lengths) = solve_schur_complement(
        rows.len(),
        |i, j| dot(&scaled[i], &w[j]),
        || gamma.iter().zip(&scaled).map(|(g, w)| *g - dot(w, &z)).collect(),
        names.row,
    );
    let accelerations = factors.solve_diagonal_and_lower(add_multiplier_terms(z, &w, &multipliers));
    ConstrainedSolution { accelerations, multipliers, independence, lengths }
}

/// Solution like that of [`solve_constrained`], from the accelerations `free` without constraints
/// and a function that returns `M⁻¹ aᵀ` for a row.
pub(crate) fn solve_constrained_by_inverse<S: Scalar>(
    rows: &[ConstraintRow<S>],
    free: Vec<S>,
    inverse: impl Fn(&ConstraintRow<S>) -> Vec<S>,
) -> ConstrainedSolution<S> {
    let answers: Vec<Vec<S>> = rows.iter().map(inverse).collect();
    let (multipliers, independence, lengths) = solve_schur_complement(
        rows.len(),
        |i, j| dot(&rows[i].jacobian, &answers[j]),
        || rows.iter().map(|row| row.gamma - dot(&row.jacobian, &free)).collect(),
        &|i| rows[i].name.clone(),
    );
    let accelerations = add_multiplier_terms(free, &answers, &multipliers);
    ConstrainedSolution { accelerations, multipliers, independence, lengths }
}

/// Solves `S λ = b` with the Schur complement S for n rows. Returns λ, the independence of the
/// rows, and the diagonal of S. Only the lower triangle of S is evaluated.
fn solve_schur_complement<S: Scalar>(
    n: usize,
    s: impl Fn(usize, usize) -> S,
    b: impl FnOnce() -> Vec<S>,
    row: &dyn Fn(usize) -> String,
) -> (Vec<S>, Vec<S>, Vec<S>) {
    let schur: Vec<Vec<S>> = (0..n)
        .map(|i| (0..=i).map(|j| s(i, j).suggest_name(&|| format!("schur_{}_{}", row(i), row(j)))).collect())
        .collect();
    let chain: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let inner = TreeFactors::new(&chain, |i, j| if i >= j { schur[i][j] } else { schur[j][i] });
    let b = b()
        .into_iter()
        .enumerate()
        .map(|(i, b): (usize, S)| b.suggest_name(&|| format!("schur_rhs_{}", row(i))));
    let multipliers = inner.solve(&b.collect::<Vec<S>>());
    let lower = inner.lower.iter().zip(&inner.ancestors).enumerate();
    for (i, (l, j)) in lower.flat_map(|(i, (l, a))| l.iter().zip(a).map(move |x| (i, x))) {
        l.suggest_name(&|| format!("schur_L_{}_{}", row(i), row(*j)));
    }
    for (i, d) in inner.pivots.iter().enumerate() {
        d.suggest_name(&|| format!("schur_D_{}", row(i)));
    }
    let independence = (0..n).map(|i| inner.pivots[i] / schur[i][i]).collect();
    (multipliers, independence, inner.diagonal)
}

/// Adds the effect of the multipliers: `x + Σ w λ`.
fn add_multiplier_terms<S: Scalar>(mut x: Vec<S>, w: &[Vec<S>], multipliers: &[S]) -> Vec<S> {
    for (lambda, w) in multipliers.iter().zip(w) {
        for (x, w) in x.iter_mut().zip(w) {
            if !w.is_zero() {
                *x = *x + *w * *lambda;
            }
        }
    }
    x
}

/// Product of two scalars, zero without an operation if the first is.
fn multiply_unless_zero<S: Scalar>(a: S, b: S) -> S {
    if a.is_zero() { a } else { a * b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_fulfils_both_equations() {
        let m = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]];
        let a = vec![vec![1.0, 2.0, 0.0], vec![0.0, 1.0, -1.0]];
        let (r, gamma) = ([1.0, -2.0, 0.3], [0.4, -0.1]);
        let factors = TreeFactors::new(&[None, Some(0), Some(1)], |i, j| m[i][j]);
        let names = RowNames { row: &|i| i.to_string(), speed: &|i| i.to_string() };
        let s = solve_constrained(&factors, &r, &a, &gamma, &names);
        for i in 0..3 {
            let left: f64 = (0..3).map(|j| m[i][j] * s.accelerations[j]).sum();
            let right: f64 = r[i] + (0..2).map(|k| a[k][i] * s.multipliers[k]).sum::<f64>();
            assert!((left - right).abs() < 1e-14, "row {i}");
        }
        for (row, g) in a.iter().zip(gamma) {
            assert!((dot(row, &s.accelerations) - g).abs() < 1e-14);
        }
        assert!(s.independence.iter().all(|x| *x > 0.0 && *x <= 1.0));
    }
}
