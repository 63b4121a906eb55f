//! Independent speeds of constrained ones: a basis of the null space of the constraint rows.
//!
//! Problem: `G v̇ = γ` solved for as many dependent speeds as there are rows: `v̇ = v̇₀ + B u̇`, `G B = 0`.
//! Method:  Gauss and Jordan over the scalar, with pivots (row, speed) that are chosen before, over doubles at the initial
//! pose, by complete pivoting: mechanics over a scalar cannot compare.
//! Shapes:  one dependent speed a row.
//! Cost:    O(rows² · nv).
//! Not handled: a pose at which the chosen pivots vanish: they are reported. Rows that depend on others.

use super::pivots::Pivot;
use crate::algebra::{Number, Scalar, TreeFactors, pivot_order};
use crate::kinematics::{ConstraintRow, active_rows, parameters, start};
use crate::mechanism::{Environment, Mechanism, Treatment};

/// `v̇ = v̇₀ + B u̇`.
pub(super) struct NullSpace<S> {
    /// The dependent speed of each row.
    pub dependent: Vec<usize>,
    /// The others, in spec order.
    pub independent: Vec<usize>,
    /// v̇₀, zero for the independent speeds.
    pub particular: Vec<S>,
    /// Columns of B, one an independent speed.
    pub basis: Vec<Vec<S>>,
    /// `G_d⁻¹`: columns of the dependent speeds.
    pub inverse: Vec<Vec<S>>,
    /// By row of G, in the order of elimination.
    pub pivots: Vec<(usize, S)>,
}

/// Pairs (row, speed) by complete pivoting at the initial pose. Speeds that the spec calls dependent come first.
pub(super) fn chosen_pivots(m: &Mechanism) -> Vec<(usize, usize)> {
    let p = parameters(m, &Number::to_f64, &[]);
    let s = start(m, &Number::to_f64, &p);
    let number = |n: Number| n.to_f64();
    let env = Environment { number: &number, t: 0.0, q: &s.q, v: &s.v, z: &s.z, u: &s.u, p: &p };
    let rows = active_rows(m, &env);
    let matrix: Vec<Vec<f64>> = rows.into_iter().map(|row| row.jacobian).collect();
    let first: Vec<usize> = (m.constraints.iter())
        .flat_map(|c| match &c.treatment {
            Treatment::Elimination(speeds) => speeds.as_slice(),
            Treatment::Multipliers | Treatment::Inputs(_) => &[],
        })
        .copied()
        .collect();
    let mut chosen = pivot_order(&matrix, &first);
    // What has no pivot at the initial pose may have one elsewhere.
    for r in 0..matrix.len() {
        if chosen.iter().all(|c| c.0 != r)
            && let Some(speed) = (0..m.nv()).find(|s| chosen.iter().all(|c| c.1 != *s))
        {
            chosen.push((r, speed));
        }
    }
    chosen
}

impl<S: Scalar> NullSpace<S> {
    /// Solves the rows for the speeds chosen.
    pub fn new(nv: usize, rows: &[ConstraintRow<S>], chosen: &[(usize, usize)]) -> Self {
        let n = rows.len();
        let unit = |i: usize| (0..n).map(move |j| if i == j { S::ONE } else { S::ZERO });
        // Columns: speeds, γ, and the identity that becomes the inverse.
        let mut g: Vec<Vec<S>> = rows
            .iter()
            .enumerate()
            .map(|(i, row)| row.jacobian.iter().copied().chain([row.gamma]).chain(unit(i)).collect())
            .collect();
        let mut pivots = Vec::new();
        for (r, c) in chosen {
            let pivot = g[*r][*c];
            pivots.push((*r, pivot));
            let reciprocal = S::ONE / pivot;
            let own: Vec<S> = g[*r].iter().map(|x| *x * reciprocal).collect();
            for (i, row) in g.iter_mut().enumerate() {
                if i == *r {
                    continue;
                }
                let factor = row[*c];
                if !factor.is_zero() {
                    row.iter_mut().zip(&own).for_each(|(x, p)| *x = *x - factor * *p);
                    row[*c] = S::ZERO;
                }
            }
            g[*r] = own;
            g[*r][*c] = S::ONE;
        }
        let mut dependent = vec![0; n];
        chosen.iter().for_each(|(r, c)| dependent[*r] = *c);
        let independent: Vec<usize> = (0..nv).filter(|s| !dependent.contains(s)).collect();
        let mut particular = vec![S::ZERO; nv];
        for (row, c) in g.iter().zip(&dependent) {
            particular[*c] = row[nv];
        }
        let basis = independent.iter().map(|j| {
            let mut column = vec![S::ZERO; nv];
            column[*j] = S::ONE;
            for (row, c) in g.iter().zip(&dependent) {
                column[*c] = -row[*j];
            }
            column
        });
        let basis = basis.collect();
        let inverse = g.iter().map(|row| row[nv + 1..].to_vec()).collect();
        NullSpace { dependent, independent, particular, basis, inverse, pivots }
    }

    /// Pivots of the rows, and those of `Bᵀ M B`.
    pub fn named_pivots(
        &self,
        m: &Mechanism,
        rows: &[ConstraintRow<S>],
        factors: &TreeFactors<S>,
    ) -> Vec<Pivot<S>> {
        let of_rows = self.pivots.iter().map(|(r, pivot)| Pivot::of_row(&rows[*r].name, *pivot, None));
        let of_speeds = self.independent.iter().zip(factors.pivots.iter().zip(&factors.diagonal));
        of_rows.chain(of_speeds.map(|(s, (d, whole))| Pivot::of_speed(m, *s, *d, *whole))).collect()
    }

    /// λ of `Gᵀ λ = f` for forces that do no work along B.
    pub fn multipliers(&self, forces: &[S]) -> Vec<S> {
        let n = self.dependent.len();
        let entry = |r: usize| {
            let terms = (0..n).map(|d| self.inverse[d][r] * forces[self.dependent[d]]);
            terms.fold(S::ZERO, |sum, x| sum + x)
        };
        (0..n).map(entry).collect()
    }
}
