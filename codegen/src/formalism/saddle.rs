//! Accelerations under constraints from those without: the saddle-point system `[M −Aᵀ; A 0]`.
//!
//! Problem: `M v̇ = Q − c + Aᵀ λ`, `A v̇ = γ` for rows of full rank.
//! Method:  Schur complement, `A M⁻¹ Aᵀ λ = γ − A v̇₀` with the accelerations `v̇₀` of the free tree; M⁻¹ as the formalism
//! at hand has it. The complement is symmetric and positive definite, and factored as `LᵀDL` from the last row up.
//! Shapes:  one multiplier a row.
//! Units:   λ in the unit of effort a unit of its row.
//! Cost:    one solve with M a row; O(rows² · nv + rows³).
//! Not handled: rows that depend on others: a pivot vanishes, and is reported with the name of its row.

use crate::algebra::{Scalar, TreeFactors};
use crate::kinematics::ConstraintRow;

/// What the constraints add.
pub(super) struct Constrained<S> {
    pub accelerations: Vec<S>,
    pub multipliers: Vec<S>,
    /// By row, in the order of elimination.
    pub pivots: Vec<(String, S)>,
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::ZERO, |sum, (x, y)| sum + *x * *y)
}

/// The name of a row's pivot.
pub(super) fn pivot_name<S>(row: &ConstraintRow<S>) -> String {
    format!("pivot of constraint {}", row.name)
}

/// `v̇` and `λ` from `v̇₀` and `M⁻¹`.
pub(super) fn constrained<S: Scalar>(
    rows: &[ConstraintRow<S>],
    free: Vec<S>,
    inverse: impl Fn(&[S]) -> Vec<S>,
) -> Constrained<S> {
    if rows.is_empty() {
        return Constrained { accelerations: free, multipliers: Vec::new(), pivots: Vec::new() };
    }
    let answers: Vec<Vec<S>> = rows.iter().map(|row| inverse(&row.jacobian)).collect();
    let parent: Vec<Option<usize>> = (0..rows.len()).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&parent, |i, j| dot(&rows[i].jacobian, &answers[j]));
    let right: Vec<S> = rows.iter().map(|row| row.gamma - dot(&row.jacobian, &free)).collect();
    let multipliers = factors.solve(&right);
    let mut accelerations = free;
    for (answer, lambda) in answers.iter().zip(&multipliers) {
        for (a, x) in accelerations.iter_mut().zip(answer) {
            *a = *a + *x * *lambda;
        }
    }
    let named = rows.iter().zip(&factors.pivots).rev().map(|(row, d)| (pivot_name(row), *d));
    Constrained { accelerations, multipliers, pivots: named.collect() }
}
