//! Cylindrical joint: C turns about an axis and slides along it, independently.
//!
//! Coordinates: angle `q₁` \[rad\], displacement `q₂` \[m\]; speeds: their rates. `A = [(0; a), (a; 0)]` constant, since
//! the rotation leaves `a` alone (Featherstone 2008, table 4.1).

use super::{Kind, Reference, Subspace, angular, first, force, linear, moment};
use crate::algebra::{Mat3, Scalar, Twist, Vec3};

pub(super) struct Cylindrical<S> {
    pub axis: Vec3<S>,
}

impl<S: Scalar> Kind<S> for Cylindrical<S> {
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>) {
        let [angle, displacement] = first(q);
        (Mat3::about_vector(self.axis, angle), self.axis.scale(displacement))
    }

    fn subspace(&self, _q: &[S], _v: &[S], _reference: &Reference<S>) -> Subspace<S> {
        Subspace {
            columns: vec![angular(self.axis), linear(self.axis)],
            bias: Twist::ZERO,
            dual: vec![moment(self.axis), force(self.axis)],
        }
    }
}
