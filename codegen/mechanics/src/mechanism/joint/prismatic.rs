//! Prismatic joint: C slides along an axis and keeps its attitude.
//!
//! Coordinate: displacement `q` \[m\]; speed `q̇`. `d = a q`, `A = (a; 0)` constant (Featherstone
//! 2008, table 4.1). Constrained: forces perpendicular to the axis, and all moments.

use super::columns::{
    coordinate_unit_vectors, first_values, force_wrench, orthonormal_constraints, perpendicular_unit_vectors,
    translation_twist,
};
use super::form::*;
use super::kind::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Prismatic joint along this axis: the coordinate is the displacement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prismatic(pub AxisVector);

impl JointForm for Prismatic {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        vec![JointComponent::length_component("", "displacement")]
    }

    fn describe_kind(&self) -> String {
        format!("prismatic along {}", self.0)
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Prismatic
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        self.0.to_f64()
    }

    fn default_rotor_axis(&self) -> Option<AxisVector> {
        Some(self.0)
    }

    fn allowed_rotation(&self) -> Turning {
        Turning::Not
    }
}

impl JointMechanics for Prismatic {
    const WORD: &'static str = "prismatic";
    const DRAWN: &'static [usize] = &[4, 8];

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        Prismatic(keys.axis_or_z(0))
    }

    fn random(draw: &mut dyn Draw) -> Self {
        Prismatic(draw.random_axis())
    }

    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [displacement] = first_values(q);
        (Mat3::identity(), unit_vector_along(self.0, env.number).scale(displacement))
    }

    fn subspace<S: Scalar>(
        &self,
        _q: &[S],
        _v: &[S],
        _reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let axis = unit_vector_along(self.0, env.number);
        Subspace { columns: vec![translation_twist(axis)], bias: Twist::ZERO, dual: vec![force_wrench(axis)] }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        _q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        orthonormal_constraints(&perpendicular_unit_vectors(self.0, env.number), &coordinate_unit_vectors())
    }
}
