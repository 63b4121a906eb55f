//! Differences of states, with three angles for each quaternion.
//!
//! Problem: filters and optimisers add and subtract states, but a unit quaternion has four
//!          components and three degrees of freedom.
//! Method:  `x ⊞ δ` rotates the quaternion `e` to `e ⊗ (1, δ/2)`, normalised, with the angles δ in
//!          the axes of the child. All other entries are added. `y ⊟ x` is the inverse. `δx` has
//!          the order of the emitted `linearize`: the three angles of a quaternion replace its four
//!          components. Derivatives are at δ = 0.
//! Shapes:  `ND = NX −` the number of quaternions, whose indices (`System::QUATERNIONS`) ascend.
//! Limits:  for attitudes half a turn apart, `y ⊟ x` is infinite.

use crate::real::Real;
use crate::rotation::quaternion_product;

/// Visits the parts of a state: index in the state, index in the difference, and `true` if a
/// quaternion starts there.
fn visit_segments<const NX: usize, const ND: usize>(
    quaternions: &[usize],
    mut at: impl FnMut(usize, usize, bool),
) {
    let (mut i, mut k) = (0, 0);
    while i < NX && k < ND {
        let turns = quaternions.contains(&i) && i + 4 <= NX && k + 3 <= ND;
        at(i, k, turns);
        (i, k) = if turns { (i + 4, k + 3) } else { (i + 1, k + 1) };
    }
}

/// The four components of the quaternion at index `i` of a state.
fn quaternion_at<T: Real, const NX: usize>(x: &[T; NX], i: usize) -> [T; 4] {
    core::array::from_fn(|k| x[i + k])
}

/// Adds a difference to a state, `x ⊞ δ`; quaternions are rotated by three angles. `quaternions`
/// are their indices in `x`.
///
/// ```
/// use dqdt::differences::{minus, plus};
///
/// // A position, and an attitude.
/// let x = [0.5, 1.0, 0.0, 0.0, 0.0];
/// let y = plus(&x, &[0.1, 0.0, 0.02, 0.0], &[1]);
/// let delta: [f64; 4] = minus(&y, &x, &[1]);
/// assert!((delta[0] - 0.1).abs() < 1e-15 && (delta[2] - 0.02).abs() < 1e-15);
/// ```
pub fn plus<T: Real, const NX: usize, const ND: usize>(
    x: &[T; NX],
    delta: &[T; ND],
    quaternions: &[usize],
) -> [T; NX] {
    let mut y = *x;
    let half = T::from_f64(0.5);
    visit_segments::<NX, ND>(quaternions, |i, k, turns| {
        if turns {
            let turn = [T::ONE, half * delta[k], half * delta[k + 1], half * delta[k + 2]];
            let e = quaternion_product(quaternion_at(x, i), turn);
            let scale = e.iter().fold(T::ZERO, |sum, c| sum + *c * *c).sqrt().recip();
            (0..4).for_each(|c| y[i + c] = e[c] * scale);
        } else {
            y[i] = x[i] + delta[k];
        }
    });
    y
}

/// Difference `y ⊟ x` of two states, with three angles for each quaternion: the δ with `x ⊞ δ = y`.
pub fn minus<T: Real, const NX: usize, const ND: usize>(
    y: &[T; NX],
    x: &[T; NX],
    quaternions: &[usize],
) -> [T; ND] {
    let mut delta = [T::ZERO; ND];
    visit_segments::<NX, ND>(quaternions, |i, k, turns| {
        if turns {
            let [w, a, b, c] = quaternion_at(x, i);
            let turn = quaternion_product([w, -a, -b, -c], quaternion_at(y, i));
            let scale = (T::from_f64(0.5) * turn[0]).recip();
            (0..3).for_each(|axis| delta[k + axis] = turn[axis + 1] * scale);
        } else {
            delta[k] = y[i] - x[i];
        }
    });
    delta
}

/// Derivative `∂(x ⊞ δ)/∂δ` of [`plus`] at δ = 0, of shape NX × ND.
pub fn plus_derivative<T: Real, const NX: usize, const ND: usize>(
    x: &[T; NX],
    quaternions: &[usize],
) -> [[T; ND]; NX] {
    let mut out = [[T::ZERO; ND]; NX];
    let half = T::from_f64(0.5);
    visit_segments::<NX, ND>(quaternions, |i, k, turns| {
        if turns {
            let columns = quaternion_axis_products(quaternion_at(x, i));
            for (axis, column) in columns.iter().enumerate() {
                (0..4).for_each(|c| out[i + c][k + axis] = half * column[c]);
            }
        } else {
            out[i][k] = T::ONE;
        }
    });
    out
}

/// Derivative `∂(y ⊟ x)/∂y` of [`minus`] at `y = x` for unit quaternions, of shape ND × NX.
pub fn minus_derivative<T: Real, const NX: usize, const ND: usize>(
    x: &[T; NX],
    quaternions: &[usize],
) -> [[T; NX]; ND] {
    let mut out = [[T::ZERO; NX]; ND];
    let two = T::from_f64(2.0);
    visit_segments::<NX, ND>(quaternions, |i, k, turns| {
        if turns {
            let columns = quaternion_axis_products(quaternion_at(x, i));
            for (axis, column) in columns.iter().enumerate() {
                (0..4).for_each(|c| out[k + axis][i + c] = two * column[c]);
            }
        } else {
            out[k][i] = T::ONE;
        }
    });
    out
}

/// Products `e ⊗ (0, unit)` of a quaternion with the unit vectors of the three axes.
fn quaternion_axis_products<T: Real>([w, x, y, z]: [T; 4]) -> [[T; 4]; 3] {
    [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]]
}
