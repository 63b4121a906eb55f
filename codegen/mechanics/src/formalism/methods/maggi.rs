//! Maggi's equations in redundant quasi-velocities (5.8): the twists of the bodies, without
//! multipliers.
//!
//! Problem: `((TA)ᵀ M; Zᵀ S) V̇ = ((TA)ᵀ F* + τ; Zᵀ w)`, n rows of motion and 6N − n of kinematics.
//! Method:  tree-forms paper (5.8) with the signs of mechanics 1.6, point 3. `(TA)ᵀ` are the
//!          partial velocities of the bodies. An armature adds `I v̇` to its row with
//!          `v̇ = Yᵀ (S V̇ − w)`; a rotor adds `h · ω̇`, and `h v̇` to the wrenches on its carrier.
//!          The unknowns are in the bases of the joints (`body_twist_unknowns`). From the leaves to
//!          the root, the kinematics of a joint determine the constrained part of V̇, with pivots
//!          of magnitude one, and the row of a speed determines its free column, with the pivot of
//!          `M = LᵀDL`. There is no division by inertias of bodies.
//! Shapes:  6N; the paper's 12N is a slip. Not symmetric.
//! Frames:  body axes, about the pole.
//! Units:   SI.
//! Cost:    O(bodies · depth): the row of a speed contains every body that it moves.
//! Constraints: rows `Bᵀ (TA)ᵀ M V̇ = Bᵀ ((TA)ᵀ F* + τ)` with the null space B of `G` (mechanics
//! 1.5, "Maggi in V"). The kinematics and `G v̇ = γ` are then fulfilled by `V̇ = V̇₀ + T A B u̇`
//! for any u̇, which leaves a dense system of the independent speeds. Multipliers follow from the
//! rows of the dependent ones. Rows that have no dependent speed valid in every pose are projected
//! (`null_space`).

use crate::formalism::dynamics::applied::Applied;
use crate::formalism::dynamics::body_twist_unknowns::{
    BodyUnknowns, Components, add_joint_kinematic_rows, add_rotor_carrier_term, add_speed_acceleration,
    body_unknowns, recover_accelerations,
};
use crate::formalism::dynamics::null_space::NullSpace;
use crate::formalism::dynamics::pivots::pivots_with_diagonal;
use crate::formalism::dynamics::solved::DynamicsSolution;
use crate::formalism::dynamics::sparse_system::{Extended, SystemLayout, body_acceleration_names};
use crate::formalism::dynamics::{newton_euler, rotors};
use crate::formalism::method::{ConstraintsBy, Equations, Facts, Lean, Method, SolvedSystem};
use crate::kinematics::accumulate::project_on_partial_velocities;
use crate::kinematics::{ConstraintRow, Kinematics, kinematics};
use crate::mechanism::{BodyId, Environment, Mechanism, Partition, SpeedId};
use dqdt_algebra::{Scalar, SparseRows, TreeFactors, Twist};

/// Formalism `maggi`: Maggi's equations, with the accelerations of the bodies as unknowns.
pub(crate) struct Maggi;

impl Method for Maggi {
    const FACTS: Facts = Facts {
        name: "maggi",
        description: "Maggi's equations, written in the twists of the bodies",
        solves: SolvedSystem::System { reactions: false },
        constraints: ConstraintsBy::Projection,
        states_equations: false,
        mass: None,
        partial_velocities: true,
        growth: 4,
        lean: Lean::No,
        cubes_denominators: false,
        sources: &["Maggi1896", "ByachkovIvanovShimanovsky2009"],
    };

    fn equations<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Equations<S>> {
        let k = kinematics(m, env);
        Some(Equations::Extended(build_printed_system(m, &k, env, &Applied::new(m, &k, env))))
    }

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let k = kinematics(m, env);
        let applied = Applied::new(m, &k, env);
        let (solved, rates) = if rows.is_empty() {
            solve_tree_in_joint_bases(m, &k, env, &applied)
        } else {
            solve_on_null_space(m, &k, env.partition, &applied, rows)
        };
        let joint_wrenches = newton_euler::transmitted_wrenches(
            m,
            &k,
            &applied,
            &solved.accelerations,
            &rates,
            newton_euler::SOLVED_NAMES,
        );
        DynamicsSolution { joint_wrenches: Some(joint_wrenches), ..solved }
    }
}

/// Matrix and right-hand side of the sparse system of a tree, in the basis of `body_unknowns`.
fn build_rows<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    body_unknowns: &[BodyUnknowns<S>],
) -> SparseRows<S> {
    let mut rows = SparseRows::new(6 * body_unknowns.len());
    let forces = applied.subtract_prescribed_rotors(k);
    for (i, (body, unknowns)) in BodyId::enumerate(k.bodies.iter().zip(body_unknowns)) {
        for (speed, column) in &body.partial {
            let momentum = body.inertia.momentum(*column);
            for (a, twist) in unknowns.basis.iter().enumerate() {
                rows.add_entry(speed.index(), 6 * i.index() + a, momentum.power_on_twist(*twist));
            }
            rows.add_right_hand_side(speed.index(), forces[i].power_on_twist(*column));
        }
        for (s, speed) in unknowns.speeds.iter().enumerate() {
            rows.add_right_hand_side(speed.index(), applied.efforts[*speed]);
            if !unknowns.armature[s].is_zero() {
                let row = speed.index();
                add_speed_acceleration(
                    &mut rows,
                    row,
                    unknowns.armature[s],
                    m,
                    (i, s),
                    body_unknowns,
                    &body.convective,
                );
            }
        }
    }
    for rotor in &k.rotors {
        let unknowns = &body_unknowns[rotor.joint.child()];
        let Some(s) = unknowns.speeds.iter().position(|x| Some(*x) == rotor.speed) else { continue };
        add_rotor_carrier_term(&mut rows, unknowns.speeds[s].index(), S::ONE, rotor, body_unknowns);
        let convective = &k.bodies[rotor.joint.child()].convective;
        for (speed, column) in &k.bodies[rotor.carrier].partial {
            let scale = rotor.project_on_momentum(*column);
            if !scale.is_zero() {
                let driving = (rotor.joint.child(), s);
                add_speed_acceleration(
                    &mut rows,
                    speed.index(),
                    scale,
                    m,
                    driving,
                    body_unknowns,
                    convective,
                );
            }
        }
    }
    add_joint_kinematic_rows(&mut rows, 6 * body_unknowns.len() - m.nv(), m, k, body_unknowns);
    rows
}

/// The sparse system of the formalism with unknowns in body axes, for printing.
fn build_printed_system<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    applied: &Applied<S>,
) -> Extended<S> {
    let body_unknowns = body_unknowns(m, k, env, Components::Axes);
    let layout = SystemLayout {
        motion: false,
        speeds: Some(0),
        kinematics: m.nv()..6 * m.bodies.len(),
        constraints: None,
        joint_unknowns: 0,
        with_speeds: false,
    };
    Extended { unknowns: body_acceleration_names(m), rows: build_rows(m, k, applied, &body_unknowns), layout }
}

/// Solution without the wrenches through joints, and the accelerations `V̇` of the bodies.
type SolutionAndRates<S> = (DynamicsSolution<S>, Vec<Twist<S>>);

/// Solves a tree without constraints in joint bases by elimination from the leaves to the root.
fn solve_tree_in_joint_bases<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    applied: &Applied<S>,
) -> SolutionAndRates<S> {
    let body_unknowns = body_unknowns(m, k, env, Components::Joint);
    let up = 6 * body_unknowns.len() - m.nv();
    let (mut order, mut named) = (Vec::new(), Vec::new());
    for (i, unknowns) in BodyId::enumerate(&body_unknowns).rev() {
        let free = unknowns.speeds.len();
        order.extend(
            (0..unknowns.constrained.len()).map(|b| (unknowns.offset + b - up, 6 * i.index() + free + b)),
        );
        for (s, speed) in unknowns.speeds.iter().enumerate().rev() {
            named.push((order.len(), *speed));
            order.push((speed.index(), 6 * i.index() + s));
        }
    }
    let solved = build_rows(m, k, applied, &body_unknowns).solve_in_order(&order, order.len());
    let (rates, accelerations) = recover_accelerations(m, k, &body_unknowns, &solved.x);
    let values = named.into_iter().map(|(step, speed)| (speed, solved.pivots[step]));
    let pivots = pivots_with_diagonal(m, env, k, values);
    let solved = DynamicsSolution {
        accelerations,
        multipliers: Vec::new(),
        pivots,
        independence: Vec::new(),
        lengths: Vec::new(),
        joint_wrenches: None,
    };
    (solved, rates)
}

/// Residual `(TA)ᵀ (M V̇ − F*) + I v̇ − τ` of the equations of motion, by speed: zero without
/// constraints, else the efforts of the constraints.
fn residual_efforts<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    rates: &[Twist<S>],
    accelerations: &[S],
) -> Vec<S> {
    let mut residual = project_on_partial_velocities(
        m,
        k,
        &newton_euler::transmitted_wrenches(m, k, applied, accelerations, rates, newton_euler::SOLVED_NAMES),
    );
    for column in k.bodies.iter().flat_map(|b| &b.columns) {
        if let Some(s) = column.speed {
            residual[s] = residual[s] + column.armature * accelerations[s] - applied.efforts[s];
        }
    }
    rotors::add_rotor_efforts(k, |b| rates[b], &mut residual);
    residual
}

/// Entry of a speed in the diagonal of M. It only weights a projection, so the coupling of rotors
/// with their carriers may be omitted.
fn mass_diagonal_entry<S: Scalar>(k: &Kinematics<S>, speed: SpeedId) -> S {
    let bodies = k.bodies.iter().flat_map(|body| {
        body.partial.iter().filter(|p| p.0 == speed).map(|p| body.inertia.momentum(p.1).power_on_twist(p.1))
    });
    let columns = k.bodies.iter().flat_map(|body| &body.columns);
    let armatures = columns.filter(|c| c.speed == Some(speed)).map(|c| c.armature);
    bodies.chain(armatures).fold(S::ZERO, |sum, x| sum + x)
}

/// Solves a constrained mechanism by projection onto the null space of the constraints.
fn solve_on_null_space<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    partition: &Partition,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> SolutionAndRates<S> {
    let space = NullSpace::new(m, partition, constraints, |speed| mass_diagonal_entry(k, speed));
    // T A b of every body, for each column b of B.
    let twists: Vec<Vec<Twist<S>>> = space
        .basis
        .iter()
        .map(|b| {
            (k.bodies.iter())
                .map(|body| {
                    let shares = body.partial.iter().filter(|(s, _)| !b[*s].is_zero());
                    shares.fold(Twist::ZERO, |sum, (s, column)| sum + column.scale(b[*s]))
                })
                .collect()
        })
        .collect();
    let armatures: Vec<(SpeedId, S)> = k
        .bodies
        .iter()
        .flat_map(|b| &b.columns)
        .filter_map(|c| c.speed.map(|s| (s, c.armature)))
        .filter(|(_, armature)| !armature.is_zero())
        .collect();
    let n = space.basis.len();
    let parent: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&parent, |i, j| {
        let bodies = BodyId::enumerate(&k.bodies).map(|(b, body)| {
            let (one, other) = (twists[i][b], twists[j][b]);
            if one.is_zero() || other.is_zero() {
                S::ZERO
            } else {
                body.inertia.momentum(one).power_on_twist(other)
            }
        });
        let basis = &space.basis;
        let alone = armatures.iter().map(|(s, armature)| *armature * basis[i][*s] * basis[j][*s]);
        let turning = k.rotors.iter().filter_map(|rotor| {
            let s = rotor.speed?;
            let share =
                |x: usize, y: usize| rotor.project_on_momentum(twists[x][rotor.carrier]) * basis[y][s];
            Some(share(i, j) + share(j, i))
        });
        let sum = bodies.chain(alone).chain(turning).fold(S::ZERO, |sum, x| sum + x);
        space.regularise_mass_entry(i, j, sum)
    });
    let known =
        newton_euler::body_accelerations(m, k, applied.ground, &space.particular, newton_euler::SOLVED_NAMES);
    let missing = residual_efforts(m, k, applied, &known, &space.particular);
    let right = (space.basis.iter())
        .map(|b| b.iter().zip(&missing).fold(S::ZERO, |sum, (b, x)| sum - *b * *x))
        .collect::<Vec<S>>();
    let u = factors.solve(&right);
    let (mut accelerations, mut rates) = (space.particular.clone(), known);
    for ((b, twists), u) in space.basis.iter().zip(&twists).zip(&u) {
        accelerations.iter_mut().zip(b).for_each(|(a, b)| *a = *a + *b * *u);
        rates.iter_mut().zip(twists).for_each(|(rate, t)| *rate = *rate + t.scale(*u));
    }
    let multipliers = space.multipliers_from_forces(&residual_efforts(m, k, applied, &rates, &accelerations));
    let pivots = space.named_pivots(m, partition, constraints, &factors);
    let independence = space.independence;
    (
        DynamicsSolution {
            accelerations,
            multipliers,
            pivots,
            independence,
            lengths: Vec::new(),
            joint_wrenches: None,
        },
        rates,
    )
}
