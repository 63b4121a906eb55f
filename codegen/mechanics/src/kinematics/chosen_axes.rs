//! The motion in the axes that the formulation chooses for the bodies.
//!
//! Problem: `BodyMotion` of bodies whose axes do not rotate with their joints
//! (`mechanism::BodyAxes`).
//! Method:  from such a body to its parent the rotation is constant, `R′ = R_P R_Cᵀ` with the
//! rotations of the joint's frames. A child with its own axes is rotated by the sum of both angles.
//! `Z = R_C Rot(a, θ) R_Cᵀ` rotates from body axes to the chosen axes; it is applied to the inertia
//! and to the positions of outboard joints. The motion subspace of the joint is the same in both.
//! The sum of angles is exact, so the values equal those in body axes; only the operation count
//! falls.
//! Frames:  the chosen axes, about the pole; `rotation` maps them to the ground. `pole` remains in
//! the body frame.
//! Cost:    that of `motion`.
//! Not handled: quantities in body axes, such as loads and points; the caller rotates them by
//! `turns`.

use super::bodies::{BodyMotion, Kinematics};
use super::motion::{body_motion_from_parent, joint_angle_reference, joint_speed_values};
use super::pose::{child_pose, evaluate_placement, joint_coordinate_values};
use crate::mechanism::joint::{self, Turning};
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Mat3, Scalar, Vec3, Wrench};

/// Motion of all bodies in the axes that the formulation chooses, such as axes that do not rotate
/// with the joint.
pub struct MotionInChosenAxes<S> {
    /// Motion of all bodies, in the axes of the formulation.
    pub kinematics: Kinematics<S>,
    /// Rotation matrix from body axes to the formulation's axes, one a body; `None` if they are the
    /// same.
    pub turns: Vec<Option<Mat3<S>>>,
}

impl<S: Scalar> MotionInChosenAxes<S> {
    /// Rotates wrenches on the bodies, one a body, from body axes to the formulation's axes.
    pub fn wrenches_to_formulation_axes(&self, wrenches: Vec<Wrench<S>>) -> Vec<Wrench<S>> {
        let pairs = wrenches.into_iter().zip(&self.turns);
        pairs
            .map(|(w, turn)| match turn {
                Some(z) => Wrench { f: z.apply(w.f), m: z.apply(w.m) },
                None => w,
            })
            .collect()
    }
}

/// Converts the motion `in_body_axes` to the axes of the formulation. Inertias are rotated, not
/// evaluated again. `with_columns`: compute the Jacobian columns.
pub fn convert_to_formulation_axes<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    in_body_axes: Kinematics<S>,
    with_columns: bool,
) -> MotionInChosenAxes<S> {
    let n = m.bodies.len();
    let mut turns: Vec<Option<Mat3<S>>> = vec![None; n];
    let Some(axes) =
        env.formulation.and_then(|f| f.body_axes.as_ref()).filter(|axes| axes.has_unrotated_axes())
    else {
        return MotionInChosenAxes { kinematics: in_body_axes, turns };
    };
    let mut angles = vec![S::ZERO; n];
    let mut bodies: Vec<BodyMotion<S>> = Vec::with_capacity(n);
    for (i, (joint, body)) in BodyId::enumerate(m.joints.iter().zip(&in_body_axes.bodies)) {
        let parent = joint.parent.map(|p| &bodies[p]);
        let turned_parent = joint.parent.and_then(|p| turns[p].map(|z| (angles[p], z)));
        let mut q = joint_coordinate_values(joint, env);
        let speeds = joint_speed_values(joint, env);
        let v: Vec<S> = speeds.iter().map(|s| s.value).collect();
        let reference = joint_angle_reference(joint, parent.map(|p| (p.rotation, p.twist.w)), env);
        let mut local = joint::joint_motion(joint, &q, &v, &reference, env);
        let (unturned, turning) = (axes.is_unrotated(i), joint.kind.form().allowed_rotation());
        if let (Turning::About(axis), true) = (turning, unturned || turned_parent.is_some()) {
            if let Some((angle, _)) = turned_parent {
                q[0] = if axes.along(i.inboard_joint()) < 0 { q[0] - angle } else { q[0] + angle };
            }
            let turn = Mat3::rotation_about_vector(joint::unit_vector_along(axis, env.number), q[0]);
            local.rotation = if unturned { Mat3::identity() } else { turn };
            if unturned {
                let to_child = evaluate_placement(&joint.child_frame, env).1;
                angles[i] = q[0];
                turns[i] = Some(to_child.mul(&turn).mul(&to_child.transpose()));
            }
        }
        let mut pose =
            child_pose(joint, parent.map(BodyMotion::pose), local.rotation, local.translation, env);
        if let Some((_, z)) = turned_parent {
            pose.offset = z.apply(pose.offset);
        }
        pose.origin = body.origin;
        let inertia = match &turns[i] {
            Some(z) => body.inertia.transform_to_frame(z, Vec3::ZERO),
            None => body.inertia,
        };
        bodies.push(body_motion_from_parent(
            joint,
            pose,
            inertia,
            parent,
            &local,
            &speeds,
            with_columns,
            env,
        ));
    }
    let mut rotors = in_body_axes.rotors;
    for rotor in &mut rotors {
        if let Some(z) = &turns[rotor.carrier] {
            rotor.momentum = z.apply(rotor.momentum);
        }
    }
    MotionInChosenAxes { kinematics: Kinematics { bodies, rotors, ..in_body_axes }, turns }
}
