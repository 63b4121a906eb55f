//! Accelerations of named frames, from those of the speeds.
//!
//! Problem: `J v̇ + J̇ v` of every named point of a body, without J.
//! Method:  accelerations of bodies by one sweep (`inverse::accelerations`) with the ground at
//!          rest; the origin of a frame has `a + ω̇ × r + ω × (ω × r)`.
//! Frames:  in the axes in which the frame is specified, about its origin.
//! Units:   m/s², rad/s².
//! Cost:    O(bodies + frames).

use super::inverse::body_accelerations_with_ground;
use crate::kinematics::{evaluate_placement, kinematics};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Scalar, Twist, Vec3};

/// Acceleration of the origin and angular acceleration of all named points of bodies, in the order
/// of [`frame_motions`](crate::kinematics::frame_motions), for given accelerations of the speeds.
pub fn frame_accelerations<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    speed_accelerations: &[S],
) -> Vec<Twist<S>> {
    let k = kinematics(m, env);
    let rates = body_accelerations_with_ground(m, &k, speed_accelerations, Vec3::ZERO, "of_");
    let mut out = Vec::new();
    for ((body, motion), rate) in m.bodies.iter().zip(&k.bodies).zip(rates) {
        for point in &body.points {
            let (origin, turn) = evaluate_placement(&point.placement, env);
            let (r, w) = (origin - motion.pole, motion.twist.w);
            let turned = |x: Vec3<S>| match point.in_ground_axes {
                true => motion.rotation.apply(x),
                false => turn.apply_transposed(x),
            };
            out.push(Twist { v: turned(rate.velocity_at(r) + w.cross(w.cross(r))), w: turned(rate.w) });
        }
    }
    out
}
