//! Maggi's equations in redundant quasi-velocities (5.8): the twists of the bodies, without
//! multipliers.
//!
//! Problem: `((TA)ᵀ M; Zᵀ S) V̇ = ((TA)ᵀ F* + τ; Zᵀ w)`, n rows of motion and 6N − n of kinematics.
//! Method:  tree-forms paper (5.8) with the signs of mechanics 1.6, point 3. `(TA)ᵀ` are the
//!          partial velocities of the bodies. An armature adds `I v̇` to its row with
//!          `v̇ = Yᵀ (S V̇ − w)`; a rotor adds `h · ω̇`, and `h v̇` to the wrenches on its carrier.
//!          The unknowns are in the bases of the joints (`redundant`). From the leaves to the root,
//!          the kinematics of a joint determine the constrained part of V̇, with pivots of
//!          magnitude one, and the row of a speed determines its free column, with the pivot of
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
use crate::formalism::dynamics::null_space::NullSpace;
use crate::formalism::dynamics::pivots::with_diagonal;
use crate::formalism::dynamics::redundant::{
    Components, Redundant, add_acceleration, add_kinematics, add_rotor_share, bodies, recover,
};
use crate::formalism::dynamics::solved::Solved;
use crate::formalism::dynamics::sparse_system::{Extended, SystemLayout, rate_names};
use crate::formalism::dynamics::{carried, rotors};
use crate::formalism::method::{ConstraintsBy, Equations, Facts, Lean, Method, SolvedSystem};
use crate::kinematics::accumulate::along_partial_velocities;
use crate::kinematics::{ConstraintRow, Kinematics, kinematics};
use crate::mechanism::{BodyId, Environment, Mechanism, Partition, SpeedId};
use dqdt_algebra::{Scalar, SparseRows, TreeFactors, Twist};

/// Maggi's formalism, with the accelerations of the bodies as unknowns.
pub(crate) struct Maggi;

impl Method for Maggi {
    const FACTS: Facts = Facts {
        name: "maggi",
        description: "Maggi's equations in the twists of the bodies",
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
        Some(Equations::Extended(system(m, &k, env, &Applied::new(m, &k, env))))
    }

    fn solve<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, rows: &[ConstraintRow<S>]) -> Solved<S> {
        let k = kinematics(m, env);
        let applied = Applied::new(m, &k, env);
        let (solved, rates) = if rows.is_empty() {
            on_tree(m, &k, env, &applied)
        } else {
            projected(m, &k, env.partition, &applied, rows)
        };
        let carried = carried::carried(m, &k, &applied, &solved.accelerations, &rates, carried::FOUND);
        Solved { carried: Some(carried), ..solved }
    }
}

fn rows<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    bodies: &[Redundant<S>],
) -> SparseRows<S> {
    let mut rows = SparseRows::new(6 * bodies.len());
    let forces = applied.with_prescribed_rotors(k);
    for (i, (body, own)) in BodyId::enumerate(k.bodies.iter().zip(bodies)) {
        for (speed, column) in &body.partial {
            let momentum = body.inertia.apply(*column);
            for (a, twist) in own.basis.iter().enumerate() {
                rows.add(speed.index(), 6 * i.index() + a, momentum.power(*twist));
            }
            rows.add_right(speed.index(), forces[i].power(*column));
        }
        for (s, speed) in own.speeds.iter().enumerate() {
            rows.add_right(speed.index(), applied.efforts[*speed]);
            if !own.armature[s].is_zero() {
                let row = speed.index();
                add_acceleration(&mut rows, row, own.armature[s], m, (i, s), bodies, &body.convective);
            }
        }
    }
    for rotor in &k.rotors {
        let own = &bodies[rotor.joint.child()];
        let Some(s) = own.speeds.iter().position(|x| Some(*x) == rotor.speed) else { continue };
        add_rotor_share(&mut rows, own.speeds[s].index(), S::ONE, rotor, bodies);
        let convective = &k.bodies[rotor.joint.child()].convective;
        for (speed, column) in &k.bodies[rotor.carrier].partial {
            let scale = rotor.share(*column);
            if !scale.is_zero() {
                let own = (rotor.joint.child(), s);
                add_acceleration(&mut rows, speed.index(), scale, m, own, bodies, convective);
            }
        }
    }
    add_kinematics(&mut rows, 6 * bodies.len() - m.nv(), m, k, bodies);
    rows
}

/// The sparse system with unknowns in body axes.
fn system<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    applied: &Applied<S>,
) -> Extended<S> {
    let bodies = bodies(m, k, env, Components::Axes);
    let layout = SystemLayout {
        motion: false,
        speeds: Some(0),
        kinematics: m.nv()..6 * m.bodies.len(),
        constraints: None,
        of_joints: 0,
        with_speeds: false,
    };
    Extended { unknowns: rate_names(m), rows: rows(m, k, applied, &bodies), layout }
}

/// Solution without the wrenches through joints, and the accelerations `V̇` of the bodies.
type Found<S> = (Solved<S>, Vec<Twist<S>>);

/// Solves a tree in joint bases by elimination from the leaves to the root.
fn on_tree<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    env: &Environment<'_, S>,
    applied: &Applied<S>,
) -> Found<S> {
    let bodies = bodies(m, k, env, Components::Joint);
    let up = 6 * bodies.len() - m.nv();
    let (mut order, mut named) = (Vec::new(), Vec::new());
    for (i, own) in BodyId::enumerate(&bodies).rev() {
        let free = own.speeds.len();
        order.extend((0..own.held.len()).map(|b| (own.offset + b - up, 6 * i.index() + free + b)));
        for (s, speed) in own.speeds.iter().enumerate().rev() {
            named.push((order.len(), *speed));
            order.push((speed.index(), 6 * i.index() + s));
        }
    }
    let solved = rows(m, k, applied, &bodies).eliminate(&order, order.len());
    let (rates, accelerations) = recover(m, k, &bodies, &solved.x);
    let found = named.into_iter().map(|(step, speed)| (speed, solved.pivots[step]));
    let pivots = with_diagonal(m, env, k, found);
    let solved = Solved {
        accelerations,
        multipliers: Vec::new(),
        pivots,
        independence: Vec::new(),
        lengths: Vec::new(),
        carried: None,
    };
    (solved, rates)
}

/// Residual `(TA)ᵀ (M V̇ − F*) + I v̇ − τ` of the equations of motion: zero without constraints,
/// else the efforts of the constraints.
fn left_over<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    applied: &Applied<S>,
    rates: &[Twist<S>],
    accelerations: &[S],
) -> Vec<S> {
    let mut left = along_partial_velocities(
        m,
        k,
        &carried::carried(m, k, applied, accelerations, rates, carried::FOUND),
    );
    for column in k.bodies.iter().flat_map(|b| &b.columns) {
        if let Some(s) = column.speed {
            left[s] = left[s] + column.armature * accelerations[s] - applied.efforts[s];
        }
    }
    rotors::add_efforts(k, |b| rates[b], &mut left);
    left
}

/// Solves a constrained mechanism by projection onto the null space of the constraints.
fn projected<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    partition: &Partition,
    applied: &Applied<S>,
    constraints: &[ConstraintRow<S>],
) -> Found<S> {
    let diagonal = |speed: SpeedId| {
        let bodies = k.bodies.iter().flat_map(|body| {
            body.partial.iter().filter(|p| p.0 == speed).map(|p| body.inertia.apply(p.1).power(p.1))
        });
        let columns = k.bodies.iter().flat_map(|body| &body.columns);
        // The diagonal only weights a projection, so the coupling of rotors with their carriers may
        // be omitted.
        let alone = columns.filter(|c| c.speed == Some(speed)).map(|c| c.armature);
        bodies.chain(alone).fold(S::ZERO, |sum, x| sum + x)
    };
    let space = NullSpace::new(m, partition, constraints, diagonal);
    // T A b of every body, for each column b of B.
    let twists: Vec<Vec<Twist<S>>> = space
        .basis
        .iter()
        .map(|b| {
            let body = |partial: &[(SpeedId, Twist<S>)]| {
                let shares = partial.iter().filter(|(s, _)| !b[*s].is_zero());
                shares.fold(Twist::ZERO, |sum, (s, column)| sum + column.scale(b[*s]))
            };
            k.bodies.iter().map(|own| body(&own.partial)).collect()
        })
        .collect();
    let armatures: Vec<(SpeedId, S)> = k
        .bodies
        .iter()
        .flat_map(|b| &b.columns)
        .filter_map(|c| c.speed.map(|s| (s, c.armature)))
        .filter(|(_, armature)| !armature.is_zero())
        .collect();
    let entry = |i: usize, j: usize| {
        let bodies = BodyId::enumerate(&k.bodies).map(|(b, body)| {
            let (one, other) = (twists[i][b], twists[j][b]);
            if one.is_zero() || other.is_zero() { S::ZERO } else { body.inertia.apply(one).power(other) }
        });
        let basis = &space.basis;
        let alone = armatures.iter().map(|(s, armature)| *armature * basis[i][*s] * basis[j][*s]);
        let turning = k.rotors.iter().filter_map(|rotor| {
            let s = rotor.speed?;
            let share = |x: usize, y: usize| rotor.share(twists[x][rotor.carrier]) * basis[y][s];
            Some(share(i, j) + share(j, i))
        });
        let sum = bodies.chain(alone).chain(turning).fold(S::ZERO, |sum, x| sum + x);
        space.complete(i, j, sum)
    };
    let n = space.basis.len();
    let parent: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&parent, entry);
    let known = carried::rates(m, k, applied.ground, &space.particular, carried::FOUND);
    let missing = left_over(m, k, applied, &known, &space.particular);
    let along = |b: &Vec<S>| b.iter().zip(&missing).fold(S::ZERO, |sum, (b, x)| sum - *b * *x);
    let u = factors.solve(&space.basis.iter().map(along).collect::<Vec<S>>());
    let (mut accelerations, mut rates) = (space.particular.clone(), known);
    for ((b, twists), u) in space.basis.iter().zip(&twists).zip(&u) {
        accelerations.iter_mut().zip(b).for_each(|(a, b)| *a = *a + *b * *u);
        rates.iter_mut().zip(twists).for_each(|(rate, t)| *rate = *rate + t.scale(*u));
    }
    let multipliers = space.multipliers(&left_over(m, k, applied, &rates, &accelerations));
    let pivots = space.named_pivots(m, partition, constraints, &factors);
    let independence = space.independence;
    (Solved { accelerations, multipliers, pivots, independence, lengths: Vec::new(), carried: None }, rates)
}
