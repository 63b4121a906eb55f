//! Gaussian elimination with partial pivoting.

use crate::real::Real;
use crate::singular::{Singular, check_pivots};

/// Solves `A x = b` for a general `A`; overwrites `b` with `x` and `a` with its factors.
///
/// Shape of `a`: N×N. Rows are exchanged so that the pivot of a column is its largest entry. Costs
/// about N³/3 multiplications.
///
/// # Errors
/// [`Singular`] with the index of the column where `|pivot| ≤ epsilon · |largest term of its sum|`,
/// or where one of them is not finite; `b` is zero then.
#[inline]
pub fn solve_lu<T: Real<Mask = bool>, const N: usize>(
    a: &mut [[T; N]; N],
    b: &mut [T; N],
    epsilon: T,
) -> Result<(), Singular> {
    let mut columns = b.map(|x| [x]);
    let outcome = solve_lu_columns(a, &mut columns, epsilon);
    *b = columns.map(|[x]| x);
    outcome
}

/// Solves like [`solve_lu`], for M right-hand sides at once: the columns of `b`, of shape N×M.
///
/// # Errors
/// The same as [`solve_lu`].
#[inline]
pub fn solve_lu_columns<T: Real<Mask = bool>, const N: usize, const M: usize>(
    a: &mut [[T; N]; N],
    b: &mut [[T; M]; N],
    epsilon: T,
) -> Result<(), Singular> {
    // The largest term of each entry's sum so far.
    let mut terms = a.map(|row| row.map(T::abs));
    for j in 0..N {
        let mut best = j;
        for i in j + 1..N {
            if a[i][j].abs().is_gt(a[best][j].abs()) {
                best = i;
            }
        }
        a.swap(j, best);
        terms.swap(j, best);
        b.swap(j, best);
        let (above, below) = a.split_at_mut(j + 1);
        let row = above[j];
        if row[j].is_eq(T::ZERO) {
            continue; // reported below
        }
        let right = b[j];
        for (i, other) in below.iter_mut().enumerate() {
            let factor = other[j] / row[j];
            for k in j + 1..N {
                let term = factor * row[k];
                other[k] -= term;
                terms[j + 1 + i][k] = terms[j + 1 + i][k].max(term.abs());
            }
            for (x, right) in b[j + 1 + i].iter_mut().zip(right) {
                *x -= factor * right;
            }
        }
    }
    for j in (0..N).rev() {
        for k in j + 1..N {
            let known = b[k];
            for (x, known) in b[j].iter_mut().zip(known) {
                *x -= a[j][k] * known;
            }
        }
        for x in &mut b[j] {
            *x /= a[j][j];
        }
    }
    let pivots: [T; N] = core::array::from_fn(|i| a[i][i]);
    let scales: [T; N] = core::array::from_fn(|i| terms[i][i]);
    let outcome = check_pivots(pivots, scales, epsilon).finish(&[], &mut [T::ZERO]);
    if outcome.is_err() {
        *b = [[T::ZERO; M]; N];
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cause;
    use crate::testing::{Random, assert_close};

    #[test]
    fn the_solution_fulfils_the_equations() {
        let mut random = Random::new(22);
        for _ in 0..200 {
            let a: [[f64; 7]; 7] =
                core::array::from_fn(|_| core::array::from_fn(|_| random.random_within(-1.0, 1.0)));
            let x: [f64; 7] = core::array::from_fn(|_| random.random_within(-1.0, 1.0));
            let mut b = core::array::from_fn(|i| (0..7).map(|j| a[i][j] * x[j]).sum());
            assert_eq!(solve_lu(&mut a.clone(), &mut b, 1e-12), Ok(()));
            for i in 0..7 {
                assert_close(b[i], x[i], 1e-10);
            }
        }
    }

    #[test]
    fn a_zero_on_the_diagonal_is_no_obstacle() {
        let mut b = [2.0, 3.0];
        assert_eq!(solve_lu(&mut [[0.0, 1.0], [1.0, 0.0]], &mut b, 1e-12), Ok(()));
        assert_eq!(b, [3.0, 2.0]);
    }

    #[test]
    fn a_singular_matrix_is_reported_with_zeros() {
        let mut b = [1.0, 2.0, 3.0];
        let mut a = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]];
        let error = solve_lu(&mut a, &mut b, 1e-12).map_err(|e| e.cause);
        assert_eq!((error, b), (Err(Cause::Row(2)), [0.0; 3]));
        let mut b = [1.0, 2.0];
        assert!(solve_lu(&mut [[0.0; 2]; 2], &mut b, 1e-12).is_err());
        assert!(solve_lu(&mut [[f64::NAN; 2]; 2], &mut b, 1e-12).is_err());
        assert_eq!(b, [0.0; 2]);
    }
}
