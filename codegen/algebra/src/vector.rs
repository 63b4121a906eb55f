//! Vectors of three components.

use std::ops::{Add, Index, Mul, Neg, Sub};

use super::Scalar;

/// Components of a vector in the axes of a frame, which the context states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec3<S>(pub [S; 3]);

impl<S: Scalar> Vec3<S> {
    /// The zero vector of three components.
    pub const ZERO: Self = Vec3([S::ZERO; 3]);

    /// A vector from its components x, y, z.
    pub fn new(x: S, y: S, z: S) -> Self {
        Vec3([x, y, z])
    }

    /// Unit vector of coordinate axis `i` (0, 1, 2).
    pub fn unit_vector(i: usize) -> Self {
        let mut v = [S::ZERO; 3];
        v[i] = S::ONE;
        Vec3(v)
    }

    /// Scalar product (dot product) of two vectors in the same frame.
    pub fn dot(self, o: Self) -> S {
        self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2]
    }

    /// Vector product (cross product) `self × o` in the same frame.
    pub fn cross(self, o: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        Vec3([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    /// The vector multiplied by a scalar.
    pub fn scale(self, s: S) -> Self {
        Vec3(self.0.map(|x| x * s))
    }

    /// Applies a function to every component of the vector.
    pub fn map<T>(self, f: impl FnMut(S) -> T) -> Vec3<T> {
        Vec3(self.0.map(f))
    }

    /// True if every component of the vector is structurally zero.
    pub fn is_zero(self) -> bool {
        self.0.iter().all(|x| x.is_zero())
    }
}

impl<S: Scalar> Add for Vec3<S> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Vec3([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]])
    }
}

impl<S: Scalar> Sub for Vec3<S> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Vec3([self.0[0] - o.0[0], self.0[1] - o.0[1], self.0[2] - o.0[2]])
    }
}

impl<S: Scalar> Neg for Vec3<S> {
    type Output = Self;
    fn neg(self) -> Self {
        Vec3(self.0.map(|x| -x))
    }
}

impl<S: Scalar> Mul<S> for Vec3<S> {
    type Output = Self;
    fn mul(self, s: S) -> Self {
        self.scale(s)
    }
}

impl<S> Index<usize> for Vec3<S> {
    type Output = S;
    fn index(&self, i: usize) -> &S {
        &self.0[i]
    }
}
