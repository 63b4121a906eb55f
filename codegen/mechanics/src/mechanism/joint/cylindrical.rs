//! Cylindrical joint: C turns about an axis and slides along it, independently.
//!
//! Coordinates: angle `q₁` \[rad\], displacement `q₂` \[m\]; speeds: their rates.
//! `A = [(0; a), (a; 0)]` is constant, since the rotation does not change `a` (Featherstone 2008,
//! table 4.1). Constrained: forces and moments perpendicular to the axis.

use super::columns::{
    first_values, force_wrench, moment_wrench, orthonormal_constraints, perpendicular_unit_vectors,
    rotation_twist, translation_twist,
};
use super::form::*;
use super::kind::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Cylindrical joint along this axis: coordinates are the angle about it, then the displacement
/// along it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cylindrical(pub AxisVector);

impl JointForm for Cylindrical {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        vec![
            JointComponent::angle_component("angle", "angle"),
            JointComponent::length_component("slide", "displacement"),
        ]
    }

    fn describe_kind(&self) -> String {
        format!("cylindrical along {}", self.0)
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Cylindrical
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        self.0.to_f64()
    }

    fn allowed_rotation(&self) -> Turning {
        Turning::About(self.0)
    }
}

impl JointMechanics for Cylindrical {
    const WORD: &'static str = "cylindrical";
    const DRAWN: &'static [usize] = &[9];

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        Cylindrical(keys.axis_or_z(0))
    }

    fn random(draw: &mut dyn Draw) -> Self {
        Cylindrical(draw.random_axis())
    }

    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [angle, displacement] = first_values(q);
        let axis = unit_vector_along(self.0, env.number);
        (Mat3::rotation_about_vector(axis, angle), axis.scale(displacement))
    }

    fn subspace<S: Scalar>(
        &self,
        _q: &[S],
        _v: &[S],
        _reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let axis = unit_vector_along(self.0, env.number);
        Subspace {
            columns: vec![rotation_twist(axis), translation_twist(axis)],
            bias: Twist::ZERO,
            dual: vec![moment_wrench(axis), force_wrench(axis)],
        }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        _q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        let p = perpendicular_unit_vectors(self.0, env.number);
        orthonormal_constraints(&p, &p)
    }
}
