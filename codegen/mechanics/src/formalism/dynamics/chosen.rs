//! Motion and loads in the axes that the formulation assigns to the bodies.
//!
//! Problem: the result of a sweep does not depend on the axes in which a body is written, but its
//!          cost does (`mechanism::BodyAxes`).
//! Method:  motion, inertias and loads in body axes first, then in the assigned axes
//!          (`kinematics::in_axes`).
//! Frames:  the assigned axes, about the pole.
//! Cost:    O(bodies).

use super::applied::Applied;
use super::regroup::regrouped;
use crate::kinematics::{Kinematics, in_axes, motions};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// Motion of all bodies in the axes of the formulation, with regrouped inertias, and the loads.
pub(crate) fn chosen_motion<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
) -> (Kinematics<S>, Applied<S>) {
    of_motion(m, regrouped(m, motions(m, env), env), env)
}

/// Like [`chosen_motion`], from a motion in body axes.
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
