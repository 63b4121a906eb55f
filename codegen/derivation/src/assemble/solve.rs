//! Solution of the constraints for positions, then for speeds.
//!
//! Problem: the state nearest to a start on `Φ(q, t) = 0`, `A(q, t) v + a₀ = 0`; rows may depend on each other.
//! Method:  Levenberg and Marquardt (Nocedal and Wright 2006, section 10.3) in the coordinates that may move, with steps
//! `−Jᵀ (J Jᵀ + μ)⁻¹ Φ`, the shortest for vanishing μ. If a start does not lead to the constraints, or to a pose with
//! axes reversed, further starts are drawn around it. Speeds: the same problem, linear.
//! Nearest: near a singular pose a step is long, and leads past the nearest pose or turns an angle many times. Where a coordinate ends
//! [`FAR`] from its start, shorter steps and some starts around it are tried as well, and the nearest pose that was found is taken;
//! turns of an angle that close nothing are taken back.
//! Kept:    held coordinates and kept speeds have no columns; they stay to the last bit, or there is no solution.
//! Metric:  all components weigh the same. A projection after a step corrects by the size of its local error, where the
//! metric changes nothing that could be seen; at the start the user says by `hold` and `free` what shall not move.
//! Cost:    a start takes some 10 to 50 evaluations of rows and Jacobian.
//! Not handled: a proof that no assembly exists; after all starts the smallest residual is reported.

use std::f64::consts::{PI, TAU};

use super::Manifold;
use super::attempt::{Attempt, attempt};
use super::contradiction::{Relation, allowed, relations};
use super::dependence::independent;
use super::manifold::{Linearised, TOLERANCE};
use super::newton::{DAMPING, approach, in_steps, largest};
use dqdt_algebra::{Mat3, Vec3};
use dqdt_diagnostics::base::Random;

/// Starts that are tried.
const STARTS: usize = 24;
/// Starts from which different assemblies are looked for.
const MODES: usize = 120;
/// Radians and metres beyond which a pose may not be the nearest one.
const FAR: f64 = 1.0;
/// Starts beside the one that led there from which a nearer one is looked for.
const AROUND: usize = 8;
/// Difference below which two poses are one.
const SAME: f64 = 1e-6;
/// A state on the constraints.
#[derive(Clone, PartialEq, Debug)]
pub struct AssembledState {
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
    /// Kept speeds that contradict each other there.
    pub relations: Vec<Relation>,
    /// A constraint whose rows hold there with an axis that points backwards.
    pub reversed: Option<usize>,
    /// If nothing is held there is a pose: that one.
    pub unheld: Option<Vec<f64>>,
}

impl NotAssembled {
    fn new(speeds: bool, row: usize, residual: f64, q: Vec<f64>) -> Self {
        NotAssembled { speeds, row, residual, q, relations: Vec::new(), reversed: None, unheld: None }
    }
}

/// The `k`-th of `of` starts around `q`: 0 is `q` itself; later ones lie farther away.
fn start(q: &[f64], free: &[bool], k: usize, of: usize) -> Vec<f64> {
    let mut random = Random::new(k as u64);
    let reach = if k == 0 { 0.0 } else { 0.2 + 3.0 * k as f64 / of as f64 };
    q.iter().zip(free).map(|(x, f)| x + if *f { reach * random.signed() } else { 0.0 }).collect()
}

/// Positions from one start; the residual that is left.
pub(super) fn positions(manifold: &Manifold<'_>, t: f64, q: &[f64], free: &[bool]) -> (Vec<f64>, Vec<f64>) {
    in_steps(manifold, t, q, free, f64::INFINITY)
}

/// Takes back whole turns of angles away from `q` where the constraints do not mind.
fn unwind(manifold: &Manifold<'_>, t: f64, x: &mut Vec<f64>, residual: &mut Vec<f64>, q: &[f64]) {
    for i in 0..x.len() {
        let turns = ((x[i] - q[i]) / TAU).round();
        if turns == 0.0 || !turns.is_finite() {
            continue;
        }
        let mut other = x.clone();
        other[i] -= turns * TAU;
        // Sine and cosine of a smaller angle differ by rounding.
        let (other, left) = positions(manifold, t, &other, &(0..x.len()).map(|j| j == i).collect::<Vec<_>>());
        if largest(&left) <= TOLERANCE && (other[i] - q[i]).abs() <= PI + FAR {
            (*x, *residual) = (other, left);
        }
    }
}

fn distance(x: &[f64], q: &[f64]) -> f64 {
    x.iter().zip(q).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Speeds at `q`, those that are kept as they are; the residual that is left, and the row that is off by more than
/// rounding, if there is one.
fn speeds(
    manifold: &Manifold<'_>,
    t: f64,
    q: &[f64],
    v: &[f64],
    kept: &[bool],
) -> (Vec<f64>, Vec<f64>, Option<usize>) {
    let free: Vec<bool> = kept.iter().map(|k| !k).collect();
    let mut x = v.to_vec();
    let residual = approach(&mut x, &free, (f64::INFINITY, DAMPING), |x| manifold.velocity(t, q, x));
    let (_, jacobian) = manifold.velocity(t, q, &x);
    let excess = |i: usize| {
        let product: f64 = jacobian[i].iter().zip(&x).map(|(a, v)| a * v).sum();
        residual[i].abs() / allowed(&jacobian[i], residual[i] - product, &x)
    };
    let worst = (0..residual.len())
        .map(|i| (if residual[i].is_finite() { excess(i) } else { f64::INFINITY }, i))
        .reduce(|a, b| if b.0 > a.0 { b } else { a });
    (x, residual, worst.filter(|w| w.0 > 1.0).map(|w| w.1))
}

/// The state on the constraints that is found from `q`, `v`. Held coordinates and kept speeds stay as they are.
///
/// # Errors
/// What came nearest, and which of what is kept stands against it.
pub fn find_state(
    manifold: &Manifold<'_>,
    t: f64,
    (q, v): (&[f64], &[f64]),
    (held, kept): (&[bool], &[bool]),
) -> Result<AssembledState, NotAssembled> {
    let free: Vec<bool> = held.iter().map(|h| !h).collect();
    let mut best: Option<NotAssembled> = None;
    let (mut nearest, mut first): (Option<AssembledState>, usize) = (None, 0);
    let attempts = (0..STARTS).flat_map(|k| [(k, f64::INFINITY), (k, FAR)]);
    for (k, longest) in attempts {
        // Short steps only beside a pose that is far.
        match &nearest {
            Some(_) if k > first + AROUND => break,
            None if longest.is_finite() => continue,
            _ => {}
        }
        let from = start(q, &free, k, STARTS);
        let attempt = attempt(manifold, t, &from, &free, (longest, k == 0));
        let (holds, reversed) = (attempt.holds(manifold, t), attempt.reversed);
        let Attempt { q: mut x, mut residual, .. } = attempt;
        if holds {
            unwind(manifold, t, &mut x, &mut residual, q);
        }
        let left = largest(&residual);
        if !holds {
            if best.as_ref().is_none_or(|b| !b.speeds && b.reversed.is_none() && left < b.residual) {
                let row = residual.iter().position(|r| !r.is_finite() || r.abs() == left).unwrap_or(0);
                best = Some(NotAssembled::new(false, row, left, x));
            }
            continue;
        }
        if reversed.is_some() {
            if best.as_ref().is_none_or(|b| !b.speeds && b.reversed.is_none()) {
                best = Some(NotAssembled { reversed, ..NotAssembled::new(false, 0, left, x) });
            }
            continue;
        }
        let (w, speed_residual, off) = speeds(manifold, t, &x, v, kept);
        if let Some(row) = off {
            // Another pose may not be singular, or be the one that was meant; the first failure is the one to report.
            if best.as_ref().is_none_or(|b| !b.speeds) {
                let relations = relations(manifold, t, &x, v, kept);
                best = Some(NotAssembled {
                    relations,
                    ..NotAssembled::new(true, row, speed_residual[row].abs(), x)
                });
            }
            continue;
        }
        let far = x.iter().zip(q).any(|(a, b)| (a - b).abs() > FAR);
        let found = AssembledState { q: x, v: w, start: k, residuals: [left, largest(&speed_residual)] };
        if nearest.is_none() && !far {
            return Ok(found);
        }
        if nearest.is_none() {
            first = k;
        }
        if nearest.as_ref().is_none_or(|n| distance(&found.q, q) < distance(&n.q, q)) {
            nearest = Some(found);
        }
    }
    if let Some(found) = nearest {
        return Ok(found);
    }
    let mut error = best.unwrap_or_else(|| NotAssembled::new(false, 0, f64::INFINITY, q.to_vec()));
    if !error.speeds && held.contains(&true) {
        let (nothing, none) = (vec![false; q.len()], vec![false; v.len()]);
        error.unheld = find_state(manifold, t, (q, v), (&nothing, &none)).ok().map(|a| a.q);
    }
    Err(error)
}

/// Different isolated assemblies around `q` with the held coordinates as they are, the nearest first; `None` if the
/// mechanism can move between them.
pub fn modes(manifold: &Manifold<'_>, t: f64, q: &[f64], held: &[bool]) -> Option<Vec<Vec<f64>>> {
    let free: Vec<bool> = held.iter().map(|h| !h).collect();
    let unknown = free.iter().filter(|f| **f).count();
    let mut found: Vec<(Vec<f64>, Bodies)> = Vec::new();
    for k in 0..MODES {
        let from = start(q, &free, k, MODES);
        let attempt = attempt(manifold, t, &from, &free, (f64::INFINITY, k == 0));
        if attempt.reversed.is_some() || !attempt.holds(manifold, t) {
            continue;
        }
        let Attempt { q: mut x, mut residual, .. } = attempt;
        unwind(manifold, t, &mut x, &mut residual, q);
        let columns: Vec<Vec<f64>> = manifold.position(t, &x).1;
        let columns: Vec<Vec<f64>> = columns
            .into_iter()
            .map(|row| row.into_iter().zip(&free).map(|(a, f)| if *f { a } else { 0.0 }).collect())
            .collect();
        if independent(&columns).0.len() < unknown {
            return None;
        }
        // By the bodies, not by coordinates: turns of an angle, q and −q of a quaternion and the two triples of three angles are one pose.
        let bodies = manifold.bodies(t, &x);
        match found.iter().position(|(_, other)| same_pose(other, &bodies)) {
            Some(i) if distance(&x, q) < distance(&found[i].0, q) => found[i].0 = x,
            Some(_) => {}
            None => found.push((x, bodies)),
        }
    }
    found.sort_by(|a, b| distance(&a.0, q).total_cmp(&distance(&b.0, q)));
    Some(found.into_iter().map(|(x, _)| x).collect())
}

/// Attitude and origin of each body.
type Bodies = Vec<(Mat3<f64>, Vec3<f64>)>;

/// True if all bodies are at the same place with the same attitude, lengths compared with the largest distance.
fn same_pose(a: &Bodies, b: &Bodies) -> bool {
    let size = a.iter().flat_map(|(_, at)| at.0).fold(1.0f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).all(|((r, p), (s, o))| {
        let turns = r.0.iter().flatten().zip(s.0.iter().flatten()).all(|(x, y)| (x - y).abs() < SAME);
        turns && p.0.iter().zip(o.0).all(|(x, y)| (x - y).abs() < SAME * size)
    })
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
    let residual = approach(q, &free, (f64::INFINITY, DAMPING), |q| position(t, q));
    let left = largest(&residual);
    if left > TOLERANCE {
        let row = residual.iter().position(|r| !r.is_finite() || r.abs() == left).unwrap_or(0);
        return Err(NotAssembled::new(false, row, left, q.clone()));
    }
    let free = vec![true; v.len()];
    let scale = 1.0 + largest(v);
    let residual = approach(v, &free, (f64::INFINITY, DAMPING), |v| velocity(t, q, v));
    let left = largest(&residual);
    if left > TOLERANCE * scale * 100.0 {
        let row = residual.iter().position(|r| !r.is_finite() || r.abs() == left).unwrap_or(0);
        return Err(NotAssembled::new(true, row, left, q.clone()));
    }
    Ok(())
}
