//! A single attempt to assemble positions from one start.
//!
//! Problem: constraint rows of rotations also vanish at reversed axes, so that a distant start
//!          leads to a wrong attitude or does not converge.
//! Method:  first the constraint rows. If they fail or leave an axis reversed, a larger set of rows
//!          that vanishes only at the right attitude (`Manifold::attitude`), by damped Gauss-Newton
//!          steps; the damping never vanishes, since these rows are redundant. Then the constraint
//!          rows again. An exactly reversed axis has zero slope, so a small random rotation is
//!          applied first.
//! Rounding: a residual above [`TOLERANCE`] counts as zero if it is rounding noise of its own
//!           terms, for example with lengths of 10⁸ m. The noise is measured as the deviation from
//!           the tangent after a very small step.

use super::Manifold;
use super::manifold::TOLERANCE;
use super::newton::{correct_positions, largest_residual, minimise_residual};
use dqdt_diagnostics::base::Random;

/// Lower bound of the Levenberg–Marquardt damping in the attitude search, as a fraction of the
/// squared length of the rows. These are redundant, so `J Jᵀ` alone would be singular.
const DAMPING: f64 = 1e-9;
/// Longest step of a coordinate \[rad or m\] per iteration of the attitude search.
const STEP: f64 = 1.0;
/// Size of the random change of the start coordinates \[rad or m\], tried if an axis stays
/// reversed.
const ASIDE: f64 = 0.1;
/// Relative sizes of the random coordinate changes by which `holds` measures rounding noise of
/// residuals.
const ASIDE_FOR_NOISE: [f64; 3] = [1e-9, 1e-8, 1e-7];
/// A residual counts as zero up to this multiple of its measured rounding noise.
const NOISE: f64 = 4.0;

/// Result of one assembly attempt: positions, with the residual of the constraints.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub q: Vec<f64>,
    pub residual: Vec<f64>,
    /// Index of the constraint with an axis that points backwards at `q`; `None` if all point as
    /// intended.
    pub reversed: Option<usize>,
}

impl Attempt {
    fn new(manifold: &Manifold<'_>, t: f64, (q, residual): (Vec<f64>, Vec<f64>)) -> Self {
        let reversed = manifold.most_reversed_constraint(t, &q);
        Attempt { q, residual, reversed }
    }

    /// True if the positions of this attempt fulfil the constraint rows up to rounding.
    pub fn fulfils_constraints(&self, manifold: &Manifold<'_>, t: f64) -> bool {
        residual_is_noise(manifold, t, &self.q, &self.residual)
    }
}

/// True if the residual of the positions `q` is zero up to rounding noise.
pub(super) fn residual_is_noise(manifold: &Manifold<'_>, t: f64, q: &[f64], residual: &[f64]) -> bool {
    if largest_residual(residual) <= TOLERANCE {
        return true;
    }
    if residual.iter().any(|r| !r.is_finite()) {
        return false;
    }
    let (middle, slopes) = manifold.linearise_positions(t, q);
    let mut noise = vec![0.0f64; residual.len()];
    for (k, aside) in ASIDE_FOR_NOISE.iter().enumerate() {
        let mut random = Random::new(2000 + k as u64);
        let step: Vec<f64> = q.iter().map(|x| aside * (1.0 + x.abs()) * random.next_signed()).collect();
        let moved: Vec<f64> = q.iter().zip(&step).map(|(x, d)| x + d).collect();
        let (there, _) = manifold.linearise_positions(t, &moved);
        for (i, noise) in noise.iter_mut().enumerate() {
            let tangent: f64 = slopes[i].iter().zip(&step).map(|(a, d)| a * d).sum();
            let off = (there[i] - middle[i] - tangent).abs();
            *noise = noise.max(if off.is_finite() { off } else { 0.0 });
        }
    }
    residual.iter().zip(&noise).all(|(r, noise)| r.abs() <= f64::max(TOLERANCE, NOISE * noise))
}

/// Assembles positions from one start, with steps of at most `longest`. With `aside`, also tries a
/// randomly perturbed start if nothing else converges.
pub(super) fn attempt_assembly(
    manifold: &Manifold<'_>,
    t: f64,
    start: &[f64],
    free: &[bool],
    (longest, aside): (f64, bool),
) -> Attempt {
    let first = Attempt::new(manifold, t, correct_positions(manifold, t, start, free, longest));
    let is_right = |a: &Attempt| a.reversed.is_none() && a.fulfils_constraints(manifold, t);
    if is_right(&first) || manifold.axis_alignments(t, start).is_empty() {
        return first;
    }
    let correct_attitude = |x: Vec<f64>| {
        let mut x = x;
        minimise_residual(&mut x, free, (STEP.min(longest), DAMPING), |x| {
            manifold.normalise_quaternions(x);
            manifold.linearise_attitudes(t, x)
        });
        Attempt::new(manifold, t, correct_positions(manifold, t, &x, free, longest))
    };
    let second = correct_attitude(start.to_vec());
    if is_right(&second) {
        return second;
    }
    if aside {
        let mut random = Random::new(3000);
        let beside =
            start.iter().zip(free).map(|(x, f)| if *f { x + ASIDE * random.next_signed() } else { *x });
        let third = correct_attitude(beside.collect());
        if is_right(&third) {
            return third;
        }
    }
    // The best attempt, for the error message: rather a fulfilled pose with a reversed axis than an
    // unfulfilled one.
    if first.fulfils_constraints(manifold, t) || !second.fulfils_constraints(manifold, t) {
        first
    } else {
        second
    }
}
