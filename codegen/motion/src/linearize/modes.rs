//! Eigenvalues and eigenvectors of a matrix.

use nalgebra::{Complex, DMatrix};

use super::reduce::nonzero_entries;
use super::zeros::split_zeros;

/// An eigenvalue of the state matrix `A` of a linearisation, with its eigenvector.
#[derive(Clone, PartialEq, Debug)]
pub struct Mode {
    /// Real and imaginary part of the eigenvalue \[1/s\]. A complex conjugate pair is two modes.
    pub value: [f64; 2],
    /// Eigenvector: real and imaginary part for each independent state, scaled so that the largest
    /// entry is one.
    pub shape: Vec<[f64; 2]>,
}

impl Mode {
    /// Undamped angular frequency of the mode \[rad/s\]: the absolute value of the eigenvalue.
    pub fn frequency(&self) -> f64 {
        self.value[0].hypot(self.value[1])
    }

    /// Damping ratio of the mode; negative for a growing motion.
    pub fn damping(&self) -> f64 {
        let frequency = self.frequency();
        if frequency == 0.0 { 0.0 } else { -self.value[0] / frequency }
    }
}

/// Balances a matrix: scales rows and columns by powers of two until their norms are about equal.
/// Replaces A by `D⁻¹ A D` and returns the diagonal of D.
pub(super) fn balance_matrix(a: &mut DMatrix<f64>) -> Vec<f64> {
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

/// Maximum number of states for which eigenvalues are computed. The cost is cubic, some seconds at
/// this size.
#[doc(hidden)]
pub const MOST_STATES: usize = 400;

/// Eigenvalues and eigenvectors of a matrix given by rows, largest real part first. Empty above
/// [`MOST_STATES`] rows.
pub fn compute_modes(rows: &[Vec<f64>]) -> Vec<Mode> {
    let n = rows.len();
    if n == 0 || n > MOST_STATES || rows.iter().flatten().any(|x| !x.is_finite()) {
        return Vec::new();
    }
    let mut a = DMatrix::from_fn(n, n, |i, j| rows[i][j]);
    let scale = balance_matrix(&mut a);
    let (zeros, rest) = split_zeros(a.clone());
    let mut values = vec![Complex::new(0.0, 0.0); zeros];
    if !rest.is_empty() {
        let Some(schur) = rest.try_schur(f64::EPSILON, 10_000 * n) else { return Vec::new() };
        values.extend(schur.complex_eigenvalues().iter());
    }
    values.sort_by(|x, y| y.re.total_cmp(&x.re).then(y.im.total_cmp(&x.im)));
    let largest = a.iter().fold(0.0f64, |m, x| m.max(x.abs())).max(f64::MIN_POSITIVE);
    let (basis, hessenberg) = a.hessenberg().unpack();
    let start: Vec<Complex<f64>> = (0..n).map(|i| Complex::new(1.0 + 0.1 * i as f64, 0.3)).collect();
    let start: Vec<Complex<f64>> =
        (0..n).map(|j| start.iter().zip(&basis.column(j)).map(|(x, y)| x * *y).sum()).collect();
    values
        .into_iter()
        .map(|value| {
            let shift = value + Complex::new(largest * 1e-10, largest * 0.7e-10);
            let x = inverse_iteration(&HessenbergFactors::new(&hessenberg, shift), start.clone());
            let x: Vec<Complex<f64>> = (0..n)
                .map(|i| (0..n).map(|j| x[j] * basis[(i, j)]).sum::<Complex<f64>>() * scale[i])
                .collect();
            let largest_entry = x
                .iter()
                .copied()
                .fold(Complex::new(0.0, 0.0), |m, x| if x.norm() > m.norm() { x } else { m });
            let shape = x.into_iter().map(|x| x / largest_entry).map(|x| [x.re, x.im]).collect();
            Mode { value: [value.re, value.im], shape }
        })
        .collect()
}

/// Three steps of inverse iteration from `x`, towards the eigenvector whose eigenvalue is near the
/// shift of the factors.
fn inverse_iteration(factors: &HessenbergFactors, mut x: Vec<Complex<f64>>) -> Vec<Complex<f64>> {
    for _ in 0..3 {
        let next = factors.solve(&x);
        let norm = next.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
        if !(norm.is_finite() && norm > 0.0) {
            break;
        }
        x = next.into_iter().map(|x| x / norm).collect();
    }
    x
}

/// LU factors of `H − shift`, with H in Hessenberg form: one elimination factor for each column.
/// Used to compute eigenvectors.
struct HessenbergFactors {
    /// Upper triangular factor U, by rows.
    upper: Vec<Vec<Complex<f64>>>,
    /// Eliminations, one for each column: true if its row was swapped with the next one, and the
    /// factor.
    steps: Vec<(bool, Complex<f64>)>,
}

impl HessenbergFactors {
    fn new(hessenberg: &DMatrix<f64>, shift: Complex<f64>) -> Self {
        let n = hessenberg.nrows();
        let zero = Complex::new(0.0, 0.0);
        let mut upper: Vec<Vec<Complex<f64>>> = (0..n)
            .map(|i| {
                (0..n)
                    .map(|j| Complex::new(hessenberg[(i, j)], 0.0) - if i == j { shift } else { zero })
                    .collect()
            })
            .collect();
        let mut steps = Vec::with_capacity(n);
        for k in 1..n {
            let (above, below) = upper.split_at_mut(k);
            let (above, below) = (&mut above[k - 1][k - 1..], &mut below[0][k - 1..]);
            let swapped = below[0].norm() > above[0].norm();
            if swapped {
                above.swap_with_slice(below);
            }
            let factor = if above[0].norm() == 0.0 { above[0] } else { below[0] / above[0] };
            below.iter_mut().zip(above.iter()).for_each(|(x, y)| *x -= factor * y);
            steps.push((swapped, factor));
        }
        HessenbergFactors { upper, steps }
    }

    /// Solves `(H − shift) x = right` by the factors. The result is not finite if a pivot is zero.
    fn solve(&self, right: &[Complex<f64>]) -> Vec<Complex<f64>> {
        let mut x = right.to_vec();
        for (k, (swapped, factor)) in self.steps.iter().enumerate() {
            if *swapped {
                x.swap(k, k + 1);
            }
            let above = x[k];
            x[k + 1] -= factor * above;
        }
        for (k, row) in self.upper.iter().enumerate().rev() {
            let known: Complex<f64> = row[k + 1..].iter().zip(&x[k + 1..]).map(|(u, x)| u * x).sum();
            x[k] = (x[k] - known) / row[k];
        }
        x
    }
}

/// Absolute value of the largest eigenvalue of a matrix: from its `modes`, or an estimate by power
/// iteration if `modes` is empty.
pub(super) fn largest_eigenvalue(rows: &[Vec<f64>], modes: &[Mode]) -> f64 {
    /// Number of products; enough for the dominant eigenvalue to determine the growth.
    const PRODUCTS: i32 = 50;
    if !modes.is_empty() {
        return modes.iter().map(Mode::frequency).fold(0.0, f64::max);
    }
    let sparse: Vec<Vec<(usize, f64)>> = rows.iter().map(|row| nonzero_entries(row)).collect();
    let mut x: Vec<f64> = (0..rows.len()).map(|i| 1.0 + 0.1 * i as f64).collect();
    let mut logarithm = 0.0;
    for _ in 0..PRODUCTS {
        let next = sparse.iter().map(|row| row.iter().map(|(j, a)| a * x[*j]).sum::<f64>());
        let next: Vec<f64> = next.collect();
        let growth = max_norm(&next) / max_norm(&x);
        if !(growth.is_finite() && growth > 0.0) {
            return 0.0;
        }
        logarithm += growth.ln();
        let norm = max_norm(&next);
        x = next.into_iter().map(|x| x / norm).collect();
    }
    (logarithm / f64::from(PRODUCTS)).exp()
}

/// Largest absolute value of the entries of a vector; NaN is ignored.
pub(super) fn max_norm(x: &[f64]) -> f64 {
    x.iter().fold(0.0f64, |m, x| m.max(x.abs()))
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
        let eigenpairs = compute_modes(&a);
        assert_eq!(eigenpairs.len(), 4);
        for mode in &eigenpairs {
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
            (eigenpairs[0].frequency()
                * eigenpairs[2].frequency()
                * eigenpairs[0].frequency()
                * eigenpairs[2].frequency()
                - (36.0 - 0.1))
                .abs()
                < 1e-9
        );
    }

    #[test]
    fn vectors_of_large_matrices_belong_to_their_values() {
        // Masses in a row, each coupled to its neighbours.
        let masses = 40;
        let mut a = vec![vec![0.0; 2 * masses]; 2 * masses];
        for i in 0..masses {
            a[i][masses + i] = 1.0;
            a[masses + i][i] = -2.0;
            for next in [i.wrapping_sub(1), i + 1].into_iter().filter(|k| *k < masses) {
                a[masses + i][next] = 1.0;
            }
        }
        let eigenpairs = compute_modes(&a);
        assert_eq!(eigenpairs.len(), 2 * masses);
        for mode in &eigenpairs {
            for (i, row) in a.iter().enumerate() {
                let [re, im] = mode.value;
                let part = |k: usize| row.iter().zip(&mode.shape).map(|(a, x)| a * x[k]).sum::<f64>();
                let [x, y] = mode.shape[i];
                assert!((part(0) - (re * x - im * y)).abs() < 1e-9, "{}", mode.value[1]);
                assert!((part(1) - (re * y + im * x)).abs() < 1e-9, "{}", mode.value[1]);
            }
        }
        let quickest = eigenpairs.iter().map(Mode::frequency).fold(0.0, f64::max);
        assert!((quickest - 2.0 * (40.0 * std::f64::consts::PI / 82.0).sin()).abs() < 1e-12);
        assert!((largest_eigenvalue(&a, &[]) / quickest - 1.0).abs() < 0.1);
        assert!(compute_modes(&vec![vec![0.0; MOST_STATES + 1]; MOST_STATES + 1]).is_empty());
    }
}
