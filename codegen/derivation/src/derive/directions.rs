//! Directions of differentiation: changes of the state, the inputs and the parameters.
//!
//! States:  `δq` is a plain difference of coordinates; a quaternion `e` has three, `e ⊗ (1, δ/2)`
//!          with δ in the axes of the child.

use std::borrow::Borrow;

use super::derivation::Derivation;
use dqdt_algebra::{Scalar, Vec3};
use dqdt_graph::ir::{NodeId, Tangents, Tracer};
use dqdt_mechanics::kinematics::quaternion_starts;
use dqdt_mechanics::mechanism::{CoordinateId, JointId, JointVariable, Mechanism, ParameterKind, SpeedId};

/// A direction along which values are differentiated: a change of the state, an input or a
/// parameter.
#[derive(Clone)]
pub struct Direction<'g> {
    /// Name of the changed entry; for a quaternion, the name of its joint and an axis.
    pub name: String,
    /// Nodes of the changed symbols, each with its rate of change along the direction.
    pub(super) seeds: Vec<(NodeId, Tracer<'g>)>,
    pub(super) kind: DirectionKind,
    /// Rotation δ of each joint whose quaternion changes, in the axes of the child.
    pub(super) turns: Vec<(JointId, Vec3<Tracer<'g>>)>,
}

/// Kind of entry of the state, inputs or parameters that a direction changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DirectionKind {
    /// A coordinate that is not part of a quaternion.
    Coordinate(CoordinateId),
    /// The attitude of a joint, about one axis of the child.
    Attitude {
        joint: JointId,
        axis: usize,
    },
    /// A speed, including dependent ones.
    Speed(SpeedId),
    Parameter,
    /// An input or a user state, which moves no body directly.
    Other,
    /// Several entries of the state at once, such as an independent coordinate with the dependent
    /// ones.
    Combined,
}

impl DirectionKind {
    /// True if the direction changes a single entry of the pose or of the speeds.
    pub(super) fn is_pose_or_speed(self) -> bool {
        matches!(
            self,
            DirectionKind::Coordinate(_) | DirectionKind::Attitude { .. } | DirectionKind::Speed(_)
        )
    }
}

/// Directions that change one entry of `δx` each: coordinates, speeds, user states.
pub fn state_directions<'g>(d: &Derivation<'g, '_>) -> Vec<Direction<'g>> {
    let mut out = pose_directions(d);
    out.extend(speed_directions(d));
    out.extend(user_state_directions(d));
    out
}

/// Directions that change one entry of the state each: coordinates (four of a quaternion), speeds,
/// user states.
pub fn state_entry_directions<'g>(d: &Derivation<'g, '_>) -> Vec<Direction<'g>> {
    let coordinates = d.symbols.q.iter().zip(&d.m.coordinates).zip(d.m.coordinate_ids());
    let mut out: Vec<_> =
        coordinates.map(|((q, c), i)| unit_direction(d, *q, &c.name, DirectionKind::Coordinate(i))).collect();
    out.extend(speed_directions(d));
    out.extend(user_state_directions(d));
    out
}

/// The direction that changes one symbol `x` at unit rate.
pub(super) fn unit_direction<'g>(
    d: &Derivation<'g, '_>,
    x: Tracer<'g>,
    name: &str,
    kind: DirectionKind,
) -> Direction<'g> {
    Direction { name: name.to_owned(), seeds: vec![(d.node_id(x), Tracer::ONE)], kind, turns: Vec::new() }
}

/// Directions of `δq`; a quaternion has three.
pub fn pose_directions<'g>(d: &Derivation<'g, '_>) -> Vec<Direction<'g>> {
    let (m, q) = (d.m, &d.symbols.q);
    let quaternions = quaternion_starts(m);
    let mut out = Vec::new();
    let mut i = 0;
    while i < q.len() {
        let coordinate = CoordinateId(i);
        if !quaternions.contains(&coordinate) {
            out.push(unit_direction(d, q[i], &m.coordinates[i].name, DirectionKind::Coordinate(coordinate)));
            i += 1;
            continue;
        }
        let rates = quaternion_rates([0, 1, 2, 3].map(|k| Tracer::ratio(1, 2) * q[i + k]));
        let joint = m.coordinates[i].joint;
        for (axis, rates) in rates.into_iter().enumerate() {
            let seeds = (0..4).map(|k| (d.node_id(q[i + k]), rates[k])).collect();
            let name = format!("{}_delta_{}", m.joints[joint].name, ["x", "y", "z"][axis]);
            let turns = vec![(joint, Vec3::unit_vector(axis))];
            out.push(Direction { name, seeds, kind: DirectionKind::Attitude { joint, axis }, turns });
        }
        i += 4;
    }
    out
}

/// `e ⊗ (0, i)` for the three unit vectors i: rates of a quaternion e for unit rotations about the
/// axes of the child.
pub(super) fn quaternion_rates<S: Scalar>([w, x, y, z]: [S; 4]) -> [[S; 4]; 3] {
    [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]]
}

/// Directions of `δv`, including dependent speeds.
pub fn speed_directions<'g>(d: &Derivation<'g, '_>) -> Vec<Direction<'g>> {
    let speeds = d.given_speeds.iter().zip(&d.m.speeds);
    SpeedId::enumerate(speeds)
        .map(|(j, (v, s))| unit_direction(d, *v, &s.name, DirectionKind::Speed(j)))
        .collect()
}

/// Directions of `δz`, the user states.
pub fn user_state_directions<'g>(d: &Derivation<'g, '_>) -> Vec<Direction<'g>> {
    let states = d.symbols.z.iter().zip(&d.m.states);
    states.map(|(z, s)| unit_direction(d, *z, &s.name, DirectionKind::Other)).collect()
}

/// Directions of `δu`, the inputs before saturation.
pub fn input_directions<'g>(d: &Derivation<'g, '_>) -> Vec<Direction<'g>> {
    let inputs = d.symbols.u.iter().zip(&d.m.inputs);
    inputs.map(|(u, s)| unit_direction(d, *u, &s.name, DirectionKind::Other)).collect()
}

/// Directions of the free parameters, without the trailing ones that replace numeric constants
/// during derivation.
pub fn parameter_directions<'g>(d: &Derivation<'g, '_>) -> Vec<Direction<'g>> {
    let spec_parameters = d.m.parameters.len() - d.formulation.stand_ins;
    let all = d.symbols.p.iter().zip(&d.m.parameters).take(spec_parameters);
    let free = all.filter(|(_, p)| matches!(p.kind, ParameterKind::Free(_)));
    free.map(|(x, p)| unit_direction(d, *x, &p.name, DirectionKind::Parameter)).collect()
}

/// Derivatives of values along directions, one list for each direction.
pub fn differentiate_along<'g>(
    d: &Derivation<'g, '_>,
    values: &[Tracer<'g>],
    directions: &[impl Borrow<Direction<'g>>],
) -> Vec<Vec<Tracer<'g>>> {
    let tangents = Tangents::new(d.graph, values);
    directions.iter().map(Borrow::borrow).map(|x| tangents.derivatives_along(&x.seeds, &x.name)).collect()
}

/// Speeds that are components of a joint's angular velocity in child axes. `None` if they are
/// prescribed or refer to other axes.
pub(super) fn child_axis_angular_speeds(m: &Mechanism, joint: JointId) -> [Option<SpeedId>; 3] {
    if m.joints[joint].kind.form().has_non_body_angular_speeds() {
        return [None; 3];
    }
    joint_angular_speeds(m, joint)
}

/// Speeds of a joint's angular velocity, which are its last three. `None` if they are prescribed.
pub(super) fn joint_angular_speeds(m: &Mechanism, joint: JointId) -> [Option<SpeedId>; 3] {
    let slots = &m.joints[joint].speeds;
    let first = slots.len().saturating_sub(3);
    [0, 1, 2].map(|k| match slots.get(first + k) {
        Some(JointVariable::Free(s)) => Some(*s),
        _ => None,
    })
}
