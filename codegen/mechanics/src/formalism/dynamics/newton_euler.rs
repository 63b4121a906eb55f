//! Newton–Euler recursion: accelerations outwards, wrenches inwards.
//!
//! Problem: wrenches that joints transmit at given accelerations, `Tᵀ (M V̇ − F*)`.
//! Method:  Newton and Euler for each body cut free (mechanics 1.3).
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies).

use super::applied::Applied;
use super::rotors;
use crate::kinematics::Kinematics;
use crate::kinematics::accumulate::accumulate_wrenches_to_root;
use crate::mechanism::Mechanism;
use dqdt_algebra::{Scalar, Twist, Wrench};

/// Prefixes for the names of accelerations and of transmitted wrenches in emitted code.
#[derive(Clone, Copy)]
pub(crate) struct RecursionNames {
    /// Prefix for the names of body accelerations.
    rate: &'static str,
    /// Prefix for the names of wrenches that the bodies need.
    needed: &'static str,
}

/// Name prefixes of values at the solved accelerations.
pub(crate) const SOLVED_NAMES: RecursionNames = RecursionNames { rate: "rate_", needed: "needed" };
/// Name prefixes of values at `v̇ = 0` under all loads.
pub(crate) const BIAS_NAMES: RecursionNames = RecursionNames { rate: "felt_b", needed: "still" };

/// Acceleration `V̇` of each body from `v̇`, for the acceleration `ground` of the ground: the
/// outward recursion.
pub(crate) fn body_accelerations<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    ground: Twist<S>,
    accelerations: &[S],
    names: RecursionNames,
) -> Vec<Twist<S>> {
    let mut rates: Vec<Twist<S>> = Vec::with_capacity(k.bodies.len());
    for (joint, body) in m.joints.iter().zip(&k.bodies) {
        let carried =
            body.carry_parent_acceleration(joint.parent.map(|p| (k.bodies[p].twist.w, rates[p])), ground);
        let joint_terms =
            body.columns.iter().filter_map(|c| c.speed.map(|s| c.twist.scale(accelerations[s])));
        let rate = joint_terms.fold(carried, |sum, x| sum + x);
        rates.push(rate.name_parts(names.rate, &|| m.bodies[rates.len()].name.clone()));
    }
    rates
}

/// Wrenches `Tᵀ (M V̇ − F*)` that the joints transmit, in body axes: the inward recursion. Joints
/// with absolute angles transmit no moment inwards.
pub(crate) fn transmitted_wrenches<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    accelerations: &[S],
    rates: &[Twist<S>],
    names: RecursionNames,
) -> Vec<Wrench<S>> {
    let bodies = k.bodies.iter().zip(rates).zip(&applied.loads);
    let mut needed: Vec<Wrench<S>> = (bodies.zip(&m.bodies))
        .map(|(((b, rate), load), body)| {
            (b.inertia.inertial_wrench(b.twist.w, *rate) - *load)
                .name_parts(names.needed, &|| body.name.clone())
        })
        .collect();
    rotors::add_rotor_gyroscopic_moments(k, &mut needed);
    rotors::add_rotor_acceleration_moments(k, accelerations, &mut needed);
    accumulate_wrenches_to_root(m, k, needed, names.needed)
}
