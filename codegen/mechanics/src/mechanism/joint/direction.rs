//! Direction joint: azimuth and elevation of the child's axis x; the roll about it is left
//! undefined.
//!
//! Coordinates: azimuth `φ` about z, elevation `ψ` towards z \[rad\]; speeds: their rates.
//! `R = Rz(φ) Ry(−ψ)`, so x points along (cos ψ cos φ, cos ψ sin φ, sin ψ) (snowboarder paper). In
//! C axes `ω = φ̇ (sin ψ, 0, cos ψ) − ψ̇ (0, 1, 0)` and `Ȧ v = φ̇ ψ̇ (cos ψ, 0, −sin ψ)`. The
//! columns are orthonormal, so the dual moments equal the columns. Constrained: all forces, and the
//! moment along the cross product of the columns. At cos ψ = 0 the azimuth is undefined and M is
//! singular.

use super::columns::{
    coordinate_unit_vectors, first_values, moment_wrench, orthonormal_constraints, rotation_twist,
};
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
    fn coordinate_components(&self) -> Vec<JointComponent> {
        vec![
            JointComponent::angle_component("azimuth", "azimuth"),
            JointComponent::angle_component("elevation", "elevation"),
        ]
    }

    fn describe_kind(&self) -> String {
        "direction".to_owned()
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Direction
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        Vec3::unit_vector(0)
    }

    fn allowed_rotation(&self) -> Turning {
        Turning::Freely
    }

    fn ground_angle_condition(&self) -> GroundAngles {
        GroundAngles::Always
    }

    fn leaves_roll_undefined(&self) -> bool {
        true
    }

    fn singular_pose_message(
        &self,
        name: &str,
        _coordinate: &dyn Fn(usize) -> Option<String>,
    ) -> Option<String> {
        Some(format!(
            "azimuth and elevation of {name} are singular where the direction points along z: use other axes, or a quaternion"
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

    fn random_coordinate_ranges(&self) -> Vec<(f64, f64)> {
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
        let [azimuth, elevation] = first_values(q);
        (
            Mat3::rotation_about_axis(Axis::Z, azimuth).mul(&Mat3::rotation_about_axis(Axis::Y, -elevation)),
            Vec3::ZERO,
        )
    }

    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        _reference: &Reference<S>,
        _env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let ([_, elevation], [v1, v2]) = (first_values(q), first_values(v));
        let (s, c) = elevation.sin_cos();
        let columns = [Vec3::new(s, S::ZERO, c), -Vec3::unit_vector(1)];
        Subspace {
            columns: columns.map(rotation_twist).to_vec(),
            bias: rotation_twist(Vec3::new(c, S::ZERO, -s).scale(v1 * v2)),
            dual: columns.map(moment_wrench).to_vec(),
        }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        q: &[S],
        _env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        let [_, elevation] = first_values(q);
        let (s, c) = elevation.sin_cos();
        orthonormal_constraints(&coordinate_unit_vectors(), &[Vec3::new(c, S::ZERO, -s)])
    }
}
