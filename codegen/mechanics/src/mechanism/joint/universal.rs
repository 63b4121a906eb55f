//! Universal joint (Cardan): two revolutes in series with a massless cross between them.
//!
//! Coordinates: angle `q₁` about `a`, fixed in P, then `q₂` about `b`, fixed in C \[rad\]; speeds:
//! their rates. `R = exp(ã q₁) exp(b̃ q₂)`, `ω = q̇₁ a′ + q̇₂ b` with `a′ = exp(−b̃ q₂) a`, and
//! `Ȧ v = −q̇₂ b × a′ q̇₁`. The axes need not be orthogonal: the dual moments are `Y = A (AᵀA)⁻¹`
//! with the constant Gram matrix of `a` and `b`. It is singular for parallel axes, which are
//! rejected. Constrained: all forces, and the moment `n = a′ × b` with `H = n / n²`, where `n²` is
//! constant.

use super::columns::{
    coordinate_unit_vectors, first_values, moment_wrench, orthonormal_constraints, rotation_twist,
};
use super::form::*;
use super::kind::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Bound of 1 − |cosine| of the angle between the axes; below it they count as parallel.
const TOLERANCE: f64 = 1e-9;

/// Universal joint: angle about the first axis (fixed in the parent), then about the second (fixed
/// in the child).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Universal {
    /// The joint axis that is fixed in the parent.
    pub first: AxisVector,
    /// The joint axis that is fixed in the child.
    pub second: AxisVector,
}

impl JointForm for Universal {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        vec![
            JointComponent::angle_component("1", "first angle"),
            JointComponent::angle_component("2", "second angle"),
        ]
    }

    fn describe_kind(&self) -> String {
        format!("universal, {} then {}", self.first, self.second)
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Universal
    }

    fn drawn_axis(&self) -> Vec3<f64> {
        self.first.to_f64()
    }

    fn allowed_rotation(&self) -> Turning {
        Turning::Freely
    }

    /// Both angles move one body: the inertia about the second axis remains where that about the
    /// first vanishes entirely.
    fn pivot_scale_speed(&self, _speed: usize) -> usize {
        1
    }

    fn inertia_requirement(&self) -> InertiaRequirement {
        InertiaRequirement::AllRotations
    }

    fn axes_error(&self) -> Option<InvalidAxes> {
        let (a, b) = (self.first.to_f64(), self.second.to_f64());
        let cosine = a.dot(b) / (a.dot(a).sqrt() * b.dot(b).sqrt());
        (1.0 - cosine.abs() < TOLERANCE).then_some(InvalidAxes {
            code: "parallel-axes",
            predicate: "parallel",
            label: "the second axis is parallel to the first",
            help: "specify two axes that are not parallel, or use a revolute joint for a single axis",
        })
    }
}

impl JointMechanics for Universal {
    const WORD: &'static str = "universal";
    const DRAWN: &'static [usize] = &[6];

    fn read(keys: &mut JointKeyValues<'_>) -> Self {
        Universal { first: keys.axis_or_z(0), second: keys.axis_or_z(1) }
    }

    fn random(draw: &mut dyn Draw) -> Self {
        Universal {
            first: AxisVector::from_integers([1, 0, 0]),
            second: AxisVector::from_integers([[0, 1, 0], [1, 0, 3]][draw.below(2)]),
        }
    }

    fn pose<S: Scalar>(&self, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        let [q1, q2] = first_values(q);
        let [a, b] = [self.first, self.second].map(|axis| unit_vector_along(axis, env.number));
        (Mat3::rotation_about_vector(a, q1).mul(&Mat3::rotation_about_vector(b, q2)), Vec3::ZERO)
    }

    fn subspace<S: Scalar>(
        &self,
        q: &[S],
        v: &[S],
        _reference: &Reference<S>,
        env: &Environment<'_, S>,
    ) -> Subspace<S> {
        let ([_, q2], [v1, v2]) = (first_values(q), first_values(v));
        let [fixed, b] = [self.first, self.second].map(|axis| unit_vector_along(axis, env.number));
        let a = Mat3::rotation_about_vector(b, q2).apply_transposed(fixed);
        let gram = fixed.dot(b);
        let determinant = S::ONE - gram * gram;
        let dual = |x: Vec3<S>, y: Vec3<S>| {
            let reduced = x - y.scale(gram);
            moment_wrench(reduced.map(|x| if x.is_zero() { S::ZERO } else { x / determinant }))
        };
        Subspace {
            columns: vec![rotation_twist(a), rotation_twist(b)],
            bias: rotation_twist(-(b.scale(v2).cross(a.scale(v1)))),
            dual: vec![dual(a, b), dual(b, a)],
        }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        q: &[S],
        env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        let [_, angle] = first_values(q);
        let [a, b] = [self.first, self.second].map(|axis| unit_vector_along(axis, env.number));
        let gram = a.dot(b);
        let n = Mat3::rotation_about_vector(b, angle).apply_transposed(a).cross(b);
        let mut all = orthonormal_constraints(&coordinate_unit_vectors(), &[]);
        let square = S::ONE - gram * gram;
        let twist = rotation_twist(n.map(|x| if x.is_zero() { S::ZERO } else { x / square }));
        all.push(ConstrainedDirection { wrench: moment_wrench(n), twist });
        all
    }
}
