//! Linear-quadratic regulator by the continuous Riccati equation.

use nalgebra::DMatrix;

/// Gain K of `u = −K x` that minimises `∫ xᵀ Q x + uᵀ R u dt` for `ẋ = A x + B u`, with diagonal Q
/// and R.
///
/// Computes the matrix sign function of the Hamiltonian matrix by Newton's method (Roberts 1980);
/// its stable subspace gives the solution. `None` if there is no stabilising regulator.
pub fn lqr(a: &DMatrix<f64>, b: &DMatrix<f64>, q: &[f64], r: &[f64]) -> Option<DMatrix<f64>> {
    let n = a.nrows();
    let inverse = DMatrix::from_diagonal(&r.iter().map(|x| 1.0 / x).collect::<Vec<_>>().into());
    let q = DMatrix::from_diagonal(&q.to_vec().into());
    let mut z = DMatrix::zeros(2 * n, 2 * n);
    z.view_mut((0, 0), (n, n)).copy_from(a);
    z.view_mut((0, n), (n, n)).copy_from(&-(b * &inverse * b.transpose()));
    z.view_mut((n, 0), (n, n)).copy_from(&-q);
    z.view_mut((n, n), (n, n)).copy_from(&-a.transpose());
    for _ in 0..100 {
        let other = z.clone().try_inverse()?;
        let scale = (other.norm() / z.norm()).sqrt();
        let next = (&z * scale + other / scale) / 2.0;
        let change = (&next - &z).norm();
        z = next;
        if change < 1e-13 * z.norm() {
            break;
        }
    }
    // (Z₂₂ + 1, Z₁₂)ᵀ P = −(Z₂₁, Z₁₁ + 1)ᵀ
    let one = DMatrix::<f64>::identity(n, n);
    let (mut left, mut right) = (DMatrix::zeros(2 * n, n), DMatrix::zeros(2 * n, n));
    left.view_mut((0, 0), (n, n)).copy_from(&z.view((0, n), (n, n)));
    left.view_mut((n, 0), (n, n)).copy_from(&(z.view((n, n), (n, n)) + &one));
    right.view_mut((0, 0), (n, n)).copy_from(&-(z.view((0, 0), (n, n)) + &one));
    right.view_mut((n, 0), (n, n)).copy_from(&-z.view((n, 0), (n, n)));
    let p = left.svd(true, true).solve(&right, 1e-12).ok()?;
    let k = inverse * b.transpose() * p;
    let stable = (a - b * &k).complex_eigenvalues().iter().all(|v| v.re < 0.0);
    stable.then_some(k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_integrator_has_the_gain_of_the_books() {
        let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]);
        let b = DMatrix::from_row_slice(2, 1, &[0.0, 1.0]);
        let k = lqr(&a, &b, &[1.0, 0.0], &[1.0]).unwrap();
        assert!((k[(0, 0)] - 1.0).abs() < 1e-10 && (k[(0, 1)] - 2f64.sqrt()).abs() < 1e-10, "{k}");
    }
}
