//! Displacements of coordinates, expressed as displacements along partial velocities.
//!
//! Problem: subtree derivatives are by displacements `ξ = S δ` along a joint's partial velocity S;
//!          derivatives are requested by coordinates and by three angles of a unit quaternion.
//! Method:  a coordinate whose rate is one speed moves along that speed's partial velocity. So does
//!          a rotation about an axis of the child along an angular speed in child axes.
//!
//! Not handled: prescribed motion, angles from the ground, rotors, joints whose partial velocities
//! change in child axes, state-dependent gravity or inertias.

use rustc_hash::FxHashSet;

use super::derivation::Derivation;
use super::directions::{DirectionKind, child_axis_angular_speeds};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::{NodeId, Tracer, mark_needed};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::Kinematics;
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Joint, SpeedId, joint};

/// Partial velocities along which a change of one coordinate moves the bodies. Used by derivatives
/// of efforts and energies through subtrees.
pub(super) enum Displacement {
    /// The displacement is along the partial velocity of this speed alone.
    Along(SpeedId),
    /// A combination of the partial velocities of these speeds, with factors that are not known
    /// here.
    Among(Vec<SpeedId>),
}

/// Displacement caused by a direction of the pose; `None` if it is unknown.
pub(super) fn find_displacement<'g>(
    d: &Derivation<'g, '_>,
    k: &Kinematics<Tracer<'g>>,
    kind: DirectionKind,
) -> Option<Displacement> {
    let m = d.m;
    match kind {
        DirectionKind::Attitude { joint, axis } => {
            let j = child_axis_angular_speeds(m, joint)[axis]?;
            let first = joint::free_quaternion(&m.joints[joint])?;
            let turns_alone = coordinates_moved_by(&k.rate_matrix, j)
                .iter()
                .all(|i| first.quaternion_range().contains(&i.index()));
            turns_alone.then_some(Displacement::Along(j))
        }
        DirectionKind::Coordinate(i) => {
            let (coordinates, speeds) = find_coupled_coordinates(&k.rate_matrix, i);
            match (&coordinates[..], &speeds[..]) {
                ([_], [j]) if (k.rate_matrix[i][*j] - Tracer::ONE).is_zero() => Some(Displacement::Along(*j)),
                (_, []) => None,
                _ => Some(Displacement::Among(speeds)),
            }
        }
        DirectionKind::Speed(_)
        | DirectionKind::Other
        | DirectionKind::Parameter
        | DirectionKind::Combined => None,
    }
}

/// True if every joint moves with its own speeds alone, and gravity, inertias and partial
/// velocities in body axes do not depend on the state.
pub(super) fn has_constant_body_quantities<'g>(
    d: &Derivation<'g, '_>,
    env: &Environment<'_, Tracer<'g>>,
    k: &Kinematics<Tracer<'g>>,
) -> bool {
    let m = d.m;
    let mut speeds: Vec<SpeedId> = k.bodies.iter().flat_map(|b| &b.columns).filter_map(|c| c.speed).collect();
    speeds.sort_unstable();
    if !k.rotors.is_empty()
        || !m.joints.iter().all(moves_by_its_speeds)
        || !speeds.into_iter().eq(m.speed_ids())
    {
        return false;
    }
    let mut still = formalism::ground_acceleration_for_gravity(m, env).0.to_vec();
    let mut with_time = Vec::new();
    for body in &k.bodies {
        let i = &body.inertia;
        with_time.extend(i.second.0.iter().flatten().chain(&i.first.0).chain([&i.mass]));
        with_time.extend(body.columns.iter().flat_map(|c| [0, 1, 2, 3, 4, 5].map(|x| c.twist.component(x))));
        with_time.extend(body.columns.iter().map(|c| c.armature));
    }
    let state: FxHashSet<NodeId> =
        env.q.iter().chain(env.v).chain(env.z).chain(&d.symbols.u).map(|x| d.node_id(*x)).collect();
    let depends = |values: &[Tracer<'g>], time: bool| {
        let needed = mark_needed(d.graph, &d.node_ids(values));
        needed.iter().enumerate().any(|(i, is_needed)| {
            let id = NodeId(i as u32);
            *is_needed && (state.contains(&id) || time && id == d.node_id(env.t))
        })
    };
    still.extend(&with_time);
    !depends(&still, false) && !depends(&with_time, true)
}

/// True if the joint's speeds alone move it, relative to its parent.
fn moves_by_its_speeds(joint: &Joint) -> bool {
    !joint.absolute
        && joint.speeds.iter().all(|x| x.prescribed_formula().is_none())
        && joint.coordinates.iter().all(|x| x.prescribed_formula().is_none())
}

/// Coordinates whose rates depend on the speed. `rates` is the matrix N of `q̇ = N v`.
fn coordinates_moved_by<S: Scalar>(rates: &[Vec<S>], speed: SpeedId) -> Vec<CoordinateId> {
    CoordinateId::range(rates.len()).filter(|i| !rates[*i][speed].is_zero()).collect()
}

/// Coordinates and speeds that are connected to a coordinate through the rate matrix. Its
/// displacement is a combination of these speeds.
fn find_coupled_coordinates<S: Scalar>(
    rates: &[Vec<S>],
    coordinate: CoordinateId,
) -> (Vec<CoordinateId>, Vec<SpeedId>) {
    let (mut coordinates, mut speeds) = (vec![coordinate], Vec::new());
    let mut at = 0;
    while let Some(i) = coordinates.get(at).copied() {
        at += 1;
        for j in SpeedId::range(rates[i].len()).filter(|j| !rates[i][*j].is_zero()) {
            if !speeds.contains(&j) {
                speeds.push(j);
                let more: Vec<_> =
                    coordinates_moved_by(rates, j).into_iter().filter(|c| !coordinates.contains(c)).collect();
                coordinates.extend(more);
            }
        }
    }
    (coordinates, speeds)
}
