//! Spherical joint: C turns about the origin of P.
//!
//! Coordinates: three angles of a sequence \[rad\] or a unit quaternion; speeds: the rates (sequences only), or the
//! angular velocity in C axes, for which `A` is constant and `q̇ = N ω` (`attitude`).

use super::{Kind, RateMatrix, Reference, Subspace, angular, attitude, moment};
use crate::algebra::{Mat3, Scalar, Vec3};
use crate::mechanism::{Attitude, SpeedKind};

pub(super) struct Spherical {
    pub attitude: Attitude,
    pub speeds: SpeedKind,
}

impl<S: Scalar> Kind<S> for Spherical {
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>) {
        (attitude::rotation(self.attitude, q), Vec3::ZERO)
    }

    fn subspace(&self, q: &[S], v: &[S], _reference: &Reference<S>) -> Subspace<S> {
        let (columns, bias, dual) = attitude::subspace(self.attitude, self.speeds, q, v);
        Subspace {
            columns: columns.map(angular).to_vec(),
            bias: angular(bias),
            dual: dual.map(moment).to_vec(),
        }
    }

    fn rates(&self, q: &[S], _reference: &Reference<S>) -> Option<RateMatrix<S>> {
        attitude::rates(self.attitude, self.speeds, q)
    }
}
