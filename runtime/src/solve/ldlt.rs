//! Square-root-free Cholesky factorisation.

use crate::real::Real;
use crate::singular::{Singular, check_pivots};

/// Solves `A x = b` for a symmetric positive definite `A`; overwrites `b` with `x`.
///
/// Reads the lower triangle of `a`, of shape N×N, and overwrites it with `L` and `D` of
/// `A = L D Lᵀ`. Costs about N³/6 multiplications. Rows are not exchanged: for a matrix that is not
/// positive definite use [`solve_lu`](super::solve_lu). The sign of a pivot is not checked.
///
/// # Errors
/// [`Singular`] with the index of the row where `|pivot| ≤ epsilon · |diagonal entry|`, or where
/// one of them is not finite; `b` is zero then.
#[inline]
pub fn solve_ldlt<T: Real, const N: usize>(
    a: &mut [[T; N]; N],
    b: &mut [T; N],
    epsilon: T,
) -> Result<(), Singular<T::Mask>> {
    let diagonal: [T; N] = core::array::from_fn(|i| a[i][i]);
    for j in 0..N {
        // Row j of the factor times the pivots, then the row itself.
        for k in 0..j {
            let mut sum = a[j][k];
            for l in 0..k {
                sum -= a[j][l] * a[k][l];
            }
            a[j][k] = sum;
        }
        let mut pivot = a[j][j];
        for k in 0..j {
            let scaled = a[j][k];
            a[j][k] = scaled / a[k][k];
            pivot -= scaled * a[j][k];
        }
        a[j][j] = pivot;
    }
    for j in 0..N {
        for k in 0..j {
            b[j] -= a[j][k] * b[k];
        }
    }
    for j in (0..N).rev() {
        b[j] /= a[j][j];
        for k in j + 1..N {
            b[j] -= a[k][j] * b[k];
        }
    }
    let pivots: [T; N] = core::array::from_fn(|i| a[i][i]);
    check_pivots(pivots, diagonal, epsilon).finish(&[], b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, assert_close};
    use crate::{Cause, Dual, LaneMask, Lanes};

    fn random_positive_definite<const N: usize>(random: &mut Random) -> [[f64; N]; N] {
        let g: [[f64; N]; N] =
            core::array::from_fn(|_| core::array::from_fn(|_| random.random_within(-1.0, 1.0)));
        core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                let dot: f64 = (0..N).map(|k| g[i][k] * g[j][k]).sum();
                dot + if i == j { 0.1 } else { 0.0 }
            })
        })
    }

    #[test]
    fn the_solution_fulfils_the_equations() {
        let mut random = Random::new(21);
        for _ in 0..200 {
            let a = random_positive_definite::<6>(&mut random);
            let x: [f64; 6] = core::array::from_fn(|_| random.random_within(-1.0, 1.0));
            let mut b = core::array::from_fn(|i| (0..6).map(|j| a[i][j] * x[j]).sum());
            let mut lower = a;
            for (i, row) in lower.iter_mut().enumerate() {
                row[i + 1..].fill(f64::NAN); // must not be read
            }
            assert_eq!(solve_ldlt(&mut lower, &mut b, 1e-12), Ok(()));
            for i in 0..6 {
                assert_close(b[i], x[i], 1e-12);
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_reported_with_zeros() {
        let mut a = [[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [0.0, 1.0, 1.0]];
        let mut b = [1.0, 2.0, 3.0];
        let error = solve_ldlt(&mut a, &mut b, 1e-12).map_err(|e| e.cause);
        assert_eq!((error, b), (Err(Cause::Row(1)), [0.0; 3]));
        assert_eq!(solve_ldlt::<f64, 0>(&mut [], &mut [], 1e-12), Ok(()));
    }

    #[test]
    fn a_light_part_beside_a_heavy_one_is_not_singular() {
        let mut b = [2e6, 3e-7];
        assert_eq!(solve_ldlt(&mut [[1e6, 0.0], [0.0, 1e-7]], &mut b, 1e-12), Ok(()));
        assert_close(b[0], 2.0, 1e-15);
        assert_close(b[1], 3.0, 1e-15);
    }

    #[test]
    fn one_singular_lane_does_not_spoil_the_others() {
        let mut a = [[Lanes([1.0, 1.0]), Lanes([2.0, 0.5])], [Lanes([2.0, 0.5]), Lanes([4.0, 1.0])]];
        let mut b = [Lanes([1.0, 1.0]), Lanes([1.0, 0.5])];
        let error = solve_ldlt(&mut a, &mut b, Lanes::splat(1e-12)).map_err(|e| e.lanes);
        assert_eq!(error, Err(LaneMask([true, false])));
        assert_eq!(b, [Lanes([0.0, 1.0]), Lanes([0.0, 0.0])]);
    }

    #[test]
    fn a_dual_differentiates_the_solution() {
        // (2 + p) x = 1 in a 1×1 system: x' = −x².
        let p = Dual::<f64, 1>::variable(0.0, 0);
        let mut b = [Dual::constant(1.0)];
        assert!(solve_ldlt(&mut [[p + Dual::constant(2.0)]], &mut b, Dual::ZERO).is_ok());
        assert_eq!((b[0].value, b[0].derivatives), (0.5, [-0.25]));
    }
}
