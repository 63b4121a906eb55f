//! Constraints at the levels of position, velocity and acceleration.
//!
//! Problem: from `Φ(q, t) = 0` and `Ψ(q, v, t) = 0`, linear in v, the rows of `A v + a₀ = 0` and `A v̇ = γ`.
//! Method:  jets. A position constraint is differentiated along `q̇ = N e_j` for its row and twice along the motion for
//! γ; a velocity constraint along `v_j` and once along the motion at `v̇ = 0` (CONVENTIONS, constraints).
//! Shapes:  one row a scalar equation; rows have nv columns, in spec order.
//! Units:   those of the formula, per second and per second squared.
//! Cost:    O(nv) evaluations of each formula.
//! Not handled: which rows depend on others.

use super::motion::rates;
use crate::algebra::{Jet, Scalar};
use crate::mechanism::{ConstraintKind, Environment, Formula, Mechanism};

/// One scalar constraint at `q, v, t`.
#[derive(Clone, Debug)]
pub struct ConstraintRow<S> {
    /// Index of the constraint in the mechanism.
    pub constraint: usize,
    /// Name of the row: that of the constraint, with a component where it has several.
    pub name: String,
    /// `Φ`; `None` for a velocity constraint.
    pub position: Option<S>,
    /// `Φ̇` or `Ψ`: `A v + a₀`.
    pub velocity: S,
    /// Row of `A`, by speed.
    pub jacobian: Vec<S>,
    /// `γ` of `A v̇ = γ`, without stabilisation.
    pub gamma: S,
}

/// The rows of all constraints, in spec order.
pub fn constraint_rows<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<ConstraintRow<S>> {
    let (qdot, n) = rates(m, env);
    let still = vec![S::ZERO; m.nv()];
    m.constraints
        .iter()
        .enumerate()
        .map(|(index, c)| {
            let row = |(position, velocity, jacobian, gamma)| ConstraintRow {
                constraint: index,
                name: c.name.clone(),
                position,
                velocity,
                jacobian,
                gamma,
            };
            row(match &c.kind {
                ConstraintKind::Position(f) => {
                    let along = |dt: S, dq: &[S]| env.with_jets(dt, dq, &still, |env| f.eval(env)).d;
                    let jacobian = (0..m.nv())
                        .map(|j| along(S::ZERO, &n.iter().map(|row| row[j]).collect::<Vec<S>>()))
                        .collect();
                    let rate = env.with_jets(S::ONE, &qdot, &still, |env| position_rate(m, f, env));
                    (Some(f.eval(env)), along(S::ONE, &qdot), jacobian, -rate.d)
                }
                ConstraintKind::Velocity(f) => {
                    let jacobian = (0..m.nv())
                        .map(|j| {
                            let e: Vec<S> =
                                (0..m.nv()).map(|i| if i == j { S::ONE } else { S::ZERO }).collect();
                            let fixed = vec![S::ZERO; m.nq()];
                            env.with_jets(S::ZERO, &fixed, &e, |env| f.eval(env)).d
                        })
                        .collect();
                    let rate = env.with_jets(S::ONE, &qdot, &still, |env| f.eval(env));
                    (None, rate.v, jacobian, -rate.d)
                }
            })
        })
        .collect()
}

/// `Φ̇` at the speeds of `env`, which may itself be over jets.
fn position_rate<S: Scalar>(m: &Mechanism, f: &Formula, env: &Environment<'_, S>) -> S {
    let (qdot, _) = rates(m, env);
    let still = vec![S::ZERO; m.nv()];
    let value: Jet<S> = env.with_jets(S::ONE, &qdot, &still, |env| f.eval(env));
    value.d
}
