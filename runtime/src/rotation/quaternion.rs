//! Unit quaternions, scalar first, body to parent.

use crate::real::Real;

/// Product `a ⊗ b` of two quaternions: first the rotation `b`, then `a`.
#[inline]
pub fn quaternion_product<T: Real>(a: [T; 4], b: [T; 4]) -> [T; 4] {
    let [aw, ax, ay, az] = a;
    let [bw, bx, by, bz] = b;
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

/// Rate `q̇ = ½ q ⊗ (0, ω)` of a unit quaternion, for the angular velocity of the body relative to
/// the parent in body axes, in rad/s.
#[inline]
pub fn quaternion_rate<T: Real>(q: [T; 4], omega: [T; 3]) -> [T; 4] {
    let half = T::from_f64(0.5);
    let [x, y, z] = omega.map(|w| half * w);
    quaternion_product(q, [T::ZERO, x, y, z])
}

/// Rotation matrix of a quaternion of any norm, body to parent: that of the normalised quaternion,
/// as in emitted equations.
///
/// A quaternion of zeros gives the identity.
#[inline]
pub fn matrix_from_quaternion<T: Real>(q: [T; 4]) -> [[T; 3]; 3] {
    let [w, x, y, z] = q;
    let square = (w * w + x * x) + (y * y + z * z);
    let two = T::from_f64(2.0) / T::select(square.is_gt(T::ZERO), square, T::ONE);
    let [x2, y2, z2] = [x * two, y * two, z * two];
    let [wx, wy, wz] = [w * x2, w * y2, w * z2];
    let [xx, xy, xz] = [x * x2, x * y2, x * z2];
    let [yy, yz, zz] = [y * y2, y * z2, z * z2];
    [
        [T::ONE - (yy + zz), xy - wz, xz + wy],
        [xy + wz, T::ONE - (xx + zz), yz - wx],
        [xz - wy, yz + wx, T::ONE - (xx + yy)],
    ]
}

/// Unit quaternion of a rotation matrix, with a non-negative scalar.
///
/// Method: of the four quaternions that the matrix gives (times 4w, 4x, 4y, 4z) the longest is
/// normalised, so no division by a small number occurs (Shepperd 1978, without branches). A matrix
/// with small errors gives a quaternion with small errors and unit norm.
#[inline]
pub fn quaternion_from_matrix<T: Real>(r: [[T; 3]; 3]) -> [T; 4] {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = r;
    let one = T::ONE;
    let (wx, wy, wz) = (zy - yz, xz - zx, yx - xy);
    let mut best = [one + xx + yy + zz, wx, wy, wz];
    let mut size = best[0];
    for candidate in [
        [wx, one + xx - yy - zz, xy + yx, xz + zx],
        [wy, xy + yx, one - xx + yy - zz, yz + zy],
        [wz, xz + zx, yz + zy, one - xx - yy + zz],
    ] {
        let [_, a, b, c] = candidate;
        let largest = T::max(a.abs(), T::max(b.abs(), c.abs()));
        let better = largest.is_gt(size);
        size = T::select(better, largest, size);
        for (kept, new) in best.iter_mut().zip(candidate) {
            *kept = T::select(better, new, *kept);
        }
    }
    let sign = T::select(best[0].is_lt(T::ZERO), -one, one);
    let mut q = best.map(|part| part * sign);
    normalise_quaternion(&mut q);
    q
}

/// Scales a quaternion to unit norm.
///
/// A quaternion of norm zero becomes the identity `[1, 0, 0, 0]`. One that is not finite has no
/// direction and becomes NaN.
#[inline]
pub fn normalise_quaternion<T: Real>(q: &mut [T; 4]) {
    T::compute(
        #[inline(always)]
        || {
            let [w, x, y, z] = *q;
            // Scaled first, so that squares neither overflow nor underflow.
            let size = T::ZERO.max(w.abs()).max(x.abs()).max(y.abs()).max(z.abs());
            let zero = size.is_le(T::ZERO);
            let divisor = T::select(zero, T::ONE, size);
            let [w, x, y, z] = [w / divisor, x / divisor, y / divisor, z / divisor];
            let factor = (w * w + x * x + y * y + z * z).sqrt().recip();
            *q = [
                T::select(zero, T::ONE, w * factor),
                T::select(zero, T::ZERO, x * factor),
                T::select(zero, T::ZERO, y * factor),
                T::select(zero, T::ZERO, z * factor),
            ];
        },
    );
}

/// Scales the quaternion in the entries `x[start..start + 4]` of a state to unit norm. Does nothing
/// if that range is not within `x`.
#[inline]
pub fn normalise_quaternion_at<T: Real>(x: &mut [T], start: usize) {
    if let Some(q) = x.get_mut(start..).and_then(|tail| tail.first_chunk_mut()) {
        normalise_quaternion(q);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, assert_close};
    use crate::{Dual, Lanes};

    fn random_quaternion(random: &mut Random) -> [f64; 4] {
        let mut q = core::array::from_fn(|_| random.random_within(-1.0, 1.0));
        normalise_quaternion(&mut q);
        q
    }

    #[test]
    fn a_matrix_gives_back_its_quaternion_up_to_the_sign() {
        let mut random = Random::new(11);
        for _ in 0..2000 {
            let q = random_quaternion(&mut random);
            let back = quaternion_from_matrix(matrix_from_quaternion(q));
            let sign = q[0].signum();
            for i in 0..4 {
                assert_close(back[i], sign * q[i], 4e-15);
            }
        }
    }

    #[test]
    fn a_quaternion_of_any_length_means_the_attitude_of_the_unit_one() {
        let mut random = Random::new(14);
        let unit = random_quaternion(&mut random);
        for length in [1e-3, 0.5, 1.0 + 1e-6, 7.0, 1e6] {
            let (r, of_unit) =
                (matrix_from_quaternion(unit.map(|x| x * length)), matrix_from_quaternion(unit));
            for i in 0..3 {
                for j in 0..3 {
                    assert_close(r[i][j], of_unit[i][j], 1e-15);
                }
            }
        }
        let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(matrix_from_quaternion([0.0; 4]), identity);
    }

    #[test]
    fn half_turns_are_recovered() {
        let s = 0.5_f64.sqrt();
        for q in [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
            [0.0, s, s, 0.0],
            [0.0, s, 0.0, -s],
            [0.5, -0.5, 0.5, 0.5],
            [1e-9, 1.0, 0.0, 0.0],
        ] {
            let r = matrix_from_quaternion(q);
            let again = matrix_from_quaternion(quaternion_from_matrix(r));
            for i in 0..3 {
                for j in 0..3 {
                    assert_close(again[i][j], r[i][j], 1e-15);
                }
            }
        }
    }

    #[test]
    fn lanes_recover_different_quaternions_at_once() {
        let q: [Lanes<f64, 4>; 4] =
            core::array::from_fn(|i| Lanes(core::array::from_fn(|k| if i == k { 1.0 } else { 0.0 })));
        assert_eq!(quaternion_from_matrix(matrix_from_quaternion(q)), q);
    }

    #[test]
    fn the_product_is_the_product_of_the_matrices() {
        let mut random = Random::new(12);
        for _ in 0..100 {
            let [a, b] = [random_quaternion(&mut random), random_quaternion(&mut random)];
            let (ra, rb) = (matrix_from_quaternion(a), matrix_from_quaternion(b));
            let rc = matrix_from_quaternion(quaternion_product(a, b));
            for i in 0..3 {
                for j in 0..3 {
                    let sum: f64 = (0..3).map(|k| ra[i][k] * rb[k][j]).sum();
                    assert_close(rc[i][j], sum, 1e-14);
                }
            }
        }
    }

    #[test]
    fn the_rate_is_of_body_axes() {
        // Ṙ = R ω̃ with ω in body axes; the derivative of R comes from a dual in time.
        let mut random = Random::new(13);
        let q = random_quaternion(&mut random);
        let omega = [0.3, -1.2, 0.7];
        let rate = quaternion_rate(q, omega);
        let moving = core::array::from_fn(|i| Dual { value: q[i], derivatives: [rate[i]] });
        let r = matrix_from_quaternion(moving);
        let tilde = [[0.0, -omega[2], omega[1]], [omega[2], 0.0, -omega[0]], [-omega[1], omega[0], 0.0]];
        for i in 0..3 {
            for j in 0..3 {
                let expected: f64 = (0..3).map(|k| r[i][k].value * tilde[k][j]).sum();
                assert_close(r[i][j].derivatives[0], expected, 1e-14);
            }
        }
    }

    #[test]
    fn normalising_survives_extreme_and_broken_quaternions() {
        let mut q = [3e200, 0.0, 4e200, 0.0];
        normalise_quaternion(&mut q);
        for (part, expected) in q.iter().zip([0.6, 0.0, 0.8, 0.0]) {
            assert_close(*part, expected, 1e-15);
        }
        let mut q = [0.0; 4];
        normalise_quaternion(&mut q);
        assert_eq!(q, [1.0, 0.0, 0.0, 0.0]);
        for broken in [[f64::NAN, 0.0, 0.0, 1.0], [1.0, f64::INFINITY, 0.0, 0.0]] {
            let mut q = broken;
            normalise_quaternion(&mut q);
            assert!(q.iter().all(|part| part.is_nan()), "{q:?}");
        }
        let mut x = [9.0, 0.0, 2.0, 0.0, 0.0, 9.0];
        normalise_quaternion_at(&mut x, 1);
        normalise_quaternion_at(&mut x, 3);
        normalise_quaternion_at(&mut x, 7);
        assert_eq!(x, [9.0, 0.0, 1.0, 0.0, 0.0, 9.0]);
    }
}
