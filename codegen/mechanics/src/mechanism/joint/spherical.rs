//! Spherical joint: C turns about the origin of P.
//!
//! Coordinates: three angles of a sequence \[rad\] or a unit quaternion. Speeds: the rates
//! (sequences only), or the angular velocity in C axes, for which `A` is constant and `q̇ = N ω`
//! (`attitude`), or in axes that do not rotate with C. Constrained: all forces.

use super::attitude;
use super::columns::{coordinate_unit_vectors, moment_wrench, orthonormal_constraints, rotation_twist};
use super::form::*;
use super::kind::*;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Spherical joint: its coordinates are an attitude, as angles or a quaternion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spherical {
    /// Representation of the child's attitude: angles or a quaternion.
    pub attitude: Attitude,
    /// Definition of the child's angular speeds: coordinate rates or angular velocity.
    pub angular: SpeedKind,
}

impl JointForm for Spherical {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        attitude::attitude_coordinates(self.attitude)
    }

    fn speed_components(&self) -> Vec<SpeedComponent> {
        attitude::attitude_speeds(self.attitude, self.angular, 0).to_vec()
    }

    fn describe_kind(&self) -> String {
        format!("spherical, {}", attitude::describe_attitude(self.attitude, self.angular))
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Spherical
    }

    fn attitude_coordinate(&self) -> Option<(usize, Attitude)> {
        Some((0, self.attitude))
    }

    fn has_non_body_angular_speeds(&self) -> bool {
        matches!(self.angular, SpeedKind::ParentRates | SpeedKind::IntermediateRates)
    }

    fn allowed_rotation(&self) -> Turning {
        Turning::Freely
    }

    fn ground_angle_condition(&self) -> GroundAngles {
        GroundAngles::Always
    }

    fn singular_pose_message(
        &self,
        _name: &str,
        coordinate: &dyn Fn(usize) -> Option<String>,
    ) -> Option<String> {
        attitude::singular_pose_message(self.attitude, self.angular, coordinate(1))
    }

    fn inertia_requirement(&self) -> InertiaRequirement {
        match self.angular {
            SpeedKind::Rates if attitude::speeds_are_rates(self.attitude, self.angular) => {
                InertiaRequirement::Unsatisfiable
            }
            SpeedKind::Rates | SpeedKind::BodyRates => InertiaRequirement::Columns,
            SpeedKind::ParentRates | SpeedKind::IntermediateRates => InertiaRequirement::AllRotations,
        }
    }

    fn random_coordinate_ranges(&self) -> Vec<(f64, f64)> {
        attitude::random_coordinate_ranges(self.attitude)
    }
}

impl JointMechanics for Spherical {
    const WORD: &'static str = "spherical";
    const DRAWN: &'static [usize] = &[11, 12];

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        Spherical { attitude: keys.attitude, angular: keys.speeds }
    }

    fn random(draw: &mut dyn Draw) -> Self {
        let (attitude, angular) = draw.random_attitude();
        Spherical { attitude, angular }
    }

    fn pose<S: Scalar>(&self, q: &[S], _env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        (attitude::attitude_rotation(self.attitude, q), Vec3::ZERO)
    }

    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        _reference: &Reference<S>,
        _env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let (columns, bias, dual) = attitude::attitude_subspace(self.attitude, self.angular, q, v);
        Subspace {
            columns: columns.map(rotation_twist).to_vec(),
            bias: rotation_twist(bias),
            dual: dual.map(moment_wrench).to_vec(),
        }
    }

    fn rates<S: Scalar>(
        &self,
        q: &[S],
        _reference: &Reference<S>,
        _env: &Environment<'_, S>,
    ) -> Option<RateMatrix<S>> {
        attitude::attitude_rate_matrix(self.attitude, self.angular, q)
    }

    fn constrained_directions<S: Scalar>(
        &self,
        _q: &[S],
        _env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        orthonormal_constraints(&coordinate_unit_vectors(), &[])
    }
}
