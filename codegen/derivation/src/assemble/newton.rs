//! Levenberg–Marquardt correction of a residual.
//!
//! Problem: `Φ(x) = 0` from a start, where some components of `x` are fixed and rows may be
//!          redundant.
//! Method:  steps `−Jᵀ (J Jᵀ + μ)⁻¹ Φ` (Nocedal and Wright 2006, section 10.3), which are shortest
//!          as μ vanishes.

use super::Manifold;
use super::manifold::{Linearised, TOLERANCE};

/// Maximum number of Levenberg–Marquardt steps from one start.
const ITERATIONS: usize = 60;
/// Lower bound of the Levenberg–Marquardt damping μ near a solution, relative to the largest
/// squared row of the Jacobian.
pub(super) const DAMPING: f64 = 1e-15;
/// Rows of the Jacobian shorter than this count as zero and are not corrected, as in the rank
/// computation.
const NOTHING: f64 = 1e-12;

/// Largest absolute entry of a residual; infinite if an entry is not finite.
pub(super) fn largest_residual(residual: &[f64]) -> f64 {
    residual.iter().fold(0.0, |m, x| if x.is_finite() { f64::max(m, x.abs()) } else { f64::INFINITY })
}

/// Solves `(J Jᵀ + μ) λ = r` by Cholesky factorisation; `None` if a pivot is not positive.
fn solve_damped(jacobian: &[Vec<f64>], residual: &[f64], mu: f64) -> Option<Vec<f64>> {
    let n = residual.len();
    let mut a: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            (0..=i)
                .map(|j| {
                    let dot: f64 = jacobian[i].iter().zip(&jacobian[j]).map(|(a, b)| a * b).sum();
                    if i == j { dot + mu } else { dot }
                })
                .collect()
        })
        .collect();
    for j in 0..n {
        let pivot = a[j][j] - a[j][..j].iter().map(|x| x * x).sum::<f64>();
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        let root = pivot.sqrt();
        a[j][j] = root;
        let above = a[j][..j].to_vec();
        for row in a.iter_mut().skip(j + 1) {
            let dot: f64 = row.iter().zip(&above).map(|(a, b)| a * b).sum();
            row[j] = (row[j] - dot) / root;
        }
    }
    let mut x = residual.to_vec();
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| a[i][k] * x[k]).sum();
        x[i] = (x[i] - dot) / a[i][i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| a[k][i] * x[k]).sum();
        x[i] = (x[i] - dot) / a[i][i];
    }
    Some(x)
}

/// Moves the `free` components of `x` by Levenberg–Marquardt steps until the residual is small;
/// returns the remaining residual. No component moves by more than `longest` in a step, and the
/// relative damping stays above `least`.
pub(super) fn minimise_residual(
    x: &mut Vec<f64>,
    free: &[bool],
    (longest, least): (f64, f64),
    mut evaluate: impl FnMut(&mut [f64]) -> Linearised,
) -> Vec<f64> {
    let (mut residual, mut jacobian) = evaluate(x);
    let mut mu = 1e-6;
    for _ in 0..ITERATIONS {
        let size = largest_residual(&residual);
        if size == 0.0 || !size.is_finite() {
            break;
        }
        jacobian
            .iter_mut()
            .for_each(|row| row.iter_mut().zip(free).for_each(|(a, f)| *a *= f64::from(u8::from(*f))));
        // A row of rounding errors cannot be corrected; a step along it would divide noise by
        // noise.
        jacobian
            .iter_mut()
            .filter(|row| row.iter().map(|a| a * a).sum::<f64>() < NOTHING * NOTHING)
            .for_each(|row| row.fill(0.0));
        let scale = jacobian.iter().map(|r| r.iter().map(|a| a * a).sum::<f64>()).fold(1e-300, f64::max);
        let Some(lambda) = solve_damped(&jacobian, &residual, mu * scale) else {
            mu = f64::max(mu * 100.0, 1e-14);
            if mu > 1e6 {
                break;
            }
            continue;
        };
        let mut next = x.clone();
        for (row, l) in jacobian.iter().zip(&lambda) {
            next.iter_mut().zip(row).for_each(|(x, a)| *x -= a * l);
        }
        let step = next.iter().zip(&*x).fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs()));
        if step > longest {
            next.iter_mut().zip(&*x).for_each(|(a, b)| *a = b + (*a - b) * (longest / step));
        }
        let (new_residual, new_jacobian) = evaluate(&mut next);
        let (before, after) = (residual_norm(&residual), residual_norm(&new_residual));
        if after < before {
            let done = after > 0.5 * before && largest_residual(&new_residual) < TOLERANCE * 1e-2;
            (*x, residual, jacobian) = (next, new_residual, new_jacobian);
            mu = f64::max(mu * 0.03, least);
            if done {
                break;
            }
        } else {
            // At the level of rounding, no further progress is possible.
            if size < TOLERANCE * 1e-2 || mu > 1e6 {
                break;
            }
            mu *= 30.0;
        }
    }
    residual
}

/// Euclidean norm of a residual; infinite if it is not finite.
fn residual_norm(residual: &[f64]) -> f64 {
    let sum: f64 = residual.iter().map(|x| x * x).sum();
    if sum.is_finite() { sum.sqrt() } else { f64::INFINITY }
}

/// Corrected positions from one start, with steps of at most `longest`, and the remaining residual.
pub(super) fn correct_positions(
    manifold: &Manifold<'_>,
    t: f64,
    q: &[f64],
    free: &[bool],
    longest: f64,
) -> (Vec<f64>, Vec<f64>) {
    let mut x = q.to_vec();
    let residual = minimise_residual(&mut x, free, (longest, DAMPING), |x| {
        manifold.normalise_quaternions(x);
        manifold.linearise_positions(t, x)
    });
    (x, residual)
}
