//! The twelve sequences of three rotations about body axes.

use super::quaternion::quaternion_product;
use crate::real::Real;

/// Axis sequence of Euler or Bryant angles: three successive rotations, each about an axis of the
/// frame that the previous rotations have turned (intrinsic).
///
/// Sequences with three different axes are named after Bryant and Tait, those with equal first and
/// last axes after Euler. The kinematic map is singular where the cosine of the middle angle
/// vanishes for the former, and where its sine does for the latter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// Rotation about x, then y, then z (Bryant angles).
    Xyz,
    /// Rotation about x, then z, then y (Bryant angles).
    Xzy,
    /// Rotation about y, then x, then z (Bryant angles).
    Yxz,
    /// Rotation about y, then z, then x (Bryant angles).
    Yzx,
    /// Rotation about z, then x, then y (Bryant angles).
    Zxy,
    /// Rotation about z, then y, then x (Bryant angles).
    Zyx,
    /// Rotation about x, then y, then x (Euler angles).
    Xyx,
    /// Rotation about x, then z, then x (Euler angles).
    Xzx,
    /// Rotation about y, then x, then y (Euler angles).
    Yxy,
    /// Rotation about y, then z, then y (Euler angles).
    Yzy,
    /// Rotation about z, then x, then z (Euler angles).
    Zxz,
    /// Rotation about z, then y, then z (Euler angles).
    Zyz,
}

impl Sequence {
    /// All twelve axis sequences of Euler and Bryant angles.
    pub const ALL: [Self; 12] = [
        Self::Xyz,
        Self::Xzy,
        Self::Yxz,
        Self::Yzx,
        Self::Zxy,
        Self::Zyx,
        Self::Xyx,
        Self::Xzx,
        Self::Yxy,
        Self::Yzy,
        Self::Zxz,
        Self::Zyz,
    ];

    /// The three rotation axes in order: 0 is x, 1 is y, 2 is z.
    pub const fn axes(self) -> [usize; 3] {
        match self {
            Self::Xyz => [0, 1, 2],
            Self::Xzy => [0, 2, 1],
            Self::Yxz => [1, 0, 2],
            Self::Yzx => [1, 2, 0],
            Self::Zxy => [2, 0, 1],
            Self::Zyx => [2, 1, 0],
            Self::Xyx => [0, 1, 0],
            Self::Xzx => [0, 2, 0],
            Self::Yxy => [1, 0, 1],
            Self::Yzy => [1, 2, 1],
            Self::Zxz => [2, 0, 2],
            Self::Zyz => [2, 1, 2],
        }
    }

    /// Rotation matrix of three angles in radians, body to parent: the product of the three
    /// rotations in order.
    #[inline]
    pub fn matrix<T: Real>(self, angles: [T; 3]) -> [[T; 3]; 3] {
        let (s, c) = T::sin_cos_n(angles);
        let mut r = [[T::ONE, T::ZERO, T::ZERO], [T::ZERO, T::ONE, T::ZERO], [T::ZERO, T::ZERO, T::ONE]];
        for (k, axis) in self.axes().into_iter().enumerate() {
            // R ← R R_axis: only the two columns of the other axes change.
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            for row in &mut r {
                let (a, b) = (row[i], row[j]);
                row[i] = a * c[k] + b * s[k];
                row[j] = b * c[k] - a * s[k];
            }
        }
        r
    }

    /// Unit quaternion of three angles in radians, body to parent.
    #[inline]
    pub fn quaternion<T: Real>(self, angles: [T; 3]) -> [T; 4] {
        let half = T::from_f64(0.5);
        let (s, c) = T::sin_cos_n(angles.map(|angle| half * angle));
        let mut q = [T::ONE, T::ZERO, T::ZERO, T::ZERO];
        for (k, axis) in self.axes().into_iter().enumerate() {
            let mut turn = [c[k], T::ZERO, T::ZERO, T::ZERO];
            turn[axis + 1] = s[k];
            q = quaternion_product(q, turn);
        }
        q
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::matrix_from_quaternion;
    use crate::testing::assert_close;

    type Matrix = [[f64; 3]; 3];

    fn elementary_rotation(axis: usize, angle: f64) -> Matrix {
        let (s, c) = angle.sin_cos();
        match axis {
            0 => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
            1 => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
            _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
        }
    }

    fn matrix_product(a: Matrix, b: Matrix) -> Matrix {
        core::array::from_fn(|i| core::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }

    #[test]
    fn every_sequence_is_the_product_of_its_elementary_rotations() {
        let angles = [0.4, -1.1, 2.3];
        for sequence in Sequence::ALL {
            let [a, b, c] = sequence.axes();
            let expected = matrix_product(
                matrix_product(elementary_rotation(a, angles[0]), elementary_rotation(b, angles[1])),
                elementary_rotation(c, angles[2]),
            );
            let matrix = sequence.matrix(angles);
            let through_quaternion = matrix_from_quaternion(sequence.quaternion(angles));
            for i in 0..3 {
                for j in 0..3 {
                    assert_close(matrix[i][j], expected[i][j], 1e-15);
                    assert_close(through_quaternion[i][j], expected[i][j], 1e-15);
                }
            }
        }
    }

    #[test]
    fn the_twelve_sequences_are_different() {
        for (i, a) in Sequence::ALL.iter().enumerate() {
            assert_ne!(a.axes()[0], a.axes()[1]);
            assert_ne!(a.axes()[1], a.axes()[2]);
            for b in &Sequence::ALL[..i] {
                assert_ne!(a.axes(), b.axes());
            }
        }
    }
}
