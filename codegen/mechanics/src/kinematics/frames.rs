//! The motion of named frames.
//!
//! Problem: pose, twist, Jacobian and bias acceleration of every named point of a body, which is a frame.
//! Method:  those of the body, moved to the point and turned to its axes: `J` maps the speeds to the twist, so its columns are
//! partial velocities; with `v̇ = 0` the origin has `a + ω̇ × r + ω × (ω × r)`.
//! Frames:  twists, Jacobians and accelerations in the axes of the frame, or of the ground where the point says so, about its origin; the
//! pose is in ground axes.
//! Units:   m, rad, s.
//! Cost:    O(depth) a frame.
//! Not handled: frames of the ground, which stand still.

use super::motion::kinematics;
use super::pose::placement;
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Mat3, Scalar, Twist, Vec3};

/// A named frame and how it moves.
#[derive(Clone, Debug)]
pub struct FrameMotion<S> {
    /// The body that it is fixed to.
    pub body: BodyId,
    /// Name of the point on its body.
    pub name: String,
    /// Its origin, in ground axes \[m\].
    pub position: Vec3<S>,
    /// Its axes to those of the ground.
    pub rotation: Mat3<S>,
    /// The twist, the Jacobian and the bias are in ground axes, not in its own.
    pub in_ground_axes: bool,
    /// Velocity of the origin and angular velocity, in the axes that it is given in.
    pub twist: Twist<S>,
    /// By speed: twist of one unit of it.
    pub jacobian: Vec<Twist<S>>,
    /// `J̇ v`: acceleration of the origin and angular acceleration with `v̇ = 0`, with those that are prescribed. In these axes.
    pub bias: Twist<S>,
}

/// A contact: how it moves, in ground axes.
#[derive(Clone, Debug)]
pub struct ContactMotion<S> {
    /// Body and point.
    pub name: String,
    /// By speed: velocity of one unit of it.
    pub jacobian: Vec<Vec3<S>>,
    /// `J̇ v`: its acceleration with `v̇ = 0`.
    pub bias: Vec3<S>,
}

/// The points of bodies that are contacts, in the order of the spec.
pub fn contacts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<ContactMotion<S>> {
    let k = kinematics(m, env);
    let mut out = Vec::new();
    for (body, motion) in m.bodies.iter().zip(&k.bodies) {
        for point in body.points.iter().filter(|p| p.contact) {
            let r = placement(&point.placement, env).0 - motion.pole;
            let mut jacobian = vec![Vec3::ZERO; m.nv()];
            for (speed, column) in &motion.partial {
                jacobian[*speed] = motion.rotation.apply(column.at(r));
            }
            let w = motion.twist.w;
            let bias = motion.rotation.apply(motion.bias.at(r) + w.cross(w.cross(r)));
            out.push(ContactMotion { name: format!("{}_{}", body.name, point.name), jacobian, bias });
        }
    }
    out
}

/// The motion of all named points of bodies, in the order of [`positions`](super::positions).
pub fn frames<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<FrameMotion<S>> {
    let k = kinematics(m, env);
    let mut out = Vec::new();
    for (i, (body, motion)) in BodyId::enumerate(m.bodies.iter().zip(&k.bodies)) {
        for point in &body.points {
            let (origin, turn) = placement(&point.placement, env);
            let r = origin - motion.pole;
            let turned = |x: Vec3<S>| match point.in_ground_axes {
                true => motion.rotation.apply(x),
                false => turn.apply_transposed(x),
            };
            let local = |v: Vec3<S>, w: Vec3<S>| Twist { v: turned(v), w: turned(w) };
            let mut jacobian = vec![Twist::ZERO; m.nv()];
            for (speed, column) in &motion.partial {
                jacobian[*speed] = local(column.at(r), column.w);
            }
            let (w, bias) = (motion.twist.w, motion.bias);
            out.push(FrameMotion {
                body: i,
                name: point.name.clone(),
                position: motion.origin + motion.rotation.apply(r),
                rotation: motion.rotation.mul(&turn),
                in_ground_axes: point.in_ground_axes,
                twist: local(motion.twist.at(r), w),
                jacobian,
                bias: local(bias.at(r) + w.cross(w.cross(r)), bias.w),
            });
        }
    }
    out
}
