//! The motion of named frames.
//!
//! Problem: pose, twist, Jacobian and bias acceleration of every named point of a body, which is a frame.
//! Method:  those of the body, moved to the point and turned to its axes: `J` maps the speeds to the twist, so its columns are
//! partial velocities; with `v̇ = 0` the origin has `a + ω̇ × r + ω × (ω × r)`.
//! Frames:  twists, Jacobians and accelerations in the axes of the frame, about its origin; the pose is in ground axes.
//! Units:   m, rad, s.
//! Cost:    O(depth) a frame.
//! Not handled: frames of the ground, which stand still.

use super::motion::kinematics;
use super::pose::placement;
use crate::algebra::{Mat3, Scalar, Twist, Vec3};
use crate::mechanism::{Environment, Mechanism};

/// A named frame and how it moves.
#[derive(Clone, Debug)]
pub struct FrameMotion<S> {
    /// The body that it is fixed to.
    pub body: usize,
    /// Name of the point on its body.
    pub name: String,
    /// Its origin, in ground axes \[m\].
    pub position: Vec3<S>,
    /// Its axes to those of the ground.
    pub rotation: Mat3<S>,
    /// Velocity of the origin and angular velocity, in its own axes.
    pub twist: Twist<S>,
    /// By speed: twist of one unit of it.
    pub jacobian: Vec<Twist<S>>,
    /// `J̇ v`: acceleration of the origin and angular acceleration with `v̇ = 0`, in its own axes; with those that are prescribed.
    pub bias: Twist<S>,
}

/// The motion of all named points of bodies, in the order of [`positions`](super::positions).
pub fn frames<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<FrameMotion<S>> {
    let k = kinematics(m, env);
    let mut out = Vec::new();
    for (i, (body, motion)) in m.bodies.iter().zip(&k.bodies).enumerate() {
        for point in &body.points {
            let (origin, turn) = placement(&point.placement, env);
            let r = origin - motion.pole;
            let local =
                |v: Vec3<S>, w: Vec3<S>| Twist { v: turn.apply_transposed(v), w: turn.apply_transposed(w) };
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
                twist: local(motion.twist.at(r), w),
                jacobian,
                bias: local(bias.at(r) + w.cross(w.cross(r)), bias.w),
            });
        }
    }
    out
}
