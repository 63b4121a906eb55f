//! Impact: jumps of the speeds under impulses.
//!
//! Problem: impulses on bodies, or a contact of two points along a direction with a coefficient of restitution; the
//! configuration stands still while the speeds jump.
//! Method:  mechanics 1.5: `M Δv = (TA)ᵀ I`, `ΔV = T A Δv`, reaction impulses `ρ = Tᵀ (M ΔV − I)`, by the sweep of
//! `articulated_body` with impulses for forces, without w. A contact with the row `g` of relative speed along its direction
//! has `g Δv = −(1 + e) g v⁻` (Newton), so its impulse is `Λ = −(1 + e) (g v⁻ + g₀) / (g M⁻¹ gᵀ)`. Constraints stay fulfilled,
//! `A Δv = 0`, with impulses `Aᵀ μ`; finite forces and gravity have no impulse.
//! Shapes:  nv; one wrench a body.
//! Frames:  impulses in body axes about the pole; a contact's direction in ground axes.
//! Units:   N·s, N·m·s.
//! Cost:    O(bodies), and a sweep more for each constraint row.
//! Not handled: friction; several contacts at once; whether the contact closes: with `g v⁻ > 0` it would pull.

use super::reactions;
use crate::algebra::{Scalar, Vec3, Wrench};
use crate::formalism::dynamics::actions::seen_from;
use crate::formalism::dynamics::pivots::pivot_of;
use crate::formalism::dynamics::saddle::solve_by_inverse;
use crate::formalism::dynamics::sweep::Sweep;
use crate::kinematics::{ConstraintRow, Kinematics, active_rows, kinematics, motions, vector};
use crate::mechanism::{Environment, Mechanism, Placement};

/// Velocity jumps and impulses.
#[derive(Clone, Debug)]
pub struct Impact<S> {
    /// `Δv`, in spec order.
    pub jump: Vec<S>,
    /// Impulse of the contact along its direction; zero where impulses were given.
    pub contact: S,
    /// Impulses of the constraints, one a row.
    pub multipliers: Vec<S>,
    /// The impulse on each body through its inboard joint, in body axes about the pole.
    pub reactions: Vec<Wrench<S>>,
    /// What was divided by, with names, in the order of elimination.
    pub pivots: Vec<(String, S)>,
}

/// A point that strikes another along a direction.
#[derive(Clone, Debug)]
pub struct Contact<'a, S> {
    /// Body and point that are struck.
    pub on: (usize, &'a Placement),
    /// The other body and the point on it; the ground if `None`.
    pub by: Option<(usize, &'a Placement)>,
    /// Unit vector along which the first point is pushed, in ground axes.
    pub direction: Vec3<S>,
    /// Coefficient of restitution: 1 keeps the energy, 0 ends the approach.
    pub restitution: S,
}

/// Jumps by impulses on bodies, in body axes about their poles.
pub fn impact<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    impulses: &[(usize, Wrench<S>)],
) -> Impact<S> {
    let k = motions(m, env);
    let mut wrenches = vec![Wrench::ZERO; m.bodies.len()];
    for (body, impulse) in impulses {
        wrenches[*body] = wrenches[*body] + *impulse;
    }
    strike(m, &k, env, wrenches)
}

/// Jumps by a contact with restitution.
pub fn impact_with_restitution<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    contact: &Contact<'_, S>,
) -> Impact<S> {
    let k = kinematics(m, env);
    let unit = unit_impulse(m, &k, env, contact);
    let approach = k.bodies.iter().zip(&unit).fold(S::ZERO, |sum, (b, w)| sum + w.power(b.twist));
    let answer = strike(m, &k, env, unit.clone());
    let mut along = S::ZERO;
    for (body, wrench) in k.bodies.iter().zip(&unit) {
        for (speed, column) in &body.partial {
            along = along + wrench.power(*column) * answer.jump[*speed];
        }
    }
    let impulse = -((S::ONE + contact.restitution) * approach / along);
    let scaled = |w: &Wrench<S>| Wrench { f: w.f.scale(impulse), m: w.m.scale(impulse) };
    let mut pivots = answer.pivots;
    pivots.push(("pivot of the contact".to_owned(), along));
    Impact {
        jump: answer.jump.iter().map(|x| *x * impulse).collect(),
        contact: impulse,
        multipliers: answer.multipliers.iter().map(|x| *x * impulse).collect(),
        reactions: answer.reactions.iter().map(scaled).collect(),
        pivots,
    }
}

/// The wrenches on the bodies of a contact of unit impulse.
fn unit_impulse<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    contact: &Contact<'_, S>,
) -> Vec<Wrench<S>> {
    let mut wrenches = vec![Wrench::ZERO; m.bodies.len()];
    let arm = |body: usize, point: &Placement| vector(&point.origin, env) - k.bodies[body].pole;
    let (body, point) = contact.on;
    let along = k.bodies[body].to_body(contact.direction);
    wrenches[body] = Wrench::force_at(along, arm(body, point));
    if let Some((other, point)) = contact.by {
        let along = seen_from(m, k, Some(body), Some(other)).rotation.apply(along);
        wrenches[other] = wrenches[other] - Wrench::force_at(along, arm(other, point));
    }
    wrenches
}

fn strike<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    impulses: Vec<Wrench<S>>,
) -> Impact<S> {
    // Constraints hold before and after: their rows without what stands on the right.
    let rows: Vec<ConstraintRow<S>> =
        active_rows(m, env).into_iter().map(|row| ConstraintRow { gamma: S::ZERO, ..row }).collect();
    let sweep = Sweep::new(m, k);
    let still = vec![S::ZERO; m.nv()];
    let mut swept = sweep.strike(m, k, impulses.clone(), &still);
    let c = solve_by_inverse(&rows, std::mem::take(&mut swept.accelerations), |row| sweep.inverse(m, k, row));
    let mut efforts = still;
    for (row, mu) in rows.iter().zip(&c.multipliers) {
        efforts.iter_mut().zip(&row.jacobian).for_each(|(tau, a)| *tau = *tau + *a * *mu);
    }
    if !rows.is_empty() {
        swept.reactions = sweep.strike(m, k, impulses, &efforts).reactions;
    }
    let reactions = if reactions::any_from_ground(m) {
        let none = vec![Wrench::ZERO; m.bodies.len()];
        reactions::through(m, k, &c.accelerations, &none, &efforts, swept.reactions)
    } else {
        swept.reactions
    };
    let mut pivots: Vec<(String, S)> = sweep.pivots.iter().map(|(s, u)| (pivot_of(m, *s), *u)).collect();
    let rows = rows.iter().zip(&c.independence);
    pivots.extend(rows.map(|(row, x)| (format!("independence of constraint {}", row.name), *x)));
    Impact { jump: c.accelerations, contact: S::ZERO, multipliers: c.multipliers, reactions, pivots }
}
