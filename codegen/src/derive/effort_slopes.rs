//! Derivatives of the efforts of inverse dynamics along directions.
//!
//! Problem: `∂τ` of `τ = M a + c − Q` with the accelerations held, in few operations.
//! Method:  from the inertias of subtrees (`formalism::effort_slopes`), with the loads node by node (`ir::Tangents`); or all of it node
//!          by node, where subtrees cannot be used or take more operations: of a short planar arm most nodes do not move.
//! Cost:    both are recorded and counted.
//! Not handled: by subtrees: directions of parameters, prescribed motion, angles from the ground, rotors, joints whose partial
//!          velocities change in the axes of the child, gravity or inertias that change with the state.

use rustc_hash::FxHashSet;

use super::derivation::Derivation;
use super::directions::{Direction, Kind, derivatives, turning_speeds};
use crate::algebra::Scalar;
use crate::formalism::{self, EffortSlopes};
use crate::ir::{NodeId, Tracer, needed, substitute};
use crate::kinematics::{Kinematics, kinematics};
use crate::mechanism::{Environment, Joint, JointVariable, joint};

type Columns<'g> = Vec<Vec<Tracer<'g>>>;

/// `∂τ` of the inverse dynamics of the tree along directions, one list a direction. Accelerations that are not `found` stay symbols.
pub fn of_efforts<'g>(
    d: &Derivation<'g, '_>,
    inputs: &[Tracer<'g>],
    directions: &[Direction<'g>],
    found: &[(NodeId, Tracer<'g>)],
) -> Columns<'g> {
    let env = d.environment_of_tree(inputs);
    let given = d.given_accelerations();
    let with_found = |columns: Columns<'g>| -> Columns<'g> {
        columns.iter().map(|column| substitute(d.graph, column, found)).collect()
    };
    let cost = |columns: &Columns<'g>| d.operations(columns.iter().flatten().copied());
    let by_nodes = with_found(derivatives(d, &formalism::inverse_dynamics(d.m, &env, &given), directions));
    match by_subtrees(d, &env, &given, directions).map(with_found) {
        Some(by_subtrees) if cost(&by_subtrees) < cost(&by_nodes) => by_subtrees,
        _ => by_nodes,
    }
}

/// From the inertias of subtrees; `None` where joints, bodies or directions are not such that it can be.
fn by_subtrees<'g>(
    d: &Derivation<'g, '_>,
    env: &Environment<'_, Tracer<'g>>,
    given: &[Tracer<'g>],
    directions: &[Direction<'g>],
) -> Option<Columns<'g>> {
    let m = d.m;
    let of_motion =
        |x: &Direction<'g>| matches!(x.kind, Kind::Coordinate(_) | Kind::Attitude(..) | Kind::Speed(_));
    if !directions.iter().any(of_motion) || directions.iter().any(|x| x.kind == Kind::Parameter) {
        return None;
    }
    let k = formalism::regrouped(m, kinematics(m, env), env);
    if !stands_still(d, env, &k) {
        return None;
    }
    let slopes = formalism::effort_slopes(m, env, &k, given);
    let tree: Option<Columns<'g>> = directions.iter().map(|x| column(d, &k, &slopes, x.kind)).collect();
    let loads = derivatives(d, &formalism::efforts_of_loads(m, env, &k), directions);
    let sum = |(a, b): (Vec<Tracer<'g>>, Vec<Tracer<'g>>)| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
    Some(tree?.into_iter().zip(loads).map(sum).collect())
}

/// True if every joint moves with speeds of its own alone, and gravity, inertias and partial velocities in the axes of their bodies
/// stay as they are when the state changes.
fn stands_still<'g>(
    d: &Derivation<'g, '_>,
    env: &Environment<'_, Tracer<'g>>,
    k: &Kinematics<Tracer<'g>>,
) -> bool {
    let m = d.m;
    let free = |x: &JointVariable| matches!(x, JointVariable::Free(_));
    let moves_freely =
        |joint: &Joint| !joint.absolute && joint.speeds.iter().chain(&joint.coordinates).all(free);
    let mut speeds: Vec<usize> = k.bodies.iter().flat_map(|b| &b.columns).filter_map(|c| c.speed).collect();
    speeds.sort_unstable();
    if !k.rotors.is_empty() || !m.joints.iter().all(moves_freely) || speeds != (0..m.nv()).collect::<Vec<_>>()
    {
        return false;
    }
    let mut still = formalism::felt_ground(m, env).0.to_vec();
    let mut with_time = Vec::new();
    for body in &k.bodies {
        let i = &body.inertia;
        with_time.extend(i.second.0.iter().flatten().chain(&i.first.0).chain([&i.mass]));
        with_time.extend(body.columns.iter().flat_map(|c| [0, 1, 2, 3, 4, 5].map(|x| c.twist.component(x))));
        with_time.extend(body.columns.iter().map(|c| c.armature));
    }
    let state: FxHashSet<NodeId> =
        env.q.iter().chain(env.v).chain(env.z).chain(&d.symbols.u).map(|x| d.id(*x)).collect();
    let depends = |values: &[Tracer<'g>], time: bool| {
        let needed = needed(d.graph, &d.ids(values));
        let moves = |id: NodeId| state.contains(&id) || time && id == d.id(env.t);
        needed.iter().enumerate().any(|(i, n)| *n && moves(NodeId(i as u32)))
    };
    still.extend(&with_time);
    !depends(&still, false) && !depends(&with_time, true)
}

/// The part of the tree of one direction.
fn column<'g>(
    d: &Derivation<'g, '_>,
    k: &Kinematics<Tracer<'g>>,
    slopes: &EffortSlopes<Tracer<'g>>,
    kind: Kind,
) -> Option<Vec<Tracer<'g>>> {
    let m = d.m;
    let of =
        |rows: &[Vec<Tracer<'g>>], j: usize| -> Vec<Tracer<'g>> { rows.iter().map(|row| row[j]).collect() };
    let still = || vec![Tracer::ZERO; m.nv()];
    match kind {
        Kind::Speed(j) => Some(of(&slopes.by_speed, j)),
        Kind::Attitude(joint, axis) => {
            let j = turning_speeds(m, joint)[axis]?;
            let first = joint::quaternion(&m.joints[joint])?;
            let own = moved_by(&k.rate_matrix, j).iter().all(|i| (first..first + 4).contains(i));
            own.then(|| of(&slopes.by_displacement, j))
        }
        Kind::Coordinate(i) => {
            let (coordinates, speeds) = connected(&k.rate_matrix, i);
            let columns: Vec<_> = speeds.iter().map(|j| of(&slopes.by_displacement, *j)).collect();
            match (&coordinates[..], &speeds[..]) {
                ([_], [j]) if (k.rate_matrix[i][*j] - Tracer::ONE).is_zero() => columns.into_iter().next(),
                // What turns none of the bodies, as the place of a free base.
                (_, [_, ..]) if columns.iter().flatten().all(|x| x.is_zero()) => Some(still()),
                _ => None,
            }
        }
        Kind::Other => Some(still()),
        Kind::Parameter => None,
    }
}

/// Coordinates whose rates have the speed in them.
fn moved_by<S: Scalar>(rates: &[Vec<S>], speed: usize) -> Vec<usize> {
    (0..rates.len()).filter(|i| !rates[*i][speed].is_zero()).collect()
}

/// Coordinates and speeds that a coordinate shares its rate with, however far: among these a displacement of it is to be found.
fn connected<S: Scalar>(rates: &[Vec<S>], coordinate: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut coordinates, mut speeds) = (vec![coordinate], Vec::new());
    let mut at = 0;
    while let Some(i) = coordinates.get(at).copied() {
        at += 1;
        for j in (0..rates[i].len()).filter(|j| !rates[i][*j].is_zero()) {
            if !speeds.contains(&j) {
                speeds.push(j);
                let more: Vec<_> =
                    moved_by(rates, j).into_iter().filter(|c| !coordinates.contains(c)).collect();
                coordinates.extend(more);
            }
        }
    }
    (coordinates, speeds)
}
