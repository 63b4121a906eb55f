//! Constraint directions of the joints, in the axes of the bodies.
//!
//! Problem: bases of the twists that a joint does not admit and of the wrenches that it transmits,
//! `ZᵀA = 0`.
//! Method:  the bases of each joint kind (`mechanism::joint`), rotated to body axes, with the
//! prescribed columns of `A` and their duals.
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies).

pub use crate::mechanism::joint::ConstrainedDirection;

use super::bodies::{BodyMotion, Kinematics};
use super::pose::{evaluate_placement, joint_coordinate_values};
use crate::mechanism::{Environment, Joint, Mechanism, joint};
use dqdt_algebra::{Scalar, Twist, Wrench};

/// Constrained directions of each body's inboard joint: wrenches `Z` that the joint transmits and
/// twists `H` that it does not admit. `[A H]`, with the free columns of `A`, is a basis of twists;
/// `[Y Z]` is the dual basis of wrenches. Used to compute reactions.
pub fn constrained_directions<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
) -> Vec<Vec<ConstrainedDirection<S>>> {
    m.joints
        .iter()
        .zip(&k.bodies)
        .map(|(joint, body)| joint_constrained_directions(joint, body, env))
        .collect()
}

/// Constrained directions of one joint, rotated to body axes, followed by its prescribed columns.
fn joint_constrained_directions<S: Scalar>(
    joint: &Joint,
    body: &BodyMotion<S>,
    env: &Environment<'_, S>,
) -> Vec<ConstrainedDirection<S>> {
    let to_body = evaluate_placement(&joint.child_frame, env).1;
    let q = joint_coordinate_values(joint, env);
    let by_kind = joint::constrained_directions(joint, &q, env).into_iter().map(|d| ConstrainedDirection {
        wrench: Wrench { f: to_body.apply(d.wrench.f), m: to_body.apply(d.wrench.m) },
        twist: Twist { v: to_body.apply(d.twist.v), w: to_body.apply(d.twist.w) },
    });
    let prescribed = body.columns.iter().filter(|c| c.speed.is_none());
    by_kind.chain(prescribed.map(|c| ConstrainedDirection { wrench: c.dual, twist: c.twist })).collect()
}
