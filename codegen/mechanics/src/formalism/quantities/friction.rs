//! Efforts of friction, and their columns by friction coefficients.
//!
//! Problem: the contribution of friction to Q, and the columns of `Q_f = Y π_f`.
//! Method:  the loads of the type `friction` alone; a column is the effort of one load with one
//!          coefficient 1 and the other 0.
//! Shapes:  nv; two columns for each load, viscous and Coulomb.
//! Units:   N or N·m by speed, with the sign of efforts.
//! Cost:    O(loads · depth).

use super::inverse::efforts_balancing_loads;
use crate::kinematics::kinematics_without_jacobians;
use crate::mechanism::{Environment, Load, LoadKind, Mechanism};
use dqdt_algebra::Scalar;

/// Contribution to Q of `loads` alone, instead of the loads of the mechanism.
fn applied_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, loads: Vec<Load>) -> Vec<S> {
    let alone = Mechanism { loads, ..m.clone() };
    efforts_balancing_loads(&alone, env, &kinematics_without_jacobians(m, env))
        .into_iter()
        .map(|x| -x)
        .collect()
}

/// Loads of the type `friction`, each with one load for each of its coefficients.
fn friction_loads(m: &Mechanism) -> impl Iterator<Item = (&Load, Vec<LoadKind>)> {
    let by_coefficients = m.loads.iter().map(|load| (load, load.kind.by_coefficients()));
    by_coefficients.filter(|(_, kinds)| !kinds.is_empty())
}

/// Contribution of all loads of the type `friction` to Q, by speed.
pub fn friction_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    applied_efforts(m, env, friction_loads(m).map(|(load, _)| load.clone()).collect())
}

/// Columns of the friction regressor, by speed: two for each load, by its viscous and its Coulomb
/// coefficient.
pub fn friction_regressor_columns<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<Vec<S>> {
    friction_loads(m)
        .flat_map(|(load, kinds)| kinds.into_iter().map(|kind| vec![Load { kind, ..load.clone() }]))
        .map(|alone| applied_efforts(m, env, alone))
        .collect()
}
