//! The motion in the axes that the formulation has for the bodies, and what acts in it.
//!
//! Problem: sweeps are the same in whatever axes the quantities of a body are written, but not the work (`mechanism::BodyAxes`).
//! Method:  motion, inertias and loads as they are known in body axes, then in those chosen (`kinematics::in_axes`).
//! Frames:  the chosen axes, about the pole.
//! Cost:    O(bodies).

use super::applied::Applied;
use super::regroup::regrouped;
use crate::kinematics::{Kinematics, in_axes, motions};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// The motion of all bodies with the inertias that sweeps take.
pub(crate) fn chosen_motion<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
) -> (Kinematics<S>, Applied<S>) {
    of_motion(m, regrouped(m, motions(m, env), env), env)
}

/// The same of a motion in body axes.
pub(crate) fn of_motion<S: Scalar>(
    m: &Mechanism,
    own: Kinematics<S>,
    env: &Environment<'_, S>,
) -> (Kinematics<S>, Applied<S>) {
    if !env.any_unturned() {
        let applied = Applied::with_accelerated_ground(m, &own, env);
        return (own, applied);
    }
    let motion = in_axes(m, env, own.clone(), false);
    let applied = Applied::in_axes(m, &own, &motion, env);
    (motion.kinematics, applied)
}
