//! The power of every load.
//!
//! Problem: the rate at which gravity, each load and each drive of a prescribed joint does work on the mechanism.
//! Method:  `W · V` over bodies and `τ v` over speeds. The effort of a drive is what the prescribed columns of its joint
//! must supply: `A_dᵀ Tᵀ (M V̇ + gyroscopic − W)`, with the rotor's share, at the accelerations given.
//! The sum of all is dT/dt when the accelerations are those of the motion.
//! Units:   W.
//! Cost:    O(bodies + loads · depth).
//! Not handled: heat; energy in user states.

use super::inverse::accelerations as body_accelerations;
use crate::algebra::{Scalar, Vec3, Wrench};
use crate::formalism::dynamics::accumulate::accumulated_to_root;
use crate::formalism::dynamics::actions;
use crate::formalism::dynamics::rotors;
use crate::kinematics::motions;
use crate::mechanism::{Environment, Mechanism};

/// The power of one load.
#[derive(Clone, Debug)]
pub struct Power<S> {
    /// Name of the load, with `_damping` for the dissipative part of a spring; `gravity`; or the joint, for the drive of
    /// a prescribed one.
    pub name: String,
    /// \[W\]
    pub value: S,
    /// True if it is the opposite rate of a potential (for gravity and stiffness that do not depend on time).
    pub potential: bool,
}

/// The power of gravity, of each load and of each drive of a prescribed joint; their sum is dT/dt.
pub fn powers<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, accelerations: &[S]) -> Vec<Power<S>> {
    let k = motions(m, env);
    let mut acting = vec![actions::gravity(m, &k, env)];
    acting.extend(actions::loads(m, &k, env));
    let mut powers = Vec::new();
    for action in &acting {
        let mut value = S::ZERO;
        for (body, wrench) in &action.wrenches {
            value = value + wrench.power(k.bodies[*body].twist);
        }
        for (speed, effort) in &action.efforts {
            value = value + *effort * env.v[*speed];
        }
        powers.push(Power { name: action.name.clone(), value, potential: action.potential });
    }
    let prescribed = |body: usize| k.bodies[body].columns.iter().filter(|c| c.speed.is_none());
    if (0..m.bodies.len()).all(|b| prescribed(b).next().is_none()) {
        return powers;
    }
    let rates = body_accelerations(m, &k, accelerations, Vec3::ZERO, "rate_");
    let (applied, _) = actions::total(m, &acting);
    let mut needed: Vec<Wrench<S>> = k
        .bodies
        .iter()
        .zip(rates.iter().zip(applied))
        .map(|(b, (rate, w))| b.inertia.inertial_wrench(b.twist.w, *rate) - w)
        .collect();
    rotors::add_gyroscopic(&k, &mut needed);
    rotors::add_accelerated(&k, accelerations, &mut needed);
    for (body, wrench) in accumulated_to_root(m, &k, needed, "needed").into_iter().enumerate() {
        if prescribed(body).next().is_none() {
            continue;
        }
        let mut drive = prescribed(body).fold(S::ZERO, |sum, column| {
            sum + (wrench.power(column.twist) + column.armature * column.acceleration) * column.rate
        });
        for rotor in k.rotors.iter().filter(|r| r.joint == body && r.speed.is_none()) {
            drive = drive + rotor.share(rates[rotor.carrier]) * rotor.rate;
        }
        powers.push(Power { name: m.joints[body].name.clone(), value: drive, potential: false });
    }
    powers
}
