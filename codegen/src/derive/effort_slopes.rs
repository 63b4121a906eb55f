//! Derivatives of the efforts of inverse dynamics along directions.
//!
//! Problem: `∂τ` of `τ = M a + c − Q` with the accelerations held, in few operations.
//! Method:  from the inertias of subtrees (`formalism::effort_slopes`), with the loads node by node (`ir::Tangents`); or all of it node
//!          by node, where subtrees cannot be used or take more operations: of a short planar arm most nodes do not move.
//! Cost:    both are recorded and counted.
//! Not handled: by subtrees: directions of parameters, prescribed motion, angles from the ground, rotors, joints whose partial
//!          velocities change in the axes of the child, gravity or inertias that change with the state.

use std::borrow::Borrow;

use super::derivation::Derivation;
use super::directions::{Direction, Kind, derivatives};
use super::displacements::{Displacement, displacement, stands_still};
use crate::algebra::Scalar;
use crate::formalism::{self, EffortSlopes};
use crate::ir::{NodeId, Tracer, substitute};
use crate::kinematics::{Kinematics, in_axes, kinematics};
use crate::mechanism::Environment;

type Columns<'g> = Vec<Vec<Tracer<'g>>>;

/// `∂τ` of the inverse dynamics of the tree along directions, one list a direction. Accelerations that are not `found` stay symbols.
pub fn of_efforts<'g>(
    d: &Derivation<'g, '_>,
    inputs: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
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
    directions: &[impl Borrow<Direction<'g>>],
) -> Option<Columns<'g>> {
    let m = d.m;
    let of_motion =
        |x: &Direction<'g>| matches!(x.kind, Kind::Coordinate(_) | Kind::Attitude(..) | Kind::Speed(_));
    let of_all = |x: &Direction<'g>| matches!(x.kind, Kind::Parameter | Kind::Combined);
    let each = || directions.iter().map(Borrow::borrow);
    if !each().any(of_motion) || each().any(of_all) {
        return None;
    }
    let k = formalism::regrouped(m, kinematics(m, env), env);
    if !stands_still(d, env, &k) {
        return None;
    }
    // At one instant it is the same in whatever axes.
    let chosen = in_axes(m, env, k.clone(), false).kinematics;
    let slopes = formalism::effort_slopes(m, env, &chosen, given);
    let tree: Option<Columns<'g>> = each().map(|x| column(d, &k, &slopes, x.kind)).collect();
    let loads = derivatives(d, &formalism::efforts_of_loads(m, env, &k), directions);
    let sum = |(a, b): (Vec<Tracer<'g>>, Vec<Tracer<'g>>)| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
    Some(tree?.into_iter().zip(loads).map(sum).collect())
}

/// The part of the tree of one direction.
fn column<'g>(
    d: &Derivation<'g, '_>,
    k: &Kinematics<Tracer<'g>>,
    slopes: &EffortSlopes<Tracer<'g>>,
    kind: Kind,
) -> Option<Vec<Tracer<'g>>> {
    let nv = d.m.nv();
    let of =
        |rows: &[Vec<Tracer<'g>>], j: usize| -> Vec<Tracer<'g>> { rows.iter().map(|row| row[j]).collect() };
    let still = || vec![Tracer::ZERO; nv];
    match kind {
        Kind::Speed(j) => Some(of(&slopes.by_speed, j)),
        Kind::Other => Some(still()),
        Kind::Parameter | Kind::Combined => None,
        Kind::Coordinate(_) | Kind::Attitude(..) => match displacement(d, k, kind)? {
            Displacement::Along(j) => Some(of(&slopes.by_displacement, j)),
            // What turns none of the bodies, as the place of a free base.
            Displacement::Among(speeds) => {
                let moves = |j: &usize| of(&slopes.by_displacement, *j).iter().any(|x| !x.is_zero());
                (!speeds.iter().any(moves)).then(still)
            }
        },
    }
}
