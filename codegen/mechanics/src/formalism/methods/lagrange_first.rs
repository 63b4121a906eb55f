//! Lagrange's equations of the first kind (5.6): accelerations of bodies and multipliers of the
//! joints.
//!
//! Problem: `(M, −Sᵀ Z; −Zᵀ S, 0)` of `(V̇, λ)` with the right-hand side `(F* + Sᵀ Y τ; −Zᵀ w)`;
//!          reactions `R = Z λ + Y τ`.
//! Method:  tree-forms paper (5.6) with the right-hand side of mechanics 1.6, point 3, and drives
//!          as in 1.3. An armature adds `−I v̇` to τ with `v̇ = Yᵀ (S V̇ − w)`; a rotor adds
//!          `−h · ω̇`, and `−h v̇` to its carrier. The paper eliminates V̇ first, by M⁻¹, which
//!          does not exist for slender rods and massless bodies. Here the unknowns are in the bases
//!          of the joints (`body_twist_unknowns`), and elimination goes from the leaves to the
//!          root: the equations of motion along the constrained directions of a joint determine λ,
//!          its kinematics the corresponding part of V̇, both with pivots −1. The rest along the
//!          free columns has the pivots of `M = LᵀDL`.
//! Constraints: efforts `Gᵀ μ` and rows `G v̇ = γ`, eliminated last, together with speeds that only
//! constraints determine (`elimination_order`).
//! Shapes:  12N − n, and one row more for each constraint row.
//! Frames:  body axes, about the pole.
//! Units:   SI; λ in N or N·m.
//! Cost:    O(bodies).
//!
//! Not handled: pivots that vanish at some poses only; they are reported with their names.

use crate::formalism::dynamics::applied::Applied;
use crate::formalism::dynamics::body_twist_unknowns::{
    BodyUnknowns, Components, add_joint_kinematic_rows, add_rotor_carrier_term, add_speed_acceleration,
    body_unknowns, recover_accelerations,
};
use crate::formalism::dynamics::elimination_order::{PivotSubject, choose_elimination_order, named_pivots};
use crate::formalism::dynamics::solved::DynamicsSolution;
use crate::formalism::dynamics::sparse_system::{Extended, SystemLayout, body_acceleration_names};
use crate::formalism::method::{ConstraintsBy, Equations, Facts, Lean, Method, SolvedSystem};
use crate::kinematics::{ConstraintRow, Kinematics, active_stabilised_rows, kinematics_without_jacobians};
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Scalar, SparseRows, Wrench};

/// Formalism `lagrange_first`: Lagrange's equations of the first kind, with accelerations of bodies
/// and multipliers of joints as unknowns.
pub(crate) struct LagrangeFirst;

impl Method for LagrangeFirst {
    const FACTS: Facts = Facts {
        name: "lagrange_first",
        description: "Lagrange's equations of the first kind, with multipliers for the joints; O(n)",
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
        let k = kinematics_without_jacobians(m, env);
        let applied = Applied::new(m, &k, env);
        Some(Equations::Extended(build_printed_system(m, &k, env, &applied, &active_stabilised_rows(m, env))))
    }

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let k = kinematics_without_jacobians(m, env);
        solve_in_joint_bases(m, &k, env, &Applied::new(m, &k, env), rows)
    }
}

/// Matrix and right-hand side of the sparse system, in the basis of `body_unknowns`.
fn build_rows<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
    body_unknowns: &[BodyUnknowns<S>],
) -> SparseRows<S> {
    let first = first_constraint_row(m);
    let mut rows = SparseRows::new(first + constraints.len());
    let system = BodySystem { m, k, efforts: &applied.efforts, constraints, body_unknowns };
    let forces = applied.subtract_prescribed_rotors(k);
    for (i, unknowns) in BodyId::enumerate(body_unknowns) {
        let body = &k.bodies[i];
        for (a, twist) in unknowns.basis.iter().enumerate() {
            let momentum = body.inertia.momentum(*twist);
            for (b, other) in unknowns.basis.iter().enumerate() {
                rows.add_entry(6 * i.index() + b, 6 * i.index() + a, momentum.power_on_twist(*other));
            }
            rows.add_right_hand_side(6 * i.index() + a, forces[i].power_on_twist(*twist));
        }
        system.add_reactions(&mut rows, i, unknowns);
        system.add_joint_efforts(&mut rows, i, unknowns);
    }
    system.add_rotor_momenta(&mut rows);
    add_joint_kinematic_rows(&mut rows, 0, m, k, body_unknowns);
    system.add_constraint_rows(&mut rows);
    rows
}

/// Quantities from which the rows of the sparse system are built.
struct BodySystem<'a, S> {
    m: &'a Mechanism,
    k: &'a Kinematics<S>,
    /// Efforts of the speeds.
    efforts: &'a [S],
    constraints: &'a [ConstraintRow<S>],
    body_unknowns: &'a [BodyUnknowns<S>],
}

impl<S: Scalar> BodySystem<'_, S> {
    /// Adds the constrained wrenches of a joint to the rows of its body and of the parent.
    fn add_reactions(&self, rows: &mut SparseRows<S>, i: BodyId, unknowns: &BodyUnknowns<S>) {
        let parent = self.m.parent_body(i);
        for (b, wrench) in unknowns.constrained.iter().enumerate() {
            for a in 0..6 {
                rows.add_entry(6 * i.index() + a, unknowns.offset + b, -unknowns.constrained_entry(b, a));
            }
            if let Some(parent) = parent {
                for (a, twist) in unknowns.parent_basis.iter().enumerate() {
                    rows.add_entry(
                        6 * parent.index() + a,
                        unknowns.offset + b,
                        wrench.power_on_twist(*twist),
                    );
                }
            }
        }
    }

    /// Adds the effort τ − I v̇ − h · ω̇ + Gᵀ μ through a joint to the rows of its body and of the
    /// parent.
    fn add_joint_efforts(&self, rows: &mut SparseRows<S>, i: BodyId, unknowns: &BodyUnknowns<S>) {
        let Self { m, k, efforts, constraints, body_unknowns } = *self;
        let first = first_constraint_row(m);
        let (body, parent) = (&k.bodies[i], m.parent_body(i));
        for (s, speed) in unknowns.speeds.iter().enumerate() {
            let body_rows = (0..6).map(|a| (6 * i.index() + a, -unknowns.dual_entry(s, a)));
            let parent_rows = unknowns.parent_basis.iter().enumerate().map(|(a, twist)| {
                (6 * parent.map_or(0, BodyId::index) + a, unknowns.duals[s].power_on_twist(*twist))
            });
            for (row, share) in body_rows.chain(parent_rows) {
                if share.is_zero() {
                    continue;
                }
                rows.add_right_hand_side(row, -(share * efforts[*speed]));
                for (r, constraint) in constraints.iter().enumerate() {
                    rows.add_entry(row, first + r, share * constraint.jacobian[*speed]);
                }
                if !unknowns.armature[s].is_zero() {
                    let scale = -(share * unknowns.armature[s]);
                    add_speed_acceleration(rows, row, scale, m, (i, s), body_unknowns, &body.convective);
                }
                for rotor in k.rotors.iter().filter(|r| r.speed == Some(*speed)) {
                    add_rotor_carrier_term(rows, row, -share, rotor, body_unknowns);
                }
            }
        }
    }

    /// Adds the momenta `h v̇` of rotors to the rows of their carriers.
    fn add_rotor_momenta(&self, rows: &mut SparseRows<S>) {
        let Self { m, k, body_unknowns, .. } = *self;
        for rotor in &k.rotors {
            let Some(s) =
                body_unknowns[rotor.joint.child()].speeds.iter().position(|x| Some(*x) == rotor.speed)
            else {
                continue;
            };
            let convective = &k.bodies[rotor.joint.child()].convective;
            for (a, twist) in body_unknowns[rotor.carrier].basis.iter().enumerate() {
                let (row, scale) = (6 * rotor.carrier.index() + a, rotor.project_on_momentum(*twist));
                if !scale.is_zero() {
                    add_speed_acceleration(
                        rows,
                        row,
                        scale,
                        m,
                        (rotor.joint.child(), s),
                        body_unknowns,
                        convective,
                    );
                }
            }
        }
    }

    /// Adds the rows `G v̇ = γ` of the constraints.
    fn add_constraint_rows(&self, rows: &mut SparseRows<S>) {
        let Self { m, k, constraints, body_unknowns, .. } = *self;
        let first = first_constraint_row(m);
        for (r, constraint) in constraints.iter().enumerate() {
            for (i, unknowns) in BodyId::enumerate(body_unknowns) {
                for (s, speed) in unknowns.speeds.iter().enumerate() {
                    let g = constraint.jacobian[*speed];
                    if !g.is_zero() {
                        add_speed_acceleration(
                            rows,
                            first + r,
                            g,
                            m,
                            (i, s),
                            body_unknowns,
                            &k.bodies[i].convective,
                        );
                    }
                }
            }
            rows.add_right_hand_side(first + r, constraint.gamma);
        }
    }
}

/// Index of the first constraint row in the sparse system.
fn first_constraint_row(m: &Mechanism) -> usize {
    12 * m.bodies.len() - m.nv()
}

/// The sparse system of the formalism with unknowns in body axes, for printing.
fn build_printed_system<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> Extended<S> {
    let body_unknowns = body_unknowns(m, k, env, Components::Axes);
    let multipliers = body_unknowns.iter().zip(&m.joints).flat_map(|(unknowns, joint)| {
        (1..=unknowns.constrained.len()).map(move |b| format!("reaction {b} of {}", joint.name))
    });
    let mut unknowns = body_acceleration_names(m);
    unknowns.extend(multipliers);
    unknowns.extend(constraints.iter().map(|row| format!("multiplier of {}", row.name)));
    let end = first_constraint_row(m);
    let layout = SystemLayout {
        motion: true,
        speeds: None,
        kinematics: 6 * m.bodies.len()..end,
        constraints: Some(end),
        joint_unknowns: 6 * m.bodies.len() - m.nv(),
        with_speeds: false,
    };
    Extended { unknowns, rows: build_rows(m, k, applied, constraints, &body_unknowns), layout }
}

/// Solves the sparse system in joint bases by elimination from the leaves to the root.
fn solve_in_joint_bases<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> DynamicsSolution<S> {
    let body_unknowns = body_unknowns(m, k, env, Components::Joint);
    let first = first_constraint_row(m);
    let (mut order, mut named) = (Vec::new(), Vec::new());
    for (i, unknowns) in BodyId::enumerate(&body_unknowns).rev() {
        let free = unknowns.speeds.len();
        order
            .extend((0..unknowns.constrained.len()).map(|b| (6 * i.index() + free + b, unknowns.offset + b)));
        order
            .extend((0..unknowns.constrained.len()).map(|b| (unknowns.offset + b, 6 * i.index() + free + b)));
        for (s, speed) in unknowns.speeds.iter().enumerate().rev() {
            named.push((6 * i.index() + s, PivotSubject::Speed(*speed)));
            order.push((6 * i.index() + s, 6 * i.index() + s));
        }
    }
    let tree = order.len();
    for (r, row) in constraints.iter().enumerate().rev() {
        named.push((first + r, PivotSubject::Constraint(&row.name)));
        order.push((first + r, first + r));
    }
    let order = choose_elimination_order(m, order, tree, env, |env| {
        let k = kinematics_without_jacobians(m, env);
        let body_unknowns = self::body_unknowns(m, &k, env, Components::Joint);
        build_rows(m, &k, &Applied::new(m, &k, env), &active_stabilised_rows(m, env), &body_unknowns)
    });
    let solved =
        build_rows(m, k, applied, constraints, &body_unknowns).solve_in_order(&order.places, order.late);
    let x = &solved.x;
    let (rates, accelerations) = recover_accelerations(m, k, &body_unknowns, x);
    let multipliers: Vec<S> = x[first..].to_vec();
    let reactions = (body_unknowns.iter())
        .map(|unknowns| {
            let constrained = unknowns
                .constrained
                .iter()
                .enumerate()
                .map(|(b, wrench)| wrench.scale(x[unknowns.offset + b]));
            let driven = unknowns.speeds.iter().enumerate().map(|(s, speed)| {
                let effort = (constraints.iter().zip(&multipliers))
                    .fold(applied.efforts[*speed], |sum, (row, mu)| sum + row.jacobian[*speed] * *mu);
                let mut inertial = unknowns.armature[s] * accelerations[*speed];
                for rotor in k.rotors.iter().filter(|r| r.speed == Some(*speed)) {
                    inertial = inertial + rotor.project_on_momentum(rates[rotor.carrier]);
                }
                unknowns.duals[s].scale(effort - inertial)
            });
            constrained.chain(driven).fold(Wrench::ZERO, |sum, w| sum + w)
        })
        .collect();
    let pivots = named_pivots(m, env, k, &order, &named, &solved);
    DynamicsSolution {
        accelerations,
        multipliers,
        pivots,
        independence: Vec::new(),
        lengths: Vec::new(),
        joint_wrenches: Some(reactions),
    }
}
