//! Fixed joint: P and C coincide.
//!
//! No coordinate, no speed; the child moves with the parent. With absolute angles the child keeps its attitude in the
//! ground, which is another mechanism: the spec's check refuses it.

use super::{Kind, Reference, Subspace};
use crate::algebra::{Mat3, Scalar, Twist, Vec3};

pub(super) struct Fixed;

impl<S: Scalar> Kind<S> for Fixed {
    fn pose(&self, _q: &[S]) -> (Mat3<S>, Vec3<S>) {
        (Mat3::identity(), Vec3::ZERO)
    }

    fn subspace(&self, _q: &[S], _v: &[S], _reference: &Reference<S>) -> Subspace<S> {
        Subspace { columns: Vec::new(), bias: Twist::ZERO, dual: Vec::new() }
    }
}
