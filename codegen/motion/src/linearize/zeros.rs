//! Number of zero eigenvalues, counted with multiplicity.
//!
//! Problem: rounding turns an m-fold zero eigenvalue with a Jordan block into m values of size
//!   ε^(1/m) on a circle, which look like slow motions that grow.
//! Method: null spaces are split off before eigenvalues are computed (Kublanovskaya 1966; Golub and
//!   Wilkinson 1976, section 10). With V = [V₁ V₀] from the singular value decomposition, V₀ the
//!   null space, Vᵀ A V has zero columns at the end; the block V₁ᵀ A V₁ has the other eigenvalues.
//! Cost: one decomposition per length of the longest Jordan block, each O(n³).

use nalgebra::DMatrix;

/// Singular values below this fraction of the largest entry, times the number of rows, count as
/// zero when null spaces are split off.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Number of zero eigenvalues of `a` within rounding, with multiplicity, and a smaller matrix with
/// all other eigenvalues.
pub(super) fn split_zeros(mut a: DMatrix<f64>) -> (usize, DMatrix<f64>) {
    let rows = a.nrows();
    let largest = a.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    // The largest entry is a lower bound of the largest singular value.
    let limit = ROUNDING * rows as f64 * largest;
    loop {
        let n = a.nrows();
        let Some(svd) = a.clone().try_svd(false, true, f64::EPSILON, 10_000) else { break };
        let Some(right) = svd.v_t else { break };
        // Singular values come in descending order.
        let rank = svd.singular_values.iter().filter(|s| **s > limit).count();
        if rank == n {
            break;
        }
        let range = right.rows(0, rank);
        a = range * a * range.transpose();
        if rank == 0 {
            break;
        }
    }
    (rows - a.nrows(), a)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `T B T⁻¹` with a full matrix T, so that no entry of the product is exact.
    fn similar_matrix(b: &DMatrix<f64>) -> DMatrix<f64> {
        let n = b.nrows();
        let t = DMatrix::from_fn(n, n, |i, j| {
            if i == j { 3.0 + i as f64 / 7.0 } else { ((i * 5 + j * 3) % 7) as f64 / 7.0 - 0.4 }
        });
        let inverse = t.clone().try_inverse().unwrap();
        t * b * inverse
    }

    #[test]
    fn jordan_blocks_of_zero_are_counted_and_the_rest_keeps_its_values() {
        // Jordan blocks of size four and two, a single zero, and the eigenvalues 5 and −0.001 ± 2
        // i.
        let mut b = DMatrix::zeros(10, 10);
        for i in [0, 1, 2, 4] {
            b[(i, i + 1)] = 1.0;
        }
        b[(7, 7)] = 5.0;
        (b[(8, 8)], b[(9, 9)], b[(8, 9)], b[(9, 8)]) = (-0.001, -0.001, 2.0, -2.0);
        let (zeros, rest) = split_zeros(similar_matrix(&b));
        assert_eq!(zeros, 7);
        let mut values: Vec<_> = rest.complex_eigenvalues().iter().copied().collect();
        values.sort_by(|x, y| x.re.total_cmp(&y.re).then(x.im.total_cmp(&y.im)));
        for (value, [re, im]) in values.iter().zip([[-0.001, -2.0], [-0.001, 2.0], [5.0, 0.0]]) {
            assert!((value.re - re).hypot(value.im - im) < 1e-11, "{value}");
        }
    }

    #[test]
    fn slow_motions_are_no_zeros() {
        let values = DMatrix::from_diagonal(&vec![1e6, -3.0, 1e-6, 0.0].into());
        assert_eq!(split_zeros(values).0, 1);
        let mut slow = DMatrix::zeros(2, 2);
        (slow[(0, 1)], slow[(1, 0)]) = (1.0, -1e-8);
        assert_eq!(split_zeros(slow).0, 0);
    }

    #[test]
    fn a_matrix_of_zeros_has_no_rest() {
        let (zeros, rest) = split_zeros(DMatrix::zeros(3, 3));
        assert_eq!((zeros, rest.nrows()), (3, 0));
    }
}
