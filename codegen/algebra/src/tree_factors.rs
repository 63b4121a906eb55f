//! Solves linear systems with the sparsity of a tree, such as those with a mass matrix.
//!
//! Problem: M x = b with M symmetric positive definite, shape (n, n), and M[i][j] = 0 unless one of
//!          the degrees of freedom i, j is an ancestor of the other.
//! Method:  M = Lᵀ D L from the leaves to the root, without fill-in (Featherstone 2008, tables 6.3
//!          and 6.5). Any order of the degrees of freedom in which parents precede their children
//!          is valid. Each pivot is inverted once, and multiplied by. Structural zeros inside the
//!          pattern are skipped, too.
//! Cost:    with depths d[i] (number of ancestors): n reciprocals, Σ d (d + 3) / 2 multiplications
//!          and Σ d (d + 1) / 2 subtractions for the factors; 2 Σ d of both and n multiplications
//!          for each right-hand side. A chain costs as much as a dense matrix; a balanced binary
//!          tree O(n log² n).

use super::Scalar;

/// Factors of a matrix with the sparsity of a tree, such as the mass matrix of a mechanism: `M = Lᵀ
/// D L` with a unit diagonal of L.
#[derive(Clone, Debug)]
pub struct TreeFactors<S> {
    /// The ancestors of each degree of freedom in the tree, nearest first.
    pub ancestors: Vec<Vec<usize>>,
    /// Row i of L: one entry per ancestor of i, in the same order.
    pub lower: Vec<Vec<S>>,
    /// The pivots (diagonal of D), by degree of freedom; a function fails as `Singular` where one
    /// vanishes.
    pub pivots: Vec<S>,
    /// The diagonal of M, with which pivots are compared to detect that they vanish.
    pub diagonal: Vec<S>,
    /// Reciprocals of the pivots, by degree of freedom.
    pub reciprocals: Vec<S>,
}

/// Ancestors of each degree of freedom, nearest first. A parent that does not precede its child is
/// ignored.
fn list_ancestors(parent: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut lists: Vec<Vec<usize>> = Vec::with_capacity(parent.len());
    for (i, p) in parent.iter().enumerate() {
        let mut list = Vec::new();
        if let Some(p) = p.filter(|p| *p < i) {
            list.push(p);
            list.extend_from_slice(&lists[p]);
        }
        lists.push(list);
    }
    lists
}

impl<S: Scalar> TreeFactors<S> {
    /// Factors M; `m(i, j)` is called only for j = i and ancestors j of i. For a dense matrix let
    /// the parent of each degree of freedom be the preceding one.
    pub fn new(parent: &[Option<usize>], m: impl Fn(usize, usize) -> S) -> Self {
        let ancestors = list_ancestors(parent);
        let n = parent.len();
        let diagonal: Vec<S> = (0..n).map(|i| m(i, i)).collect();
        let mut pivots = diagonal.clone();
        let mut lower: Vec<Vec<S>> =
            ancestors.iter().enumerate().map(|(i, list)| list.iter().map(|j| m(i, *j)).collect()).collect();
        let mut reciprocals = vec![S::ZERO; n];
        for k in (0..n).rev() {
            let reciprocal = S::ONE / pivots[k];
            reciprocals[k] = reciprocal;
            let row = std::mem::take(&mut lower[k]);
            let scaled: Vec<S> =
                row.iter().map(|h| if h.is_zero() { S::ZERO } else { *h * reciprocal }).collect();
            let path = &ancestors[k];
            for (at, i) in path.iter().enumerate() {
                if row[at].is_zero() {
                    continue;
                }
                pivots[*i] = (pivots[*i] - scaled[at] * row[at]).suggest_name_like(pivots[*i], "reduced");
                // Ancestors of i are the rest of the path, in the order of its row.
                for (entry, h) in lower[*i].iter_mut().zip(&row[at + 1..]) {
                    if !h.is_zero() {
                        *entry = (*entry - scaled[at] * *h).suggest_name_like(*entry, "reduced");
                    }
                }
            }
            lower[k] = scaled;
        }
        TreeFactors { ancestors, lower, pivots, diagonal, reciprocals }
    }

    /// Solves M x = b: Lᵀ y = b from the leaves, D z = y, L x = z from the root.
    pub fn solve(&self, b: &[S]) -> Vec<S> {
        self.solve_diagonal_and_lower(self.solve_lower_transposed(b))
    }

    /// Solves Lᵀ y = b for y: the first step of a solution, from the leaves to the root.
    pub fn solve_lower_transposed(&self, b: &[S]) -> Vec<S> {
        let mut x = b.to_vec();
        for i in (0..x.len()).rev() {
            if x[i].is_zero() {
                continue;
            }
            for (j, l) in self.ancestors[i].iter().zip(&self.lower[i]) {
                if !l.is_zero() {
                    x[*j] = (x[*j] - *l * x[i]).suggest_name_like(x[*j], "reduced");
                }
            }
        }
        x
    }

    /// Solves D L x = y for x: the second step of a solution, from the root to the leaves.
    pub fn solve_diagonal_and_lower(&self, y: Vec<S>) -> Vec<S> {
        let mut x = y;
        for (x, r) in x.iter_mut().zip(&self.reciprocals) {
            if !x.is_zero() {
                *x = *x * *r;
            }
        }
        for i in 0..x.len() {
            for (j, l) in self.ancestors[i].iter().zip(&self.lower[i]) {
                if !l.is_zero() && !x[*j].is_zero() {
                    x[i] = x[i] - *l * x[*j];
                }
            }
        }
        x
    }
}

/// The solution of M x = b, and the pivots. `parent[i] < i` is the tree of degrees of freedom;
/// `m(i, j)` the entries of M.
pub fn solve_tree_system<S: Scalar>(
    parent: &[Option<usize>],
    m: impl Fn(usize, usize) -> S,
    b: &[S],
) -> (Vec<S>, Vec<S>) {
    let factors = TreeFactors::new(parent, m);
    (factors.solve(b), factors.pivots)
}
