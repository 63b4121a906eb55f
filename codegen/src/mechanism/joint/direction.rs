//! Direction joint: azimuth and elevation of the child's axis x; the roll about it is left undefined.
//!
//! Coordinates: azimuth `φ` about z, elevation `ψ` towards z \[rad\]; speeds: their rates.
//! `R = Rz(φ) Ry(−ψ)`, so x points along (cos ψ cos φ, cos ψ sin φ, sin ψ) (snowboarder paper). In C axes
//! `ω = φ̇ (sin ψ, 0, cos ψ) − ψ̇ (0, 1, 0)` and `Ȧ v = φ̇ ψ̇ (cos ψ, 0, −sin ψ)`. The columns are orthonormal, so the
//! dual moments are the columns. At cos ψ = 0 the azimuth of a line is undefined and M is singular.

use super::{Kind, Reference, Subspace, angular, first, moment};
use crate::algebra::{Axis, Mat3, Scalar, Vec3};

pub(super) struct Direction;

impl<S: Scalar> Kind<S> for Direction {
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>) {
        let [azimuth, elevation] = first(q);
        (Mat3::about(Axis::Z, azimuth).mul(&Mat3::about(Axis::Y, -elevation)), Vec3::ZERO)
    }

    fn subspace(&self, q: &[S], v: &[S], _reference: &Reference<S>) -> Subspace<S> {
        let ([_, elevation], [v1, v2]) = (first(q), first(v));
        let (s, c) = elevation.sin_cos();
        let columns = [Vec3::new(s, S::ZERO, c), -Vec3::unit(1)];
        Subspace {
            columns: columns.map(angular).to_vec(),
            bias: angular(Vec3::new(c, S::ZERO, -s).scale(v1 * v2)),
            dual: columns.map(moment).to_vec(),
        }
    }
}
