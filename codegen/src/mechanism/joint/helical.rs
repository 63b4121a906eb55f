//! Helical joint (screw): C turns about an axis and advances along it in proportion.
//!
//! Coordinate: angle `q` \[rad\]; speed `q̇`. `d = a h q` with the pitch `h` [m/rad], constant in time;
//! `A = (h a; a)` constant (Featherstone 2008, table 4.1). An effort on the speed is taken as a moment about the axis:
//! that is one of the wrenches dual to `A`, and the choice shows in reactions only.

use super::{Kind, Reference, Subspace, first, moment};
use crate::algebra::{Mat3, Scalar, Twist, Vec3};

pub(super) struct Helical<S> {
    pub axis: Vec3<S>,
    pub pitch: S,
}

impl<S: Scalar> Kind<S> for Helical<S> {
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>) {
        let [angle] = first(q);
        (Mat3::about_vector(self.axis, angle), self.axis.scale(self.pitch * angle))
    }

    fn subspace(&self, _q: &[S], _v: &[S], _reference: &Reference<S>) -> Subspace<S> {
        let column = Twist { v: self.axis.scale(self.pitch), w: self.axis };
        Subspace { columns: vec![column], bias: Twist::ZERO, dual: vec![moment(self.axis)] }
    }
}
