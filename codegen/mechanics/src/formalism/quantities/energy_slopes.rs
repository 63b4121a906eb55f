//! Gradients of the kinetic energy by displacements and speeds, from momenta of subtrees.
//!
//! Problem: how T changes with the pose, speeds held, and with the speeds.
//! Method:  a displacement `ξ` of a joint moves all beyond it as one body: in axes that move along every velocity there changes by
//!          `V × ξ`, with the twist V of what carries the joint, so T changes by `h · (V × ξ)` with the momentum h of the subtree. By a
//!          speed it changes by the share of h along its partial velocity, which is `M v`.
//! Frames:  body axes, about the pole.
//! Units:   J by the unit of the displacement, J s of that of a speed.
//! Cost:    O(bodies).
//! Not handled: prescribed motion, angles from the ground, rotors, partial velocities that change in the axes of their body.

use crate::kinematics::Kinematics;
use crate::kinematics::accumulate::{accumulated_to_root, along_partial_velocities};
use crate::mechanism::Mechanism;
use dqdt_algebra::{Scalar, Twist, Wrench};

/// By speed.
pub struct KineticSlopes<S> {
    /// By displacements along the partial velocities of speeds.
    pub by_displacement: Vec<S>,
    /// By speeds.
    pub by_speed: Vec<S>,
}

/// The gradients of T. `k`: with the inertias to be used.
pub fn kinetic_slopes<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> KineticSlopes<S> {
    let own: Vec<Wrench<S>> = k.bodies.iter().map(|b| b.inertia.apply(b.twist)).collect();
    let momenta = accumulated_to_root(m, k, own, "momentum");
    let mut by_speed = along_partial_velocities(m, k, &momenta);
    let mut by_displacement = vec![S::ZERO; m.nv()];
    for (body, momentum) in k.bodies.iter().zip(&momenta) {
        let joint = body.columns.iter().fold(Twist::ZERO, |sum, c| sum + c.twist.scale(c.rate));
        let carrier = body.twist + joint.scale(-S::ONE);
        for column in &body.columns {
            let Some(speed) = column.speed else { continue };
            by_speed[speed] = by_speed[speed] + column.armature * column.rate;
            by_displacement[speed] = momentum.power(carrier.cross(column.twist));
        }
    }
    KineticSlopes { by_displacement, by_speed }
}
