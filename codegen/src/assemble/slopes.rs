//! Rows of constraints that have no slope at a pose.
//!
//! Problem: a distance that is to be zero has no direction where it is zero: its row is anything beside it, and nothing at it.
//! Method:  the derivatives of each row on both sides of the pose, a ten-millionth of a turn or of the size of the mechanism apart: of a
//! row without a slope they are opposite. A corner, where they differ, is let pass.

use super::Manifold;
use crate::base::Random;
use crate::formalism;

const BESIDE: f64 = 1e-7;
/// The square of the change over those of both sides: two where they are opposite, one where one of them is nothing.
const OPPOSITE: f64 = 1.5;

/// The first row without a slope at the pose: index of its constraint, and its name.
pub(super) fn without_slope(manifold: &Manifold<'_>, t: f64, q: &[f64]) -> Option<(usize, String)> {
    let m = manifold.mechanism;
    let (size, still) = (formalism::size(m), vec![0.0; m.nv()]);
    let mut random = Random::new(77);
    let here = manifold.rows(t, q, &still);
    for _ in 0..3 {
        let way: Vec<f64> = (m.coordinates.iter())
            .map(|c| if c.dimension.0[0] == 1 { size } else { 1.0 })
            .map(|scale| BESIDE * scale * random.within(-1.0, 1.0))
            .collect();
        let side = |sign: f64| {
            let q: Vec<f64> = q.iter().zip(&way).map(|(q, w)| q + sign * w).collect();
            manifold.rows(t, &q, &still)
        };
        let (ahead, behind) = (side(1.0), side(-1.0));
        for ((row, a), b) in here.iter().zip(&ahead).zip(&behind) {
            let all = || a.jacobian.iter().zip(&b.jacobian);
            let length = all().map(|(a, b)| a * a + b * b).sum::<f64>();
            let change = all().map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
            if !row.jacobian.iter().all(|x| x.is_finite()) || change > OPPOSITE * length {
                return Some((row.constraint, row.name.clone()));
            }
        }
    }
    None
}
