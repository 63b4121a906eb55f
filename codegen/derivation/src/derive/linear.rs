//! Derivatives of the motion by the state, the inputs and the parameters.
//!
//! Problem: `δẋ = A δx + B δu`, `δy = C δx + D δu` at any state, exactly.
//! Method:  with `τ(q, v, a) = M a + c − Q` the equations of motion are `τ(q, v, v̇) = 0`, so
//!          `∂v̇ = −M⁻¹ ∂τ`, where τ, the inverse dynamics of the tree, is differentiated at
//!          constant accelerations (`effort_derivatives`; Jain and Rodriguez 1993; Carpentier and
//!          Mansard 2018). M is factored once for all columns. Outputs follow by the chain rule.
//! States:  as in `directions`; for a quaternion `δ̇ = δω − ω × δ`.
//!
//! Not handled: constraints, for which `reduced` is used.

use super::derivation::Derivation;
use super::directions::{
    Direction, differentiate_along, input_directions, joint_angular_speeds, pose_directions,
    quaternion_rates, speed_directions, state_entry_directions, user_state_directions,
};
use super::effort_derivatives::differentiate_efforts_to_compensate;
use super::solution::Solved;
use dqdt_algebra::{Mat3, Scalar, Vec3, quaternion_norm_squared};
use dqdt_graph::ir::{NodeId, Tangents, Tracer, substitute_symbols};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{evaluate_formula, quaternion_starts};
use dqdt_mechanics::mechanism::{CoordinateId, JointId, Mechanism, Variable, joint};

/// Derivatives of `ẋ` and of the outputs along one direction: one column of A and C, or of B and D.
pub struct MotionColumn<'g> {
    /// Derivatives of `ẋ`, in the order of [`of_state`](super::directions::of_state): coordinates
    /// (three of a quaternion), speeds, user states.
    pub state: Vec<Tracer<'g>>,
    /// Derivatives of the values of the spec's outputs along the direction.
    pub outputs: Vec<Tracer<'g>>,
}

/// `ẋ` with its derivatives by all entries of the state and the inputs, one list for each column.
pub struct StateDerivatives<'g> {
    /// The state derivative itself: `q̇`, `v̇`, `ż`.
    pub rates: Vec<Tracer<'g>>,
    /// Derivatives of `ẋ` by coordinates (four of a quaternion), speeds and user states, one column
    /// for each.
    pub by_state: Vec<Vec<Tracer<'g>>>,
    /// Derivatives of `ẋ` by the inputs, one column for each.
    pub by_input: Vec<Vec<Tracer<'g>>>,
}

/// Derivatives of `ẋ` by each entry of the state and the inputs. For a tree they follow from
/// inverse dynamics. With constraints, or if it is cheaper for a small tree with quaternions, the
/// recorded accelerations are differentiated directly.
pub fn derivatives_by_state_entries<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> StateDerivatives<'g> {
    let (m, env) = (d.m, d.environment(motion.inputs()));
    let z: Vec<_> = m.states.iter().map(|s| evaluate_formula(m, &env, &s.rate)).collect();
    let states = state_entry_directions(d);
    let inputs = input_directions(d);
    let rates = [d.coordinate_rates(), motion.accelerations(), &z].concat();
    let differentiate_directly = || StateDerivatives {
        by_state: differentiate_along(d, &rates, &states),
        by_input: differentiate_along(d, &rates, &inputs),
        rates: rates.clone(),
    };
    let tree = m.nv() > 0
        && d.rows().is_empty()
        && m.inputs_realising_constraints().is_empty()
        && !loads_read_quaternions(m);
    if !tree {
        return differentiate_directly();
    }
    let moved = [pose_directions(d), speed_directions(d), user_state_directions(d)].concat();
    let accelerations = acceleration_derivatives(d, motion, &moved);
    let rest = Tangents::new(d.graph, &[d.coordinate_rates(), &z[..]].concat());
    let column = |direction: &Direction<'g>, accelerations: &[Tracer<'g>]| {
        let moved = rest.derivatives_along(&direction.seeds, &direction.name);
        let (of_rates, of_states) = moved.split_at(m.nq());
        [of_rates, accelerations, of_states].concat()
    };
    let entries = columns_by_state_entries(d, accelerations);
    let by_state = states.iter().zip(&entries).map(|(x, a)| column(x, a)).collect();
    let of_inputs = self::acceleration_derivatives(d, motion, &inputs);
    let by_input = inputs.iter().zip(&of_inputs).map(|(x, a)| column(x, a)).collect();
    let by_structure = StateDerivatives { by_state, by_input, rates: rates.clone() };
    if quaternion_starts(m).is_empty() || m.nv() > SMALL {
        return by_structure;
    }
    let cost = |x: &StateDerivatives<'g>| {
        d.count_operations(x.by_state.iter().chain(&x.by_input).flatten().copied())
    };
    let direct = differentiate_directly();
    if cost(&direct) < cost(&by_structure) { direct } else { by_structure }
}

/// Largest number of speeds for which a tree with quaternions is also differentiated directly.
const SMALL: usize = 8;

/// True if a load is a formula of quaternion entries, so that it may depend on more than the
/// attitude.
fn loads_read_quaternions(m: &Mechanism) -> bool {
    let quaternions = quaternion_starts(m);
    m.loads.iter().any(|load| {
        load.kind.form().force_law_formulas().iter().any(|f| {
            f.any_variable(&|v| match v {
                Variable::Coordinate(i) => {
                    quaternions.iter().any(|e| e.quaternion_range().contains(&i.index()))
                }
                _ => false,
            })
        })
    })
}

/// Columns by entries of the state, from the columns along `δx`. The attitude is that of `e/|e|`: a
/// change along `e` causes no rotation, and a change `δe` rotates by `δ = 2 ē ⊗ δe/|e|²`.
fn columns_by_state_entries<'g>(
    d: &Derivation<'g, '_>,
    columns: Vec<Vec<Tracer<'g>>>,
) -> Vec<Vec<Tracer<'g>>> {
    let quaternions = quaternion_starts(d.m);
    let mut columns = columns.into_iter();
    let mut out = Vec::new();
    let mut i = 0;
    while i < d.m.nq() {
        if !quaternions.contains(&CoordinateId(i)) {
            out.extend(columns.next());
            i += 1;
            continue;
        }
        let e: [Tracer<'g>; 4] = std::array::from_fn(|k| d.symbols.q[i + k]);
        let scale = Tracer::ratio(2, 1) / quaternion_norm_squared(e);
        let turns: Vec<_> = columns.by_ref().take(3).collect();
        for (k, c) in d.m.coordinates[i..i + 4].iter().enumerate() {
            let by = quaternion_rates(e).map(|rates| scale * rates[k]);
            let entries = d.m.speed_ids().map(|j| {
                let sum = turns.iter().zip(by).fold(Tracer::ZERO, |sum, (turn, by)| sum + by * turn[j]);
                sum.suggest_name(&|| format!("{}_dot_by_{}", d.m.speeds[j].name, c.name))
            });
            out.push(entries.collect());
        }
        i += 4;
    }
    out.extend(columns);
    out
}

/// Derivatives of the accelerations of a tree along directions, one list each.
pub(super) fn acceleration_derivatives<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    directions: &[Direction<'g>],
) -> Vec<Vec<Tracer<'g>>> {
    let acceleration_symbols = d.acceleration_symbols();
    let replacements: Vec<(NodeId, Tracer<'g>)> =
        acceleration_symbols.iter().zip(motion.accelerations()).map(|(a, x)| (d.node_id(*a), *x)).collect();
    let factored = d.factor_mass_matrix(&d.equations().mass);
    let effort_derivatives =
        differentiate_efforts_to_compensate(d, motion.inputs(), directions, &replacements);
    let needed: Vec<Vec<_>> = effort_derivatives
        .iter()
        .map(|derivative| derivative.efforts.iter().map(|x| -*x).collect())
        .collect();
    let mut solved = factored.solve_many(&needed);
    for (accelerations, derivative) in solved.iter_mut().zip(&effort_derivatives) {
        derivative
            .equivalent
            .iter()
            .for_each(|(speed, w)| accelerations[*speed] = accelerations[*speed] - *w);
    }
    for (direction, accelerations) in directions.iter().zip(&solved) {
        for (x, speed) in accelerations.iter().zip(&d.m.speeds) {
            x.suggest_name(&|| format!("{}_dot_by_{}", speed.name, direction.name));
        }
    }
    solved
}

/// Derivatives of the motion of a tree along directions, one column each.
pub fn tree_motion_derivatives<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    directions: &[Direction<'g>],
) -> Vec<MotionColumn<'g>> {
    let (m, graph) = (d.m, d.graph);
    let acceleration_symbols = d.acceleration_symbols();
    let replacements: Vec<(NodeId, Tracer<'g>)> =
        acceleration_symbols.iter().zip(motion.accelerations()).map(|(a, x)| (d.node_id(*a), *x)).collect();
    let env = d.environment(motion.inputs());
    let rates = d.coordinate_rates();
    let states: Vec<_> = m.states.iter().map(|s| evaluate_formula(m, &env, &s.rate)).collect();
    let outputs: Vec<_> = formalism::evaluate_outputs(m, &env, &acceleration_symbols, (&[], &[]))
        .into_iter()
        .flat_map(|o| o.values)
        .collect();
    let rest = Tangents::new(graph, &[rates, &states].concat());
    let of_outputs = Tangents::new(graph, &outputs);
    let mut columns = Vec::with_capacity(directions.len());
    for (direction, accelerations) in directions.iter().zip(acceleration_derivatives(d, motion, directions)) {
        let rest_along = rest.derivatives_along(&direction.seeds, &direction.name);
        let (of_rates, of_states) = rest_along.split_at(rates.len());
        let mut state =
            replace_quaternion_entries(d, of_rates, |joint| attitude_rate_derivative(d, joint, direction).0);
        state.extend(&accelerations);
        state.extend(of_states);
        let with_accelerations: Vec<_> = direction
            .seeds
            .iter()
            .copied()
            .chain(acceleration_symbols.iter().zip(&accelerations).map(|(a, x)| (d.node_id(*a), *x)))
            .collect();
        let along = of_outputs.derivatives_along(&with_accelerations, &direction.name);
        columns.push(MotionColumn { state, outputs: substitute_symbols(graph, &along, &replacements) });
    }
    columns
}

/// The entries of `values`, one per coordinate, with the four of each quaternion replaced by the
/// three that `attitude` returns for its joint.
pub(super) fn replace_quaternion_entries<'g>(
    d: &Derivation<'g, '_>,
    values: &[Tracer<'g>],
    attitude: impl Fn(JointId) -> [Tracer<'g>; 3],
) -> Vec<Tracer<'g>> {
    let quaternions = quaternion_starts(d.m);
    let mut out = Vec::new();
    let mut i = 0;
    while i < values.len() {
        if quaternions.contains(&CoordinateId(i)) {
            out.extend(attitude(d.m.coordinates[i].joint));
            i += 4;
        } else {
            out.push(values[i]);
            i += 1;
        }
    }
    out
}

/// Angular velocity ω of a joint with a quaternion, in the axes of the child.
pub(super) fn child_axis_angular_velocity<'g>(d: &Derivation<'g, '_>, joint: JointId) -> Vec3<Tracer<'g>> {
    let speeds = joint_angular_speeds(d.m, joint).map(|slot| slot.map_or(Tracer::ZERO, |s| d.symbols.v[s]));
    let turned = d.m.joints[joint].kind.form().has_non_body_angular_speeds();
    match joint::free_quaternion(&d.m.joints[joint]).filter(|_| turned) {
        // The speeds are along the axes of the parent.
        Some(first) => {
            let q = [0, 1, 2, 3].map(|k| d.symbols.q[first.index() + k]);
            Mat3::from_quaternion(q).apply_transposed(Vec3(speeds))
        }
        None => Vec3(speeds),
    }
}

/// `δ̇ = δω − ω × δ` of a joint with a quaternion, with ω in the axes of the child.
pub(super) fn attitude_rate_derivative<'g>(
    d: &Derivation<'g, '_>,
    joint: JointId,
    direction: &Direction<'g>,
) -> Vec3<Tracer<'g>> {
    let w = child_axis_angular_velocity(d, joint);
    let moved = Tangents::new(d.graph, &w.0).derivatives_along(&direction.seeds, &direction.name);
    let moved = Vec3([moved[0], moved[1], moved[2]]);
    match direction.turns.iter().find(|(turned_joint, _)| *turned_joint == joint) {
        Some((_, turn)) => moved - w.cross(*turn),
        None => moved,
    }
}
