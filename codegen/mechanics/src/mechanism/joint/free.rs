//! Free joint: six degrees of freedom.
//!
//! Coordinates: position of C in P axes (3) \[m\], then the attitude. Speeds: linear (3), then
//! angular (3). Linear speeds are the velocity of the origin of C relative to P, `ḋ`, in P axes
//! (then they are the rates of the position) or in C axes (`ḋ = R_PC v`, `A` constant). With `R_CP`
//! and the angular velocity `ω` of C relative to P in C axes, P axes give `A = (R_CP; 0)` and
//! `Ȧ v = (−ω × R_CP ḋ; 0)`. With absolute angles both follow from the attitudes of C and P
//! relative to the ground, so this kind needs the reference. Nothing is constrained.

use super::attitude;
use super::columns::{
    coordinate_unit_vectors, first_values, force_wrench, identity_rate_matrix, moment_wrench, rotation_twist,
    translation_twist,
};
use super::form::*;
use super::kind::*;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Free joint. Coordinates: position of the child's joint frame in parent axes (3), then attitude.
/// Speeds: linear (3), then angular (3). Linear speeds are the velocity relative to the parent
/// frame, in the axes that `linear` selects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Free {
    /// Representation of the child's attitude: angles or a quaternion.
    pub attitude: Attitude,
    /// Definition of the child's angular speeds: coordinate rates or angular velocity.
    pub angular: SpeedKind,
    /// Axes of the linear speeds: parent or child.
    pub linear: VelocityFrame,
}

/// Splits coordinates into position (3) and attitude, or speeds into linear (3) and angular.
fn split_linear_angular<S>(x: &[S]) -> (&[S], &[S]) {
    x.split_at(x.len().min(3))
}

impl Free {
    /// Rotation matrix from C axes to P axes, also if the attitude is measured from the ground.
    fn rotation_to_parent<S: Scalar>(&self, q: &[S], reference: &Reference<S>) -> Mat3<S> {
        reference
            .rotation
            .transposed_mul(&attitude::attitude_rotation(self.attitude, split_linear_angular(q).1))
    }
}

impl JointForm for Free {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        let position = [
            JointComponent::length_component("x", "displacement along the x axis"),
            JointComponent::length_component("y", "displacement along the y axis"),
            JointComponent::length_component("z", "displacement along the z axis"),
        ];
        position.into_iter().chain(attitude::attitude_coordinates(self.attitude)).collect()
    }

    fn speed_components(&self) -> Vec<SpeedComponent> {
        let linear = match self.linear {
            VelocityFrame::Parent => [0, 1, 2].map(SpeedComponent::RateOf),
            VelocityFrame::Body => [
                SpeedComponent::Own(JointComponent::velocity_component(
                    "vx",
                    "velocity along the x axis of the body",
                )),
                SpeedComponent::Own(JointComponent::velocity_component(
                    "vy",
                    "velocity along the y axis of the body",
                )),
                SpeedComponent::Own(JointComponent::velocity_component(
                    "vz",
                    "velocity along the z axis of the body",
                )),
            ],
        };
        linear.into_iter().chain(attitude::attitude_speeds(self.attitude, self.angular, 3)).collect()
    }

    fn describe_kind(&self) -> String {
        let frame = match self.linear {
            VelocityFrame::Parent => "parent",
            VelocityFrame::Body => "body",
        };
        format!(
            "free, {}, linear velocity in {frame} axes",
            attitude::describe_attitude(self.attitude, self.angular)
        )
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Free
    }

    fn attitude_coordinate(&self) -> Option<(usize, Attitude)> {
        Some((3, self.attitude))
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
        attitude::singular_pose_message(self.attitude, self.angular, coordinate(4))
    }

    fn inertia_requirement(&self) -> InertiaRequirement {
        if attitude::speeds_are_rates(self.attitude, self.angular) {
            InertiaRequirement::Unsatisfiable
        } else {
            InertiaRequirement::AllMotions
        }
    }

    fn random_coordinate_ranges(&self) -> Vec<(f64, f64)> {
        [vec![(-0.5, 0.5); 3], attitude::random_coordinate_ranges(self.attitude)].concat()
    }
}

impl JointMechanics for Free {
    const WORD: &'static str = "free";
    const DRAWN: &'static [usize] = &[13, 14];

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        Free { attitude: keys.attitude, angular: keys.speeds, linear: keys.frame }
    }

    fn random(draw: &mut dyn Draw) -> Self {
        let (attitude, angular) = draw.random_attitude();
        Free { attitude, angular, linear: [VelocityFrame::Parent, VelocityFrame::Body][draw.below(2)] }
    }

    fn pose<S: Scalar>(&self, q: &[S], _env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let (position, angles) = split_linear_angular(q);
        (attitude::attitude_rotation(self.attitude, angles), Vec3(first_values(position)))
    }

    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        reference: &Reference<S>,
        _env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let (linear_speeds, angular_speeds) = split_linear_angular(v);
        let (columns, bias, dual) = attitude::attitude_subspace(
            self.attitude,
            self.angular,
            split_linear_angular(q).1,
            angular_speeds,
        );
        let w: [S; 3] = first_values(angular_speeds);
        let (axes, linear_bias) = match self.linear {
            VelocityFrame::Body => (coordinate_unit_vectors(), Vec3::ZERO),
            VelocityFrame::Parent => {
                let relative = self.rotation_to_parent(q, reference);
                let omega = columns[0].scale(w[0]) + columns[1].scale(w[1]) + columns[2].scale(w[2])
                    - relative.apply_transposed(reference.angular_velocity);
                let velocity = relative.apply_transposed(Vec3(first_values(linear_speeds)));
                ([0, 1, 2].map(|i| relative.row(i)), -omega.cross(velocity))
            }
        };
        Subspace {
            columns: axes.map(translation_twist).into_iter().chain(columns.map(rotation_twist)).collect(),
            bias: Twist { v: linear_bias, w: bias },
            dual: axes.map(force_wrench).into_iter().chain(dual.map(moment_wrench)).collect(),
        }
    }

    fn rates<S: Scalar>(
        &self,
        q: &[S],
        reference: &Reference<S>,
        _env: &Environment<'_, S>,
    ) -> Option<RateMatrix<S>> {
        let angular = attitude::attitude_rate_matrix(self.attitude, self.angular, split_linear_angular(q).1);
        if angular.is_none() && self.linear == VelocityFrame::Parent {
            return None;
        }
        let angular = angular.unwrap_or_else(|| identity_rate_matrix(3));
        let relative = match self.linear {
            VelocityFrame::Parent => Mat3::identity(),
            VelocityFrame::Body => self.rotation_to_parent(q, reference),
        };
        let zeros = [S::ZERO; 3];
        let top = relative.0.iter().map(|row| [*row, zeros].concat());
        let bottom = angular.matrix.iter().map(|row| [&zeros[..], &row[..]].concat());
        Some(RateMatrix { matrix: top.chain(bottom).collect(), denominators: angular.denominators })
    }

    fn constrained_directions<S: Scalar>(
        &self,
        _q: &[S],
        _env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        Vec::new()
    }
}
