//! Derivatives of the efforts of inverse dynamics along directions.
//!
//! Problem: `∂τ` of `τ = M a + c − Q` at constant accelerations, in few operations.
//! Method:  from composite inertias of subtrees (`formalism::effort_slopes`), with the loads
//!          differentiated node by node (`ir::Tangents`); or all of it node by node, if the subtree
//!          method does not apply or needs more operations, as for a short planar arm, where most
//!          nodes are constant.
//! Cost:    both are recorded and counted.
//!
//! Not handled by subtrees: directions of parameters, prescribed motion, angles from the ground,
//! rotors, joints whose partial velocities change in child axes, state-dependent gravity or
//! inertias.

use std::borrow::Borrow;

use super::derivation::Derivation;
use super::directions::{Direction, Kind, derivatives};
use super::displacements::{Displacement, displacement, stands_still};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::{NodeId, Tracer, substitute};
use dqdt_mechanics::formalism::{self, Borne, EffortSlopes};
use dqdt_mechanics::kinematics::{Kinematics, in_axes, kinematics};
use dqdt_mechanics::mechanism::{Environment, SpeedId};

type Columns<'g> = Vec<Vec<Tracer<'g>>>;

/// Derivative `∂τ` along a direction, as `efforts + M w`.
#[derive(Clone)]
pub struct Slope<'g> {
    /// The part of `∂τ` without `M w`, by speed.
    pub efforts: Vec<Tracer<'g>>,
    /// Non-zero entries of the accelerations w, with their speeds. Solving `M x = −∂τ` then needs
    /// no factorisation for this part.
    pub borne: Vec<(SpeedId, Tracer<'g>)>,
}

/// `∂τ` of the inverse dynamics of the tree along directions, one list for each direction. `found`
/// replaces symbols of accelerations by values; other accelerations remain symbols.
pub fn of_efforts<'g>(
    d: &Derivation<'g, '_>,
    inputs: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
    found: &[(NodeId, Tracer<'g>)],
) -> Columns<'g> {
    slopes(d, inputs, directions, found, false).into_iter().map(|slope| slope.efforts).collect()
}

/// Like [`of_efforts`], for accelerations that compensate `∂τ`: a part of the form `M w` is kept
/// separate.
pub fn of_efforts_to_make_up<'g>(
    d: &Derivation<'g, '_>,
    inputs: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
    found: &[(NodeId, Tracer<'g>)],
) -> Vec<Slope<'g>> {
    slopes(d, inputs, directions, found, true)
}

fn slopes<'g>(
    d: &Derivation<'g, '_>,
    inputs: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
    found: &[(NodeId, Tracer<'g>)],
    apart: bool,
) -> Vec<Slope<'g>> {
    let env = d.environment_of_tree(inputs);
    let given = d.given_accelerations();
    let with_found = |slopes: Vec<Slope<'g>>| -> Vec<Slope<'g>> {
        let one = |slope: Slope<'g>| {
            let (speeds, w): (Vec<SpeedId>, Vec<_>) = slope.borne.into_iter().unzip();
            let w = substitute(d.graph, &w, found);
            Slope {
                efforts: substitute(d.graph, &slope.efforts, found),
                borne: speeds.into_iter().zip(w).collect(),
            }
        };
        slopes.into_iter().map(one).collect()
    };
    let cost = |slopes: &[Slope<'g>]| d.operations(slopes.iter().flat_map(|s| &s.efforts).copied());
    let by_nodes = derivatives(d, &formalism::inverse_dynamics(d.m, &env, &given), directions);
    let whole = |efforts| Slope { efforts, borne: Vec::new() };
    let by_nodes = with_found(by_nodes.into_iter().map(whole).collect());
    match by_subtrees(d, &env, &given, directions, apart).map(with_found) {
        Some(by_subtrees) if cost(&by_subtrees) < cost(&by_nodes) => by_subtrees,
        _ => by_nodes,
    }
}

/// Derivatives by composite inertias of subtrees, with `M w` separate if `apart`; `None` if the
/// joints, bodies or directions do not permit it.
fn by_subtrees<'g>(
    d: &Derivation<'g, '_>,
    env: &Environment<'_, Tracer<'g>>,
    given: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
    apart: bool,
) -> Option<Vec<Slope<'g>>> {
    let m = d.m;
    let of_motion =
        |x: &Direction<'g>| matches!(x.kind, Kind::Coordinate(_) | Kind::Attitude { .. } | Kind::Speed(_));
    let of_all = |x: &Direction<'g>| matches!(x.kind, Kind::Parameter | Kind::Combined);
    let each = || directions.iter().map(Borrow::borrow);
    if !each().any(of_motion) || each().any(of_all) {
        return None;
    }
    let k = formalism::regrouped(m, kinematics(m, env), env);
    if !stands_still(d, env, &k) {
        return None;
    }
    // Values at one instant do not depend on the choice of axes, so the cheapest axes are used.
    let chosen = in_axes(m, env, k.clone(), false).kinematics;
    let mut slopes = formalism::effort_slopes(m, env, &chosen, given);
    if !apart {
        slopes.borne_displacements.fill(None);
        slopes.borne_speeds.fill(None);
    }
    let tree: Option<Vec<Slope<'g>>> = each().map(|x| column(d, &k, &slopes, x.kind)).collect();
    let loads = derivatives(d, &formalism::efforts_of_loads(m, env, &k), directions);
    let sum = |(slope, loads): (Slope<'g>, Vec<Tracer<'g>>)| Slope {
        efforts: slope.efforts.into_iter().zip(loads).map(|(a, b)| a + b).collect(),
        borne: slope.borne,
    };
    Some(tree?.into_iter().zip(loads).map(sum).collect())
}

/// Derivative of the efforts of the tree along one direction, without loads; `None` if it is
/// unknown.
fn column<'g>(
    d: &Derivation<'g, '_>,
    k: &Kinematics<Tracer<'g>>,
    slopes: &EffortSlopes<Tracer<'g>>,
    kind: Kind,
) -> Option<Slope<'g>> {
    let nv = d.m.nv();
    let of =
        |rows: &[Vec<Tracer<'g>>], j: SpeedId| -> Vec<Tracer<'g>> { rows.iter().map(|row| row[j]).collect() };
    let whole = |efforts| Slope { efforts, borne: Vec::new() };
    let still = || vec![Tracer::ZERO; nv];
    let along = |rows: &[Vec<Tracer<'g>>], borne: &[Borne<Tracer<'g>>], j: SpeedId| match &borne[j] {
        Some(w) => Slope { efforts: still(), borne: w.clone() },
        None => whole(of(rows, j)),
    };
    match kind {
        Kind::Speed(j) => Some(along(&slopes.by_speed, &slopes.borne_speeds, j)),
        Kind::Other => Some(whole(still())),
        Kind::Parameter | Kind::Combined => None,
        Kind::Coordinate(_) | Kind::Attitude { .. } => match displacement(d, k, kind)? {
            Displacement::Along(j) => Some(along(&slopes.by_displacement, &slopes.borne_displacements, j)),
            // A displacement without effect on the efforts, such as the position of a free base.
            Displacement::Among(speeds) => {
                let moves = |j: &SpeedId| of(&slopes.by_displacement, *j).iter().any(|x| !x.is_zero());
                (!speeds.iter().any(moves)).then(|| whole(still()))
            }
        },
    }
}
