//! Planar joint: C slides in a plane of P and turns about its normal.
//!
//! Coordinates: displacements `x`, `y` along the orthogonal axes `a`, `b` of P \[m\], then the angle `θ` about
//! `n = a × b` \[rad\]; speeds: their rates. `d = a x + b y`, `R = exp(ñ θ)`; in C axes `a′ = Rᵀ a`, `b′ = Rᵀ b`:
//! `A = [(a′; 0), (b′; 0), (0; n)]`, `Ȧ v = (−θ̇ n × (a′ ẋ + b′ ẏ); 0)`.

use super::{Kind, Reference, Subspace, angular, first, force, linear, moment};
use crate::algebra::{Mat3, Scalar, Vec3};

pub(super) struct Planar<S> {
    pub first: Vec3<S>,
    pub second: Vec3<S>,
}

impl<S: Scalar> Kind<S> for Planar<S> {
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>) {
        let [x, y, angle] = first(q);
        let normal = self.first.cross(self.second);
        (Mat3::about_vector(normal, angle), self.first.scale(x) + self.second.scale(y))
    }

    fn subspace(&self, q: &[S], v: &[S], reference: &Reference<S>) -> Subspace<S> {
        let [vx, vy, rate] = first(v);
        let normal = self.first.cross(self.second);
        let rotation = reference.rotation.transposed_mul(&self.pose(q).0);
        let (a, b) = (rotation.apply_transposed(self.first), rotation.apply_transposed(self.second));
        let relative = normal.scale(rate) - rotation.apply_transposed(reference.angular_velocity);
        Subspace {
            columns: vec![linear(a), linear(b), angular(normal)],
            bias: linear(-(relative.cross(a.scale(vx) + b.scale(vy)))),
            dual: vec![force(a), force(b), moment(normal)],
        }
    }
}
