//! Efforts of friction, and by its coefficients.
//!
//! Problem: what friction contributes to Q, and the columns of `Q_f = Y π_f`.
//! Method:  the loads of that type alone; a column is the effort of one load with one coefficient 1 and the other 0.
//! Shapes:  nv; two columns a load, viscous and Coulomb.
//! Units:   N or N·m by speed, as efforts act.
//! Cost:    O(loads · depth).

use super::inverse::efforts_of_loads;
use crate::kinematics::motions;
use crate::mechanism::{Environment, Formula, Load, LoadKind, Mechanism};
use dqdt_algebra::{Number, Scalar};

/// Efforts of loads in place of those of the mechanism.
fn efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, loads: Vec<Load>) -> Vec<S> {
    let alone = Mechanism { loads, ..m.clone() };
    efforts_of_loads(&alone, env, &motions(m, env)).into_iter().map(|x| -x).collect()
}

fn frictions(m: &Mechanism) -> impl Iterator<Item = &Load> {
    m.loads.iter().filter(|l| matches!(l.kind, LoadKind::Friction { .. }))
}

/// What all loads of the type friction contribute to Q.
pub fn friction_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    efforts(m, env, frictions(m).cloned().collect())
}

/// Two columns a load: by its viscous and by its Coulomb coefficient.
pub fn friction_by_coefficients<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<Vec<S>> {
    let mut columns = Vec::new();
    for load in frictions(m) {
        let LoadKind::Friction { speed, transition, .. } = &load.kind else { continue };
        // Without a speed of transition there is no Coulomb friction, and its coefficient is zero.
        let dry = !transition.is_zero();
        for ones in [[1, 0], [0, i64::from(dry)]] {
            let [viscous, coulomb] = ones.map(|x| Formula::Number(Number::integer(x)));
            let kind = LoadKind::Friction { speed: *speed, viscous, coulomb, transition: transition.clone() };
            columns.push(efforts(m, env, vec![Load { kind, ..load.clone() }]));
        }
    }
    columns
}
