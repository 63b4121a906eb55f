//! Poses of all bodies: body frames and poles.
//!
//! Problem: rotations and pole positions of a tree at `q` and `t`.
//! Method:  root to leaf: the placement of the joint on the parent, the joint's own pose, the
//! placement on the child. With absolute angles the joint alone gives the rotation to the ground,
//! and the rotation to the parent follows.
//! Frames:  axes of a body are those of its body frame in the spec; the pole is the origin of the
//! inboard joint's frame on the body. Offsets are relative to the parent, so that differences
//! between bodies do not rely on cancellation.
//! Cost:    O(bodies).
//! Not handled: velocities (`motion`).

use crate::mechanism::{Environment, Formula, Joint, JointVariable, Mechanism, Placement, Rotation, joint};
use dqdt_algebra::{Jet, Mat3, Scalar, Vec3};

/// Pose of a body: relative to the ground, and relative to its parent. Computed by `poses`.
#[derive(Clone, Copy, Debug)]
pub struct Pose<S> {
    /// Rotation matrix from body axes to ground axes.
    pub rotation: Mat3<S>,
    /// Position of the pole from the ground's origin, in ground axes \[m\].
    pub origin: Vec3<S>,
    /// Rotation matrix from body axes to the parent's axes.
    pub relative_rotation: Mat3<S>,
    /// Vector from the parent's pole to this pole, in parent axes \[m\].
    pub offset: Vec3<S>,
    /// Position of the pole, the origin of the inboard joint, in the body frame \[m\].
    pub pole: Vec3<S>,
}

impl<S: Scalar> Pose<S> {
    /// Maps a point of the body frame to its position in ground axes \[m\].
    pub fn point_in_ground_axes(&self, r: Vec3<S>) -> Vec3<S> {
        self.origin + self.rotation.apply(r - self.pole)
    }
}

/// Evaluates three formulas as the components of a vector.
pub fn evaluate_vector<S: Scalar>(f: &[Formula; 3], env: &Environment<'_, S>) -> Vec3<S> {
    Vec3([f[0].eval(env), f[1].eval(env), f[2].eval(env)])
}

/// Rotation matrix from the axes of a placed frame to body axes, from the formulas of the spec.
pub fn evaluate_rotation<S: Scalar>(r: &Rotation, env: &Environment<'_, S>) -> Mat3<S> {
    match r {
        Rotation::Identity => Mat3::identity(),
        Rotation::Sequence { axes, angles } => Mat3::euler_rotation(*axes, evaluate_vector(angles, env).0),
        Rotation::Matrix(rows) => Mat3([0, 1, 2].map(|i| evaluate_vector(&rows[i], env).0)),
    }
}

/// Origin of a placed frame in the body frame \[m\], and rotation matrix from its axes to body
/// axes.
pub fn evaluate_placement<S: Scalar>(p: &Placement, env: &Environment<'_, S>) -> (Vec3<S>, Mat3<S>) {
    (evaluate_vector(&p.origin, env), evaluate_rotation(&p.rotation, env))
}

/// Value, first and second time derivative of a prescribed coordinate's formula, by nested jets.
pub fn evaluate_prescribed_motion<S: Scalar>(f: &Formula, env: &Environment<'_, S>) -> [S; 3] {
    let (dq, dv) = (vec![S::ZERO; env.q.len()], vec![S::ZERO; env.v.len()]);
    let (lq, lv) = (vec![Jet::ZERO; env.q.len()], vec![Jet::ZERO; env.v.len()]);
    let x = env.with_jets(S::ONE, &dq, &dv, |env| env.with_jets(Jet::ONE, &lq, &lv, |env| f.eval(env)));
    [x.v.v, x.v.d, x.d.d]
}

/// Values of one joint's coordinates, prescribed ones included, in the order of the joint.
pub(super) fn joint_coordinate_values<S: Scalar>(joint: &Joint, env: &Environment<'_, S>) -> Vec<S> {
    let coordinates = joint.coordinates.iter();
    coordinates
        .map(|slot| match slot {
            JointVariable::Free(i) => env.q[*i],
            JointVariable::Prescribed(f) => f.eval(env),
        })
        .collect()
}

/// Poses of all bodies at `env`, in the order of the mechanism, root to leaf.
pub fn body_poses<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<Pose<S>> {
    let mut poses: Vec<Pose<S>> = Vec::with_capacity(m.bodies.len());
    for joint in &m.joints {
        let q = joint_coordinate_values(joint, env);
        let (turn, shift) = joint::joint_pose(joint, &q, env);
        poses.push(child_pose(joint, joint.parent.map(|p| poses[p]), turn, shift, env));
    }
    poses
}

/// Pose of a child body, from the parent's pose and the joint's rotation `turn` and translation
/// `shift`.
pub(super) fn child_pose<S: Scalar>(
    joint: &Joint,
    parent: Option<Pose<S>>,
    turn: Mat3<S>,
    shift: Vec3<S>,
    env: &Environment<'_, S>,
) -> Pose<S> {
    let (at_parent, to_parent) = evaluate_placement(&joint.parent_frame, env);
    let (pole, to_child) = evaluate_placement(&joint.child_frame, env);
    let turned = turn.mul(&to_child.transpose());
    let along = at_parent + to_parent.apply(shift);
    match parent {
        None => {
            let rotation = if joint.absolute { turned } else { to_parent.mul(&turned) };
            Pose { rotation, origin: along, relative_rotation: rotation, offset: along, pole }
        }
        Some(parent) => {
            let (rotation, relative_rotation) = if joint.absolute {
                (turned, parent.rotation.transposed_mul(&turned))
            } else {
                let relative = to_parent.mul(&turned);
                (parent.rotation.mul(&relative), relative)
            };
            let offset = along - parent.pole;
            Pose {
                rotation,
                origin: parent.origin + parent.rotation.apply(offset),
                relative_rotation,
                offset,
                pole,
            }
        }
    }
}
