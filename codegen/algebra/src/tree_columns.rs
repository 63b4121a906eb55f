//! Solves one linear system with the sparsity of a tree for many right-hand sides, and inverts it.
//!
//! Problem: `M x = b` for many b with few entries, and `M⁻¹`, with `M = Lᵀ D L` factored.
//! Method:  from the root, `x_i = y_i − Σ L_ij x_j` over the ancestors of i. Where y is zero from a
//!          fork of the tree to i, x_i depends only on the values at the fork and above, by
//!          coefficients that all right-hand sides share: they replace the ancestors between. `M⁻¹`
//!          is symmetric, and one of each pair of entries has no y: with k after j,
//!          `X_kj = −Σ L_ki X_ij`, and `X_kk = 1 / D_k − Σ L_ki X_ik`, so that no solve with Lᵀ is
//!          needed (as Takahashi, Fagan and Chin 1973 do for sparse matrices).
//! Cost:    with depths d and n entries: at most Σ d products and sums per right-hand side from the
//!          root; `M⁻¹` at most n Σ d / 2.

use std::collections::BTreeMap;

use super::{Scalar, TreeFactors};

/// Solver with the factors of one tree-structured matrix (mostly the mass matrix) for many
/// right-hand sides, which share cached coefficients; also inverts the matrix.
pub struct TreeColumns<'a, S> {
    factors: &'a TreeFactors<S>,
    /// True for degrees of freedom with more than one child.
    forks: Vec<bool>,
    /// Cached coefficients, by degree of freedom and number of its nearest ancestors that are
    /// skipped.
    coefficient_cache: BTreeMap<(usize, usize), Vec<S>>,
}

impl<'a, S: Scalar> TreeColumns<'a, S> {
    /// A solver with these factors and an empty cache of coefficients.
    pub fn new(factors: &'a TreeFactors<S>) -> Self {
        let mut children = vec![0; factors.ancestors.len()];
        for parent in factors.ancestors.iter().filter_map(|list| list.first()) {
            children[*parent] += 1;
        }
        TreeColumns {
            factors,
            forks: children.iter().map(|c| *c > 1).collect(),
            coefficient_cache: BTreeMap::new(),
        }
    }

    /// The number of nearest ancestors of i whose values need not be substituted: none of them has
    /// an own term (`moved`), and a fork follows.
    fn count_skippable_ancestors(&self, i: usize, moved: impl Fn(usize) -> bool) -> usize {
        let mut skipped = 0;
        for (at, j) in self.factors.ancestors[i].iter().enumerate() {
            if self.forks[*j] {
                skipped = at;
            }
            if moved(*j) {
                break;
            }
        }
        skipped
    }

    /// Coefficients of the ancestors of i that remain when the nearest `skipped` are eliminated.
    fn ancestor_coefficients(&mut self, i: usize, skipped: usize) -> Vec<S> {
        let factors = self.factors;
        if skipped == 0 {
            return factors.lower[i].clone();
        }
        if let Some(known) = self.coefficient_cache.get(&(i, skipped)) {
            return known.clone();
        }
        let mut row = factors.lower[i][skipped..].to_vec();
        for at in 0..skipped {
            let l = factors.lower[i][at];
            if l.is_zero() {
                continue;
            }
            let between = self.ancestor_coefficients(factors.ancestors[i][at], skipped - at - 1);
            for (x, c) in row.iter_mut().zip(between) {
                if !c.is_zero() {
                    *x = *x - l * c;
                }
            }
        }
        self.coefficient_cache.insert((i, skipped), row.clone());
        row
    }

    /// `start − Σ` of coefficients times values over the ancestors of i that are not skipped; `x`
    /// returns the value of an ancestor.
    fn substitute_ancestors(&mut self, i: usize, skipped: usize, start: S, x: impl Fn(usize) -> S) -> S {
        let row = self.ancestor_coefficients(i, skipped);
        let ancestors = &self.factors.ancestors[i][skipped..];
        ancestors.iter().zip(row).fold(start, |sum, (j, c)| {
            let x = x(*j);
            if c.is_zero() || x.is_zero() { sum } else { sum - c * x }
        })
    }

    /// Solves M x = b for one right-hand side, with coefficients cached for the next.
    pub fn solve(&mut self, b: &[S]) -> Vec<S> {
        let reduced = self.factors.solve_lower_transposed(b);
        let moved: Vec<bool> = reduced.iter().map(|y| !y.is_zero()).collect();
        let mut x = reduced;
        for i in 0..x.len() {
            let start = if moved[i] { x[i] * self.factors.reciprocals[i] } else { S::ZERO };
            let skipped = self.count_skippable_ancestors(i, |j| moved[j]);
            x[i] = self.substitute_ancestors(i, skipped, start, |j| x[j]);
        }
        x
    }

    /// The inverse `M⁻¹` of the factored matrix, by rows.
    pub fn inverse(&mut self) -> Vec<Vec<S>> {
        let factors = self.factors;
        let n = factors.ancestors.len();
        let mut x = vec![vec![S::ZERO; n]; n];
        for k in 0..n {
            let row: Vec<S> = (0..k)
                .map(|j| {
                    let skipped =
                        self.count_skippable_ancestors(k, |i| i == j || factors.ancestors[j].contains(&i));
                    self.substitute_ancestors(k, skipped, S::ZERO, |i| x[i][j])
                })
                .collect();
            for (j, entry) in row.into_iter().enumerate() {
                (x[k][j], x[j][k]) = (entry, entry);
            }
            x[k][k] = self.substitute_ancestors(k, 0, factors.reciprocals[k], |i| x[i][k]);
        }
        x
    }
}
