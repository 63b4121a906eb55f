//! Impact: jumps of the speeds under impulses.
//!
//! Problem: impulses on bodies, or a contact of two points along a direction with a coefficient of
//!          restitution; the configuration is constant while the speeds jump.
//! Method:  mechanics 1.5: `M Δv = (TA)ᵀ I`, `ΔV = T A Δv`, reaction impulses `ρ = Tᵀ (M ΔV − I)`,
//!          by the sweep of `articulated_body` with impulses for forces, without w. A contact with
//!          the row `g` of relative speed along its direction has `g Δv = −(1 + e) g v⁻` (Newton),
//!          so its impulse is `Λ = −(1 + e) (g v⁻ + g₀) / (g M⁻¹ gᵀ)`. Constraints remain
//!          fulfilled, `A Δv = 0`, by impulses `Aᵀ μ`; finite forces and gravity have no impulse.
//!          Impulses of inputs act like the inputs: along the derivative of the loads by them, at
//!          `u = 0`. If M of the tree is singular, the jumps are computed by projection
//!          (`projected`), and `ρ` from them.
//! Shapes:  nv; one wrench for each body.
//! Frames:  impulses in body axes about the pole; a contact's direction in ground axes.
//! Units:   N·s, N·m·s.
//! Cost:    O(bodies), and one more sweep for each constraint row.
//!
//! Not handled: friction; several contacts at once; detection if the contact closes: with
//! `g v⁻ > 0` it would pull.

use super::reactions;
use crate::formalism::dynamics::actions::{self, relative_pose_in_motion, sum_actions};
use crate::formalism::dynamics::articulated_sweep::ArticulatedSweep;
use crate::formalism::dynamics::mass_matrix::mass_matrix;
use crate::formalism::dynamics::pivots::{Pivot, pivots_with_diagonal};
use crate::formalism::dynamics::projected::Projected;
use crate::formalism::dynamics::saddle::solve_constrained_by_inverse;
use crate::kinematics::accumulate::{accumulate_wrenches_to_root, project_on_partial_velocities};
use crate::kinematics::{
    ConstraintRow, Kinematics, Selection, constraint_rows, evaluate_vector, kinematics,
    kinematics_without_jacobians,
};
use crate::mechanism::{BodyId, Environment, Mechanism, Placement};
use dqdt_algebra::{Jet, Scalar, Twist, Vec3, Wrench};

/// Result of an impact: jumps of the speeds, with the impulses of contact, constraints and joints.
#[derive(Clone, Debug)]
pub struct Impact<S> {
    /// Jumps `Δv` of the speeds, in spec order.
    pub jump: Vec<S>,
    /// Impulse of the contact along its direction \[N·s\]; zero if impulses were given.
    pub contact: S,
    /// Impulses of the constraints, one for each constraint row.
    pub multipliers: Vec<S>,
    /// Impulse on each body through its inboard joint, in body axes about the pole.
    pub reactions: Vec<Wrench<S>>,
    /// Named divisors of the solution, in the order of elimination.
    pub pivots: Vec<Pivot<S>>,
}

/// A point that strikes another along a direction, with restitution: input of an impact.
#[derive(Clone, Debug)]
pub struct Contact<'a, S> {
    /// Body that is struck, and the point on it.
    pub on: (BodyId, &'a Placement),
    /// The striking body and the point on it; `None` for the ground.
    pub by: Option<(BodyId, &'a Placement)>,
    /// Unit vector along which the first point is pushed, in ground axes.
    pub direction: Vec3<S>,
    /// Coefficient of restitution: 1 conserves energy, 0 ends the approach.
    pub restitution: S,
}

/// Jumps of the speeds under impulses on bodies, in body axes about their poles.
pub fn impact<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    impulses: &[(BodyId, Wrench<S>)],
) -> Impact<S> {
    let k = kinematics_without_jacobians(m, env);
    let mut wrenches = vec![Wrench::ZERO; m.bodies.len()];
    for (body, impulse) in impulses {
        wrenches[*body] = wrenches[*body] + *impulse;
    }
    solve_impact(m, &k, env, Impulses { wrenches, ..Impulses::zero(m) })
}

/// Jumps of the speeds by a contact of two points with restitution.
pub fn impact_with_restitution<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    contact: &Contact<'_, S>,
) -> Impact<S> {
    let k = kinematics(m, env);
    let unit = unit_contact_wrenches(m, &k, env, contact);
    let approach = k.bodies.iter().zip(&unit).fold(S::ZERO, |sum, (b, w)| sum + w.power_on_twist(b.twist));
    let answer = solve_impact(m, &k, env, Impulses { wrenches: unit.clone(), ..Impulses::zero(m) });
    let mut along = S::ZERO;
    for (body, wrench) in k.bodies.iter().zip(&unit) {
        for (speed, column) in &body.partial {
            along = along + wrench.power_on_twist(*column) * answer.jump[*speed];
        }
    }
    let impulse = -((S::ONE + contact.restitution) * approach / along);
    let mut pivots = answer.pivots;
    pivots.push(Pivot { name: "pivot of the contact".to_owned(), ..Pivot::row_pivot("", along, None) });
    Impact {
        jump: answer.jump.iter().map(|x| *x * impulse).collect(),
        contact: impulse,
        multipliers: answer.multipliers.iter().map(|x| *x * impulse).collect(),
        reactions: answer.reactions.iter().map(|w| w.scale(impulse)).collect(),
        pivots,
    }
}

/// Wrenches on the bodies for a unit impulse of the contact, in body axes about the poles.
fn unit_contact_wrenches<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    contact: &Contact<'_, S>,
) -> Vec<Wrench<S>> {
    let mut wrenches = vec![Wrench::ZERO; m.bodies.len()];
    let arm = |body: BodyId, point: &Placement| evaluate_vector(&point.origin, env) - k.bodies[body].pole;
    let (body, point) = contact.on;
    let along = k.bodies[body].rotate_to_body_axes(contact.direction);
    wrenches[body] = Wrench::from_force_at(along, arm(body, point));
    if let Some((other, point)) = contact.by {
        let along = relative_pose_in_motion(m, k, Some(body), Some(other)).rotation.apply(along);
        wrenches[other] = wrenches[other] - Wrench::from_force_at(along, arm(other, point));
    }
    wrenches
}

/// Jumps of the speeds under impulses of the inputs, `∫ u dt` over the blow. Inputs act as at `u =
/// 0`, without their limits.
pub fn impact_by_inputs<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, inputs: &[S]) -> Impact<S> {
    let k = kinematics_without_jacobians(m, env);
    let mut impulses = Impulses::zero(m);
    env.with_input_jets(inputs, |lifted| {
        let k = kinematics_without_jacobians(m, lifted);
        let actuators = actions::selected_load_actions(m, &k, lifted, &reactions::is_actuator);
        let (wrenches, efforts) = sum_actions(m, &actuators);
        add_wrench_derivatives(&wrenches, &mut impulses.wrenches);
        add_wrench_derivatives(&wrenches, &mut impulses.opposites);
        add_effort_derivatives(&efforts, &mut impulses.efforts);
        let others = actions::selected_load_actions(m, &k, lifted, &|kind| !reactions::is_actuator(kind));
        let (wrenches, efforts) = sum_actions(m, &others);
        add_wrench_derivatives(&wrenches, &mut impulses.wrenches);
        add_effort_derivatives(&efforts, &mut impulses.efforts);
        add_effort_derivatives(&efforts, &mut impulses.from_ground);
    });
    solve_impact(m, &k, env, impulses)
}

/// Adds the derivatives of wrenches over jets to `to`.
fn add_wrench_derivatives<S: Scalar>(wrenches: &[Wrench<Jet<S>>], to: &mut [Wrench<S>]) {
    for (x, w) in to.iter_mut().zip(wrenches) {
        *x = *x + Wrench { f: Vec3(w.f.0.map(|x| x.d)), m: Vec3(w.m.0.map(|x| x.d)) };
    }
}

/// Adds the derivatives of efforts over jets to `to`.
fn add_effort_derivatives<S: Scalar>(efforts: &[Jet<S>], to: &mut [S]) {
    to.iter_mut().zip(efforts).for_each(|(x, e)| *x = *x + e.d);
}

/// Impulses that act on a mechanism in an impact.
struct Impulses<S> {
    /// Impulses on the bodies, in body axes about the poles.
    wrenches: Vec<Wrench<S>>,
    /// Impulses on the speeds, conjugate to them.
    efforts: Vec<S>,
    /// Part of `wrenches` from actuators: the opposites of efforts on absolute angles.
    opposites: Vec<Wrench<S>>,
    /// Part of `efforts` that acts from the ground on absolute angles.
    from_ground: Vec<S>,
}

impl<S: Scalar> Impulses<S> {
    /// No impulses.
    fn zero(m: &Mechanism) -> Self {
        let (still, none) = (vec![S::ZERO; m.nv()], vec![Wrench::ZERO; m.bodies.len()]);
        Impulses { wrenches: none.clone(), efforts: still.clone(), opposites: none, from_ground: still }
    }
}

/// Impact under impulses: jumps of the speeds by the ABA sweep, with constraints and reactions.
fn solve_impact<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    impulses: Impulses<S>,
) -> Impact<S> {
    // Constraints hold before and after, so their rows have zero right-hand sides.
    let all: Vec<ConstraintRow<S>> =
        constraint_rows(m, env).into_iter().map(|row| ConstraintRow { gamma: S::ZERO, ..row }).collect();
    let selection = Selection::new(m, env.partition, &all);
    let rows = &selection.rows;
    if env.partition.tree_is_singular {
        return solve_impact_by_projection(m, k, env, (&all, &selection), impulses);
    }
    let Impulses { mut wrenches, mut efforts, opposites, mut from_ground } = impulses;
    let sweep = ArticulatedSweep::new(m, k);
    let mut swept = sweep.solve_impulses(m, k, wrenches.clone(), &efforts);
    let c = solve_constrained_by_inverse(rows, std::mem::take(&mut swept.accelerations), |row| {
        sweep.solve_unit_multiplier(m, k, row)
    });
    let multipliers = selection.expand_to_all_rows(&c.multipliers);
    if !rows.is_empty() {
        add_constraint_impulses(m, env, (&all, &multipliers), &mut wrenches, &mut efforts, &mut from_ground);
        swept.reactions = sweep.solve_impulses(m, k, wrenches, &efforts).reactions;
    }
    let reactions = joint_impulses(m, k, &c.accelerations, &opposites, &from_ground, swept.reactions);
    let mut pivots = pivots_with_diagonal(m, env, k, sweep.pivots.iter().copied());
    let of_rows = rows.iter().zip(c.lengths.iter().zip(&c.independence));
    pivots.extend(of_rows.flat_map(|(row, (length, x))| {
        [Pivot::row_length_pivot(&row.name, *length), Pivot::row_independence_pivot(&row.name, *x)]
    }));
    Impact { jump: c.accelerations, contact: S::ZERO, multipliers, reactions, pivots }
}

/// Impact by projection onto the null space of the constraints, for mechanisms whose tree has a
/// singular mass matrix.
fn solve_impact_by_projection<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    (all, selection): (&[ConstraintRow<S>], &Selection<S>),
    impulses: Impulses<S>,
) -> Impact<S> {
    let Impulses { mut wrenches, mut efforts, opposites, mut from_ground } = impulses;
    let struck = accumulate_wrenches_to_root(m, k, wrenches.clone(), "struck");
    let along = project_on_partial_velocities(m, k, &struck);
    let right: Vec<S> = along.iter().zip(&efforts).map(|(x, e)| *x + *e).collect();
    let solution = Projected::new(m, env.partition, &selection.rows, &mass_matrix(m, k)).solve(&right);
    let (jump, multipliers) = (solution.accelerations, selection.expand_to_all_rows(&solution.multipliers));
    add_constraint_impulses(m, env, (all, &multipliers), &mut wrenches, &mut efforts, &mut from_ground);
    let carried = transmitted_impulses(m, k, &jump, &wrenches);
    let reactions = joint_impulses(m, k, &jump, &opposites, &from_ground, carried);
    Impact { jump, contact: S::ZERO, multipliers, reactions, pivots: solution.pivots }
}

/// Adds the impulses of the constraints, including those that act from the ground.
fn add_constraint_impulses<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    held: (&[ConstraintRow<S>], &[S]),
    wrenches: &mut [Wrench<S>],
    efforts: &mut [S],
    from_ground: &mut [S],
) {
    let before = efforts.to_vec();
    reactions::add_constraint_forces(m, env, held, wrenches, efforts);
    let held = efforts.iter().zip(&before).map(|(e, b)| *e - *b);
    from_ground.iter_mut().zip(held).for_each(|(x, held)| *x = *x + held);
}

/// Impulses through the joints, from those that C′ transmits, corrected for absolute angles.
fn joint_impulses<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    jump: &[S],
    opposites: &[Wrench<S>],
    from_ground: &[S],
    carried: Vec<Wrench<S>>,
) -> Vec<Wrench<S>> {
    if !reactions::has_absolute_angles(m) {
        return carried;
    }
    reactions::correct_for_absolute_angles(m, k, jump, opposites, from_ground, carried)
}

/// Impulses `Tᵀ (M ΔV − I)` through the joints, from the jumps of the speeds and impulses on the
/// bodies.
fn transmitted_impulses<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    jump: &[S],
    impulses: &[Wrench<S>],
) -> Vec<Wrench<S>> {
    let mut jumps: Vec<Twist<S>> = Vec::with_capacity(k.bodies.len());
    for (joint, body) in m.joints.iter().zip(&k.bodies) {
        let carried = joint.parent.map_or(Twist::ZERO, |p| body.carry_parent_twist(jumps[p]));
        let joint_terms = body.columns.iter().filter_map(|c| c.speed.map(|s| c.twist.scale(jump[s])));
        jumps.push(joint_terms.fold(carried, |sum, x| sum + x));
    }
    let bodies = k.bodies.iter().zip(&jumps).zip(impulses);
    let mut needed: Vec<Wrench<S>> = bodies.map(|((b, jump), i)| b.inertia.momentum(*jump) - *i).collect();
    for rotor in &k.rotors {
        if let Some(speed) = rotor.speed {
            needed[rotor.carrier] = needed[rotor.carrier] + rotor.moment_on_carrier(jump[speed]);
        }
    }
    accumulate_wrenches_to_root(m, k, needed, "struck")
}
