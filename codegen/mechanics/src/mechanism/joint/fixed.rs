//! Fixed joint: P and C coincide.
//!
//! No coordinate, no speed; the child moves with the parent, and all directions are constrained.
//! With absolute angles the child would keep its attitude in the ground, which is another
//! mechanism, so the spec offers no key for that.

use super::columns::{coordinate_unit_vectors, orthonormal_constraints};
use super::form::*;
use super::kind::*;
use crate::mechanism::environment::Environment;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Fixed joint, without coordinates and speeds: the child moves with the parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixed;

impl JointForm for Fixed {
    fn coordinate_components(&self) -> Vec<JointComponent> {
        Vec::new()
    }

    fn describe_kind(&self) -> String {
        "fixed".to_owned()
    }

    fn drawing_symbol(&self) -> JointSymbol {
        JointSymbol::Fixed
    }

    fn allowed_rotation(&self) -> Turning {
        Turning::Not
    }
}

impl JointMechanics for Fixed {
    const WORD: &'static str = "fixed";
    const DRAWN: &'static [usize] = &[7];

    fn read(_written: &mut JointKeyValues<'_>) -> Self {
        Fixed
    }

    fn random(_draw: &mut dyn Draw) -> Self {
        Fixed
    }

    fn pose<S: Scalar>(&self, _q: &[S], _env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
        (Mat3::identity(), Vec3::ZERO)
    }

    fn subspace<S: Scalar>(
        &self,
        _q: &[S],
        _v: &[S],
        _reference: &Reference<S>,
        _env: &Environment<'_, S>,
    ) -> Subspace<S> {
        Subspace { columns: Vec::new(), bias: Twist::ZERO, dual: Vec::new() }
    }

    fn constrained_directions<S: Scalar>(
        &self,
        _q: &[S],
        _env: &Environment<'_, S>,
    ) -> Vec<ConstrainedDirection<S>> {
        orthonormal_constraints(&coordinate_unit_vectors(), &coordinate_unit_vectors())
    }
}
