//! Rotation of exact vectors by constant rotations, where the result is exact.

use super::model::Rotation;
use dqdt_algebra::{Axis, Number, Ratio};

/// Components of a vector as exact numbers, such as those of an axis.
pub type ExactVector = [Number; 3];

/// Rotates a vector exactly: `R v`, or `Rᵀ v` if `back`; `None` if the result has no exact value.
pub fn rotate_exact_vector(r: &Rotation, v: ExactVector, back: bool) -> Option<ExactVector> {
    match r {
        Rotation::Identity => Some(v),
        Rotation::Sequence { axes, angles } => {
            let mut v = v;
            let steps: [usize; 3] = if back { [0, 1, 2] } else { [2, 1, 0] };
            for i in steps {
                v = rotate_by_quarters(axes[i], quarter_turns(angles[i].as_number()), v, back)?;
            }
            Some(v)
        }
        Rotation::Matrix(rows) => {
            let mut out = [Number::ZERO; 3];
            for (i, slot) in out.iter_mut().enumerate() {
                for k in 0..3 {
                    let entry = if back { &rows[k][i] } else { &rows[i][k] };
                    *slot = slot.checked_add(entry.as_number()?.checked_mul(v[k])?)?;
                }
            }
            Some(out)
        }
    }
}

/// The angle in quarter turns, modulo 4; `None` if it is not a multiple of π/2.
fn quarter_turns(angle: Option<Number>) -> Option<i64> {
    match angle? {
        n if n.is_zero() => Some(0),
        Number::Pi(r) => {
            let q = r.checked_mul(Ratio::integer(2))?;
            q.is_integer().then(|| q.num().rem_euclid(4))
        }
        _ => None,
    }
}

/// Rotates a vector about a coordinate axis by quarter turns, exactly. `quarters`: `None` if the
/// angle is no multiple of π/2.
fn rotate_by_quarters(axis: Axis, quarters: Option<i64>, v: ExactVector, back: bool) -> Option<ExactVector> {
    let i = axis.index();
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    if v[j].is_zero() && v[k].is_zero() {
        // A vector along the axis is not changed.
        return Some(v);
    }
    let quarters = quarters?;
    let quarters = if back { (4 - quarters) % 4 } else { quarters };
    let mut out = v;
    for _ in 0..quarters {
        (out[j], out[k]) = (out[k].checked_neg()?, out[j]);
    }
    Some(out)
}

/// True if the vectors are parallel, by exact comparison.
pub fn are_exactly_parallel(a: ExactVector, b: ExactVector) -> bool {
    [(0, 1), (1, 2), (2, 0)].into_iter().all(|(i, j)| {
        let products = a[i].checked_mul(b[j]).zip(a[j].checked_mul(b[i]));
        products.is_some_and(|(x, y)| x == y)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Formula;
    use dqdt_algebra::Mat3;

    #[test]
    fn quarter_turns_agree_with_matrices() {
        let half = Number::pi(Ratio::new(1, 2).unwrap());
        let angles = [Formula::Number(half), Formula::ZERO, Formula::Number(Number::pi(Ratio::integer(1)))];
        let axes = [Axis::X, Axis::Y, Axis::Z];
        let r = Rotation::Sequence { axes, angles };
        let m = Mat3::euler_rotation(axes, [std::f64::consts::FRAC_PI_2, 0.0, std::f64::consts::PI]);
        let v = [1, 2, 3].map(Number::integer);
        let exact = rotate_exact_vector(&r, v, false).unwrap().map(Number::to_f64);
        let matrix = m.apply(dqdt_algebra::Vec3([1.0, 2.0, 3.0])).0;
        for i in 0..3 {
            assert!((exact[i] - matrix[i]).abs() < 1e-14);
        }
        assert_eq!(rotate_exact_vector(&r, rotate_exact_vector(&r, v, false).unwrap(), true), Some(v));
    }
}
