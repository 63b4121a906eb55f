//! Positions, then speeds, that fulfil the constraints.
//!
//! Problem: the state nearest to a start on `Φ(q, t) = 0`, `A(q, t) v + a₀ = 0`; rows may depend on each other.
//! Method:  Levenberg and Marquardt (Nocedal and Wright 2006, section 10.3) in the coordinates that may move, with steps
//! `−Jᵀ (J Jᵀ + μ)⁻¹ Φ`, the shortest for vanishing μ. If a start does not lead to the constraints, or to a pose with
//! axes reversed, further starts are drawn around it. Speeds: the same problem, linear.
//! Metric:  all components weigh the same. A projection after a step corrects by the size of its local error, where the
//! metric changes nothing that could be seen; at the start the user says by `hold` what shall not move.
//! Cost:    a start takes some 10 to 50 evaluations of rows and Jacobian.
//! Not handled: a proof that no assembly exists; after all starts the smallest residual is reported.

use super::Manifold;
use super::manifold::Linearised;

/// Starts that are tried.
const STARTS: usize = 24;
/// Corrections from one start.
const ITERATIONS: usize = 60;
/// Largest residual of what counts as assembled, in the units of the constraints (m, rad, and those of formulas).
pub(super) const TOLERANCE: f64 = 1e-11;

/// A state on the constraints.
#[derive(Clone, PartialEq, Debug)]
pub struct Assembled {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
    /// Which start led here; 0 is the start of the spec.
    pub start: usize,
    /// Largest residual of positions and of speeds.
    pub residuals: [f64; 2],
}

/// No state on the constraints was found.
#[derive(Clone, PartialEq, Debug)]
pub struct NotAssembled {
    /// True if positions fulfil their constraints and speeds do not.
    pub speeds: bool,
    /// Index of the row that is violated most, in the order of the residuals.
    pub row: usize,
    /// By how much it is violated.
    pub residual: f64,
    /// The positions that came nearest.
    pub q: Vec<f64>,
}

fn largest(residual: &[f64]) -> f64 {
    residual.iter().fold(0.0, |m, x| if x.is_finite() { f64::max(m, x.abs()) } else { f64::INFINITY })
}

/// Solves `(J Jᵀ + μ) λ = r` by Cholesky; `None` if it breaks down.
fn damped(jacobian: &[Vec<f64>], residual: &[f64], mu: f64) -> Option<Vec<f64>> {
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

/// Moves the components of `x` that may move until the residual is small; returns what is left.
fn approach(x: &mut Vec<f64>, free: &[bool], mut evaluate: impl FnMut(&mut [f64]) -> Linearised) -> Vec<f64> {
    let (mut residual, mut jacobian) = evaluate(x);
    let mut mu = 1e-6;
    for _ in 0..ITERATIONS {
        let size = largest(&residual);
        if size == 0.0 || !size.is_finite() {
            break;
        }
        jacobian
            .iter_mut()
            .for_each(|row| row.iter_mut().zip(free).for_each(|(a, f)| *a *= f64::from(u8::from(*f))));
        let scale = jacobian.iter().map(|r| r.iter().map(|a| a * a).sum::<f64>()).fold(1e-300, f64::max);
        let Some(lambda) = damped(&jacobian, &residual, mu * scale) else {
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
        let (new_residual, new_jacobian) = evaluate(&mut next);
        let (before, after) = (norm(&residual), norm(&new_residual));
        if after < before {
            let done = after > 0.5 * before && largest(&new_residual) < TOLERANCE * 1e-2;
            (*x, residual, jacobian) = (next, new_residual, new_jacobian);
            mu = f64::max(mu * 0.03, 1e-15);
            if done {
                break;
            }
        } else {
            // At the level of rounding nothing is gained any more.
            if size < TOLERANCE * 1e-2 || mu > 1e6 {
                break;
            }
            mu *= 30.0;
        }
    }
    residual
}

fn norm(residual: &[f64]) -> f64 {
    let sum: f64 = residual.iter().map(|x| x * x).sum();
    if sum.is_finite() { sum.sqrt() } else { f64::INFINITY }
}

/// Deterministic numbers in [−1, 1].
pub(super) struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1))
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// The `k`-th start around `q`: 0 is `q` itself; later ones lie farther away.
fn start(q: &[f64], free: &[bool], k: usize) -> Vec<f64> {
    let mut draw = Draw::new(k as u64);
    let reach = if k == 0 { 0.0 } else { 0.2 + 3.0 * k as f64 / STARTS as f64 };
    q.iter().zip(free).map(|(x, f)| x + if *f { reach * draw.next() } else { 0.0 }).collect()
}

/// Positions from one start; the residual that is left.
pub(super) fn positions(manifold: &Manifold<'_>, t: f64, q: &[f64], free: &[bool]) -> (Vec<f64>, Vec<f64>) {
    let mut x = q.to_vec();
    let residual = approach(&mut x, free, |x| {
        manifold.normalise(x);
        manifold.position(t, x)
    });
    (x, residual)
}

/// Speeds at `q`: those that are not held move if that is enough, else all do.
fn speeds(manifold: &Manifold<'_>, t: f64, q: &[f64], v: &[f64], held: &[bool]) -> (Vec<f64>, Vec<f64>) {
    let solve = |free: &[bool]| {
        let mut x = v.to_vec();
        let residual = approach(&mut x, free, |x| manifold.velocity(t, q, x));
        (x, residual)
    };
    let free: Vec<bool> = held.iter().map(|h| !h).collect();
    let (x, residual) = solve(&free);
    let scale = 1.0 + largest(v);
    if largest(&residual) < TOLERANCE * scale { (x, residual) } else { solve(&vec![true; v.len()]) }
}

/// The state on the constraints that is found from `q`, `v`. Held coordinates stay; held speeds stay if they can.
///
/// # Errors
/// What came nearest.
pub fn assemble(
    manifold: &Manifold<'_>,
    t: f64,
    (q, v): (&[f64], &[f64]),
    (held_q, held_v): (&[bool], &[bool]),
) -> Result<Assembled, NotAssembled> {
    let free: Vec<bool> = held_q.iter().map(|h| !h).collect();
    let mut best: Option<NotAssembled> = None;
    for k in 0..STARTS {
        let (x, residual) = positions(manifold, t, &start(q, &free, k), &free);
        let left = largest(&residual);
        if left > TOLERANCE {
            if best.as_ref().is_none_or(|b| left < b.residual) {
                let row = residual.iter().position(|r| !r.is_finite() || r.abs() == left).unwrap_or(0);
                best = Some(NotAssembled { speeds: false, row, residual: left, q: x });
            }
            continue;
        }
        if !manifold.aligned(t, &x) {
            if best.is_none() {
                best = Some(NotAssembled { speeds: false, row: 0, residual: left, q: x });
            }
            continue;
        }
        let (w, speed_residual) = speeds(manifold, t, &x, v, held_v);
        let left_v = largest(&speed_residual);
        if left_v > TOLERANCE * (1.0 + largest(v)) * 100.0 {
            let row = speed_residual.iter().position(|r| !r.is_finite() || r.abs() == left_v).unwrap_or(0);
            // Other starts may lead to a pose that is not singular; the first failure is the one to report.
            if best.as_ref().is_none_or(|b| !b.speeds) {
                best = Some(NotAssembled { speeds: true, row, residual: left_v, q: x });
            }
            continue;
        }
        return Ok(Assembled { q: x, v: w, start: k, residuals: [left, left_v] });
    }
    Err(best.unwrap_or(NotAssembled { speeds: false, row: 0, residual: f64::INFINITY, q: q.to_vec() }))
}

/// Different isolated assemblies around `q` with the held coordinates as they are, the nearest first; `None` if the
/// mechanism can move between them.
pub fn modes(manifold: &Manifold<'_>, t: f64, q: &[f64], held: &[bool]) -> Option<Vec<Vec<f64>>> {
    let free: Vec<bool> = held.iter().map(|h| !h).collect();
    let unknown = free.iter().filter(|f| **f).count();
    let mut found: Vec<Vec<f64>> = Vec::new();
    for k in 0..STARTS {
        let (x, residual) = positions(manifold, t, &start(q, &free, k), &free);
        if largest(&residual) > TOLERANCE || !manifold.aligned(t, &x) {
            continue;
        }
        let columns: Vec<Vec<f64>> = manifold.position(t, &x).1;
        let columns: Vec<Vec<f64>> = columns
            .into_iter()
            .map(|row| row.into_iter().zip(&free).map(|(a, f)| if *f { a } else { 0.0 }).collect())
            .collect();
        if super::rank::independent(&columns).0.len() < unknown {
            return None;
        }
        // Angles count by their turn: the difference of two is a whole number of turns.
        let same = |y: &Vec<f64>| {
            let turns = |d: f64| (d - std::f64::consts::TAU * (d / std::f64::consts::TAU).round()).abs();
            y.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-6 || turns(a - b) < 1e-6)
        };
        if !found.iter().any(same) {
            found.push(x);
        }
    }
    let distance = |x: &[f64]| x.iter().zip(q).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    found.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    Some(found)
}

/// Brings a state onto the constraints from near by: no further starts, nothing held.
///
/// # Errors
/// What came nearest.
pub fn project(
    t: f64,
    q: &mut Vec<f64>,
    v: &mut Vec<f64>,
    mut position: impl FnMut(f64, &mut [f64]) -> Linearised,
    mut velocity: impl FnMut(f64, &[f64], &[f64]) -> Linearised,
) -> Result<(), NotAssembled> {
    let free = vec![true; q.len()];
    let residual = approach(q, &free, |q| position(t, q));
    let left = largest(&residual);
    if left > TOLERANCE {
        let row = residual.iter().position(|r| !r.is_finite() || r.abs() == left).unwrap_or(0);
        return Err(NotAssembled { speeds: false, row, residual: left, q: q.clone() });
    }
    let free = vec![true; v.len()];
    let scale = 1.0 + largest(v);
    let residual = approach(v, &free, |v| velocity(t, q, v));
    let left = largest(&residual);
    if left > TOLERANCE * scale * 100.0 {
        let row = residual.iter().position(|r| !r.is_finite() || r.abs() == left).unwrap_or(0);
        return Err(NotAssembled { speeds: true, row, residual: left, q: q.clone() });
    }
    Ok(())
}
