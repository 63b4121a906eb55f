//! Efforts that balance gravity on a tree at rest.
//!
//! Problem: `g(q)` of `M v̇ + C v + g = …`, which is `∂V/∂q` of gravity where `v = q̇`.
//! Method:  `kinematics::gravity_efforts`, with inertias in base parameters where that takes fewer
//!          operations.
//! Shapes:  nv.
//! Units:   N or N·m, as the efforts of the speeds.
//! Cost:    O(bodies).
//!
//! Not handled: springs, whose efforts are loads.

use super::super::dynamics::regroup::regroup_inertias;
use crate::kinematics::{self, convert_to_formulation_axes, kinematics_without_jacobians};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// Efforts `g(q)` that balance gravity on the tree at rest, by speed (N or N·m).
pub fn gravity_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let k = convert_to_formulation_axes(
        m,
        env,
        regroup_inertias(m, kinematics_without_jacobians(m, env), env),
        false,
    )
    .kinematics;
    kinematics::gravity_efforts(m, &k, env)
}
