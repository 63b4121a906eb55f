//! Power of gravity, loads and drives.
//!
//! Problem: the rates at which gravity, each load and each drive of a prescribed joint do work on
//!          the mechanism.
//! Method:  `W · V` over bodies and `τ v` over speeds. Efforts of drives are those of `drives`
//!          without constraints, at the given accelerations. The sum is dT/dt if the accelerations
//!          are those of the motion.
//! Units:   W.
//! Cost:    O(bodies + loads · depth).
//!
//! Not handled: heat; energy in user states.

use super::drives::drive_efforts;
use super::inverse::body_accelerations_with_ground as body_accelerations;
use crate::formalism::dynamics::actions;
use crate::kinematics::kinematics_without_jacobians;
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Scalar, Vec3};

/// Power of gravity, of one load, or of one drive of a prescribed joint.
#[derive(Clone, Debug)]
pub struct Power<S> {
    /// Name of the load, with `_damping` for the dissipative part of a spring; `gravity`; or the
    /// name of the joint, for the drive of a prescribed one.
    pub name: String,
    /// Power \[W\], positive if work is done on the mechanism.
    pub value: S,
    /// True if the power is the negative rate of a potential (for gravity and stiffness that do not
    /// depend on time).
    pub potential: bool,
}

/// Power of gravity, of each load and of each drive of a prescribed joint; the sum is dT/dt.
pub fn evaluate_powers<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    accelerations: &[S],
) -> Vec<Power<S>> {
    let k = kinematics_without_jacobians(m, env);
    let mut acting = vec![actions::gravity_action(m, &k, env)];
    acting.extend(actions::load_actions(m, &k, env));
    let mut powers = Vec::new();
    for action in &acting {
        let mut value = S::ZERO;
        for (body, wrench) in &action.wrenches {
            value = value + wrench.power_on_twist(k.bodies[*body].twist);
        }
        for (speed, effort) in &action.efforts {
            value = value + *effort * env.v[*speed];
        }
        powers.push(Power { name: action.name.clone(), value, potential: action.potential });
    }
    let prescribed = |body: BodyId| k.bodies[body].columns.iter().filter(|c| c.speed.is_none());
    if m.body_ids().all(|b| prescribed(b).next().is_none()) {
        return powers;
    }
    let rates = body_accelerations(m, &k, accelerations, Vec3::ZERO, "rate_");
    let (applied, _) = actions::sum_actions(m, &acting);
    let drives = drive_efforts(m, &k, accelerations, &rates, applied);
    for (body, efforts) in BodyId::enumerate(drives) {
        if prescribed(body).next().is_none() {
            continue;
        }
        let terms = k.bodies[body].columns.iter().zip(efforts);
        let drive = terms
            .filter_map(|(column, effort)| effort.map(|x| x * column.rate))
            .fold(S::ZERO, |sum, x| sum + x);
        powers.push(Power {
            name: m.joints[body.inboard_joint()].name.clone(),
            value: drive,
            potential: false,
        });
    }
    powers
}
