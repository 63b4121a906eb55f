//! Eigenvalues and eigenvectors.

use nalgebra::{Complex, DMatrix, DVector};

/// One eigenvalue of `A`, with its vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Mode {
    /// Real and imaginary part [1/s]; of a pair of conjugates both are there.
    pub value: [f64; 2],
    /// Real and imaginary part for each state; the largest entry is one.
    pub shape: Vec<[f64; 2]>,
}

impl Mode {
    /// Undamped angular frequency [rad/s].
    pub fn frequency(&self) -> f64 {
        self.value[0].hypot(self.value[1])
    }

    /// Damping as a share of the critical one; negative where it grows.
    pub fn damping(&self) -> f64 {
        let frequency = self.frequency();
        if frequency == 0.0 { 0.0 } else { -self.value[0] / frequency }
    }
}

/// Swaps of rows and columns by powers of two, so that both have about the same size: `D⁻¹ A D` and D.
pub(super) fn balanced(a: &mut DMatrix<f64>) -> Vec<f64> {
    let n = a.nrows();
    let mut scale = vec![1.0; n];
    for _ in 0..20 {
        let mut changed = false;
        for i in 0..n {
            let size = |x: f64, k: usize| if k == i { 0.0 } else { x.abs() };
            let column: f64 = (0..n).map(|k| size(a[(k, i)], k)).sum();
            let row: f64 = (0..n).map(|k| size(a[(i, k)], k)).sum();
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let factor = 2f64.powi(((row / column).log2() / 2.0).round().clamp(-500.0, 500.0) as i32);
            if factor != 1.0 && column * factor + row / factor < 0.95 * (column + row) {
                (0..n).for_each(|k| a[(k, i)] *= factor);
                (0..n).for_each(|k| a[(i, k)] /= factor);
                scale[i] *= factor;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    scale
}

/// The eigenvalues of a matrix by rows, the largest real part first.
pub fn modes(rows: &[Vec<f64>]) -> Vec<Mode> {
    let n = rows.len();
    if n == 0 || rows.iter().flatten().any(|x| !x.is_finite()) {
        return Vec::new();
    }
    let mut a = DMatrix::from_fn(n, n, |i, j| rows[i][j]);
    let scale = balanced(&mut a);
    let Some(schur) = a.clone().try_schur(f64::EPSILON, 10_000 * n) else { return Vec::new() };
    let mut values: Vec<Complex<f64>> = schur.complex_eigenvalues().iter().copied().collect();
    values.sort_by(|x, y| y.re.total_cmp(&x.re).then(y.im.total_cmp(&x.im)));
    let largest = a.iter().fold(0.0f64, |m, x| m.max(x.abs())).max(f64::MIN_POSITIVE);
    let shifted = a.map(|x| Complex::new(x, 0.0));
    let shape = |value: Complex<f64>| {
        // Inverse iteration from a shift right beside the eigenvalue.
        let near = value + Complex::new(largest * 1e-10, largest * 0.7e-10);
        let lu = (&shifted - DMatrix::identity(n, n) * near).lu();
        let mut x = DVector::from_fn(n, |i, _| Complex::new(1.0 + 0.1 * i as f64, 0.3));
        for _ in 0..3 {
            match lu.solve(&x) {
                Some(next) if next.norm().is_finite() && next.norm() > 0.0 => {
                    x = &next / Complex::new(next.norm(), 0.0)
                }
                _ => break,
            }
        }
        let x: Vec<Complex<f64>> = x.iter().zip(&scale).map(|(x, d)| x * *d).collect();
        let first =
            x.iter().copied().fold(Complex::new(0.0, 0.0), |m, x| if x.norm() > m.norm() { x } else { m });
        x.into_iter().map(|x| x / first).map(|x| [x.re, x.im]).collect()
    };
    values.into_iter().map(|v| Mode { value: [v.re, v.im], shape: shape(v) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_belong_to_their_values_whatever_the_units() {
        let a = vec![
            vec![0.0, 1.0, 0.0, 0.0],
            vec![-4.0, -0.2, 1e5, 0.0],
            vec![0.0, 0.0, 0.0, 1.0],
            vec![1e-6, 0.0, -9.0, -0.1],
        ];
        let found = modes(&a);
        assert_eq!(found.len(), 4);
        for mode in &found {
            let [re, im] = mode.value;
            for (i, row) in a.iter().enumerate() {
                let part = |k: usize| row.iter().zip(&mode.shape).map(|(a, x)| a * x[k]).sum::<f64>();
                let [x, y] = mode.shape[i];
                let size = row
                    .iter()
                    .zip(&mode.shape)
                    .map(|(a, x)| (a * x[0]).abs() + (a * x[1]).abs())
                    .sum::<f64>();
                assert!((part(0) - (re * x - im * y)).abs() < 1e-9 * size.max(1e-9), "{mode:?}");
                assert!((part(1) - (re * y + im * x)).abs() < 1e-9 * size.max(1e-9), "{mode:?}");
            }
        }
        assert!(
            (found[0].frequency() * found[2].frequency() * found[0].frequency() * found[2].frequency()
                - (36.0 - 0.1))
                .abs()
                < 1e-9
        );
    }
}
