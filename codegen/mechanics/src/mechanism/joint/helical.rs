//! Helical joint (screw): C turns about an axis and advances along it in proportion.
//!
//! Coordinate: angle `q` \[rad\]; speed `q̇`. `d = a h q` with the pitch `h` \[m/rad\], constant in
//! time; `A = (h a; a)` is constant (Featherstone 2008, table 4.1). An effort on the speed is
//! applied as a moment about the axis. That is one of several wrenches dual to `A`; the choice
//! affects reactions only. Constrained: forces and moments perpendicular to the axis, and
//! `Z = (a; −h a)` with `H = (a; 0)`.

use super::columns::{
    first_values, moment_wrench, orthonormal_constraints, perpendicular_unit_vectors, translation_twist,
};
use super::form::*;
use super::kind::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Mat3, Scalar, Twist, Vec3, Wrench};
use dqdt_diagnostics::base::JointSymbol;

/// Helical joint (screw): the coordinate is the angle about the axis; the displacement is the pitch
/// times the angle.
#[derive(Clone, PartialEq, Debug)]
pub struct Helical {
    /// The screw axis, with the same components in both joint frames.
    pub axis: AxisVector,
    /// Pitch of the screw: displacement along the axis per angle \[m/rad\].
    pub pitch: Formula,
}

impl JointForm for Helical {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        vec![JointComponent::angle_component("", "angle")]
    }

    fn describe_kind(&self) -> String {
        format!("helical about {}", self.axis)
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Helical
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        self.axis.to_f64()
    }

    fn default_rotor_axis(&self) -> Option<AxisVector> {
        Some(self.axis)
    }

    fn allowed_rotation(&self) -> Turning {
        Turning::About(self.axis)
    }
}

impl JointMechanics for Helical {
    const WORD: &'static str = "helical";
    const DRAWN: &'static [usize] = &[5];

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        let pitch = (keys.value)("pitch", Dimension::LENGTH);
        Helical { axis: keys.axis_or_z(0), pitch }
    }

    fn random(draw: &mut dyn Draw) -> Self {
        Helical { axis: draw.random_axis(), pitch: draw.random_constant(6, 20) }
    }

    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [angle] = first_values(q);
        let (axis, pitch) = (unit_vector_along(self.axis, env.number), self.pitch.eval(env));
        (Mat3::rotation_about_vector(axis, angle), axis.scale(pitch * angle))
    }

    fn subspace<S: Scalar>(
        &self,
        _q: &[S],
        _v: &[S],
        _reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let (axis, pitch) = (unit_vector_along(self.axis, env.number), self.pitch.eval(env));
        let column = Twist { v: axis.scale(pitch), w: axis };
        Subspace { columns: vec![column], bias: Twist::ZERO, dual: vec![moment_wrench(axis)] }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        _q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        let p = perpendicular_unit_vectors(self.axis, env.number);
        let axis = unit_vector_along(self.axis, env.number);
        let mut all = orthonormal_constraints(&p, &p);
        let wrench = Wrench { f: axis, m: -axis.scale(self.pitch.eval(env)) };
        all.push(ConstrainedDirection { wrench, twist: translation_twist(axis) });
        all
    }
}
