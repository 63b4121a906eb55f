//! Solution of the constraints for positions, then for speeds.
//!
//! Problem: the state nearest to a start on `Φ(q, t) = 0`, `A(q, t) v + a₀ = 0`; rows may be
//!          redundant.
//! Method:  Levenberg–Marquardt (Nocedal and Wright 2006, section 10.3) in the free coordinates,
//!          with steps `−Jᵀ (J Jᵀ + μ)⁻¹ Φ`, which are shortest as μ vanishes. If a start does not
//!          converge, or converges to a pose with reversed axes, further random starts around it
//!          are tried. Speeds: the same problem, which is linear.
//! Nearest: near a singular pose a step is long, and may overshoot the nearest pose or turn an
//!          angle many times. If a coordinate ends more than [`FAR`] from its start, shorter steps
//!          and some starts around it are tried as well, and the nearest solution is used. Whole
//!          turns of angles are undone where they change nothing.
//! Kept:    held coordinates and kept speeds have no columns; they remain bitwise equal, or there
//!          is no solution.
//! Metric:  all components have equal weight. A projection after an integration step corrects by
//!          about the local error, where the metric has no visible effect. At the start, the user
//!          controls the result by `hold` and `free`.
//! Cost:    some 10 to 50 evaluations of rows and Jacobian for each start.
//!
//! Not handled: a proof that no assembly exists. After all starts, the smallest residual is
//! reported.

use std::f64::consts::{PI, TAU};

use super::Manifold;
use super::attempt::{Attempt, attempt_assembly};
use super::contradiction::{Relation, allowed_violation, find_violated_relations};
use super::dependence::find_independent_rows;
use super::manifold::{Linearised, TOLERANCE};
use super::newton::{DAMPING, correct_positions, largest_residual, minimise_residual};
use dqdt_algebra::{Mat3, Vec3};
use dqdt_diagnostics::base::Random;

/// Maximum number of starts, perturbed at random around that of the spec, from which [`find_state`]
/// tries to assemble.
const STARTS: usize = 24;
/// Number of starts from which [`find_assembly_modes`] searches for different assemblies.
const MODES: usize = 120;
/// Distance of a coordinate \[rad or m\] from its start beyond which an assembled pose may not be
/// the nearest one.
const FAR: f64 = 1.0;
/// Number of further starts that [`find_state`] tries after a distant solution, to find a nearer
/// one.
const AROUND: usize = 8;
/// Tolerance within which attitudes and relative positions of two assembled poses are equal.
const SAME: f64 = 1e-6;
/// A state that fulfils the constraints: result of [`find_state`].
#[derive(Clone, PartialEq, Debug)]
pub struct AssembledState {
    /// Coordinates that fulfil the position rows, unit quaternions included.
    pub q: Vec<f64>,
    /// Speeds that fulfil the velocity constraints at `q`.
    pub v: Vec<f64>,
    /// Number of the attempt whose start converged; 0 is the start of the spec, later ones are
    /// perturbed.
    pub start: usize,
    /// Largest residuals of the position rows and of the velocity rows.
    pub residuals: [f64; 2],
}

/// Error of [`find_state`] and [`project_onto_constraints`]: no state was found that fulfils the
/// constraints.
#[derive(Clone, PartialEq, Debug)]
pub struct NotAssembled {
    /// True if the positions fulfil their constraints but the speeds do not.
    pub speeds: bool,
    /// Index of the row that is violated most, in the order of the residuals.
    pub row: usize,
    /// Residual of the most violated row at `q`, in its unit.
    pub residual: f64,
    /// Coordinates of the best attempt to assemble.
    pub q: Vec<f64>,
    /// Contradictions among the kept speeds at `q`.
    pub relations: Vec<Relation>,
    /// Index of a constraint whose rows are fulfilled at `q` with a reversed axis.
    pub reversed: Option<usize>,
    /// Nearby assembled pose that exists if no coordinate is held; for the error message.
    pub unheld: Option<Vec<f64>>,
}

impl NotAssembled {
    fn new(speeds: bool, row: usize, residual: f64, q: Vec<f64>) -> Self {
        NotAssembled { speeds, row, residual, q, relations: Vec::new(), reversed: None, unheld: None }
    }

    /// True if this failure is reported rather than an earlier one: contradicting speeds first,
    /// then a reversed axis, then the smaller residual.
    fn is_more_telling(&self, earlier: &NotAssembled) -> bool {
        if earlier.speeds || self.speeds {
            return !earlier.speeds;
        }
        if earlier.reversed.is_some() || self.reversed.is_some() {
            return earlier.reversed.is_none();
        }
        self.residual < earlier.residual
    }
}

/// Start number `k` of `count` around `q`: 0 is `q` itself; later ones are farther away.
fn perturb_start(q: &[f64], free: &[bool], k: usize, count: usize) -> Vec<f64> {
    let mut random = Random::new(k as u64);
    let reach = if k == 0 { 0.0 } else { 0.2 + 3.0 * k as f64 / count as f64 };
    q.iter().zip(free).map(|(x, f)| x + if *f { reach * random.next_signed() } else { 0.0 }).collect()
}

/// Corrected positions from one start, with steps of any length, and the remaining residual.
pub(super) fn solve_positions(
    manifold: &Manifold<'_>,
    t: f64,
    q: &[f64],
    free: &[bool],
) -> (Vec<f64>, Vec<f64>) {
    correct_positions(manifold, t, q, free, f64::INFINITY)
}

/// Undoes whole turns of angles of `x` relative to `q`, if the constraints stay fulfilled.
fn undo_whole_turns(manifold: &Manifold<'_>, t: f64, x: &mut Vec<f64>, residual: &mut Vec<f64>, q: &[f64]) {
    for i in 0..x.len() {
        let turns = ((x[i] - q[i]) / TAU).round();
        if turns == 0.0 || !turns.is_finite() {
            continue;
        }
        let mut other = x.clone();
        other[i] -= turns * TAU;
        // The corrected angle compensates for rounding of the sine and cosine of a smaller angle.
        let (other, left) =
            solve_positions(manifold, t, &other, &(0..x.len()).map(|j| j == i).collect::<Vec<_>>());
        if largest_residual(&left) <= TOLERANCE && (other[i] - q[i]).abs() <= PI + FAR {
            (*x, *residual) = (other, left);
        }
    }
}

/// Squared Euclidean distance between two sets of coordinates.
fn squared_distance(x: &[f64], q: &[f64]) -> f64 {
    x.iter().zip(q).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Speeds at the pose `q` with the kept ones fixed, the remaining residual, and the most violated
/// row if its violation exceeds rounding.
fn solve_speeds(
    manifold: &Manifold<'_>,
    t: f64,
    q: &[f64],
    v: &[f64],
    kept: &[bool],
) -> (Vec<f64>, Vec<f64>, Option<usize>) {
    let free: Vec<bool> = kept.iter().map(|k| !k).collect();
    let mut x = v.to_vec();
    let residual = minimise_residual(&mut x, &free, (f64::INFINITY, DAMPING), |x| {
        manifold.linearise_velocities(t, q, x)
    });
    let (_, jacobian) = manifold.linearise_velocities(t, q, &x);
    let worst = (0..residual.len())
        .map(|i| {
            if !residual[i].is_finite() {
                return (f64::INFINITY, i);
            }
            let product: f64 = jacobian[i].iter().zip(&x).map(|(a, v)| a * v).sum();
            (residual[i].abs() / allowed_violation(&jacobian[i], residual[i] - product, &x), i)
        })
        .reduce(|a, b| if b.0 > a.0 { b } else { a });
    (x, residual, worst.filter(|w| w.0 > 1.0).map(|w| w.1))
}

/// Assembles from start number `k` around `q` with steps up to `longest`: positions, then speeds.
fn assemble_from_start(
    manifold: &Manifold<'_>,
    t: f64,
    (q, v): (&[f64], &[f64]),
    (free, kept): (&[bool], &[bool]),
    (k, longest): (usize, f64),
) -> Result<AssembledState, NotAssembled> {
    let from = perturb_start(q, free, k, STARTS);
    let attempt = attempt_assembly(manifold, t, &from, free, (longest, k == 0));
    let (holds, reversed) = (attempt.fulfils_constraints(manifold, t), attempt.reversed);
    let Attempt { q: mut x, mut residual, .. } = attempt;
    if holds {
        undo_whole_turns(manifold, t, &mut x, &mut residual, q);
    }
    let left = largest_residual(&residual);
    if !holds {
        let row = residual.iter().position(|r| !r.is_finite() || r.abs() == left).unwrap_or(0);
        return Err(NotAssembled::new(false, row, left, x));
    }
    if reversed.is_some() {
        return Err(NotAssembled { reversed, ..NotAssembled::new(false, 0, left, x) });
    }
    let (w, speed_residual, off) = solve_speeds(manifold, t, &x, v, kept);
    if let Some(row) = off {
        return Err(NotAssembled::new(true, row, speed_residual[row].abs(), x));
    }
    Ok(AssembledState { q: x, v: w, start: k, residuals: [left, largest_residual(&speed_residual)] })
}

/// Finds a state near `q`, `v` that fulfils the constraints, with held coordinates and kept speeds
/// unchanged.
///
/// # Errors
///
/// The best attempt, and the contradictions among the held and kept values.
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
        // Short steps are tried only after a distant solution.
        match &nearest {
            Some(_) if k > first + AROUND => break,
            None if longest.is_finite() => continue,
            _ => {}
        }
        let state = match assemble_from_start(manifold, t, (q, v), (&free, kept), (k, longest)) {
            Ok(state) => state,
            // Another pose may be regular, or may be the intended one.
            Err(failure) => {
                if best.as_ref().is_none_or(|earlier| failure.is_more_telling(earlier)) {
                    best = Some(failure);
                }
                continue;
            }
        };
        let far = state.q.iter().zip(q).any(|(a, b)| (a - b).abs() > FAR);
        if nearest.is_none() && !far {
            return Ok(state);
        }
        if nearest.is_none() {
            first = k;
        }
        if nearest.as_ref().is_none_or(|n| squared_distance(&state.q, q) < squared_distance(&n.q, q)) {
            nearest = Some(state);
        }
    }
    if let Some(state) = nearest {
        return Ok(state);
    }
    let mut error = best.unwrap_or_else(|| NotAssembled::new(false, 0, f64::INFINITY, q.to_vec()));
    if error.speeds {
        error.relations = find_violated_relations(manifold, t, &error.q, v, kept);
    } else if held.contains(&true) {
        let (nothing, none) = (vec![false; q.len()], vec![false; v.len()]);
        error.unheld = find_state(manifold, t, (q, v), (&nothing, &none)).ok().map(|a| a.q);
    }
    Err(error)
}

/// Isolated assemblies around `q` with the held coordinates fixed, the nearest first; `None` if the
/// mechanism can move between them. Used to list assembly modes such as elbow up and down.
pub fn find_assembly_modes(
    manifold: &Manifold<'_>,
    t: f64,
    q: &[f64],
    held: &[bool],
) -> Option<Vec<Vec<f64>>> {
    let free: Vec<bool> = held.iter().map(|h| !h).collect();
    let unknown = free.iter().filter(|f| **f).count();
    let mut poses: Vec<(Vec<f64>, Bodies)> = Vec::new();
    for k in 0..MODES {
        let from = perturb_start(q, &free, k, MODES);
        let attempt = attempt_assembly(manifold, t, &from, &free, (f64::INFINITY, k == 0));
        if attempt.reversed.is_some() || !attempt.fulfils_constraints(manifold, t) {
            continue;
        }
        let Attempt { q: mut x, mut residual, .. } = attempt;
        undo_whole_turns(manifold, t, &mut x, &mut residual, q);
        let columns: Vec<Vec<f64>> = manifold.linearise_positions(t, &x).1;
        let columns: Vec<Vec<f64>> = columns
            .into_iter()
            .map(|row| row.into_iter().zip(&free).map(|(a, f)| if *f { a } else { 0.0 }).collect())
            .collect();
        if find_independent_rows(&columns).0.len() < unknown {
            return None;
        }
        // Compares bodies, not coordinates: whole turns of an angle, q and −q of a quaternion, and
        // the two triples of three angles describe one pose.
        let bodies = manifold.body_poses(t, &x);
        match poses.iter().position(|(_, other)| poses_are_equal(other, &bodies)) {
            Some(i) if squared_distance(&x, q) < squared_distance(&poses[i].0, q) => poses[i].0 = x,
            Some(_) => {}
            None => poses.push((x, bodies)),
        }
    }
    poses.sort_by(|a, b| squared_distance(&a.0, q).total_cmp(&squared_distance(&b.0, q)));
    Some(poses.into_iter().map(|(x, _)| x).collect())
}

/// Attitude and origin of each body in the ground frame, to compare poses.
type Bodies = Vec<(Mat3<f64>, Vec3<f64>)>;

/// True if all bodies have equal attitudes and origins, with lengths relative to the largest
/// distance.
fn poses_are_equal(a: &Bodies, b: &Bodies) -> bool {
    let size = a.iter().flat_map(|(_, at)| at.0).fold(1.0f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).all(|((r, p), (s, o))| {
        let turns = r.0.iter().flatten().zip(s.0.iter().flatten()).all(|(x, y)| (x - y).abs() < SAME);
        turns && p.0.iter().zip(o.0).all(|(x, y)| (x - y).abs() < SAME * size)
    })
}

/// Projects a nearby state onto the constraints: a single start, nothing held.
///
/// # Errors
///
/// The best attempt.
pub fn project_onto_constraints(
    t: f64,
    q: &mut Vec<f64>,
    v: &mut Vec<f64>,
    mut position: impl FnMut(f64, &mut [f64]) -> Linearised,
    mut velocity: impl FnMut(f64, &[f64], &[f64]) -> Linearised,
) -> Result<(), NotAssembled> {
    let free = vec![true; q.len()];
    let residual = minimise_residual(q, &free, (f64::INFINITY, DAMPING), |q| position(t, q));
    let left = largest_residual(&residual);
    if left > TOLERANCE {
        let row = residual.iter().position(|r| !r.is_finite() || r.abs() == left).unwrap_or(0);
        return Err(NotAssembled::new(false, row, left, q.clone()));
    }
    let free = vec![true; v.len()];
    let scale = 1.0 + largest_residual(v);
    let residual = minimise_residual(v, &free, (f64::INFINITY, DAMPING), |v| velocity(t, q, v));
    let left = largest_residual(&residual);
    if left > TOLERANCE * scale * 100.0 {
        let row = residual.iter().position(|r| !r.is_finite() || r.abs() == left).unwrap_or(0);
        return Err(NotAssembled::new(true, row, left, q.clone()));
    }
    Ok(())
}
