//! Prismatic joint: C slides along an axis and keeps its attitude.
//!
//! Coordinate: displacement `q` \[m\]; speed `q̇`. `d = a q`, `A = (a; 0)` constant (Featherstone 2008, table 4.1).

use super::{Kind, Reference, Subspace, first, force, linear};
use crate::algebra::{Mat3, Scalar, Twist, Vec3};

pub(super) struct Prismatic<S> {
    pub axis: Vec3<S>,
}

impl<S: Scalar> Kind<S> for Prismatic<S> {
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>) {
        let [displacement] = first(q);
        (Mat3::identity(), self.axis.scale(displacement))
    }

    fn subspace(&self, _q: &[S], _v: &[S], _reference: &Reference<S>) -> Subspace<S> {
        Subspace { columns: vec![linear(self.axis)], bias: Twist::ZERO, dual: vec![force(self.axis)] }
    }
}
