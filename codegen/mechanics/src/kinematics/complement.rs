//! Constraint directions of the joints, in the axes of the bodies.
//!
//! Problem: bases of the twists that a joint does not admit and of the wrenches that it transmits,
//! `ZᵀA = 0`.
//! Method:  the bases of each joint kind (`mechanism::joint`), rotated to body axes, with the
//! prescribed columns of `A` and their duals.
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies).

pub use crate::mechanism::joint::HeldDirection;

use super::bodies::Kinematics;
use super::pose::{local_coordinates, placement};
use crate::mechanism::{Environment, Mechanism, joint};
use dqdt_algebra::{Scalar, Twist, Wrench};

/// Constrained directions of each body's inboard joint: wrenches `Z` that the joint transmits and
/// twists `H` that it does not admit. `[A H]`, with the free columns of `A`, is a basis of twists;
/// `[Y Z]` is the dual basis of wrenches. Used to compute reactions.
pub fn complements<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
) -> Vec<Vec<HeldDirection<S>>> {
    let of_joint = |(joint, body): (&crate::mechanism::Joint, &super::bodies::BodyMotion<S>)| {
        let turn = placement(&joint.child_frame, env).1;
        let q = local_coordinates(joint, env);
        let own = joint::complement(joint, &q, env).into_iter().map(|held| HeldDirection {
            wrench: Wrench { f: turn.apply(held.wrench.f), m: turn.apply(held.wrench.m) },
            twist: Twist { v: turn.apply(held.twist.v), w: turn.apply(held.twist.w) },
        });
        let prescribed = body.columns.iter().filter(|c| c.speed.is_none());
        own.chain(prescribed.map(|c| HeldDirection { wrench: c.dual, twist: c.twist })).collect()
    };
    m.joints.iter().zip(&k.bodies).map(of_joint).collect()
}
