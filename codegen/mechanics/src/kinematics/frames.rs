//! The motion of named frames and of contact points.
//!
//! Problem: pose, twist, Jacobian and bias acceleration of every named point of a body, which is a
//! frame.
//! Method:  the body's motion, shifted to the point and rotated to its axes. `J` maps the speeds to
//! the twist, so its columns are partial velocities; with `v̇ = 0` the origin has
//! `a + ω̇ × r + ω × (ω × r)`.
//! Frames:  twists, Jacobians and accelerations are about the frame's origin, in its own axes, or
//! in ground axes if the point says so. The pose is in ground axes.
//! Units:   m, rad, s.
//! Cost:    O(depth) a frame.
//! Not handled: frames of the ground, which do not move.

use super::motion::kinematics;
use super::pose::evaluate_placement;
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3};

/// Pose, twist, Jacobian and bias acceleration of a named frame fixed in a body, for the emitted
/// frame functions.
#[derive(Clone, Debug)]
pub struct FrameMotion<S> {
    /// The body in which the frame is fixed.
    pub body: BodyId,
    /// Name of the frame: that of the point on its body.
    pub name: String,
    /// Position of the frame's origin, in ground axes \[m\].
    pub position: Vec3<S>,
    /// Rotation matrix from frame axes to ground axes.
    pub rotation: Mat3<S>,
    /// True if twist, Jacobian and bias are in ground axes rather than in the frame's own.
    pub in_ground_axes: bool,
    /// Velocity of the origin and angular velocity, in the axes that `in_ground_axes` selects.
    pub twist: Twist<S>,
    /// Jacobian columns, one a speed: the frame's twist for one unit of that speed.
    pub jacobian: Vec<Twist<S>>,
    /// `J̇ v`, prescribed accelerations included: acceleration of the origin and angular
    /// acceleration at `v̇ = 0`, in the axes of `twist`.
    pub bias: Twist<S>,
}

/// Jacobian and bias acceleration of a point marked as contact, in ground axes. Used by the contact
/// functions of emitted code.
#[derive(Clone, Debug)]
pub struct ContactMotion<S> {
    /// Names of body and point, joined by an underscore.
    pub name: String,
    /// Jacobian columns, one a speed: the velocity of the point for one unit of that speed.
    pub jacobian: Vec<Vec3<S>>,
    /// Bias `J̇ v`: acceleration of the point at `v̇ = 0`, in ground axes.
    pub bias: Vec3<S>,
}

/// Motion of all points of bodies marked as contacts, in spec order.
pub fn contact_motions<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<ContactMotion<S>> {
    let k = kinematics(m, env);
    let mut out = Vec::new();
    for (body, motion) in m.bodies.iter().zip(&k.bodies) {
        for point in body.points.iter().filter(|p| p.contact) {
            let r = evaluate_placement(&point.placement, env).0 - motion.pole;
            let mut jacobian = vec![Vec3::ZERO; m.nv()];
            for (speed, column) in &motion.partial {
                jacobian[*speed] = motion.rotation.apply(column.velocity_at(r));
            }
            let w = motion.twist.w;
            let bias = motion.rotation.apply(motion.bias.velocity_at(r) + w.cross(w.cross(r)));
            out.push(ContactMotion { name: format!("{}_{}", body.name, point.name), jacobian, bias });
        }
    }
    out
}

/// Motion of all named points of bodies as frames, in the order of
/// [`point_positions`](super::point_positions).
pub fn frame_motions<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<FrameMotion<S>> {
    let k = kinematics(m, env);
    let mut out = Vec::new();
    for (i, (body, motion)) in BodyId::enumerate(m.bodies.iter().zip(&k.bodies)) {
        for point in &body.points {
            let (origin, turn) = evaluate_placement(&point.placement, env);
            let r = origin - motion.pole;
            let turned = |x: Vec3<S>| match point.in_ground_axes {
                true => motion.rotation.apply(x),
                false => turn.apply_transposed(x),
            };
            let local = |v: Vec3<S>, w: Vec3<S>| Twist { v: turned(v), w: turned(w) };
            let mut jacobian = vec![Twist::ZERO; m.nv()];
            for (speed, column) in &motion.partial {
                jacobian[*speed] = local(column.velocity_at(r), column.w);
            }
            let (w, bias) = (motion.twist.w, motion.bias);
            out.push(FrameMotion {
                body: i,
                name: point.name.clone(),
                position: motion.origin + motion.rotation.apply(r),
                rotation: motion.rotation.mul(&turn),
                in_ground_axes: point.in_ground_axes,
                twist: local(motion.twist.velocity_at(r), w),
                jacobian,
                bias: local(bias.velocity_at(r) + w.cross(w.cross(r)), bias.w),
            });
        }
    }
    out
}
