//! Joints: pose, motion subspace and coordinate rates of each kind, in closed form over any scalar.
//!
//! Problem: the pose of the child's joint frame C in the parent's joint frame P as a function of
//! the joint's local coordinates, its relative twist `A v`, the componentwise rate `Ȧ v`, and
//! `q̇ = N v`.
//! Method:  one file a kind, with everything specific to it (`kind.rs`), in closed form;
//! Featherstone 2008, chapter 4, for the one-axis kinds, Wittenburg 2008, chapter 2, for attitudes.
//! Rotations map C to P, angles are right-handed and not wrapped.
//! Shapes:  `nq` and `nv` are local to the joint, prescribed coordinates included; at most 7 and 6.
//! Frames:  `A`, `Ȧ v` and the dual wrenches are in C axes about the origin of C; translations in P
//! axes.
//! Units:   m and rad; a column of `A` has the unit of a twist per unit of its speed.
//! Cost:    O(1) a joint.
//! Not handled: forces.
//! To add a kind: a file like `revolute.rs` and its line in the registry below; its keys in
//! `spec/joint_keys`.

mod attitude;
mod columns;
mod cylindrical;
mod direction;
mod fixed;
mod form;
mod free;
mod helical;
mod kind;
mod planar;
mod prismatic;
mod revolute;
mod spherical;
#[cfg(test)]
mod tests;
mod universal;

pub use super::axis::unit_vector_along;
pub use form::{
    Attitude, Draw, GroundAngles, InertiaRequirement, InvalidAxes, JointComponent, JointForm, JointKeyValues,
    SpeedComponent, SpeedKind, Turning, VelocityFrame,
};
pub use kind::{ConstrainedDirection, JointMechanics, RateMatrix, Reference, Subspace};

use super::environment::Environment;
use super::index::CoordinateId;
use super::model::Joint;
use columns::identity_rate_matrix;
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3, Wrench};
use kind::{FEW, joint_kinds};

// The registry: one line a kind.
joint_kinds! {
    fixed::Fixed,
    revolute::Revolute,
    prismatic::Prismatic,
    helical::Helical,
    cylindrical::Cylindrical,
    universal::Universal,
    planar::Planar,
    spherical::Spherical,
    free::Free,
    direction::Direction,
}

/// Pose, motion subspace and rate map of one joint, at local coordinates and local speeds;
/// `kinematics` assembles them.
#[derive(Clone, Debug)]
pub struct JointMotion<S> {
    /// Rotation matrix from C axes to P axes, or to ground axes if the joint's angles are absolute.
    pub rotation: Mat3<S>,
    /// Vector from the origin of P to the origin of C, in P axes \[m\].
    pub translation: Vec3<S>,
    /// Motion subspace `A`: one column a local speed, in C axes at the origin of C. The linear part
    /// is relative to P. The angular part is relative to P, or to the ground with absolute angles.
    pub subspace: Vec<Twist<S>>,
    /// Bias `Ȧ v`: the rate of the relative twist's components at constant speeds, in C axes.
    pub bias: Twist<S>,
    /// Dual wrenches `Y`: one on the child for each local speed, for one unit of effort on that
    /// speed, about the origin of C in C axes: `Aᵢᵀ Yⱼ = δᵢⱼ`.
    pub dual: Vec<Wrench<S>>,
    /// Matrix `N` of `q̇ = N v`, nq × nv.
    pub rate_matrix: Vec<Vec<S>>,
    /// Divisors of `N`: sine or cosine of a middle angle, of order one; zero at gimbal lock.
    pub denominators: Vec<S>,
    /// Divisor of the dual wrenches if `N` has none, because the speeds are rates of angles.
    pub dual_denominator: Option<S>,
}

/// Pose of the joint: rotation matrix from child (C) axes to reference axes, translation in parent
/// (P) axes \[m\].
pub fn joint_pose<S: Scalar>(joint: &Joint, q: &[S], env: &Environment<'_, S>) -> (Mat3<S>, Vec3<S>) {
    joint.kind.pose(q, env)
}

/// Rate matrix `N` of `q̇ = N v` of the joint at local coordinates `q`.
pub fn joint_rate_matrix<S: Scalar>(
    joint: &Joint,
    q: &[S],
    reference: &Reference<S>,
    env: &Environment<'_, S>,
) -> RateMatrix<S> {
    joint.kind.rates(q, reference, env).unwrap_or_else(|| identity_rate_matrix(joint.speeds.len()))
}

/// Pose, motion subspace and rate map of the joint at local coordinates `q` and local speeds `v`.
pub fn joint_motion<S: Scalar>(
    joint: &Joint,
    q: &[S],
    v: &[S],
    reference: &Reference<S>,
    env: &Environment<'_, S>,
) -> JointMotion<S> {
    let (rotation, translation) = joint.kind.pose(q, env);
    let subspace = joint.kind.subspace(q, v, reference, env);
    let rates = joint_rate_matrix(joint, q, reference, env);
    let dual_denominator = match (joint.kind.form().attitude_coordinate(), &rates.denominators[..]) {
        (Some((first, Attitude::Sequence(axes))), []) => match q.get(first..first + 3) {
            Some([a, b, c]) => Some(attitude::angle_rates_from_omega(axes, [*a, *b, *c]).1),
            _ => None,
        },
        _ => None,
    };
    JointMotion {
        rotation,
        translation,
        subspace: subspace.columns,
        bias: subspace.bias,
        dual: subspace.dual,
        rate_matrix: rates.matrix,
        denominators: rates.denominators,
        dual_denominator,
    }
}

/// Constrained directions of the joint at local coordinates `q`: bases of the wrenches that it
/// transmits and of the twists that it does not admit. Prescribed coordinates count as free here;
/// the caller moves their columns of `A` and `Y` to `H` and `Z`.
pub fn constrained_directions<S: Scalar>(
    joint: &Joint,
    q: &[S],
    env: &Environment<'_, S>,
) -> Vec<ConstrainedDirection<S>> {
    joint.kind.constrained_directions(q, env)
}

/// True if the local speed `i` is the rate of the local coordinate `i`.
pub fn is_coordinate_rate(joint: &Joint, i: usize) -> bool {
    joint.kind.form().speed_components().get(i) == Some(&SpeedComponent::RateOf(i))
}

/// Index in `q` of the scalar part of the joint's unit quaternion; `None` if it has none, or if it
/// is prescribed.
pub fn free_quaternion(joint: &Joint) -> Option<CoordinateId> {
    match joint.kind.form().attitude_coordinate()? {
        (first, Attitude::Quaternion) => joint.coordinates.get(first)?.free_index(),
        (_, Attitude::Sequence(_)) => None,
    }
}

/// Message about the gimbal lock of a joint's angle sequence; `None` for other joints.
/// `coordinate`: returns the name of a local coordinate if it is free.
pub fn gimbal_lock_message(joint: &Joint, coordinate: &dyn Fn(usize) -> Option<String>) -> Option<String> {
    let (first, attitude) = joint.kind.form().attitude_coordinate()?;
    attitude::gimbal_lock_message(attitude, coordinate(first + 1))
}
