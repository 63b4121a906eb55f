//! Motion and loads in the axes that the formulation assigns to the bodies.
//!
//! Problem: the result of a sweep does not depend on the axes in which a body is written, but its
//!          cost does (`mechanism::BodyAxes`).
//! Method:  motion, inertias and loads in body axes first, then in the assigned axes
//!          (`kinematics::in_axes`).
//! Frames:  the assigned axes, about the pole.
//! Cost:    O(bodies).

use super::applied::Applied;
use super::regroup::regroup_inertias;
use crate::kinematics::{Kinematics, convert_to_formulation_axes, kinematics_without_jacobians};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// Motion of all bodies in the axes of the formulation, with regrouped inertias, and the loads.
pub(crate) fn motion_in_formulation_axes<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
) -> (Kinematics<S>, Applied<S>) {
    convert_motion_and_loads(m, regroup_inertias(m, kinematics_without_jacobians(m, env), env), env)
}

/// Motion and loads like those of [`motion_in_formulation_axes`], from a motion in body axes.
pub(crate) fn convert_motion_and_loads<S: Scalar>(
    m: &Mechanism,
    in_body_axes: Kinematics<S>,
    env: &Environment<'_, S>,
) -> (Kinematics<S>, Applied<S>) {
    if !env.has_unrotated_axes() {
        let applied = Applied::with_accelerated_ground(m, &in_body_axes, env);
        return (in_body_axes, applied);
    }
    let motion = convert_to_formulation_axes(m, env, in_body_axes.clone(), false);
    let applied = Applied::for_formulation_axes(m, &in_body_axes, &motion, env);
    (motion.kinematics, applied)
}
