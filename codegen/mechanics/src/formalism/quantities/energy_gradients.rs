//! Gradients of the kinetic energy by displacements and speeds, from momenta of subtrees.
//!
//! Problem: the derivatives of T by the pose at constant speeds, and by the speeds.
//! Method:  a displacement `ξ` of a joint moves everything beyond it as one body. In axes that move
//!          along, each velocity there changes by `V × ξ`, with the twist V of the body that
//!          carries the joint, so T changes by `h · (V × ξ)` with the momentum h of the subtree. By
//!          a speed, T changes by the component of h along its partial velocity, which is `M v`.
//! Frames:  body axes, about the pole.
//! Units:   J by the unit of the displacement, J s by that of a speed.
//! Cost:    O(bodies).
//!
//! Not handled: prescribed motion, angles from the ground, rotors, partial velocities that change
//! in body axes.

use crate::kinematics::Kinematics;
use crate::kinematics::accumulate::{accumulate_wrenches_to_root, project_on_partial_velocities};
use crate::mechanism::Mechanism;
use dqdt_algebra::{Scalar, Twist, Wrench};

/// Gradients of the kinetic energy T by displacements and by speeds, indexed by speed.
pub struct KineticGradients<S> {
    /// Derivatives of T by displacements along the partial velocities of speeds.
    pub by_displacement: Vec<S>,
    /// Derivatives of T by speeds.
    pub by_speed: Vec<S>,
}

/// Gradients of the kinetic energy T, with the inertias of `k`.
pub fn kinetic_energy_gradients<S: Scalar>(m: &Mechanism, k: &Kinematics<S>) -> KineticGradients<S> {
    let body_momenta: Vec<Wrench<S>> = k.bodies.iter().map(|b| b.inertia.momentum(b.twist)).collect();
    let momenta = accumulate_wrenches_to_root(m, k, body_momenta, "momentum");
    let mut by_speed = project_on_partial_velocities(m, k, &momenta);
    let mut by_displacement = vec![S::ZERO; m.nv()];
    for (body, momentum) in k.bodies.iter().zip(&momenta) {
        let joint = body.columns.iter().fold(Twist::ZERO, |sum, c| sum + c.twist.scale(c.rate));
        let carrier = body.twist + joint.scale(-S::ONE);
        for column in &body.columns {
            let Some(speed) = column.speed else { continue };
            by_speed[speed] = by_speed[speed] + column.armature * column.rate;
            by_displacement[speed] = momentum.power_on_twist(carrier.cross(column.twist));
        }
    }
    KineticGradients { by_displacement, by_speed }
}
