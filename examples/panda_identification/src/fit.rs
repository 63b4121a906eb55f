//! Linear least squares with standard deviations.

/// Accumulated normal equations of a linear fit `W β = y`: `Wᵀ W` and `Wᵀ y`.
pub struct Fit {
    normal: Vec<Vec<f64>>,
    right: Vec<f64>,
    squares: f64,
    rows: usize,
}

impl Fit {
    /// An empty fit of `n` unknowns.
    pub fn new(n: usize) -> Self {
        Fit { normal: vec![vec![0.0; n]; n], right: vec![0.0; n], squares: 0.0, rows: 0 }
    }

    /// Adds a row of `W` with its measurement `y`.
    pub fn add(&mut self, row: &[f64], y: f64) {
        for (i, a) in row.iter().enumerate() {
            for (j, b) in row.iter().enumerate() {
                self.normal[i][j] += a * b;
            }
            self.right[i] += a * y;
        }
        self.squares += y * y;
        self.rows += 1;
    }

    /// Solves for the unknowns, with their standard deviations for noise of equal variance in all
    /// rows. `None` if the rows do not determine the unknowns.
    pub fn solve(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let n = self.right.len();
        // Scale columns to unit length, since parameters have different units.
        let size: Vec<f64> = (0..n).map(|i| self.normal[i][i].sqrt()).collect();
        let mut lower = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
                let rest = self.normal[i][j] / (size[i] * size[j]) - sum;
                if i > j {
                    lower[i][j] = rest / lower[j][j];
                } else if rest > 1e-12 {
                    lower[i][i] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        let solve_scaled = |right: &[f64]| {
            let mut x = right.to_vec();
            for i in 0..n {
                x[i] = (x[i] - (0..i).map(|k| lower[i][k] * x[k]).sum::<f64>()) / lower[i][i];
            }
            for i in (0..n).rev() {
                x[i] = (x[i] - (i + 1..n).map(|k| lower[k][i] * x[k]).sum::<f64>()) / lower[i][i];
            }
            x
        };
        let right: Vec<f64> = self.right.iter().zip(&size).map(|(r, s)| r / s).collect();
        let solution: Vec<f64> = solve_scaled(&right).iter().zip(&size).map(|(x, s)| x / s).collect();
        let explained: f64 = solution.iter().zip(&self.right).map(|(x, r)| x * r).sum();
        let variance = (self.squares - explained).max(0.0) / (self.rows - n) as f64;
        let deviations = (0..n).map(|i| {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            (variance * solve_scaled(&unit)[i]).sqrt() / size[i]
        });
        Some((solution, deviations.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::Fit;

    #[test]
    fn a_line_is_found_again_and_two_equal_columns_are_refused() {
        let mut fit = Fit::new(2);
        for x in [0.0, 1.0, 2.0, 3.0] {
            fit.add(&[1.0, 1e6 * x], 2.0 - 3.0 * x);
        }
        let (solution, deviations) = fit.solve().unwrap();
        assert!((solution[0] - 2.0).abs() < 1e-12 && (solution[1] + 3e-6).abs() < 1e-18, "{solution:?}");
        assert!(deviations.iter().all(|d| *d < 1e-6));
        let mut equal = Fit::new(2);
        for x in [1.0, 2.0, 3.0] {
            equal.add(&[x, x], x);
        }
        assert!(equal.solve().is_none());
    }
}
