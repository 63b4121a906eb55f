//! Inverse dynamics (RNEA): efforts from accelerations.
//!
//! Problem: `M v̇ + c − Q` for given `v̇`, without M.
//! Method:  recursive Newton–Euler algorithm (Luh, Walker and Paul 1980; Featherstone 2008, table
//!          5.1): accelerations from root to leaves, with the ground accelerated against gravity,
//!          then wrenches from leaves to root.
//! Shapes:  nv in, nv out.
//! Frames:  body axes, about the pole.
//! Cost:    O(bodies).
//!
//! Not handled: reactions (the wrenches are computed, but not returned).

use crate::formalism::dynamics::actions::{self, sum_actions};
use crate::formalism::dynamics::regroup::regroup_inertias;
use crate::formalism::dynamics::rotors;
use crate::kinematics::accumulate::{accumulate_wrenches_to_root, project_on_partial_velocities};
use crate::kinematics::{Kinematics, convert_to_formulation_axes, evaluate_vector, kinematics};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Scalar, Twist, Vec3, Wrench};

/// Prefixes for the names of emitted values that depend on accelerations, by the origin of these.
pub(crate) struct NamePrefixes {
    /// Prefix of `v` and `w` in the names of accelerations of bodies.
    pub rate: &'static str,
    /// Prefix for the names of inertial wrenches.
    inertial: &'static str,
    /// Prefix for the names of wrenches that the joints must transmit.
    needed: &'static str,
}

/// Name prefixes of values at accelerations that are an argument.
pub(crate) const ARGUMENT_NAMES: NamePrefixes =
    NamePrefixes { rate: "d", inertial: "inertial_dv", needed: "needed_dv" };
/// Name prefixes of values at `v̇ = 0`, gravity included.
pub(crate) const BIAS_NAMES: NamePrefixes =
    NamePrefixes { rate: "felt_b", inertial: "inertial_felt", needed: "bias" };
/// Name prefixes of values at accelerations that follow from the independent ones by constraints.
pub(crate) const CONSTRAINED_NAMES: NamePrefixes =
    NamePrefixes { rate: "constrained_d", inertial: "constrained_inertial", needed: "constrained_needed" };

/// Acceleration `V̇` of each body from those of the speeds, in body axes, for an acceleration
/// `ground` of the ground. `kind` is a prefix of `v` and `w` in names.
pub fn body_accelerations_with_ground<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    accelerations: &[S],
    ground: Vec3<S>,
    kind: &str,
) -> Vec<Twist<S>> {
    let root = Twist { v: ground, w: Vec3::ZERO };
    let mut rates: Vec<Twist<S>> = Vec::with_capacity(k.bodies.len());
    for (joint, body) in m.joints.iter().zip(&k.bodies) {
        let mut rate =
            body.carry_parent_acceleration(joint.parent.map(|p| (k.bodies[p].twist.w, rates[p])), root);
        for column in &body.columns {
            if let Some(speed) = column.speed {
                rate = rate + column.twist.scale(accelerations[speed]);
            }
        }
        rates.push(rate.name_parts(kind, &|| m.bodies[rates.len()].name.clone()));
    }
    rates
}

/// Acceleration of the ground that is equivalent to gravity, `−g`.
pub fn ground_acceleration_for_gravity<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec3<S> {
    -evaluate_vector(&m.gravity, env)
}

/// Efforts `M v̇ + c − Q` for given accelerations by RNEA; loads at the inputs of `env`.
pub fn inverse_dynamics<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, accelerations: &[S]) -> Vec<S> {
    let names = if accelerations.iter().all(|x| x.is_zero()) { BIAS_NAMES } else { ARGUMENT_NAMES };
    inverse_dynamics_with_names(m, env, accelerations, &names)
}

/// Efforts like those of [`inverse_dynamics`], with the given prefixes for names.
pub(crate) fn inverse_dynamics_with_names<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    accelerations: &[S],
    names: &NamePrefixes,
) -> Vec<S> {
    recursive_newton_euler(m, env, &regroup_inertias(m, kinematics(m, env), env), accelerations, names)
}

/// Inverse dynamics by RNEA with the motion and the inertias of `k`.
pub(crate) fn inverse_dynamics_with_motion<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    k: &Kinematics<S>,
    accelerations: &[S],
) -> Vec<S> {
    recursive_newton_euler(m, env, k, accelerations, &ARGUMENT_NAMES)
}

/// Efforts `−Q` that balance the loads, by speed.
pub fn efforts_balancing_loads<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    k: &Kinematics<S>,
) -> Vec<S> {
    let (applied, efforts) = sum_actions(m, &actions::load_actions(m, k, env));
    let wrenches = applied.into_iter().map(|w| -w).collect();
    let along = project_on_partial_velocities(m, k, &accumulate_wrenches_to_root(m, k, wrenches, "needed"));
    along.into_iter().zip(efforts).map(|(x, effort)| x - effort).collect()
}

/// Efforts `M v̇ + c − Q` by RNEA with the motion `k`, converted to the axes of the formulation.
fn recursive_newton_euler<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    k: &Kinematics<S>,
    accelerations: &[S],
    names: &NamePrefixes,
) -> Vec<S> {
    let upwards = ground_acceleration_for_gravity(m, env);
    let (applied, efforts) = sum_actions(m, &actions::load_actions(m, k, env));
    let motion = convert_to_formulation_axes(m, env, k.clone(), false);
    let applied = motion.wrenches_to_formulation_axes(applied);
    let k = &motion.kinematics;
    let rates = self::body_accelerations_with_ground(m, k, accelerations, upwards, names.rate);
    let mut wrenches: Vec<Wrench<S>> = k
        .bodies
        .iter()
        .zip(&m.bodies)
        .zip(rates.iter().zip(applied))
        .map(|((b, body), (rate, w))| {
            let name = || body.name.clone();
            (b.inertia.inertial_wrench(b.twist.w, *rate).name_parts(names.inertial, &name) - w)
                .name_parts(names.needed, &name)
        })
        .collect();
    rotors::add_rotor_gyroscopic_moments(k, &mut wrenches);
    rotors::add_rotor_acceleration_moments(k, accelerations, &mut wrenches);
    let mut result =
        project_on_partial_velocities(m, k, &accumulate_wrenches_to_root(m, k, wrenches, names.needed));
    for column in k.bodies.iter().flat_map(|b| &b.columns) {
        if let Some(s) = column.speed {
            result[s] = result[s] + column.armature * accelerations[s] - efforts[s];
        }
    }
    rotors::add_rotor_efforts(k, |b| rates[b], &mut result);
    result
}
