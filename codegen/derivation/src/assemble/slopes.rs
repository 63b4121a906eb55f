//! Constraint rows without a derivative at a pose.
//!
//! Problem: a distance that must be zero has no direction at zero: its row has unit length
//!          everywhere near the pose, and is undefined at it.
//! Method:  the derivatives of each row on both sides of the pose, at a small distance and at a
//!          hundred times that. A row without a derivative has opposite values on the two sides,
//!          equally large near and far. The values of a row that merely vanishes here, as at a dead
//!          point, decrease with the distance. A corner, with unequal one-sided derivatives, is
//!          accepted.

use super::Manifold;
use dqdt_diagnostics::base::Random;
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::ConstraintRow;

/// Larger distance from the pose of the two compared ones, in radians or in sizes of the mechanism.
const FAR: f64 = 1e-7;
/// Smaller distance from the pose, in the same units: here a row without a derivative is still as
/// long.
const NEAR: f64 = 1e-9;
/// Squared change of a row's derivative over the sum of squares on both sides above which the sides
/// count as opposite: two if they are, one if one of them is zero.
const OPPOSITE: f64 = 1.5;
/// A derivative near the pose that is below this fraction of the one farther away has decreased
/// with the distance, so the row merely vanishes.
const FALLEN: f64 = 0.1;
/// A derivative below this fraction of the largest row counts as rounding.
const ROUNDING: f64 = 1e-9;

/// The first row without a derivative at the pose: index of its constraint, and its name.
pub(super) fn find_row_without_derivative(
    manifold: &Manifold<'_>,
    t: f64,
    q: &[f64],
) -> Option<(usize, String)> {
    let m = manifold.mechanism;
    let (size, still) = (formalism::default_mechanism_length(m), vec![0.0; m.nv()]);
    let mut random = Random::new(77);
    let here = manifold.constraint_rows(t, q, &still);
    for _ in 0..3 {
        let way: Vec<f64> = (m.coordinates.iter())
            .map(|c| if c.dimension.is_translational() { size } else { 1.0 })
            .map(|scale| scale * random.next_between(-1.0, 1.0))
            .collect();
        let side = |by: f64| {
            let q: Vec<f64> = q.iter().zip(&way).map(|(q, w)| q + by * w).collect();
            manifold.constraint_rows(t, &q, &still)
        };
        let [near, far] = [NEAR, FAR].map(|by| (side(by), side(-by)));
        let largest =
            (far.0.iter().zip(&far.1)).map(|(a, b)| compare_row_derivatives(a, b).1).fold(0.0, f64::max);
        for (i, row) in here.iter().enumerate() {
            let (opposite, length) = compare_row_derivatives(&near.0[i], &near.1[i]);
            let (_, farther) = compare_row_derivatives(&far.0[i], &far.1[i]);
            let jumps = opposite && length > (FALLEN * farther).max(ROUNDING * largest);
            if jumps || !row.jacobian.iter().all(|x| x.is_finite()) {
                return Some((row.constraint, row.name.clone()));
            }
        }
    }
    None
}

/// True if the derivatives on both sides are opposite, and their length.
fn compare_row_derivatives(ahead: &ConstraintRow<f64>, behind: &ConstraintRow<f64>) -> (bool, f64) {
    let all = || ahead.jacobian.iter().zip(&behind.jacobian);
    let square = all().map(|(a, b)| a * a + b * b).sum::<f64>();
    let change = all().map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    (change > OPPOSITE * square, square.sqrt())
}
