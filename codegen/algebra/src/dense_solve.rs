//! Solves small dense linear systems with a given order of pivots.
//!
//! Problem: A x = b and Aᵀ y = c, A square of shape (n, n), over a scalar that cannot be compared.
//! Method:  Gaussian elimination without row exchanges: the caller orders rows and columns such
//!          that the pivots are far from zero ([`crate::pivot_order`]). Structural zeros are
//!          skipped.
//! Cost:    about n³/3 multiplications for the factors, n² for each right-hand side.

use super::Scalar;

/// The dot product `Σ aᵢ bᵢ`, skipping structural zeros.
pub fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(S::ZERO, |sum, (x, y)| sum + *x * *y)
}

/// LU factors of a dense square matrix, `A = L U` with a unit diagonal of L.
#[derive(Clone, Debug)]
pub struct DenseFactors<S> {
    /// The LU factors in one matrix by rows: L below the diagonal, U on and above it.
    factors: Vec<Vec<S>>,
    /// Reciprocals of the pivots, by which solutions multiply.
    reciprocals: Vec<S>,
}

impl<S: Scalar> DenseFactors<S> {
    /// Factors the square matrix A (by rows) without row exchanges: the caller has ordered rows and
    /// columns.
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
                        *entry = (*entry - factor * *p).suggest_name_like(*entry, "reduced");
                    }
                }
            }
        }
        DenseFactors { factors: a, reciprocals }
    }

    /// The pivots of the elimination: the diagonal of U.
    pub fn pivots(&self) -> Vec<S> {
        self.factors.iter().enumerate().map(|(i, row)| row[i]).collect()
    }

    /// Solves the dense system A x = b with the LU factors.
    pub fn solve(&self, b: &[S]) -> Vec<S> {
        let n = b.len();
        let mut x = b.to_vec();
        for i in 0..n {
            for k in 0..i {
                x[i] = subtract_product(x[i], self.factors[i][k], x[k]);
            }
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] = subtract_product(x[i], self.factors[i][k], x[k]);
            }
            x[i] = multiply_nonzero(x[i], self.reciprocals[i]);
        }
        x
    }

    /// Solves the transposed dense system Aᵀ y = c with the same LU factors.
    pub fn solve_transposed(&self, c: &[S]) -> Vec<S> {
        let n = c.len();
        let mut y = c.to_vec();
        for i in 0..n {
            for k in 0..i {
                y[i] = subtract_product(y[i], self.factors[k][i], y[k]);
            }
            y[i] = multiply_nonzero(y[i], self.reciprocals[i]);
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                y[i] = subtract_product(y[i], self.factors[k][i], y[k]);
            }
        }
        y
    }
}

/// `x − a b` of a substitution or elimination, skipping structural zeros.
fn subtract_product<S: Scalar>(x: S, a: S, b: S) -> S {
    if a.is_zero() || b.is_zero() { x } else { (x - a * b).suggest_name_like(x, "reduced") }
}

/// `a b` of a substitution, skipping a structural zero a.
fn multiply_nonzero<S: Scalar>(a: S, b: S) -> S {
    if a.is_zero() { a } else { a * b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pivot_order;

    #[test]
    fn solutions_fulfil_both_systems() {
        let a: Vec<Vec<f64>> = vec![vec![0.0, 2.0, 1.0], vec![1.0, -1.0, 0.5], vec![3.0, 0.2, 0.0]];
        let pairs = pivot_order(&a, &[]);
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
}
