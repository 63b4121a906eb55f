//! Articulated-body inertias: symmetric maps from twists to wrenches that are no rigid body's.
//!
//! Problem: what a body with everything hung onto it resists with, when the joints beyond give way.
//! Method:  three blocks, `(f; m) = (A, B; Bᵀ, D) (v; ω)`. A joint that gives way takes a rank-one part off for each of
//!          its columns (Featherstone 2008, section 7.2). Symmetric blocks are computed once for each pair.
//! Frames:  axes of one body, about its pole.
//! Units:   kg, kg·m, kg·m².
//! Cost:    O(1).

use std::ops::Add;

use super::turned::symmetric;
use super::{Inertia, Mat3, Scalar, Twist, Vec3, Wrench};

/// A symmetric 6 × 6 map from twists to wrenches, by blocks.
#[derive(Clone, Copy, Debug)]
pub struct ArticulatedInertia<S> {
    /// Force by velocity, symmetric \[kg\].
    pub linear: Mat3<S>,
    /// Force by angular velocity [kg·m]; its transpose is the moment by velocity.
    pub coupling: Mat3<S>,
    /// Moment by angular velocity, symmetric [kg·m²].
    pub angular: Mat3<S>,
}

fn entrywise<S: Scalar>(a: &Mat3<S>, b: &Mat3<S>, f: impl Fn(S, S) -> S) -> Mat3<S> {
    Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| f(a.0[i][j], b.0[i][j]))))
}

impl<S: Scalar> ArticulatedInertia<S> {
    /// That of a rigid body.
    pub fn rigid(inertia: &Inertia<S>) -> Self {
        ArticulatedInertia {
            linear: symmetric(|i, j| if i == j { inertia.mass } else { S::ZERO }),
            coupling: Mat3::tilde(-inertia.first),
            angular: inertia.second,
        }
    }

    /// The same with nothing along one component of twists and wrenches: of v and f 0 to 2, of ω and m 3 to 5.
    ///
    /// What gives way along an axis of the body resists nothing along it: there `x − x (1/x) x` is zero, which no
    /// simplification of the graph would see.
    #[must_use]
    pub fn without(&self, component: usize) -> Self {
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

    /// The wrench by a twist.
    pub fn apply(&self, t: Twist<S>) -> Wrench<S> {
        Wrench {
            f: self.linear.apply(t.v) + self.coupling.apply(t.w),
            m: self.coupling.apply_transposed(t.v) + self.angular.apply(t.w),
        }
    }

    /// `self − h hᵀ reciprocal`: what is left when a column with the wrench `h` gives way.
    pub fn released(&self, h: Wrench<S>, reciprocal: S) -> Self {
        let scaled = |x: Vec3<S>| Vec3(x.0.map(|x| (x * reciprocal).like(x, "scaled")));
        let g = Wrench { f: scaled(h.f), m: scaled(h.m) };
        ArticulatedInertia {
            linear: symmetric(|i, j| self.linear.0[i][j] - g.f[i] * h.f[j]),
            coupling: Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| self.coupling.0[i][j] - g.f[i] * h.m[j]))),
            angular: symmetric(|i, j| self.angular.0[i][j] - g.m[i] * h.m[j]),
        }
    }

    /// `Cᵀ self C` with `C = (O, −O r̃; 0, O)`, `O = rotationᵀ` and `r = offset`: in the axes and about the pole of the
    /// parent. `rotation` maps components to the parent's axes.
    pub fn moved(&self, rotation: &Mat3<S>, offset: Vec3<S>) -> Self {
        let linear = rotation.turned_symmetric(&self.linear);
        let coupling = rotation.turned(&self.coupling);
        let angular = rotation.turned_symmetric(&self.angular);
        let r = Mat3::tilde(offset);
        let shifted = entrywise(&coupling, &linear.mul(&r), |a, b| a - b);
        ArticulatedInertia {
            linear,
            coupling: shifted,
            angular: symmetric(|i, j| {
                // −Bᵀ r̃ + r̃ (B − A r̃)
                let carried = r.row(i).dot(shifted.column(j)) - coupling.column(i).dot(r.column(j));
                angular.0[i][j] + carried
            }),
        }
    }

    /// The same with `C′ = (O, −O r̃; 0, 0)`: the angular velocity of the parent is not carried over.
    pub fn moved_without_turning(&self, rotation: &Mat3<S>, offset: Vec3<S>) -> Self {
        let linear = rotation.turned_symmetric(&self.linear);
        let r = Mat3::tilde(offset);
        let coupling = linear.mul(&r).map(|x| -x);
        ArticulatedInertia { linear, coupling, angular: symmetric(|i, j| r.row(i).dot(coupling.column(j))) }
    }
}

impl<S: Scalar> Add for ArticulatedInertia<S> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let sum = |a: &Mat3<S>, b: &Mat3<S>| entrywise(a, b, |a, b| a + b);
        ArticulatedInertia {
            linear: sum(&self.linear, &o.linear),
            coupling: sum(&self.coupling, &o.coupling),
            angular: sum(&self.angular, &o.angular),
        }
    }
}
