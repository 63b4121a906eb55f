//! Derivatives of the motion by the state, the inputs and the parameters.
//!
//! Problem: `δẋ = A δx + B δu`, `δy = C δx + D δu` at any state, exactly.
//! Method:  with `τ(q, v, a) = M a + c − Q` the motion is `τ(q, v, v̇) = 0`, so `∂v̇ = −M⁻¹ ∂τ` with the accelerations held
//! while τ, the inverse dynamics of the tree, is differentiated (`effort_slopes`; Jain and Rodriguez 1993; Carpentier and Mansard
//! 2018); M is factored once for all columns. Outputs follow by the chain rule.
//! States:  as `directions` counts them; of a quaternion `δ̇ = δω − ω × δ`.
//! Not handled: constraints, which `reduced` takes in.

use super::derivation::Derivation;
use super::directions::{Direction, Kind, derivatives, of_inputs, of_speeds, single, turning_speeds};
use super::effort_slopes::of_efforts;
use super::solution::Solved;
use crate::algebra::{Scalar, Vec3};
use crate::formalism;
use crate::ir::{NodeId, Tangents, Tracer, substitute};
use crate::kinematics::{quaternions, value_of};

/// Derivatives along one direction.
pub struct Column<'g> {
    /// Of `ẋ` as [`of_state`] counts: coordinates (three of a quaternion), speeds, user states.
    pub state: Vec<Tracer<'g>>,
    /// Of the outputs.
    pub outputs: Vec<Tracer<'g>>,
}

/// `ẋ` with its derivatives, one list a column.
pub struct AsItStands<'g> {
    /// `q̇`, `v̇`, `ż`
    pub rates: Vec<Tracer<'g>>,
    /// Columns by coordinates (four of a quaternion), speeds, user states.
    pub by_state: Vec<Vec<Tracer<'g>>>,
    /// Columns by inputs.
    pub by_input: Vec<Vec<Tracer<'g>>>,
}

/// The derivatives of `ẋ` by each entry of the state. Those of a tree by inverse dynamics as above; else, and with quaternions, whose
/// length a stage of a step does not keep, the accelerations are differentiated as they were found.
pub fn as_it_stands<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> AsItStands<'g> {
    let (m, env) = (d.m, d.environment(motion.inputs()));
    let z: Vec<_> = m.states.iter().map(|s| value_of(m, &env, &s.rate)).collect();
    let mut states: Vec<_> = d
        .symbols
        .q
        .iter()
        .zip(&m.coordinates)
        .enumerate()
        .map(|(i, (q, c))| single(d, *q, &c.name, Kind::Coordinate(i)))
        .collect();
    states.extend(of_speeds(d));
    states.extend(d.symbols.z.iter().zip(&m.states).map(|(z, s)| single(d, *z, &s.name, Kind::Other)));
    let inputs = of_inputs(d);
    let rates = [d.rates(), motion.accelerations(), &z].concat();
    let tree =
        m.nv() > 0 && d.rows().is_empty() && m.realising_inputs().is_empty() && quaternions(m).is_empty();
    let of = |directions: &[Direction<'g>]| match tree {
        true => columns(d, motion, directions).into_iter().map(|c| c.state).collect(),
        false => derivatives(d, &rates, directions),
    };
    AsItStands { by_state: of(&states), by_input: of(&inputs), rates }
}

/// The derivatives of the motion of a tree along directions, one column each.
pub fn columns<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    directions: &[Direction<'g>],
) -> Vec<Column<'g>> {
    let (m, graph) = (d.m, d.graph);
    let given = d.given_accelerations();
    let found: Vec<(NodeId, Tracer<'g>)> =
        given.iter().zip(motion.accelerations()).map(|(a, x)| (d.id(*a), *x)).collect();
    let env = d.environment(motion.inputs());
    let factored = d.factored(&d.equations().mass);
    let rates = d.rates();
    let states: Vec<_> = m.states.iter().map(|s| value_of(m, &env, &s.rate)).collect();
    let outputs: Vec<_> = formalism::outputs(m, &env, &given).into_iter().flat_map(|o| o.values).collect();
    let rest = Tangents::of(graph, &[rates, &states].concat());
    let of_outputs = Tangents::of(graph, &outputs);
    let mut columns = Vec::with_capacity(directions.len());
    let efforts = of_efforts(d, motion.inputs(), directions, &found);
    let needed: Vec<Vec<_>> = efforts.iter().map(|column| column.iter().map(|x| -*x).collect()).collect();
    for (direction, accelerations) in directions.iter().zip(factored.solve_all(&needed)) {
        for (x, speed) in accelerations.iter().zip(&m.speeds) {
            x.named(&|| format!("{}_dot_by_{}", speed.name, direction.name));
        }
        let moved = rest.along(&direction.seeds, &direction.name);
        let (of_rates, of_states) = moved.split_at(rates.len());
        let mut state = per_state(d, of_rates, |joint| attitude(d, joint, direction).0);
        state.extend(&accelerations);
        state.extend(of_states);
        let with_accelerations: Vec<_> = direction
            .seeds
            .iter()
            .copied()
            .chain(given.iter().zip(&accelerations).map(|(a, x)| (d.id(*a), *x)))
            .collect();
        let along = of_outputs.along(&with_accelerations, &direction.name);
        columns.push(Column { state, outputs: substitute(graph, &along, &found) });
    }
    columns
}

/// Of each coordinate its entry of `values`, and of a quaternion what `attitude` says of its joint.
pub(super) fn per_state<'g>(
    d: &Derivation<'g, '_>,
    values: &[Tracer<'g>],
    attitude: impl Fn(usize) -> [Tracer<'g>; 3],
) -> Vec<Tracer<'g>> {
    let quaternions = quaternions(d.m);
    let mut out = Vec::new();
    let mut i = 0;
    while i < values.len() {
        if quaternions.contains(&i) {
            out.extend(attitude(d.m.coordinates[i].joint));
            i += 4;
        } else {
            out.push(values[i]);
            i += 1;
        }
    }
    out
}

/// ω of a joint with a quaternion, in the axes of the child.
pub(super) fn turning<'g>(d: &Derivation<'g, '_>, joint: usize) -> Vec3<Tracer<'g>> {
    Vec3(turning_speeds(d.m, joint).map(|slot| slot.map_or(Tracer::ZERO, |s| d.symbols.v[s])))
}

/// `δ̇ = δω − ω × δ` of a joint with a quaternion: its speeds are ω in the axes of the child.
pub(super) fn attitude<'g>(
    d: &Derivation<'g, '_>,
    joint: usize,
    direction: &Direction<'g>,
) -> Vec3<Tracer<'g>> {
    let w = turning(d, joint);
    let moved = Tangents::of(d.graph, &w.0).along(&direction.seeds, &direction.name);
    let moved = Vec3([moved[0], moved[1], moved[2]]);
    match direction.turns.iter().find(|(of, _)| *of == joint) {
        Some((_, turn)) => moved - w.cross(*turn),
        None => moved,
    }
}
