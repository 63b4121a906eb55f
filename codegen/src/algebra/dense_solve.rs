//! Small dense linear systems in a given order of pivots.
//!
//! Problem: A x = b and Aᵀ y = c, A square of shape (n, n), over a scalar that cannot be compared.
//! Method:  Gauss's elimination without exchange of rows: who calls has ordered rows and columns so that the pivots are
//!          far from zero ([`order`], over doubles). Structural zeros are skipped.
//! Cost:    about n³/3 multiplications for the factors, n² for each right side.

use super::Scalar;

/// `A = L U` with L of unit diagonal.
#[derive(Clone, Debug)]
pub struct DenseFactors<S> {
    /// L below the diagonal, U on and above it.
    factors: Vec<Vec<S>>,
    /// One over each pivot.
    reciprocals: Vec<S>,
}

impl<S: Scalar> DenseFactors<S> {
    /// Factors A, given by rows.
    pub fn new(mut a: Vec<Vec<S>>) -> Self {
        let n = a.len();
        let mut reciprocals = Vec::with_capacity(n);
        for k in 0..n {
            let reciprocal = S::ONE / a[k][k];
            reciprocals.push(reciprocal);
            let (above, below) = a.split_at_mut(k + 1);
            let pivot_row = &above[k];
            for row in below.iter_mut().filter(|row| !row[k].is_zero()) {
                let factor = row[k] * reciprocal;
                row[k] = factor;
                for (entry, p) in row.iter_mut().zip(pivot_row).skip(k + 1) {
                    if !p.is_zero() {
                        *entry = *entry - factor * *p;
                    }
                }
            }
        }
        DenseFactors { factors: a, reciprocals }
    }

    /// What was divided by.
    pub fn pivots(&self) -> Vec<S> {
        self.factors.iter().enumerate().map(|(i, row)| row[i]).collect()
    }

    /// Solves A x = b.
    pub fn solve(&self, b: &[S]) -> Vec<S> {
        let n = b.len();
        let mut x = b.to_vec();
        for i in 0..n {
            for k in 0..i {
                x[i] = less(x[i], self.factors[i][k], x[k]);
            }
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] = less(x[i], self.factors[i][k], x[k]);
            }
            x[i] = times(x[i], self.reciprocals[i]);
        }
        x
    }

    /// Solves Aᵀ y = c.
    pub fn solve_transposed(&self, c: &[S]) -> Vec<S> {
        let n = c.len();
        let mut y = c.to_vec();
        for i in 0..n {
            for k in 0..i {
                y[i] = less(y[i], self.factors[k][i], y[k]);
            }
            y[i] = times(y[i], self.reciprocals[i]);
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                y[i] = less(y[i], self.factors[k][i], y[k]);
            }
        }
        y
    }
}

/// `x − a b`.
fn less<S: Scalar>(x: S, a: S, b: S) -> S {
    if a.is_zero() || b.is_zero() { x } else { x - a * b }
}

/// `a b`.
fn times<S: Scalar>(a: S, b: S) -> S {
    if a.is_zero() { a } else { a * b }
}

/// Rows and columns of `a` (by rows) in an order in which elimination finds large pivots: the largest entry that is left
/// is the next pivot, rows scaled to their largest entry. `first`: columns that are taken before all others. As many
/// pairs as there are rows; fewer where what is left is below 1e-9 of the row.
pub fn order(a: &[Vec<f64>], first: &[usize]) -> Vec<(usize, usize)> {
    let mut a: Vec<Vec<f64>> = a
        .iter()
        .map(|row| {
            let size = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            row.iter().map(|x| if size > 0.0 { x / size } else { 0.0 }).collect()
        })
        .collect();
    let columns = a.first().map_or(0, Vec::len);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    while pairs.len() < a.len() {
        let free_row = |r: &usize| !pairs.iter().any(|p| p.0 == *r);
        let free_column = |c: &usize| !pairs.iter().any(|p| p.1 == *c);
        let wanted = |c: &usize| !first.iter().any(|f| free_column(f)) || first.contains(c);
        let mut best: Option<(usize, usize)> = None;
        for r in (0..a.len()).filter(free_row) {
            for c in (0..columns).filter(free_column).filter(wanted) {
                if a[r][c].abs() > best.map_or(1e-9, |(i, k)| a[i][k].abs()) {
                    best = Some((r, c));
                }
            }
        }
        let Some((r, c)) = best else { break };
        pairs.push((r, c));
        let pivot = a[r].clone();
        for (i, row) in a.iter_mut().enumerate() {
            if !pairs.iter().any(|p| p.0 == i) {
                let factor = row[c] / pivot[c];
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_fulfil_both_systems() {
        let a: Vec<Vec<f64>> = vec![vec![0.0, 2.0, 1.0], vec![1.0, -1.0, 0.5], vec![3.0, 0.2, 0.0]];
        let pairs = order(&a, &[]);
        assert_eq!(pairs.len(), 3);
        let ordered: Vec<Vec<f64>> =
            pairs.iter().map(|(r, _)| pairs.iter().map(|(_, c)| a[*r][*c]).collect()).collect();
        let factors = DenseFactors::new(ordered.clone());
        let b = [1.0, -2.0, 0.7];
        let (x, y) = (factors.solve(&b), factors.solve_transposed(&b));
        for i in 0..3 {
            let left: f64 = (0..3).map(|k| ordered[i][k] * x[k]).sum();
            let other: f64 = (0..3).map(|k| ordered[k][i] * y[k]).sum();
            assert!((left - b[i]).abs() < 1e-14 && (other - b[i]).abs() < 1e-14);
        }
        assert!(factors.pivots().iter().all(|p| p.abs() > 0.1));
    }

    #[test]
    fn columns_that_are_wanted_come_first_and_dependent_rows_last() {
        let a = vec![vec![1.0, 5.0, 0.0], vec![2.0, 10.0, 0.0], vec![0.0, 1.0, 1.0]];
        let pairs = order(&a, &[0]);
        assert_eq!(pairs[0].1, 0);
        assert_eq!(pairs.len(), 2);
    }
}
