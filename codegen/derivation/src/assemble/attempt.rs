//! One attempt to assemble positions from a start.
//!
//! Problem: rows of rotations vanish at reversed axes too, so that from a start far off they lead to a wrong attitude or nowhere.
//! Method:  the rows of the constraints first. Where they fail, or leave an axis reversed, more rows than the constraints have, which
//! are zero only at the right attitude (`Manifold::attitude`), by Gauss and Newton with a damping that never vanishes, since such rows
//! depend on each other; then the rows of the constraints again. An axis that is exactly reversed has no slope: a small turn goes ahead.
//! Rounding: a residual above [`TOLERANCE`] counts as zero where it is the noise of its own terms, as that of lengths of 10⁸ m. The
//! noise is measured: what differs from the tangent a very small step aside.

use super::Manifold;
use super::manifold::TOLERANCE;
use super::newton::{approach, in_steps, largest};
use dqdt_diagnostics::base::Random;

/// Damping that rows keep which depend on each other, as a part of their squared length.
const DAMPING: f64 = 1e-9;
/// The longest step towards an attitude.
const STEP: f64 = 1.0;
/// The turn that goes ahead where an axis is reversed.
const ASIDE: f64 = 0.1;
/// Steps by which noise is measured.
const ASIDE_FOR_NOISE: [f64; 3] = [1e-9, 1e-8, 1e-7];
/// The residual is at most this multiple of the measured noise.
const NOISE: f64 = 4.0;

/// Positions from one start.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub q: Vec<f64>,
    pub residual: Vec<f64>,
    /// The constraint with an axis that points backwards.
    pub reversed: Option<usize>,
}

impl Attempt {
    fn of(manifold: &Manifold<'_>, t: f64, (q, residual): (Vec<f64>, Vec<f64>)) -> Self {
        let reversed = manifold.reversed(t, &q);
        Attempt { q, residual, reversed }
    }

    /// True if the rows are fulfilled.
    pub fn holds(&self, manifold: &Manifold<'_>, t: f64) -> bool {
        holds(manifold, t, &self.q, &self.residual)
    }
}

/// True if a residual is zero, or what rounding leaves of it.
pub(super) fn holds(manifold: &Manifold<'_>, t: f64, q: &[f64], residual: &[f64]) -> bool {
    if largest(residual) <= TOLERANCE {
        return true;
    }
    if residual.iter().any(|r| !r.is_finite()) {
        return false;
    }
    let (middle, slopes) = manifold.position(t, q);
    let mut noise = vec![0.0f64; residual.len()];
    for (k, aside) in ASIDE_FOR_NOISE.iter().enumerate() {
        let mut random = Random::new(2000 + k as u64);
        let step: Vec<f64> = q.iter().map(|x| aside * (1.0 + x.abs()) * random.signed()).collect();
        let moved: Vec<f64> = q.iter().zip(&step).map(|(x, d)| x + d).collect();
        let (there, _) = manifold.position(t, &moved);
        for (i, noise) in noise.iter_mut().enumerate() {
            let tangent: f64 = slopes[i].iter().zip(&step).map(|(a, d)| a * d).sum();
            let off = (there[i] - middle[i] - tangent).abs();
            *noise = noise.max(if off.is_finite() { off } else { 0.0 });
        }
    }
    residual.iter().zip(&noise).all(|(r, noise)| r.abs() <= f64::max(TOLERANCE, NOISE * noise))
}

/// Positions from one start by steps of a limited length; `aside`: also from beside it, if nothing else leads to the constraints.
pub(super) fn attempt(
    manifold: &Manifold<'_>,
    t: f64,
    start: &[f64],
    free: &[bool],
    (longest, aside): (f64, bool),
) -> Attempt {
    let first = Attempt::of(manifold, t, in_steps(manifold, t, start, free, longest));
    let right = |a: &Attempt| a.reversed.is_none() && a.holds(manifold, t);
    if right(&first) || manifold.alignments(t, start).is_empty() {
        return first;
    }
    let turned = |x: Vec<f64>| {
        let mut x = x;
        approach(&mut x, free, (STEP.min(longest), DAMPING), |x| {
            manifold.normalise(x);
            manifold.attitude(t, x)
        });
        Attempt::of(manifold, t, in_steps(manifold, t, &x, free, longest))
    };
    let second = turned(start.to_vec());
    if right(&second) {
        return second;
    }
    if aside {
        let mut random = Random::new(3000);
        let beside = start.iter().zip(free).map(|(x, f)| if *f { x + ASIDE * random.signed() } else { *x });
        let third = turned(beside.collect());
        if right(&third) {
            return third;
        }
    }
    // What came nearest, for the message: a pose that holds with a reversed axis rather than none.
    if first.holds(manifold, t) || !second.holds(manifold, t) { first } else { second }
}
