//! Rotation matrices. `R_ab` maps components in frame b to components in frame a.

use super::{Scalar, Vec3};

/// A coordinate axis of a frame, about which joints rotate or angles are measured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// The x axis of the frame.
    X,
    /// The y axis of the frame.
    Y,
    /// The z axis of the frame.
    Z,
}

impl Axis {
    /// Index of the axis in a vector: 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The squared norm `|e|²` of a quaternion, by which its rotation matrix divides.
pub fn quaternion_norm_squared<S: Scalar>([w, x, y, z]: [S; 4]) -> S {
    (w * w + x * x) + (y * y + z * z)
}

/// A 3 × 3 matrix by rows, often a rotation matrix or an inertia tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3<S>(pub [[S; 3]; 3]);

impl<S: Scalar> Mat3<S> {
    /// The 3 × 3 identity matrix.
    pub fn identity() -> Self {
        Mat3([0, 1, 2].map(|i| Vec3::unit_vector(i).0))
    }

    /// Row `i` of the matrix as a vector.
    pub fn row(&self, i: usize) -> Vec3<S> {
        Vec3(self.0[i])
    }

    /// Column `j` of the matrix as a vector.
    pub fn column(&self, j: usize) -> Vec3<S> {
        Vec3([self.0[0][j], self.0[1][j], self.0[2][j]])
    }

    /// The transpose; for a rotation the inverse.
    pub fn transpose(&self) -> Self {
        Mat3([self.column(0).0, self.column(1).0, self.column(2).0])
    }

    /// The outer product (dyad) `a bᵀ` of two vectors.
    pub fn outer_product(a: Vec3<S>, b: Vec3<S>) -> Self {
        Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| a[i] * b[j])))
    }

    /// The sum `A + B` of two 3 × 3 matrices.
    pub fn matrix_sum(a: &Self, b: &Self) -> Self {
        Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| a.0[i][j] + b.0[i][j])))
    }

    /// The skew cross-product matrix `ã` of a vector, with `ã x = a × x`.
    pub fn cross_product_matrix(a: Vec3<S>) -> Self {
        let [x, y, z] = a.0;
        Mat3([[S::ZERO, -z, y], [z, S::ZERO, -x], [-y, x, S::ZERO]])
    }

    /// `ω̃̇ + ω̃ ω̃`: maps the vector from the origin of a rotating body to a point to the
    /// acceleration of the point relative to the origin. `w` is ω, `rate` its derivative.
    pub fn relative_acceleration_matrix(w: Vec3<S>, rate: Vec3<S>) -> Self {
        let [x, y, z] = w.0;
        let [dx, dy, dz] = rate.0;
        let (xx, yy, zz) = (x * x, y * y, z * z);
        let (xy, xz, yz) = (x * y, x * z, y * z);
        Mat3([[-(yy + zz), xy - dz, xz + dy], [xy + dz, -(xx + zz), yz - dx], [xz - dy, yz + dx, -(xx + yy)]])
    }

    /// The product `self · v` of matrix and vector; a rotation maps the components of `v`.
    pub fn apply(&self, v: Vec3<S>) -> Vec3<S> {
        Vec3([self.row(0).dot(v), self.row(1).dot(v), self.row(2).dot(v)])
    }

    /// The product `selfᵀ · v`; for a rotation the inverse map of components.
    pub fn apply_transposed(&self, v: Vec3<S>) -> Vec3<S> {
        Vec3([self.column(0).dot(v), self.column(1).dot(v), self.column(2).dot(v)])
    }

    /// The product `self · o` of two 3 × 3 matrices.
    pub fn mul(&self, o: &Self) -> Self {
        Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| self.row(i).dot(o.column(j)))))
    }

    /// The product `selfᵀ · o` of two 3 × 3 matrices.
    pub fn transposed_mul(&self, o: &Self) -> Self {
        Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| self.column(i).dot(o.column(j)))))
    }

    /// Rotation by `angle` about a coordinate axis: maps components in the rotated frame to the
    /// fixed one.
    pub fn rotation_about_axis(axis: Axis, angle: S) -> Self {
        let (s, c) = angle.sin_cos();
        let (o, z) = (S::ONE, S::ZERO);
        Mat3(match axis {
            Axis::X => [[o, z, z], [z, c, -s], [z, s, c]],
            Axis::Y => [[c, z, s], [z, o, z], [-s, z, c]],
            Axis::Z => [[c, -s, z], [s, c, z], [z, z, o]],
        })
    }

    /// Rotation by `angle` about the unit vector `axis` (Rodrigues): `c E + s ã + (1 − c) a aᵀ`.
    pub fn rotation_about_vector(axis: Vec3<S>, angle: S) -> Self {
        let zeros = [0, 1, 2].map(|i| axis[i].is_zero());
        for (i, coordinate) in [Axis::X, Axis::Y, Axis::Z].into_iter().enumerate() {
            // Along a coordinate axis the component is ±1: a signed angle keeps the matrix sparse.
            if zeros[(i + 1) % 3] && zeros[(i + 2) % 3] {
                return Mat3::rotation_about_axis(coordinate, axis[i] * angle);
            }
        }
        let (s, c) = angle.sin_cos();
        let k = S::ONE - c;
        let a = axis.0;
        let d = |i: usize| c + a[i] * a[i] * k;
        let e = |i: usize, j: usize| a[i] * a[j] * k;
        Mat3([
            [d(0), e(0, 1) - a[2] * s, e(0, 2) + a[1] * s],
            [e(0, 1) + a[2] * s, d(1), e(1, 2) - a[0] * s],
            [e(0, 2) - a[1] * s, e(1, 2) + a[0] * s, d(2)],
        ])
    }

    /// Rotation by an Euler or Bryant sequence, intrinsic: about `axes[0]`, then about the rotated
    /// `axes[1]`, then about the rotated `axes[2]`; maps body to parent components.
    pub fn euler_rotation(axes: [Axis; 3], angles: [S; 3]) -> Self {
        let [a, b, c] = [0, 1, 2].map(|i| Mat3::rotation_about_axis(axes[i], angles[i]));
        a.mul(&b).mul(&c)
    }

    /// Rotation matrix of a quaternion, scalar part first, from body to parent. A quaternion of any
    /// nonzero length gives the attitude of its normalised value, so that intermediate states of an
    /// integrator, which are off the unit sphere, mean the same in all functions.
    pub fn from_quaternion(q: [S; 4]) -> Self {
        let [w, x, y, z] = q;
        let two = S::ratio(2, 1) / quaternion_norm_squared(q);
        let one = S::ONE;
        Mat3([
            [one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)],
            [two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x)],
            [two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y)],
        ])
    }

    /// Applies a function to every entry of the 3 × 3 matrix.
    pub fn map<T>(&self, mut f: impl FnMut(S) -> T) -> Mat3<T> {
        Mat3(self.0.map(|row| row.map(&mut f)))
    }
}
