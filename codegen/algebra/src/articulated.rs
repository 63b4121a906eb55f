//! Articulated-body inertias (ABA): symmetric maps from twists to wrenches.
//!
//! Problem: the apparent inertia of a body with all bodies outboard of it, whose joints are free to
//!          move.
//! Method:  three blocks, `(f; m) = (A, B; Bᵀ, D) (v; ω)`. A free joint subtracts a rank-one term
//!          for each column of its motion subspace (Featherstone 2008, section 7.2). Symmetric
//!          blocks are computed once per pair.
//! Frames:  axes of one body, about its pole (the origin of its inboard joint).
//! Units:   kg, kg·m, kg·m².
//! Cost:    O(1).

use std::ops::Add;

use super::tensor_rotation::symmetric_matrix;
use super::{Inertia, Mat3, Scalar, Twist, Vec3, Wrench};

/// Articulated-body inertia: a symmetric 6 × 6 map from twists to wrenches, in blocks.
#[derive(Clone, Copy, Debug)]
pub struct ArticulatedInertia<S> {
    /// Block `A`: force per velocity, symmetric \[kg\].
    pub linear: Mat3<S>,
    /// Block `B`: force per angular velocity [kg·m]; its transpose is the moment per velocity.
    pub coupling: Mat3<S>,
    /// Block `D`: moment per angular velocity, symmetric [kg·m²].
    pub angular: Mat3<S>,
}

/// The matrix of `f(a, b)` for each pair of entries of two matrices.
fn combine_entrywise<S: Scalar>(a: &Mat3<S>, b: &Mat3<S>, f: impl Fn(S, S) -> S) -> Mat3<S> {
    Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| f(a.0[i][j], b.0[i][j]))))
}

impl<S: Scalar> ArticulatedInertia<S> {
    /// The articulated-body inertia of a rigid body.
    pub fn from_rigid(inertia: &Inertia<S>) -> Self {
        ArticulatedInertia {
            linear: symmetric_matrix(|i, j| if i == j { inertia.mass } else { S::ZERO }),
            coupling: Mat3::cross_product_matrix(-inertia.first),
            angular: inertia.second,
        }
    }

    /// Sets the row and column of one component of twists and wrenches to zero: 0 to 2 for v and f,
    /// 3 to 5 for ω and m.
    ///
    /// A body that is free along one of its axes has no inertia along it: the entry there is
    /// `x − x (1/x) x`, which the graph would not simplify to zero.
    #[must_use]
    pub fn without_component(&self, component: usize) -> Self {
        let Self { mut linear, mut coupling, mut angular } = *self;
        let k = component % 3;
        for i in 0..3 {
            if component < 3 {
                (linear.0[i][k], linear.0[k][i], coupling.0[k][i]) = (S::ZERO, S::ZERO, S::ZERO);
            } else {
                (angular.0[i][k], angular.0[k][i], coupling.0[i][k]) = (S::ZERO, S::ZERO, S::ZERO);
            }
        }
        Self { linear, coupling, angular }
    }

    /// The wrench (force and moment) that corresponds to a twist.
    pub fn apply_to_twist(&self, t: Twist<S>) -> Wrench<S> {
        Wrench {
            f: self.linear.apply(t.v) + self.coupling.apply(t.w),
            m: self.coupling.apply_transposed(t.v) + self.angular.apply(t.w),
        }
    }

    /// `self − h hᵀ reciprocal`: the inertia after a free joint column with the wrench `h` is
    /// subtracted.
    pub fn subtract_free_column(&self, h: Wrench<S>, reciprocal: S) -> Self {
        let scaled = |x: Vec3<S>| Vec3(x.0.map(|x| (x * reciprocal).suggest_name_like(x, "scaled")));
        let g = Wrench { f: scaled(h.f), m: scaled(h.m) };
        ArticulatedInertia {
            linear: symmetric_matrix(|i, j| self.linear.0[i][j] - g.f[i] * h.f[j]),
            coupling: Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| self.coupling.0[i][j] - g.f[i] * h.m[j]))),
            angular: symmetric_matrix(|i, j| self.angular.0[i][j] - g.m[i] * h.m[j]),
        }
    }

    /// `Cᵀ self C` with `C = (O, −O r̃; 0, O)`, `O = rotationᵀ` and `r = offset`: the same inertia
    /// in the axes and about the pole of the parent. `rotation` maps components to the parent's
    /// axes.
    pub fn transform_to_frame(&self, rotation: &Mat3<S>, offset: Vec3<S>) -> Self {
        let linear = rotation.rotate_symmetric_tensor(&self.linear);
        let coupling = rotation.rotate_tensor(&self.coupling);
        let angular = rotation.rotate_symmetric_tensor(&self.angular);
        let r = Mat3::cross_product_matrix(offset);
        let shifted = combine_entrywise(&coupling, &linear.mul(&r), |a, b| a - b);
        ArticulatedInertia {
            linear,
            coupling: shifted,
            angular: symmetric_matrix(|i, j| {
                // −Bᵀ r̃ + r̃ (B − A r̃)
                let carried = r.row(i).dot(shifted.column(j)) - coupling.column(i).dot(r.column(j));
                angular.0[i][j] + carried
            }),
        }
    }

    /// `C′ᵀ self C′` with `C′ = (O, −O r̃; 0, 0)`: the inertia in the axes and about the pole of a
    /// parent whose angular velocity the body does not share.
    pub fn transform_without_rotation(&self, rotation: &Mat3<S>, offset: Vec3<S>) -> Self {
        let linear = rotation.rotate_symmetric_tensor(&self.linear);
        let r = Mat3::cross_product_matrix(offset);
        let coupling = linear.mul(&r).map(|x| -x);
        ArticulatedInertia {
            linear,
            coupling,
            angular: symmetric_matrix(|i, j| r.row(i).dot(coupling.column(j))),
        }
    }
}

impl<S: Scalar> Add for ArticulatedInertia<S> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        ArticulatedInertia {
            linear: combine_entrywise(&self.linear, &o.linear, |a, b| a + b),
            coupling: combine_entrywise(&self.coupling, &o.coupling, |a, b| a + b),
            angular: combine_entrywise(&self.angular, &o.angular, |a, b| a + b),
        }
    }
}
