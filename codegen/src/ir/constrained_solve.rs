//! Accelerations and multipliers of a constrained mechanism.
//!
//! Problem: `M v̇ = r + Aᵀ λ`, `A v̇ = γ`, M symmetric positive definite with the sparsity of the tree, A of full rank.
//! Method:  Schur complement. With `M = Lᵀ D L` and `W = L⁻ᵀ Aᵀ`: `S = Wᵀ D⁻¹ W`, `S λ = γ − Wᵀ D⁻¹ z`, `z = L⁻ᵀ r`,
//!          `L v̇ = D⁻¹ (z + W λ)`. So M⁻¹ is applied once, and S costs half of `A M⁻¹ Aᵀ`. S is factored as `Lᵀ D L` too.
//! Report:  each pivot of S over its own diagonal entry: the squared sine of the angle between a row and those after it
//!          in the metric of M⁻¹. It has no unit and vanishes where a row becomes dependent.
//! Not handled: dependent rows; who calls has left them out.

use crate::algebra::{Scalar, TreeFactors};

/// What [`solve_constrained`] finds.
#[derive(Clone, Debug)]
pub struct ConstrainedSolution<S> {
    /// `v̇`
    pub accelerations: Vec<S>,
    /// `λ`
    pub multipliers: Vec<S>,
    /// How independent each row is: between 0 and 1.
    pub independence: Vec<S>,
}

/// Solves for accelerations and multipliers. `rows`: A; order of speeds as in `factors`.
pub fn solve_constrained<S: Scalar>(
    factors: &TreeFactors<S>,
    right: &[S],
    rows: &[Vec<S>],
    gamma: &[S],
) -> ConstrainedSolution<S> {
    let w: Vec<Vec<S>> = rows.iter().map(|row| factors.reduce(row)).collect();
    let scaled: Vec<Vec<S>> =
        w.iter().map(|w| w.iter().zip(&factors.reciprocals).map(|(x, r)| times(*x, *r)).collect()).collect();
    let mut z = factors.reduce(right);
    let n = rows.len();
    let schur: Vec<Vec<S>> = (0..n).map(|i| (0..=i).map(|j| dot(&scaled[i], &w[j])).collect()).collect();
    let chain: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let inner = TreeFactors::new(&chain, |i, j| if i >= j { schur[i][j] } else { schur[j][i] });
    let b: Vec<S> = gamma.iter().zip(&scaled).map(|(g, w)| *g - dot(w, &z)).collect();
    let multipliers = inner.solve(&b);
    for (lambda, w) in multipliers.iter().zip(&w) {
        for (z, w) in z.iter_mut().zip(w) {
            if !w.is_zero() {
                *z = *z + *w * *lambda;
            }
        }
    }
    let independence = (0..n).map(|i| inner.pivots[i] / schur[i][i]).collect();
    ConstrainedSolution { accelerations: factors.expand(z), multipliers, independence }
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::ZERO, |sum, (a, b)| if a.is_zero() || b.is_zero() { sum } else { sum + *a * *b })
}

fn times<S: Scalar>(a: S, b: S) -> S {
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
        let s = solve_constrained(&factors, &r, &a, &gamma);
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
