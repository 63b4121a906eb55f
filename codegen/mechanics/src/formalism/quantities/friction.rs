//! Efforts of friction, and by its coefficients.
//!
//! Problem: what friction contributes to Q, and the columns of `Q_f = Y π_f`.
//! Method:  the loads of that type alone; a column is the effort of one load with one coefficient 1 and the other 0.
//! Shapes:  nv; two columns a load, viscous and Coulomb.
//! Units:   N or N·m by speed, as efforts act.
//! Cost:    O(loads · depth).

use super::inverse::efforts_of_loads;
use crate::kinematics::motions;
use crate::mechanism::{Environment, Load, LoadKind, Mechanism};
use dqdt_algebra::Scalar;

/// Efforts of loads in place of those of the mechanism.
fn efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, loads: Vec<Load>) -> Vec<S> {
    let alone = Mechanism { loads, ..m.clone() };
    efforts_of_loads(&alone, env, &motions(m, env)).into_iter().map(|x| -x).collect()
}

fn frictions(m: &Mechanism) -> impl Iterator<Item = (&Load, Vec<LoadKind>)> {
    let by_coefficients = m.loads.iter().map(|load| (load, load.kind.by_coefficients()));
    by_coefficients.filter(|(_, kinds)| !kinds.is_empty())
}

/// What all loads of the type friction contribute to Q.
pub fn friction_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    efforts(m, env, frictions(m).map(|(load, _)| load.clone()).collect())
}

/// Two columns a load: by its viscous and by its Coulomb coefficient.
pub fn friction_by_coefficients<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<Vec<S>> {
    frictions(m)
        .flat_map(|(load, kinds)| kinds.into_iter().map(|kind| vec![Load { kind, ..load.clone() }]))
        .map(|alone| efforts(m, env, alone))
        .collect()
}
