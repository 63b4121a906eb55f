//! Direction joint: azimuth and elevation of the child's axis x; the roll about it is left
//! undefined.
//!
//! Coordinates: azimuth `φ` about z, elevation `ψ` towards z \[rad\]; speeds: their rates.
//! `R = Rz(φ) Ry(−ψ)`, so x points along (cos ψ cos φ, cos ψ sin φ, sin ψ) (snowboarder paper). In
//! C axes `ω = φ̇ (sin ψ, 0, cos ψ) − ψ̇ (0, 1, 0)` and `Ȧ v = φ̇ ψ̇ (cos ψ, 0, −sin ψ)`. The
//! columns are orthonormal, so the dual moments equal the columns. Constrained: all forces, and the
//! moment along the cross product of the columns. At cos ψ = 0 the azimuth is undefined and M is
//! singular.

use super::columns::{angular, constrained_along, first, moment, unit_vectors};
use super::form::*;
use super::kind::*;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Axis, Mat3, Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Direction joint: azimuth and elevation of the child's axis x, R = Rz(azimuth) · Ry(−elevation).
/// Roll about x is undefined; the body is a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Direction;

impl JointForm for Direction {
    fn coordinates(&self) -> Vec<JointComponent> {
        vec![JointComponent::angle("azimuth", "azimuth"), JointComponent::angle("elevation", "elevation")]
    }

    fn describe(&self) -> String {
        "direction".to_owned()
    }

    fn symbol(&self) -> JointSymbol {
        JointSymbol::Direction
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        Vec3::unit(0)
    }

    fn turning(&self) -> Turning {
        Turning::Freely
    }

    fn ground_angles(&self) -> GroundAngles {
        GroundAngles::Always
    }

    fn carries_line(&self) -> bool {
        true
    }

    fn singular(&self, name: &str, _coordinate: &dyn Fn(usize) -> Option<String>) -> Option<String> {
        Some(format!(
            "azimuth and elevation of {name} are singular where it points along z: other axes, or a quaternion"
        ))
    }

    /// Both angles move one line: the inertia about the second axis remains where that about the
    /// first vanishes entirely.
    fn pivot_scale_speed(&self, _speed: usize) -> usize {
        1
    }

    fn inertia_requirement(&self) -> InertiaRequirement {
        InertiaRequirement::Unsatisfiable
    }

    fn ranges(&self) -> Vec<(f64, f64)> {
        vec![(-2.5, 2.5), (-0.9, 0.9)]
    }
}

impl JointMechanics for Direction {
    const WORD: &'static str = "direction";
    const DRAWN: &'static [usize] = &[15];

    fn read(_written: &mut JointKeyValues<'_>) -> Self {
        Direction
    }

    fn random(_draw: &mut dyn Draw) -> Self {
        Direction
    }

    fn pose<S: Scalar>(&self, q: &[S], _env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [azimuth, elevation] = first(q);
        (Mat3::about(Axis::Z, azimuth).mul(&Mat3::about(Axis::Y, -elevation)), Vec3::ZERO)
    }

    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        _reference: &Reference<S>,
        _env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let ([_, elevation], [v1, v2]) = (first(q), first(v));
        let (s, c) = elevation.sin_cos();
        let columns = [Vec3::new(s, S::ZERO, c), -Vec3::unit(1)];
        Subspace {
            columns: columns.map(angular).to_vec(),
            bias: angular(Vec3::new(c, S::ZERO, -s).scale(v1 * v2)),
            dual: columns.map(moment).to_vec(),
        }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        q: &[S],
        _env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        let [_, elevation] = first(q);
        let (s, c) = elevation.sin_cos();
        constrained_along(&unit_vectors(), &[Vec3::new(c, S::ZERO, -s)])
    }
}
