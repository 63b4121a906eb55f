//! Radau IIA of order 5, for stiff motions.
//!
//! Problem: a stiff spring with a damper, or friction that changes sign within a thousandth of a
//!          radian per second, forces an explicit method to short steps for stability, however
//!          smooth the motion is.
//! Method:  three stages, L-stable, stiffly accurate (Hairer and Wanner 1996, section IV.8). With
//!          `W = (T⁻¹ ⊗ I) Z`, Newton's method solves one real and one complex system per step. Its
//!          initial guess extrapolates the polynomial of the last step. The error is that of the
//!          embedded method of order 3, filtered by the real system; the step size follows
//!          Gustafsson's prediction.
//! Parts:   matrices are factored by `differential-equations`. Its own RADAU5 (0.7) is not used:
//!          where it keeps a step size it also keeps the factors from then on, even when the size
//!          changes again, and its states of a length known at run time start empty.
//! States:  the Jacobian may be that of the model or finite differences. If it is inaccurate,
//!          Newton's method converges more slowly, to the same result.

use std::vec::Vec;

use differential_equations::linalg::{Matrix, lin_solve, lin_solve_complex, lu_decomp, lu_decomp_complex};

use super::Options;
use super::solver::{SolverEquations, StepOutcome};

/// Nodes of the three stages of Radau IIA: (4 ∓ √6)/10 and 1.
const NODES: [f64; 3] = [0.155_051_025_721_682_2, 0.644_948_974_278_317_8, 1.0];
/// Real eigenvalue of the inverse of the method's matrix.
const REAL: f64 = 3.637_834_252_744_496;
/// Complex eigenvalues of the inverse of the method's matrix, `.0 ± i .1`.
const PAIR: (f64, f64) = (2.681_082_873_627_752_3, 3.050_430_199_247_410_5);
/// Transformation to eigenvectors of the method's matrix. Columns: the real one, then real and
/// imaginary part of the complex one.
const T: [[f64; 3]; 3] = [
    [0.091_232_394_870_892_94, -0.141_255_295_020_954_2, -0.030_029_194_105_147_424],
    [0.241_717_932_707_107, 0.204_129_352_293_799_93, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];
/// Inverse of the transformation `T`.
const T_INVERSE: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_84, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_44],
    [-0.502_872_634_945_786_8, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];
/// Weights of the stages in the error estimate: (−13 ∓ 7√6)/3 and −1/3.
const ERROR: [f64; 3] = [-10.048_809_399_827_416, 1.382_142_733_160_749, -0.333_333_333_333_333_3];

/// Fraction of the time below which a step is accepted whatever its error: a force may jump there.
const SHORTEST: f64 = 16.0 * f64::EPSILON;
/// Maximum number of steps accepted whatever their error. More indicate a motion that stays on a
/// jump, or diverges.
const FORCED: usize = 200;

/// Maximum number of Newton iterations in a step.
const ITERATIONS: usize = 7;
/// Smallest factor by which the step size changes.
const SMALLEST: f64 = 0.2;
/// Largest factor by which the step size changes.
const LARGEST: f64 = 8.0;
/// Minimum growth of the step size. A smaller growth keeps the size, and the factored matrices with
/// it.
const WORTH: f64 = 1.2;
/// Newton convergence rate below which the Jacobian is kept for the next step.
const FAST: f64 = 1e-3;

/// Factored Newton matrices of the stages for one step size.
struct StageFactors {
    step: f64,
    real: (Matrix<f64>, Vec<usize>),
    pair: (Matrix<f64>, Matrix<f64>, Vec<usize>),
}

/// The last accepted step: its size, stages and error, for the initial guess and the size of the
/// next one.
struct Before {
    step: f64,
    stages: [Vec<f64>; 3],
    error: f64,
}

/// State of an integration by Radau IIA: current point, step size, and what the next step reuses.
pub(super) struct Radau {
    time: f64,
    state: Vec<f64>,
    rate: Vec<f64>,
    try_step: f64,
    longest: f64,
    rtol: f64,
    atol: f64,
    /// Tolerance of Newton's method, relative to that of the step.
    newton_tolerance: f64,
    /// The Jacobian `∂ẋ/∂x`, row by row, and `true` if it was evaluated at the current state.
    jacobian: Option<(Vec<f64>, bool)>,
    factors: Option<StageFactors>,
    before: Option<Before>,
    /// True if the last trial step was rejected.
    rejected: bool,
    /// Number of steps so far that were accepted whatever their error.
    forced_steps: usize,
}

impl Radau {
    pub(super) fn new(options: &Options, longest: f64) -> Self {
        let (rtol, atol) = (options.rtol.max(10.0 * f64::EPSILON), options.atol);
        Radau {
            time: 0.0,
            state: Vec::new(),
            rate: Vec::new(),
            try_step: 0.0,
            longest,
            rtol,
            atol,
            newton_tolerance: (10.0 * f64::EPSILON / rtol).max(rtol.sqrt().min(0.03)),
            jacobian: None,
            factors: None,
            before: None,
            rejected: false,
            forced_steps: 0,
        }
    }

    pub(super) fn t(&self) -> f64 {
        self.time
    }

    pub(super) fn x(&self) -> &[f64] {
        &self.state
    }

    pub(super) fn step_size(&self) -> f64 {
        self.try_step
    }

    pub(super) fn set_step_size(&mut self, step: f64) {
        self.try_step = step;
    }

    /// Starts the integration at a state. Without a `step`, the first is that for which Euler's
    /// method has a tenth of the tolerance.
    pub(super) fn start_at(
        &mut self,
        system: &impl SolverEquations,
        t: f64,
        x: &[f64],
        step: Option<f64>,
        end: f64,
    ) {
        (self.time, self.state, self.rejected) = (t, x.to_vec(), false);
        (self.jacobian, self.factors, self.before) = (None, None, None);
        self.rate = std::vec![0.0; x.len()];
        system.evaluate_rate(t, x, &mut self.rate);
        self.try_step = step.unwrap_or_else(|| {
            let scale = self.component_tolerances(x, x);
            let (size, speed) = (scaled_rms_norm(x, &scale), scaled_rms_norm(&self.rate, &scale));
            let guess = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
            (end - t).signum() * guess.min(self.longest).min((end - t).abs())
        });
    }

    /// Tolerance of each component: absolute plus relative to the larger of two states.
    fn component_tolerances(&self, a: &[f64], b: &[f64]) -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| self.atol + self.rtol * a.abs().max(b.abs())).collect()
    }

    /// Tries one step of Radau IIA, and chooses the size of the next.
    pub(super) fn step(&mut self, system: &impl SolverEquations) -> StepOutcome {
        let n = self.state.len();
        let h = self.try_step.clamp(-self.longest, self.longest);
        self.try_step = h;
        if h.abs() <= SHORTEST * self.time.abs() {
            return self.force_step(system);
        }
        let (jacobian, fresh) = self.jacobian.get_or_insert_with(|| {
            let mut rows = std::vec![0.0; n * n];
            system.evaluate_jacobian(self.time, &self.state, &self.rate, &mut rows);
            (rows, true)
        });
        let fresh = *fresh;
        if self.factors.as_ref().is_none_or(|f| f.step.to_bits() != h.to_bits()) {
            self.factors = factor_newton_matrices(jacobian, n, h);
        }
        let Some(factors) = &self.factors else { return self.reject_step(0.5, fresh) };
        let scale = self.component_tolerances(&self.state, &self.state);
        let start = self
            .before
            .as_ref()
            .map_or_else(|| [0; 3].map(|_| std::vec![0.0; n]), |b| b.extrapolate_stages(h));
        let Some((stages, iterations, rate)) = self.solve_stages(system, factors, h, start, &scale) else {
            return self.reject_step(0.5, fresh);
        };
        let new: Vec<f64> = self.state.iter().zip(&stages[2]).map(|(x, z)| x + z).collect();
        let scale = self.component_tolerances(&self.state, &new);
        let weighted = weighted_stage_sum(&stages, &ERROR.map(|e| e / h));
        let filtered = |rate: &[f64]| {
            let mut error: Vec<f64> = rate.iter().zip(&weighted).map(|(f, z)| f + z).collect();
            lin_solve(&factors.real.0, &mut error, &factors.real.1);
            error
        };
        let mut error = filtered(&self.rate);
        let mut size = scaled_rms_norm(&error, &scale);
        if (size.is_nan() || size >= 1.0) && (self.rejected || self.before.is_none()) {
            let moved: Vec<f64> = self.state.iter().zip(&error).map(|(x, e)| x + e).collect();
            let mut rate = std::vec![0.0; n];
            system.evaluate_rate(self.time, &moved, &mut rate);
            error = filtered(&rate);
            size = scaled_rms_norm(&error, &scale);
        }
        if !size.is_finite() {
            return self.reject_step(0.5, fresh);
        }
        let [least, count] = [1, iterations].map(|i| (2 * ITERATIONS + i) as f64);
        let safety = 0.9 * least / count;
        let size = size.max(1e-10);
        let growth = safety * size.powf(-0.25);
        if size >= 1.0 {
            return self.reject_step(if self.before.is_some() { growth } else { growth.min(0.1) }, fresh);
        }
        let mut rates = std::vec![0.0; n];
        system.evaluate_rate(self.time + h, &new, &mut rates);
        if rates.iter().any(|r| !r.is_finite()) {
            return self.reject_step(0.5, fresh);
        }
        let predicted = self.before.as_ref().map_or(f64::INFINITY, |b| {
            safety * (h / b.step).abs() * (b.error / size).powf(0.25) * size.powf(-0.25)
        });
        let largest = if self.rejected { 1.0 } else { LARGEST };
        let growth = growth.min(predicted).clamp(SMALLEST, largest);
        let keep = rate < FAST;
        let growth = if keep && (1.0..WORTH).contains(&growth) { 1.0 } else { growth };
        (self.time, self.state, self.rate) = (self.time + h, new, rates);
        self.before = Some(Before { step: h, stages, error: size.max(1e-2) });
        self.jacobian = self.jacobian.take().filter(|_| keep).map(|(rows, _)| (rows, false));
        if self.jacobian.is_none() {
            self.factors = None;
        }
        self.try_step = (h * growth).clamp(-self.longest, self.longest);
        self.rejected = false;
        StepOutcome::Kept
    }

    /// Steps over a point for which no step is short enough, such as a jump of a force: by a
    /// rounding error of the time, whatever the error.
    fn force_step(&mut self, system: &impl SolverEquations) -> StepOutcome {
        let h = 2.0 * SHORTEST * self.time.abs() * self.try_step.signum();
        let x: Vec<f64> = self.state.iter().zip(&self.rate).map(|(x, f)| x + h * f).collect();
        let mut rate = std::vec![0.0; x.len()];
        system.evaluate_rate(self.time + h, &x, &mut rate);
        if self.forced_steps >= FORCED || h == 0.0 || rate.iter().any(|r| !r.is_finite()) {
            return StepOutcome::TooSmall;
        }
        self.forced_steps += 1;
        (self.time, self.state, self.rate) = (self.time + h, x, rate);
        (self.jacobian, self.factors, self.before) = (None, None, None);
        (self.try_step, self.rejected) = (1e3 * h, false);
        StepOutcome::Kept
    }

    /// Rejects a trial step, and shortens the next by a factor.
    fn reject_step(&mut self, growth: f64, fresh: bool) -> StepOutcome {
        self.try_step *= growth.clamp(0.05, 0.9);
        self.rejected = true;
        if !fresh {
            (self.jacobian, self.factors) = (None, None);
        }
        StepOutcome::Repeated
    }

    /// Solves for the stages of a step by Newton's method. Returns them with the number of
    /// iterations and the convergence rate; `None` without convergence.
    fn solve_stages(
        &self,
        system: &impl SolverEquations,
        factors: &StageFactors,
        h: f64,
        mut z: [Vec<f64>; 3],
        scale: &[f64],
    ) -> Option<([Vec<f64>; 3], usize, f64)> {
        let n = self.state.len();
        let mut w = transform_stages(&T_INVERSE, &z);
        let mut f = [0; 3].map(|_| std::vec![0.0; n]);
        let (mut last, mut rate): (Option<f64>, f64) = (None, 0.0);
        for k in 1..=ITERATIONS {
            for i in 0..3 {
                let x: Vec<f64> = self.state.iter().zip(&z[i]).map(|(x, z)| x + z).collect();
                system.evaluate_rate(self.time + NODES[i] * h, &x, &mut f[i]);
                if f[i].iter().any(|f| !f.is_finite()) {
                    return None;
                }
            }
            let [mut a, mut b, mut c] = transform_stages(&T_INVERSE, &f);
            for i in 0..n {
                a[i] -= REAL / h * w[0][i];
                b[i] -= (PAIR.0 * w[1][i] - PAIR.1 * w[2][i]) / h;
                c[i] -= (PAIR.0 * w[2][i] + PAIR.1 * w[1][i]) / h;
            }
            lin_solve(&factors.real.0, &mut a, &factors.real.1);
            lin_solve_complex(&factors.pair.0, &factors.pair.1, &mut b, &mut c, &factors.pair.2);
            let parts = [&a, &b, &c].map(|d| scaled_rms_norm(d, scale));
            let size = (parts.iter().map(|p| p * p).sum::<f64>() / 3.0).sqrt();
            if !size.is_finite() {
                return None;
            }
            if let Some(last) = last {
                rate = size / last;
                let left = i32::try_from(ITERATIONS - k).unwrap_or(0);
                if rate >= 1.0 || rate.powi(left) / (1.0 - rate) * size > self.newton_tolerance {
                    return None;
                }
            }
            for (w, d) in w.iter_mut().zip([a, b, c]) {
                w.iter_mut().zip(d).for_each(|(w, d)| *w += d);
            }
            z = transform_stages(&T, &w);
            let done = size == 0.0 || last.is_some() && rate / (1.0 - rate) * size < self.newton_tolerance;
            if done || last.is_none() && size < 1e-3 * self.newton_tolerance {
                return Some((z, k, rate));
            }
            last = Some(size);
        }
        None
    }
}

impl Before {
    /// Initial guess of the next step's stages, extrapolated from the polynomial of this one.
    fn extrapolate_stages(&self, h: f64) -> [Vec<f64>; 3] {
        let at = [0.0, NODES[0], NODES[1], NODES[2]];
        NODES.map(|c| {
            let s = 1.0 + c * h / self.step;
            // The stage at 0 is zero.
            let weights = [1, 2, 3].map(|i| {
                let others = (0..4).filter(|j| *j != i);
                others.map(|j| (s - at[j]) / (at[i] - at[j])).product::<f64>()
            });
            let z = weighted_stage_sum(&self.stages, &weights);
            z.iter().zip(&self.stages[2]).map(|(z, end)| z - end).collect()
        })
    }
}

/// Factors the Newton matrices `REAL/h − J` and `(PAIR.0 + i PAIR.1)/h − J`; `None` if one is
/// singular.
fn factor_newton_matrices(jacobian: &[f64], n: usize, h: f64) -> Option<StageFactors> {
    let shifted = |shift: f64| {
        let mut m = Matrix::zeros(n, n);
        for i in 0..n {
            for j in 0..n {
                m[(i, j)] = if i == j { shift } else { 0.0 } - jacobian[i * n + j];
            }
        }
        m
    };
    let mut real = (shifted(REAL / h), std::vec![0; n]);
    lu_decomp(&mut real.0, &mut real.1).ok()?;
    let mut imaginary = Matrix::zeros(n, n);
    (0..n).for_each(|i| imaginary[(i, i)] = PAIR.1 / h);
    let mut pair = (shifted(PAIR.0 / h), imaginary, std::vec![0; n]);
    lu_decomp_complex(&mut pair.0, &mut pair.1, &mut pair.2).ok()?;
    Some(StageFactors { step: h, real, pair })
}

/// Product of a 3×3 matrix with the three stages of a step.
fn transform_stages(m: &[[f64; 3]; 3], x: &[Vec<f64>; 3]) -> [Vec<f64>; 3] {
    [0, 1, 2].map(|i| weighted_stage_sum(x, &m[i]))
}

/// Weighted sum of the three stages of a step.
fn weighted_stage_sum(x: &[Vec<f64>; 3], weights: &[f64; 3]) -> Vec<f64> {
    let [a, b, c] = weights;
    x[0].iter().zip(&x[1]).zip(&x[2]).map(|((x, y), z)| a * x + b * y + c * z).collect()
}

/// Root mean square of a vector relative to the tolerances of its components.
fn scaled_rms_norm(x: &[f64], scale: &[f64]) -> f64 {
    let sum: f64 = x.iter().zip(scale).map(|(x, s)| (x / s) * (x / s)).sum();
    (sum / x.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix_product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum::<f64>()))
    }

    #[test]
    fn the_transformation_splits_the_inverse_of_the_matrix_of_the_method() {
        let r = 6f64.sqrt();
        let a = [
            [(88.0 - 7.0 * r) / 360.0, (296.0 - 169.0 * r) / 1800.0, (-2.0 + 3.0 * r) / 225.0],
            [(296.0 + 169.0 * r) / 1800.0, (88.0 + 7.0 * r) / 360.0, (-2.0 - 3.0 * r) / 225.0],
            [(16.0 - r) / 36.0, (16.0 + r) / 36.0, 1.0 / 9.0],
        ];

        let lambda = [[REAL, 0.0, 0.0], [0.0, PAIR.0, -PAIR.1], [0.0, PAIR.1, PAIR.0]];
        // Checks A T Λ = T.
        let (left, inverse) =
            (matrix_product(&a, &matrix_product(&T, &lambda)), matrix_product(&T, &T_INVERSE));
        for i in 0..3 {
            for j in 0..3 {
                let unit = if i == j { 1.0 } else { 0.0 };
                assert!((left[i][j] - T[i][j]).abs() < 1e-14, "{i} {j}: {}", left[i][j]);
                assert!((inverse[i][j] - unit).abs() < 1e-14, "{i} {j}: {}", inverse[i][j]);
            }
        }
    }
}
