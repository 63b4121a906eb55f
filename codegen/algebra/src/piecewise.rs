//! Piecewise cubic functions of one variable, which represent tables.
//!
//! Linear and cubic interpolants and their derivatives all have this form. Outside its knots a
//! function is constant.

/// A table of the spec as a piecewise cubic: on `knots[i] <= x < knots[i + 1]` the value is `c[0] +
/// c[1] d + c[2] d² + c[3] d³` with `d = x − knots[i]` and `c = coefficients[i]`.
///
/// Below the first knot the value is `before`. The last coefficient row gives the constant value
/// from the last knot on (its higher coefficients are zero).
#[derive(Clone, PartialEq, Debug)]
pub struct PiecewiseCubic {
    /// Name of the table, with a prime for each derivative; empty if it has none.
    pub name: String,
    /// Knots, strictly increasing: arguments at which one cubic ends and the next begins.
    pub knots: Vec<f64>,
    /// Coefficients of powers 0 to 3 of the distance from the knot, one row per knot.
    pub coefficients: Vec<[f64; 4]>,
    /// Value of the function below the first knot, where it is constant.
    pub before: f64,
}

impl PiecewiseCubic {
    /// Linear interpolation of the points `(x[i], y[i])`; `x` must be strictly increasing, with at
    /// least two points.
    pub fn linear(x: &[f64], y: &[f64]) -> Self {
        let mut coefficients: Vec<[f64; 4]> = x
            .windows(2)
            .zip(y.windows(2))
            .map(|(x, y)| [y[0], (y[1] - y[0]) / (x[1] - x[0]), 0.0, 0.0])
            .collect();
        coefficients.push([y[y.len() - 1], 0.0, 0.0, 0.0]);
        PiecewiseCubic { name: String::new(), knots: x.to_vec(), coefficients, before: y[0] }
    }

    /// The natural cubic spline through the points; continuous up to the second derivative inside.
    pub fn natural_spline(x: &[f64], y: &[f64]) -> Self {
        let n = x.len();
        let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
        // Second derivatives m by the tridiagonal system with m[0] = m[n-1] = 0 (Thomas algorithm).
        let mut m = vec![0.0; n];
        let (mut diagonal, mut right) = (vec![0.0; n], vec![0.0; n]);
        for i in 1..n.saturating_sub(1) {
            diagonal[i] = 2.0 * (h[i - 1] + h[i]);
            right[i] = 6.0 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1]);
            if i > 1 {
                let w = h[i - 1] / diagonal[i - 1];
                diagonal[i] -= w * h[i - 1];
                right[i] -= w * right[i - 1];
            }
        }
        for i in (1..n.saturating_sub(1)).rev() {
            m[i] = (right[i] - h[i] * m[i + 1]) / diagonal[i];
        }
        let mut coefficients: Vec<[f64; 4]> = (0..n - 1)
            .map(|i| {
                [
                    y[i],
                    (y[i + 1] - y[i]) / h[i] - h[i] * (2.0 * m[i] + m[i + 1]) / 6.0,
                    m[i] / 2.0,
                    (m[i + 1] - m[i]) / (6.0 * h[i]),
                ]
            })
            .collect();
        coefficients.push([y[n - 1], 0.0, 0.0, 0.0]);
        PiecewiseCubic { name: String::new(), knots: x.to_vec(), coefficients, before: y[0] }
    }

    /// The same function with the name of its table.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        PiecewiseCubic { name: name.to_owned(), ..self }
    }

    /// The value of the function at `x`; constant outside the knots, NaN at NaN.
    pub fn eval(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        let above = self.knots.partition_point(|k| *k <= x);
        if above == 0 {
            return self.before;
        }
        // Beyond the last knot the distance may be infinite, and its product with zero would be
        // NaN.
        let d = if above == self.knots.len() { 0.0 } else { x - self.knots[above - 1] };
        let c = &self.coefficients[above - 1];
        c[0] + d * (c[1] + d * (c[2] + d * c[3]))
    }

    /// Knots and coefficients as the runtime's `Real::table` expects them: below the first knot it
    /// keeps the value of the first row, so a table with another value there has one more knot.
    pub fn runtime_rows(&self) -> (Vec<f64>, Vec<[f64; 4]>) {
        let (mut knots, mut rows) = (self.knots.clone(), self.coefficients.clone());
        if let (Some(knot), Some(row)) = (knots.first().copied(), rows.first().copied())
            && row[0] != self.before
        {
            knots.insert(0, knot - 1.0);
            rows.insert(0, [self.before, 0.0, 0.0, 0.0]);
        }
        (knots, rows)
    }

    /// The derivative, again piecewise; zero outside the knots.
    pub fn derivative(&self) -> Self {
        let name = if self.name.is_empty() { String::new() } else { format!("{}'", self.name) };
        PiecewiseCubic {
            name,
            knots: self.knots.clone(),
            coefficients: self.coefficients.iter().map(|c| [c[1], 2.0 * c[2], 3.0 * c[3], 0.0]).collect(),
            before: 0.0,
        }
    }

    /// True if the function is zero everywhere.
    pub fn is_zero(&self) -> bool {
        self.before == 0.0 && self.coefficients.iter().all(|c| c.iter().all(|x| *x == 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_interpolants_pass_through_their_points_and_keep_end_values() {
        let (x, y) = ([0.0, 1.0, 2.5, 4.0], [1.0, -1.0, 3.0, 2.0]);
        for f in [PiecewiseCubic::linear(&x, &y), PiecewiseCubic::natural_spline(&x, &y)] {
            for (x, y) in x.iter().zip(&y) {
                assert!((f.eval(*x) - y).abs() < 1e-14);
            }
            assert_eq!(f.eval(-5.0), 1.0);
            assert_eq!(f.eval(9.0), 2.0);
            assert_eq!([f64::NEG_INFINITY, f64::INFINITY].map(|x| f.eval(x)), [1.0, 2.0]);
            assert!(f.eval(f64::NAN).is_nan());
        }
    }

    #[test]
    fn the_spline_is_twice_smooth_inside() {
        let f = PiecewiseCubic::natural_spline(&[0.0, 1.0, 2.5, 4.0], &[1.0, -1.0, 3.0, 2.0]);
        for order in 0..3 {
            let g = (0..order).fold(f.clone(), |g, _| g.derivative());
            for k in [1.0, 2.5] {
                assert!((g.eval(k - 1e-9) - g.eval(k)).abs() < 1e-7, "order {order} at {k}");
            }
        }
    }
}
