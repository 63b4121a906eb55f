//! Efforts that balance gravity on a tree at rest.
//!
//! Problem: `g(q)` of `M v̇ + C v + g = …`, which is `∂V/∂q` of gravity where `v = q̇`.
//! Method:  the weight of each subtree, along the partial velocities of its joint.
//! Shapes:  nv.
//! Frames:  body axes, about the pole.
//! Units:   N or N·m, as the efforts of the speeds.
//! Cost:    O(bodies).
//!
//! Not handled: springs, whose efforts are loads.

use super::super::dynamics::accumulate::along_partial_velocities;
use super::super::dynamics::mass_matrix::moved_inertias;
use super::super::dynamics::regroup::regrouped;
use crate::kinematics::{in_axes, motions, vector};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Scalar, Wrench};

/// `g(q)`: efforts that balance gravity on the tree at rest, by speed (N or N·m).
pub fn gravity_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let k = in_axes(m, env, regrouped(m, motions(m, env), env), false).kinematics;
    let upwards = -vector(&m.gravity, env);
    let weight = |(inertia, body): (&dqdt_algebra::Inertia<S>, &crate::kinematics::BodyMotion<S>)| {
        let a = body.to_body(upwards);
        Wrench { f: a.scale(inertia.mass), m: inertia.first.cross(a) }
    };
    let weights: Vec<Wrench<S>> = moved_inertias(m, &k).iter().zip(&k.bodies).map(weight).collect();
    along_partial_velocities(m, &k, &weights)
}
