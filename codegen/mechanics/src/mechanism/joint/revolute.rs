//! Revolute joint: C turns about an axis that is fixed in both frames.
//!
//! Coordinate: angle `q` \[rad\]; speed `q̇`. `R = exp(ã q)`, `A = (0; a)` constant, so `Ȧ = 0`
//! (Featherstone 2008, table 4.1). `a` has the same components in P and C. An absolute angle is
//! measured from the ground. Constrained: all forces, and moments perpendicular to the axis.

use super::columns::{
    coordinate_unit_vectors, first_values, moment_wrench, orthonormal_constraints,
    perpendicular_unit_vectors, rotation_twist,
};
use super::form::*;
use super::kind::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Revolute joint about this axis: the coordinate is the angle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Revolute(pub AxisVector);

impl JointForm for Revolute {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        vec![JointComponent::angle_component("", "angle")]
    }

    fn describe_kind(&self) -> String {
        format!("revolute about {}", self.0)
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Revolute
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        self.0.to_f64()
    }

    fn default_rotor_axis(&self) -> Option<AxisVector> {
        Some(self.0)
    }

    fn allowed_rotation(&self) -> Turning {
        Turning::About(self.0)
    }

    fn ground_angle_condition(&self) -> GroundAngles {
        GroundAngles::IfAxisIsFixed(self.0)
    }
}

impl JointMechanics for Revolute {
    const WORD: &'static str = "revolute";
    const DRAWN: &'static [usize] = &[0, 1, 2, 3];

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        Revolute(keys.axis_or_z(0))
    }

    fn random(draw: &mut dyn Draw) -> Self {
        Revolute(draw.random_axis())
    }

    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [angle] = first_values(q);
        (Mat3::rotation_about_vector(unit_vector_along(self.0, env.number), angle), Vec3::ZERO)
    }

    fn subspace<S: Scalar>(
        &self,
        _q: &[S],
        _v: &[S],
        _reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let axis = unit_vector_along(self.0, env.number);
        Subspace { columns: vec![rotation_twist(axis)], bias: Twist::ZERO, dual: vec![moment_wrench(axis)] }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        _q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        orthonormal_constraints(&coordinate_unit_vectors(), &perpendicular_unit_vectors(self.0, env.number))
    }
}
