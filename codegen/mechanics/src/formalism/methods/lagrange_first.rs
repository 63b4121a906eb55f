//! Lagrange's equations of the first kind (5.6): accelerations of bodies and multipliers of the
//! joints.
//!
//! Problem: `(M, −Sᵀ Z; −Zᵀ S, 0)` of `(V̇, λ)` with the right-hand side `(F* + Sᵀ Y τ; −Zᵀ w)`;
//!          reactions `R = Z λ + Y τ`.
//! Method:  tree-forms paper (5.6) with the right-hand side of mechanics 1.6, point 3, and drives
//!          as in 1.3. An armature adds `−I v̇` to τ with `v̇ = Yᵀ (S V̇ − w)`; a rotor adds
//!          `−h · ω̇`, and `−h v̇` to its carrier. The paper eliminates V̇ first, by M⁻¹, which
//!          does not exist for slender rods and massless bodies. Here the unknowns are in the bases
//!          of the joints (`redundant`), and elimination goes from the leaves to the root: the
//!          equations of motion along the constrained directions of a joint determine λ, its
//!          kinematics the corresponding part of V̇, both with pivots −1. The rest along the free
//!          columns has the pivots of `M = LᵀDL`.
//! Constraints: efforts `Gᵀ μ` and rows `G v̇ = γ`, eliminated last, together with speeds that only
//! constraints determine (`elimination_order`).
//! Shapes:  12N − n, and one row more for each constraint row.
//! Frames:  body axes, about the pole.
//! Units:   SI; λ in N or N·m.
//! Cost:    O(bodies).
//!
//! Not handled: pivots that vanish at some poses only; they are reported with their names.

use crate::formalism::dynamics::applied::Applied;
use crate::formalism::dynamics::elimination_order::{Named, elimination_order, named_pivots};
use crate::formalism::dynamics::redundant::{
    Components, Redundant, add_acceleration, add_kinematics, add_rotor_share, bodies, recover,
};
use crate::formalism::dynamics::solved::Solved;
use crate::formalism::dynamics::sparse_system::{Extended, SystemLayout, rate_names};
use crate::formalism::method::{ConstraintsBy, Equations, Facts, Lean, Method, SolvedSystem};
use crate::kinematics::{ConstraintRow, Kinematics, active_rows, motions};
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Scalar, SparseRows, Wrench};

/// Lagrange's formalism of the first kind: accelerations of bodies and multipliers of joints as
/// unknowns.
pub(crate) struct LagrangeFirst;

impl Method for LagrangeFirst {
    const FACTS: Facts = Facts {
        name: "lagrange_first",
        description: "Lagrange's equations of the first kind: multipliers of the joints; O(n)",
        solves: SolvedSystem::System { reactions: true },
        constraints: ConstraintsBy::Unknowns,
        states_equations: false,
        mass: None,
        partial_velocities: true,
        growth: 0,
        lean: Lean::No,
        cubes_denominators: false,
        sources: &["ByachkovIvanovShimanovsky2009"],
    };

    fn equations<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Equations<S>> {
        let k = motions(m, env);
        let applied = Applied::new(m, &k, env);
        Some(Equations::Extended(system(m, &k, env, &applied, &active_rows(m, env))))
    }

    fn solve<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, rows: &[ConstraintRow<S>]) -> Solved<S> {
        let k = motions(m, env);
        solve(m, &k, env, &Applied::new(m, &k, env), rows)
    }
}

fn rows<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
    bodies: &[Redundant<S>],
) -> SparseRows<S> {
    let first = first_constraint(m);
    let mut rows = SparseRows::new(first + constraints.len());
    let forces = applied.with_prescribed_rotors(k);
    for (i, own) in BodyId::enumerate(bodies) {
        let (body, parent) = (&k.bodies[i], m.parent(i));
        for (a, twist) in own.basis.iter().enumerate() {
            let momentum = body.inertia.apply(*twist);
            for (b, other) in own.basis.iter().enumerate() {
                rows.add(6 * i.index() + b, 6 * i.index() + a, momentum.power(*other));
            }
            rows.add_right(6 * i.index() + a, forces[i].power(*twist));
        }
        for (b, held) in own.held.iter().enumerate() {
            for a in 0..6 {
                rows.add(6 * i.index() + a, own.offset + b, -own.held_entry(b, a));
            }
            if let Some(parent) = parent {
                for (a, carried) in own.carried.iter().enumerate() {
                    rows.add(6 * parent.index() + a, own.offset + b, held.power(*carried));
                }
            }
        }
        // The effort τ − I v̇ − h · ω̇ + Gᵀ μ through the joint, on the body and on its parent.
        for (s, speed) in own.speeds.iter().enumerate() {
            let own_rows = (0..6).map(|a| (6 * i.index() + a, -own.dual_entry(s, a)));
            let share = |(a, carried): (usize, &_)| {
                (6 * parent.map_or(0, BodyId::index) + a, own.duals[s].power(*carried))
            };
            for (row, share) in own_rows.chain(own.carried.iter().enumerate().map(share)) {
                if share.is_zero() {
                    continue;
                }
                rows.add_right(row, -(share * applied.efforts[*speed]));
                for (r, constraint) in constraints.iter().enumerate() {
                    rows.add(row, first + r, share * constraint.jacobian[*speed]);
                }
                if !own.armature[s].is_zero() {
                    let scale = -(share * own.armature[s]);
                    add_acceleration(&mut rows, row, scale, m, (i, s), bodies, &body.convective);
                }
                for rotor in k.rotors.iter().filter(|r| r.speed == Some(*speed)) {
                    add_rotor_share(&mut rows, row, -share, rotor, bodies);
                }
            }
        }
    }
    for rotor in &k.rotors {
        let Some(s) = bodies[rotor.joint.child()].speeds.iter().position(|x| Some(*x) == rotor.speed) else {
            continue;
        };
        let convective = &k.bodies[rotor.joint.child()].convective;
        for (a, twist) in bodies[rotor.carrier].basis.iter().enumerate() {
            let (row, scale) = (6 * rotor.carrier.index() + a, rotor.share(*twist));
            if !scale.is_zero() {
                add_acceleration(&mut rows, row, scale, m, (rotor.joint.child(), s), bodies, convective);
            }
        }
    }
    add_kinematics(&mut rows, 0, m, k, bodies);
    for (r, constraint) in constraints.iter().enumerate() {
        for (i, own) in BodyId::enumerate(bodies) {
            for (s, speed) in own.speeds.iter().enumerate() {
                let g = constraint.jacobian[*speed];
                if !g.is_zero() {
                    add_acceleration(&mut rows, first + r, g, m, (i, s), bodies, &k.bodies[i].convective);
                }
            }
        }
        rows.add_right(first + r, constraint.gamma);
    }
    rows
}

fn first_constraint(m: &Mechanism) -> usize {
    12 * m.bodies.len() - m.nv()
}

/// The sparse system with unknowns in body axes.
fn system<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> Extended<S> {
    let bodies = bodies(m, k, env, Components::Axes);
    let held = bodies.iter().zip(&m.joints);
    let multipliers = held.flat_map(|(own, joint)| {
        (1..=own.held.len()).map(move |b| format!("reaction {b} of {}", joint.name))
    });
    let mut unknowns = rate_names(m);
    unknowns.extend(multipliers);
    unknowns.extend(constraints.iter().map(|row| format!("multiplier of {}", row.name)));
    let end = first_constraint(m);
    let layout = SystemLayout {
        motion: true,
        speeds: None,
        kinematics: 6 * m.bodies.len()..end,
        constraints: Some(end),
        of_joints: 6 * m.bodies.len() - m.nv(),
        with_speeds: false,
    };
    Extended { unknowns, rows: rows(m, k, applied, constraints, &bodies), layout }
}

/// Solves the system in joint bases by elimination from the leaves to the root.
fn solve<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> Solved<S> {
    let bodies = bodies(m, k, env, Components::Joint);
    let first = first_constraint(m);
    let (mut order, mut named) = (Vec::new(), Vec::new());
    for (i, own) in BodyId::enumerate(&bodies).rev() {
        let free = own.speeds.len();
        order.extend((0..own.held.len()).map(|b| (6 * i.index() + free + b, own.offset + b)));
        order.extend((0..own.held.len()).map(|b| (own.offset + b, 6 * i.index() + free + b)));
        for (s, speed) in own.speeds.iter().enumerate().rev() {
            named.push((6 * i.index() + s, Named::Speed(*speed)));
            order.push((6 * i.index() + s, 6 * i.index() + s));
        }
    }
    let tree = order.len();
    for (r, row) in constraints.iter().enumerate().rev() {
        named.push((first + r, Named::Constraint(&row.name)));
        order.push((first + r, first + r));
    }
    let order = elimination_order(m, order, tree, env, |env| {
        let k = motions(m, env);
        let bodies = self::bodies(m, &k, env, Components::Joint);
        rows(m, &k, &Applied::new(m, &k, env), &active_rows(m, env), &bodies)
    });
    let solved = rows(m, k, applied, constraints, &bodies).eliminate(&order.places, order.late);
    let x = &solved.x;
    let (rates, accelerations) = recover(m, k, &bodies, x);
    let multipliers: Vec<S> = x[first..].to_vec();
    let reaction = |own: &Redundant<S>| {
        let scaled = |w: &Wrench<S>, x: S| Wrench { f: w.f.scale(x), m: w.m.scale(x) };
        let held = own.held.iter().enumerate().map(|(b, z)| scaled(z, x[own.offset + b]));
        let driven = own.speeds.iter().enumerate().map(|(s, speed)| {
            let constrained = constraints.iter().zip(&multipliers);
            let effort =
                constrained.fold(applied.efforts[*speed], |sum, (row, mu)| sum + row.jacobian[*speed] * *mu);
            let mut taken = own.armature[s] * accelerations[*speed];
            for rotor in k.rotors.iter().filter(|r| r.speed == Some(*speed)) {
                taken = taken + rotor.share(rates[rotor.carrier]);
            }
            scaled(&own.duals[s], effort - taken)
        });
        held.chain(driven).fold(Wrench::ZERO, |sum, w| sum + w)
    };
    let reactions = bodies.iter().map(reaction).collect();
    let pivots = named_pivots(m, env, k, &order, &named, &solved);
    Solved {
        accelerations,
        multipliers,
        pivots,
        independence: Vec::new(),
        lengths: Vec::new(),
        carried: Some(reactions),
    }
}
