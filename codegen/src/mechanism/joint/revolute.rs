//! Revolute joint: C turns about an axis that is fixed in both frames.
//!
//! Coordinate: angle `q` \[rad\]; speed `q̇`. `R = exp(ã q)`, `A = (0; a)` constant, so `Ȧ = 0` (Featherstone 2008,
//! table 4.1). `a` has the same components in P and C. With absolute angles the angle is that from the ground.

use super::{Kind, Reference, Subspace, angular, first, moment};
use crate::algebra::{Mat3, Scalar, Twist, Vec3};

pub(super) struct Revolute<S> {
    pub axis: Vec3<S>,
}

impl<S: Scalar> Kind<S> for Revolute<S> {
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>) {
        let [angle] = first(q);
        (Mat3::about_vector(self.axis, angle), Vec3::ZERO)
    }

    fn subspace(&self, _q: &[S], _v: &[S], _reference: &Reference<S>) -> Subspace<S> {
        Subspace { columns: vec![angular(self.axis)], bias: Twist::ZERO, dual: vec![moment(self.axis)] }
    }
}
