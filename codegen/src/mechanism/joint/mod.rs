//! Joints: pose, motion subspace and coordinate rates of each kind, in closed form over any scalar.
//!
//! Problem: the pose of the child's joint frame C in the parent's joint frame P as a function of the joint's local
//! coordinates, its relative twist `A v`, the componentwise rate `Ȧ v`, and `q̇ = N v`.
//! Method:  one file a kind, each with its own algebra; Featherstone 2008, chapter 4, for the one-axis kinds, Wittenburg
//! 2008, chapter 2, for attitudes. Rotations map C to P, angles are right-handed, nothing is wrapped.
//! Shapes:  `nq` and `nv` are local to the joint, prescribed coordinates included; at most 7 and 6.
//! Frames:  `A`, `Ȧ v` and the dual wrenches are in C axes at the origin of C; translations in P axes.
//! Units:   m and rad; a column of `A` has the unit of a twist per unit of its speed.
//! Cost:    O(1) a joint.
//! Not handled: reactions and the complement of `A` (they come with the formalisms that need them).

use super::formula::Environment;
use super::model::Joint;
use crate::algebra::{Mat3, Scalar, Twist, Vec3, Wrench};

/// What a joint does, at local coordinates and local speeds.
#[derive(Clone, Debug)]
pub struct JointMotion<S> {
    /// C to P axes; of a joint with absolute angles: C to ground axes.
    pub rotation: Mat3<S>,
    /// From the origin of P to the origin of C, in P axes [m].
    pub translation: Vec3<S>,
    /// `A`: one column a local speed, in C axes at the origin of C. The linear part is relative to P; the angular part
    /// too, or, with absolute angles, relative to the ground.
    pub subspace: Vec<Twist<S>>,
    /// `Ȧ v`, component by component in C axes.
    pub bias: Twist<S>,
    /// `Y`: for each local speed the wrench on the child, about the origin of C in C axes, that one unit of effort on
    /// that speed is: `Aᵢᵀ Yⱼ = δᵢⱼ`.
    pub dual: Vec<Wrench<S>>,
    /// `N` of `q̇ = N v`, nq × nv.
    pub rate_matrix: Vec<Vec<S>>,
    /// What `N` divides by: sine or cosine of a middle angle. Order one.
    pub denominators: Vec<S>,
}

/// What the angles of a joint are measured from, as seen from P.
#[derive(Clone, Copy, Debug)]
pub struct Reference<S> {
    /// P to reference axes: the identity, or with absolute angles P to ground axes.
    pub rotation: Mat3<S>,
    /// Angular velocity of P relative to the reference, in P axes [rad/s].
    pub angular_velocity: Vec3<S>,
}

/// Pose of C: rotation C to reference axes, translation in P axes.
pub fn pose<S: Scalar>(_joint: &Joint, _q: &[S], _env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
    todo!()
}

/// Everything about the joint at local coordinates `q` and local speeds `v`.
pub fn motion<S: Scalar>(
    _joint: &Joint,
    _q: &[S],
    _v: &[S],
    _reference: &Reference<S>,
    _env: &Environment<'_, S>,
) -> JointMotion<S> {
    todo!()
}
