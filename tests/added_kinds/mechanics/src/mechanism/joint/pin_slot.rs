//! Pin in a slot: C slides along an axis of P and turns about a perpendicular axis.
//!
//! Coordinates: displacement `x` along `a` \[m\], angle `θ` about `n ⟂ a` \[rad\]; speeds: their
//! rates. `d = a x`, `R = exp(ñ θ)`; with `a′ = Rᵀ a`: `A = [(a′; 0), (0; n)]`,
//! `Ȧ v = (−θ̇ n × a′ ẋ; 0)`. Constraint wrenches: forces along `n` and `n × a′`, moments
//! perpendicular to `n`.

use super::columns::{angular, constrained_along, first, force, linear, moment, perpendiculars};
use super::form::*;
use super::kind::*;
use crate::mechanism::axis::{AxisVector, unit};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// A joint of type `pin_slot`: axis of the slot (displacement), axis of the pin (angle).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PinSlot(pub AxisVector, pub AxisVector);

impl JointForm for PinSlot {
    fn coordinates(&self) -> Vec<JointComponent> {
        vec![JointComponent::length("slide", "displacement"), JointComponent::angle("angle", "angle")]
    }

    fn describe(&self) -> String {
        format!("pin in a slot along {}, about {}", self.0, self.1)
    }

    fn symbol(&self) -> JointSymbol {
        JointSymbol::Planar
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        self.1.to_f64()
    }

    fn turning(&self) -> Turning {
        Turning::About(self.1)
    }
}

impl JointMechanics for PinSlot {
    const WORD: &'static str = "pin_slot";

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        PinSlot(keys.axis(0), keys.axis(1))
    }

    fn random(draw: &mut dyn Draw) -> Self {
        let i = draw.below(3);
        PinSlot(AxisVector::unit(i), AxisVector::unit((i + 1) % 3))
    }

    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [x, angle] = first(q);
        (Mat3::about_vector(unit(self.1, env.number), angle), unit(self.0, env.number).scale(x))
    }

    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let [vx, rate] = first(v);
        let rotation = reference.rotation.transposed_mul(&self.pose(q, env).0);
        let (a, n) = (rotation.apply_transposed(unit(self.0, env.number)), unit(self.1, env.number));
        let relative = n.scale(rate) - rotation.apply_transposed(reference.angular_velocity);
        Subspace {
            columns: vec![linear(a), angular(n)],
            bias: linear(-(relative.cross(a.scale(vx)))),
            dual: vec![force(a), moment(n)],
        }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        let a = self.pose(q, env).0.apply_transposed(unit(self.0, env.number));
        let n = unit(self.1, env.number);
        constrained_along(&[n, n.cross(a)], &perpendiculars(self.1, env.number))
    }
}
