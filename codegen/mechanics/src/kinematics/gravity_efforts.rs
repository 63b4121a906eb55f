//! Efforts that hold a tree at rest against gravity.
//!
//! Method:  the weight of each composite body, along the partial velocities of its inboard joint.
//! Frames:  body axes, about the pole.
//! Units:   N or N·m, as the efforts of the speeds.
//! Cost:    O(bodies).
//! Not handled: springs, whose efforts are loads.

use super::accumulate::project_on_partial_velocities;
use super::bodies::Kinematics;
use super::composite_inertias::composite_inertias;
use super::pose::evaluate_vector;
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Scalar, Wrench};

/// Efforts that hold the tree at rest against gravity, one a speed, from the kinematics of the
/// pose; `∂V/∂q` of gravity where `v = q̇`.
pub(crate) fn gravity_efforts<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
) -> Vec<S> {
    let upwards = -evaluate_vector(&m.gravity, env);
    let weights: Vec<Wrench<S>> = composite_inertias(m, k)
        .iter()
        .zip(&k.bodies)
        .map(|(inertia, body)| {
            let a = body.rotate_to_body_axes(upwards);
            Wrench { f: a.scale(inertia.mass), m: inertia.first.cross(a) }
        })
        .collect();
    project_on_partial_velocities(m, k, &weights)
}
