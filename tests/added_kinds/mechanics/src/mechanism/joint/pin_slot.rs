//! Pin in a slot: C slides along an axis of P and turns about a perpendicular axis.
//!
//! Coordinates: displacement `x` along `a` \[m\], angle `θ` about `n ⟂ a` \[rad\]; speeds: their
//! rates. `d = a x`, `R = exp(ñ θ)`; with `a′ = Rᵀ a`: `A = [(a′; 0), (0; n)]`,
//! `Ȧ v = (−θ̇ n × a′ ẋ; 0)`. Constraint wrenches: forces along `n` and `n × a′`, moments
//! perpendicular to `n`.

use super::columns::{
    first_values, force_wrench, moment_wrench, orthonormal_constraints, perpendicular_unit_vectors,
    rotation_twist, translation_twist,
};
use super::form::*;
use super::kind::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// A joint of type `pin_slot`: axis of the slot (displacement), axis of the pin (angle).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PinSlot(pub AxisVector, pub AxisVector);

impl JointForm for PinSlot {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        vec![
            JointComponent::length_component("slide", "displacement"),
            JointComponent::angle_component("angle", "angle"),
        ]
    }

    fn describe_kind(&self) -> String {
        format!("pin in a slot along {}, about {}", self.0, self.1)
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Planar
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        self.1.to_f64()
    }

    fn allowed_rotation(&self) -> Turning {
        Turning::About(self.1)
    }
}

impl JointMechanics for PinSlot {
    const WORD: &'static str = "pin_slot";

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        PinSlot(keys.axis_or_z(0), keys.axis_or_z(1))
    }

    fn random(draw: &mut dyn Draw) -> Self {
        let i = draw.below(3);
        PinSlot(AxisVector::coordinate_axis(i), AxisVector::coordinate_axis((i + 1) % 3))
    }

    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [x, angle] = first_values(q);
        (
            Mat3::rotation_about_vector(unit_vector_along(self.1, env.number), angle),
            unit_vector_along(self.0, env.number).scale(x),
        )
    }

    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let [vx, rate] = first_values(v);
        let rotation = reference.rotation.transposed_mul(&self.pose(q, env).0);
        let (a, n) = (
            rotation.apply_transposed(unit_vector_along(self.0, env.number)),
            unit_vector_along(self.1, env.number),
        );
        let relative = n.scale(rate) - rotation.apply_transposed(reference.angular_velocity);
        Subspace {
            columns: vec![translation_twist(a), rotation_twist(n)],
            bias: translation_twist(-(relative.cross(a.scale(vx)))),
            dual: vec![force_wrench(a), moment_wrench(n)],
        }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        let a = self.pose(q, env).0.apply_transposed(unit_vector_along(self.0, env.number));
        let n = unit_vector_along(self.1, env.number);
        orthonormal_constraints(&[n, n.cross(a)], &perpendicular_unit_vectors(self.1, env.number))
    }
}
