//! Universal joint (Cardan): two revolutes in series, the cross between them without mass.
//!
//! Coordinates: angle `q₁` about `a`, fixed in P, then `q₂` about `b`, fixed in C \[rad\]; speeds: their rates.
//! `R = exp(ã q₁) exp(b̃ q₂)`, `ω = q̇₁ a′ + q̇₂ b` with `a′ = exp(−b̃ q₂) a`, and `Ȧ v = −q̇₂ b × a′ q̇₁`.
//! The axes need not be orthogonal: the dual moments are `Y = A (AᵀA)⁻¹` with the constant Gram matrix of `a` and `b`,
//! which is singular for parallel axes; the spec's check refuses those.

use super::{Kind, Reference, Subspace, angular, first, moment};
use crate::algebra::{Mat3, Scalar, Vec3};

pub(super) struct Universal<S> {
    pub first: Vec3<S>,
    pub second: Vec3<S>,
}

impl<S: Scalar> Kind<S> for Universal<S> {
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>) {
        let [q1, q2] = first(q);
        let rotation = Mat3::about_vector(self.first, q1).mul(&Mat3::about_vector(self.second, q2));
        (rotation, Vec3::ZERO)
    }

    fn subspace(&self, q: &[S], v: &[S], _reference: &Reference<S>) -> Subspace<S> {
        let ([_, q2], [v1, v2]) = (first(q), first(v));
        let b = self.second;
        let a = Mat3::about_vector(b, q2).apply_transposed(self.first);
        let gram = self.first.dot(b);
        let determinant = S::ONE - gram * gram;
        let dual = |x: Vec3<S>, y: Vec3<S>| {
            let reduced = x - y.scale(gram);
            moment(reduced.map(|x| if x.is_zero() { S::ZERO } else { x / determinant }))
        };
        Subspace {
            columns: vec![angular(a), angular(b)],
            bias: angular(-(b.scale(v2).cross(a.scale(v1)))),
            dual: vec![dual(a, b), dual(b, a)],
        }
    }
}
