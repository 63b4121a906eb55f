//! Cylindrical joint: C turns about an axis and slides along it, independently.
//!
//! Coordinates: angle `q₁` \[rad\], displacement `q₂` \[m\]; speeds: their rates.
//! `A = [(0; a), (a; 0)]` is constant, since the rotation does not change `a` (Featherstone 2008,
//! table 4.1). Constrained: forces and moments perpendicular to the axis.

use super::columns::{angular, constrained_along, first, force, linear, moment, perpendiculars};
use super::form::*;
use super::kind::*;
use crate::mechanism::axis::{AxisVector, unit};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Cylindrical joint along this axis: coordinates are the angle about it, then the displacement
/// along it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cylindrical(pub AxisVector);

impl JointForm for Cylindrical {
    fn coordinates(&self) -> Vec<JointComponent> {
        vec![JointComponent::angle("angle", "angle"), JointComponent::length("slide", "displacement")]
    }

    fn describe(&self) -> String {
        format!("cylindrical along {}", self.0)
    }

    fn symbol(&self) -> JointSymbol {
        JointSymbol::Cylindrical
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        self.0.to_f64()
    }

    fn turning(&self) -> Turning {
        Turning::About(self.0)
    }
}

impl JointMechanics for Cylindrical {
    const WORD: &'static str = "cylindrical";
    const DRAWN: &'static [usize] = &[9];

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        Cylindrical(keys.axis(0))
    }

    fn random(draw: &mut dyn Draw) -> Self {
        Cylindrical(draw.axis())
    }

    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [angle, displacement] = first(q);
        let axis = unit(self.0, env.number);
        (Mat3::about_vector(axis, angle), axis.scale(displacement))
    }

    fn subspace<S: Scalar>(
        &self,
        _q: &[S],
        _v: &[S],
        _reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let axis = unit(self.0, env.number);
        Subspace {
            columns: vec![angular(axis), linear(axis)],
            bias: Twist::ZERO,
            dual: vec![moment(axis), force(axis)],
        }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        _q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        let p = perpendiculars(self.0, env.number);
        constrained_along(&p, &p)
    }
}
