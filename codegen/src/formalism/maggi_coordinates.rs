//! Maggi's equations in the speeds of the tree: projection on what the constraints leave free.
//!
//! Problem: `Bᵀ M B u̇ = Bᵀ (Q − c − M v̇₀)`, `v̇ = v̇₀ + B u̇`, with a basis B of the null space of the constraint rows.
//! Method:  MATH.md 1.5, "Maggi in q"; Maggi 1896, Kane's equations with dependent speeds. The dependent speeds are those
//! of `null_space`. Without constraints B is the identity, and this is the tree's own form (5.3), factored with its
//! sparsity. Multipliers follow from the rows of the dependent speeds, `Gᵀ λ = M v̇ + c − Q`.
//! Rows that give no speed in every pose are projected (`null_space`).
//! Shapes:  nv less the number of rows that give a speed.
//! Cost:    O(nv² · (nv − rows)) on top of M.
//! Rows:    those that take part at the pose (`kinematics::selection`).

use super::null_space::NullSpace;
use super::pivots::Pivot;
use crate::algebra::{Scalar, TreeFactors};
use crate::kinematics::ConstraintRow;
use crate::mechanism::Mechanism;

/// What the projection finds.
pub(super) struct Projected<S> {
    pub accelerations: Vec<S>,
    pub multipliers: Vec<S>,
    /// Of rows and of speeds.
    pub pivots: Vec<Pivot<S>>,
    /// How independent the rows are, where it is not rows that are divided by.
    pub independence: Vec<S>,
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(S::ZERO, |sum, (x, y)| sum + *x * *y)
}

/// `v̇` and `λ` for constraint rows that are there; `right` is `Q − c`.
pub(super) fn projected<S: Scalar>(
    m: &Mechanism,
    rows: &[ConstraintRow<S>],
    mass: &[Vec<S>],
    right: &[S],
) -> Projected<S> {
    let space = NullSpace::new(m, rows, |i| mass[i][i]);
    let times = |x: &[S]| -> Vec<S> { mass.iter().map(|row| dot(row, x)).collect() };
    let moved: Vec<Vec<S>> = space.basis.iter().map(|b| times(b)).collect();
    let n = space.basis.len();
    let parent: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&parent, |i, j| space.complete(i, j, dot(&space.basis[i], &moved[j])));
    let known = times(&space.particular);
    let left: Vec<S> = right.iter().zip(known).map(|(r, x)| *r - x).collect();
    let projected: Vec<S> = space.basis.iter().map(|b| dot(b, &left)).collect();
    let u = factors.solve(&projected);
    let mut accelerations = space.particular.clone();
    for (b, u) in space.basis.iter().zip(&u) {
        for (a, b) in accelerations.iter_mut().zip(b) {
            *a = *a + *b * *u;
        }
    }
    let forces: Vec<S> = times(&accelerations).into_iter().zip(right).map(|(x, r)| x - *r).collect();
    let pivots = space.named_pivots(m, rows, &factors);
    Projected {
        multipliers: space.multipliers(&forces),
        accelerations,
        pivots,
        independence: space.independence,
    }
}
