//! Gravity efforts for the emitted function: `g(q)` of `M v̇ + C v + g = …`.
//!
//! Method:  `kinematics::gravity_efforts`, with inertias in base parameters where that takes fewer operations.
//! Shapes:  nv.
//! Units:   N or N·m, as the efforts of the speeds.
//! Cost:    O(bodies).

use super::super::dynamics::regroup::regrouped;
use crate::kinematics::{self, in_axes, motions};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// `g(q)`: efforts that hold the tree at rest against gravity, by speed.
pub fn gravity_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let k = in_axes(m, env, regrouped(m, motions(m, env), env), false).kinematics;
    kinematics::gravity_efforts(m, &k, env)
}
