//! Planar joint: C slides in a plane of P and turns about the plane's normal.
//!
//! Coordinates: displacements `x`, `y` along the orthogonal axes `a`, `b` of P \[m\], then the
//! angle `θ` about `n = a × b` \[rad\]. `d = a x + b y`, `R = exp(ñ θ)`. Speeds: their rates; in C
//! axes `a′ = Rᵀ a`, `b′ = Rᵀ b`: `A = [(a′; 0), (b′; 0), (0; n)]`,
//! `Ȧ v = (−θ̇ n × (a′ ẋ + b′ ẏ); 0)`. Or, instead of ẋ and ẏ, the velocity along `a` and `b`
//! rotated with C: `A = [(a; 0), (b; 0), (0; n)]`, which is constant, `ẋ = a·R a v_x + a·R b v_y`
//! and `ẏ = b·R a v_x + b·R b v_y`. Constrained: the force along the normal, and the moments about
//! both axes.

use super::columns::{
    first_values, force_wrench, moment_wrench, orthonormal_constraints, rotation_twist, translation_twist,
};
use super::form::*;
use super::kind::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Largest cosine at which the two axes count as orthogonal, if their dot product has no exact
/// value.
const TOLERANCE: f64 = 1e-9;

/// Planar joint: displacements along the first and the second axis of the plane, then the angle
/// about its normal (first × second). The axes are orthogonal. The linear speeds are along these
/// axes, fixed in the parent or rotated with the child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Planar {
    /// First axis of the joint's plane, along which its first coordinate is measured.
    pub first: AxisVector,
    /// Second axis of the joint's plane, along which its second coordinate is measured.
    pub second: AxisVector,
    /// Axes of the linear speeds: fixed in the parent, or rotated with the child.
    pub linear: VelocityFrame,
}

impl Planar {
    /// Unit vectors along the two axes of the plane, over any scalar.
    fn plane_unit_vectors<S: Scalar>(&self, env: &Environment<'_, S>) -> [Vec3<S>; 2] {
        [self.first, self.second].map(|axis| unit_vector_along(axis, env.number))
    }
}

impl JointForm for Planar {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        vec![
            JointComponent::length_component("x", "displacement along the first axis of the joint"),
            JointComponent::length_component("y", "displacement along the second axis of the joint"),
            JointComponent::angle_component("angle", "angle"),
        ]
    }

    fn speed_components(&self) -> Vec<SpeedComponent> {
        match self.linear {
            VelocityFrame::Parent => [0, 1, 2].map(SpeedComponent::RateOf).into(),
            VelocityFrame::Body => vec![
                SpeedComponent::Own(JointComponent::velocity_component(
                    "vx",
                    "velocity along the first axis of the joint, which rotates with the body",
                )),
                SpeedComponent::Own(JointComponent::velocity_component(
                    "vy",
                    "velocity along the second axis of the joint, which rotates with the body",
                )),
                SpeedComponent::RateOf(2),
            ],
        }
    }

    fn describe_kind(&self) -> String {
        let turning = match self.linear {
            VelocityFrame::Parent => "",
            VelocityFrame::Body => ", velocity in body axes",
        };
        format!("planar, with axes {} and {}{turning}", self.first, self.second)
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Planar
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        self.first.to_f64().cross(self.second.to_f64())
    }

    fn allowed_rotation(&self) -> Turning {
        self.first.cross(self.second).map_or(Turning::Freely, Turning::About)
    }

    fn axes_error(&self) -> Option<InvalidAxes> {
        let (a, b) = (self.first.to_f64(), self.second.to_f64());
        let cosine = a.dot(b) / (a.dot(a).sqrt() * b.dot(b).sqrt());
        self.first.dot(self.second).map_or(cosine.abs() > TOLERANCE, |d| !d.is_zero()).then_some(
            InvalidAxes {
                code: "axes-not-orthogonal",
                predicate: "not orthogonal",
                label: "the second axis is not orthogonal to the first",
                help: "specify two perpendicular axes that span the plane of the joint",
            },
        )
    }
}

impl JointMechanics for Planar {
    const WORD: &'static str = "planar";
    const DRAWN: &'static [usize] = &[10];

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        Planar { first: keys.axis_or_z(0), second: keys.axis_or_z(1), linear: keys.frame }
    }

    fn random(draw: &mut dyn Draw) -> Self {
        let (a, b) = [([1, 0, 0], [0, 1, 0]), ([1, 2, 2], [2, 1, -2])][draw.below(2)];
        Planar {
            first: AxisVector::from_integers(a),
            second: AxisVector::from_integers(b),
            linear: [VelocityFrame::Parent, VelocityFrame::Body][draw.below(2)],
        }
    }

    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [x, y, angle] = first_values(q);
        let [a, b] = self.plane_unit_vectors(env);
        (Mat3::rotation_about_vector(a.cross(b), angle), a.scale(x) + b.scale(y))
    }

    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let [vx, vy, rate] = first_values(v);
        let [a, b] = self.plane_unit_vectors(env);
        let normal = a.cross(b);
        if self.linear == VelocityFrame::Body {
            return Subspace {
                columns: vec![translation_twist(a), translation_twist(b), rotation_twist(normal)],
                bias: Twist::ZERO,
                dual: vec![force_wrench(a), force_wrench(b), moment_wrench(normal)],
            };
        }
        let rotation = reference.rotation.transposed_mul(&self.pose(q, env).0);
        let (a, b) = (rotation.apply_transposed(a), rotation.apply_transposed(b));
        let relative = normal.scale(rate) - rotation.apply_transposed(reference.angular_velocity);
        Subspace {
            columns: vec![translation_twist(a), translation_twist(b), rotation_twist(normal)],
            bias: translation_twist(-(relative.cross(a.scale(vx) + b.scale(vy)))),
            dual: vec![force_wrench(a), force_wrench(b), moment_wrench(normal)],
        }
    }

    fn rates<S: Scalar>(
        &self,
        q: &[S],
        reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Option<RateMatrix<S>> {
        if self.linear == VelocityFrame::Parent {
            return None;
        }
        let axes = self.plane_unit_vectors(env);
        let rotation = reference.rotation.transposed_mul(&self.pose(q, env).0);
        let [along_a, along_b] = axes.map(|axis| rotation.apply(axis));
        let row = |axis: Vec3<S>| vec![axis.dot(along_a), axis.dot(along_b), S::ZERO];
        let matrix = vec![row(axes[0]), row(axes[1]), vec![S::ZERO, S::ZERO, S::ONE]];
        Some(RateMatrix { matrix, denominators: Vec::new() })
    }

    fn constrained_directions<S: Scalar>(
        &self,
        _q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        let [a, b] = self.plane_unit_vectors(env);
        orthonormal_constraints(&[a.cross(b)], &[a, b])
    }
}
