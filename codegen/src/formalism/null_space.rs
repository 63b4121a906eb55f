//! What constraints leave free: a basis of the null space of the rows that take part.
//!
//! Problem: `v̇ = v̇₀ + B u̇` with `G v̇ = γ` for every u̇, so `G B = 0`.
//! Method:  with as many dependent speeds as rows, by Gauss and Jordan over the scalar, where pivots (row, speed) keep away
//! from zero: mechanics over a scalar cannot compare, so they are chosen before, over doubles, at the initial pose and at
//! those that the mechanism reaches without assembly (`kinematics::free_poses`). A wheel that can head anywhere has no such
//! speed in ground axes. Then B is the projector `P = 1 − W Gᵀ (G W Gᵀ)⁻¹ G` on the null space (Aghili 2005), with W the
//! reciprocals of the diagonal of M, so that no unit enters; it divides by nothing that vanishes before the rank of G falls.
//! Its columns depend on each other: `Pᵀ M P + Gᵀ (G W Gᵀ)⁻¹ G` is regular, and what the second term finds is zero.
//! Shapes:  B has nv − rows columns by dependent speeds, nv as a projector.
//! Cost:    O(rows² · nv); as a projector O(rows · nv²) besides, and a system of nv instead of nv − rows.
//! Not handled: a pose where a loop makes the chosen pivots vanish: they are reported.

use super::pivots::Pivot;
use crate::algebra::{Number, Scalar, TreeFactors, steady_pivots};
use crate::kinematics::{ConstraintRow, parameters, sampled_rows, start};
use crate::mechanism::{Environment, Mechanism, Treatment};

/// `v̇ = v̇₀ + B u̇`.
pub(super) struct NullSpace<S> {
    /// The speed that each column of B is named after.
    pub names: Vec<usize>,
    /// v̇₀
    pub particular: Vec<S>,
    /// Columns of B.
    pub basis: Vec<Vec<S>>,
    /// What makes `Bᵀ M B` regular, by rows; nothing where B has full rank.
    completion: Option<Vec<Vec<S>>>,
    /// `λ` of `Gᵀ λ = f` is this matrix times f.
    multipliers: Vec<Vec<S>>,
    /// Index of the row and what was divided by, in the order of elimination; by dependent speeds.
    pub pivots: Vec<(usize, S)>,
    /// How independent each row is, between 0 and 1; of a projector.
    pub independence: Vec<S>,
}

/// Pairs (row, speed), those that the spec calls dependent first; `None` where every choice fails at some pose.
pub fn chosen_pivots(m: &Mechanism) -> Option<Vec<(usize, usize)>> {
    let number = |n: Number| n.to_f64();
    let p = parameters(m, &number, &[]);
    let s = start(m, &number, &p);
    let env = Environment { number: &number, t: 0.0, q: &s.q, v: &s.v, z: &s.z, u: &s.u, p: &p };
    let samples = sampled_rows(m, &env);
    let first: Vec<usize> = (m.constraints.iter())
        .flat_map(|c| match &c.treatment {
            Treatment::Elimination(speeds) => speeds.as_slice(),
            Treatment::Multipliers | Treatment::Inputs(_) => &[],
        })
        .copied()
        .collect();
    let (mut chosen, steady) = steady_pivots(&samples, &first);
    if !steady && samples.len() > 1 {
        return None;
    }
    // What has no pivot at the initial pose may have one elsewhere.
    for r in 0..samples[0].len() {
        if chosen.iter().all(|c| c.0 != r)
            && let Some(speed) = (0..m.nv()).find(|s| chosen.iter().all(|c| c.1 != *s))
        {
            chosen.push((r, speed));
        }
    }
    Some(chosen)
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(S::ZERO, |sum, (x, y)| sum + *x * *y)
}

impl<S: Scalar> NullSpace<S> {
    /// By dependent speeds where they are to be had, else as a projector; `diagonal` is that of M.
    pub fn new(m: &Mechanism, rows: &[ConstraintRow<S>], diagonal: impl Fn(usize) -> S) -> Self {
        match chosen_pivots(m) {
            Some(chosen) => Self::by_dependent_speeds(m.nv(), rows, &chosen),
            None => Self::by_projection(m.nv(), rows, diagonal),
        }
    }

    /// Solves the rows for the speeds chosen.
    fn by_dependent_speeds(nv: usize, rows: &[ConstraintRow<S>], chosen: &[(usize, usize)]) -> Self {
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
        let names: Vec<usize> = (0..nv).filter(|s| !dependent.contains(s)).collect();
        let mut particular = vec![S::ZERO; nv];
        for (row, c) in g.iter().zip(&dependent) {
            particular[*c] = row[nv];
        }
        let basis = names.iter().map(|j| {
            let mut column = vec![S::ZERO; nv];
            column[*j] = S::ONE;
            for (row, c) in g.iter().zip(&dependent) {
                column[*c] = -row[*j];
            }
            column
        });
        let basis = basis.collect();
        // (G_dᵀ)⁻¹ at the dependent speeds.
        let mut multipliers = vec![vec![S::ZERO; nv]; n];
        for (row, c) in g.iter().zip(&dependent) {
            for (r, own) in multipliers.iter_mut().enumerate() {
                own[*c] = row[nv + 1 + r];
            }
        }
        let (completion, independence) = (None, Vec::new());
        NullSpace { names, particular, basis, completion, multipliers, pivots, independence }
    }

    fn by_projection(nv: usize, rows: &[ConstraintRow<S>], diagonal: impl Fn(usize) -> S) -> Self {
        let n = rows.len();
        let weights: Vec<S> = (0..nv).map(|i| S::ONE / diagonal(i)).collect();
        let weighted: Vec<Vec<S>> = rows
            .iter()
            .map(|row| {
                let entry = |(a, w): (&S, &S)| if a.is_zero() { S::ZERO } else { *a * *w };
                row.jacobian.iter().zip(&weights).map(entry).collect()
            })
            .collect();
        let gram: Vec<Vec<S>> =
            (0..n).map(|i| (0..=i).map(|j| dot(&rows[i].jacobian, &weighted[j])).collect()).collect();
        let chain: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
        let factors = TreeFactors::new(&chain, |i, j| if i >= j { gram[i][j] } else { gram[j][i] });
        let independence = (0..n).map(|i| factors.pivots[i] / gram[i][i]).collect();
        let by_speed = |columns: &[S]| -> Vec<S> {
            (0..nv)
                .map(|i| {
                    let terms = weighted.iter().zip(columns).filter(|(w, x)| !w[i].is_zero() && !x.is_zero());
                    terms.fold(S::ZERO, |sum, (w, x)| sum + w[i] * *x)
                })
                .collect()
        };
        let particular = by_speed(&factors.solve(&rows.iter().map(|row| row.gamma).collect::<Vec<_>>()));
        // (G W Gᵀ)⁻¹ G, by speed.
        let solved: Vec<Vec<S>> = (0..nv)
            .map(|j| factors.solve(&rows.iter().map(|row| row.jacobian[j]).collect::<Vec<_>>()))
            .collect();
        let basis = solved
            .iter()
            .enumerate()
            .map(|(j, own)| {
                let entry = |(i, x): (usize, S)| if i == j { S::ONE - x } else { -x };
                by_speed(own).into_iter().enumerate().map(entry).collect()
            })
            .collect();
        let entry = |i: usize, j: usize| {
            let terms =
                rows.iter().zip(&solved[j]).filter(|(row, x)| !row.jacobian[i].is_zero() && !x.is_zero());
            terms.fold(S::ZERO, |sum, (row, x)| sum + row.jacobian[i] * *x)
        };
        let completion = (0..nv).map(|i| (0..=i).map(|j| entry(i, j)).collect()).collect();
        let multipliers = (0..n).map(|r| {
            (0..nv)
                .map(|i| if solved[i][r].is_zero() { S::ZERO } else { solved[i][r] * weights[i] })
                .collect()
        });
        NullSpace {
            names: (0..nv).collect(),
            particular,
            basis,
            completion: Some(completion),
            multipliers: multipliers.collect(),
            pivots: Vec::new(),
            independence,
        }
    }

    /// The entry of `Bᵀ M B` at i and j ≤ i, made regular where columns of B depend on each other.
    pub fn complete(&self, i: usize, j: usize, entry: S) -> S {
        match &self.completion {
            None => entry,
            Some(own) => entry + own[i.max(j)][i.min(j)],
        }
    }

    /// Pivots of the rows, and those of `Bᵀ M B`.
    pub fn named_pivots(
        &self,
        m: &Mechanism,
        rows: &[ConstraintRow<S>],
        factors: &TreeFactors<S>,
    ) -> Vec<Pivot<S>> {
        let of_rows = self.pivots.iter().map(|(r, pivot)| Pivot::of_row(&rows[*r].name, *pivot, None));
        let of_speeds = self.names.iter().zip(factors.pivots.iter().zip(&factors.diagonal));
        of_rows.chain(of_speeds.map(|(s, (d, whole))| Pivot::of_speed(m, *s, *d, *whole))).collect()
    }

    /// λ of `Gᵀ λ = f` for forces that do no work along B.
    pub fn multipliers(&self, forces: &[S]) -> Vec<S> {
        self.multipliers.iter().map(|row| dot(row, forces)).collect()
    }
}
