//! Derivatives of the motion of a constrained mechanism, in independent differences.
//!
//! Problem: `δẋ = A δx + B δu`, `δy = C δx + D δu` along directions that keep the constraints
//!          fulfilled, with rows for the independent differences only.
//! Method:  with `τ(q, v, a) = M a + c − Q` the motion fulfils `τ(q, v, v̇) = Aᵀλ` and `A v̇ = γ`.
//!          Differentiating both at constant v̇ and λ gives `M δv̇ − Aᵀδλ = −δτ + δAᵀλ` and
//!          `A δv̇ = δγ − δA v̇`. A particular solution of the second by dependent speeds, and the
//!          motions `B` that the constraints allow, reduce this to `BᵀMB y = Bᵀ(…)`, factored once
//!          for all directions. With inputs that realise constraints, the recorded accelerations
//!          are differentiated directly.
//! Efforts: along each completed direction, or as combinations of single entries, whichever is
//!          cheaper.
//! Outputs: by the chain rule; those that depend on λ are differentiated directly.
//!
//! Not handled: stabilisation terms, which vanish on the constraints together with their
//! derivatives along them.

use super::derivation::Derivation;
use super::directions::{Direction, differentiate_along};
use super::effort_derivatives::differentiate_efforts;
use super::independent::{CompletedDirection, IndependentDifferences};
use super::linear::{MotionColumn, attitude_rate_derivative, replace_quaternion_entries};
use super::solution::Solved;
use dqdt_algebra::{Scalar, TreeFactors, dot};
use dqdt_graph::ir::{NodeId, Tangents, Tracer, substitute_symbols};
use dqdt_mechanics::formalism::{self, Pivot, depends_on_multipliers};
use dqdt_mechanics::kinematics::{constraint_rows, evaluate_formula};

/// Derivatives of a constrained motion along several directions, with their divisors.
pub struct ReducedDerivatives<'g> {
    /// One column of derivatives for each direction.
    pub columns: Vec<MotionColumn<'g>>,
    /// Pivots of the independent differences and of `BᵀMB`, which the emitted function checks.
    pub divisors: Vec<Pivot<Tracer<'g>>>,
}

/// Derivatives of the motion along directions that keep the constraints fulfilled.
pub fn constrained_motion_derivatives<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    free: &IndependentDifferences<'g>,
    directions: &[CompletedDirection<'g>],
) -> ReducedDerivatives<'g> {
    let (m, graph) = (d.m, d.graph);
    let acceleration_symbols = d.acceleration_symbols();
    let replacements: Vec<(NodeId, Tracer<'g>)> =
        acceleration_symbols.iter().zip(motion.accelerations()).map(|(a, x)| (d.node_id(*a), *x)).collect();
    let env = d.environment(motion.inputs());
    let rates = d.coordinate_rates();
    let users: Vec<_> = m.states.iter().map(|s| evaluate_formula(m, &env, &s.rate)).collect();
    let outputs = output_values(d, motion, &acceleration_symbols);
    let rest = Tangents::new(graph, &[rates, &users].concat());
    let of_outputs = Tangents::new(graph, &outputs);
    let mut divisors = free.pivots().to_vec();
    let accelerations = if m.inputs_realising_constraints().is_empty() {
        let (columns, pivots) =
            constrained_acceleration_derivatives(d, motion, free, directions, &replacements);
        divisors.extend(pivots);
        columns
    } else {
        let plain: Vec<&Direction<'g>> = directions.iter().map(|x| &x.direction).collect();
        differentiate_along(d, motion.accelerations(), &plain)
    };
    let places = free.independent_indices();
    let both = directions.iter().zip(&accelerations);
    let columns = both.map(|(along, accelerations)| {
        let direction = &along.direction;
        for (x, speed) in accelerations.iter().zip(&m.speeds) {
            x.suggest_name(&|| format!("{}_dot_by_{}", speed.name, direction.name));
        }
        let moved = rest.derivatives_along(&direction.seeds, &direction.name);
        let (of_rates, of_users) = moved.split_at(rates.len());
        let mut all =
            replace_quaternion_entries(d, of_rates, |joint| attitude_rate_derivative(d, joint, direction).0);
        all.extend(accelerations);
        all.extend(of_users);
        let with_accelerations: Vec<_> = direction
            .seeds
            .iter()
            .copied()
            .chain(acceleration_symbols.iter().zip(accelerations).map(|(a, x)| (d.node_id(*a), *x)))
            .collect();
        let along = of_outputs.derivatives_along(&with_accelerations, &direction.name);
        let state = places.iter().map(|i| all[*i]).collect();
        MotionColumn { state, outputs: substitute_symbols(graph, &along, &replacements) }
    });
    ReducedDerivatives { columns: columns.collect(), divisors }
}

/// Values of the outputs with symbols for the accelerations; outputs that depend on multipliers use
/// the solved accelerations.
fn output_values<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    acceleration_symbols: &[Tracer<'g>],
) -> Vec<Tracer<'g>> {
    let (m, env) = (d.m, d.environment(motion.inputs()));
    let at = |accelerations: &[Tracer<'g>]| {
        formalism::evaluate_outputs(m, &env, accelerations, (d.rows(), motion.multipliers()))
    };
    let of_symbols = at(acceleration_symbols);
    if !m.outputs.iter().any(|o| depends_on_multipliers(m, &o.kind)) {
        return of_symbols.into_iter().flat_map(|o| o.values).collect();
    }
    let all = m.outputs.iter().zip(of_symbols.into_iter().zip(at(motion.accelerations())));
    all.flat_map(|(output, (of_symbols, of_motion))| match depends_on_multipliers(m, &output.kind) {
        true => of_motion.values,
        false => of_symbols.values,
    })
    .collect()
}

/// `δv̇` of all speeds, from the equations differentiated at constant v̇ and λ, and the pivots of
/// `BᵀMB`.
fn constrained_acceleration_derivatives<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    free: &IndependentDifferences<'g>,
    directions: &[CompletedDirection<'g>],
    replacements: &[(NodeId, Tracer<'g>)],
) -> (Vec<Vec<Tracer<'g>>>, Vec<Pivot<Tracer<'g>>>) {
    let (m, nv) = (d.m, d.m.nv());
    let (space, rows) = (free.motion(), free.rows());
    let mass = d.equations().mass;
    let mass_columns: Vec<Vec<Tracer<'g>>> =
        space.basis.iter().map(|column| mass.iter().map(|row| dot(row, column)).collect()).collect();
    let chain: Vec<Option<usize>> = (0..space.basis.len()).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&chain, |i, j| dot(&space.basis[i], &mass_columns[j]));
    let of_speeds = space.independent_speeds().zip(factors.pivots.iter().zip(&factors.diagonal));
    let pivots = of_speeds.map(|(s, (x, whole))| Pivot::speed_pivot(m, s, *x, *whole)).collect();
    let entries: Vec<Tracer<'g>> =
        rows.iter().flat_map(|row| row.jacobian.iter().copied().chain([row.gamma])).collect();
    let of_rows = Tangents::new(d.graph, &entries);
    // Forces of redundant rows: of all rows, or of those selected at the pose.
    let spread = d.formalism.keeps_all_rows(d.partition) && !d.partition.groups.is_empty();
    let (lambda, of_forces) = match spread {
        true => {
            let all = d.evaluate_at_state_speeds(|_, m, env| constraint_rows(m, env));
            let jacobian: Vec<Tracer<'g>> = all.iter().flat_map(|row| row.jacobian.clone()).collect();
            (motion.multipliers().to_vec(), Some(Tangents::new(d.graph, &jacobian)))
        }
        false => (d.selection.select_active_values("lambda", motion.multipliers()), None),
    };
    let efforts = cheaper_effort_derivatives(d, motion, free, directions, replacements);
    let mut columns = Vec::with_capacity(directions.len());
    for (along, efforts) in directions.iter().zip(&efforts) {
        let changed = of_rows.derivatives_along(&along.direction.seeds, &along.direction.name);
        let changed: Vec<&[Tracer<'g>]> = changed.chunks(nv + 1).collect();
        let of_all =
            of_forces.as_ref().map(|t| t.derivatives_along(&along.direction.seeds, &along.direction.name));
        let jacobian: Vec<&[Tracer<'g>]> = match &of_all {
            Some(all) => all.chunks(nv).collect(),
            None => changed.clone(),
        };
        let needed: Vec<Tracer<'g>> =
            changed.iter().map(|row| row[nv] - dot(&row[..nv], motion.accelerations())).collect();
        let particular = space.solve_dependent(&needed);
        let right: Vec<Tracer<'g>> = (0..nv)
            .map(|j| {
                let column: Vec<Tracer<'g>> = jacobian.iter().map(|row| row[j]).collect();
                dot(&column, &lambda) - efforts[j] - dot(&mass[j], &particular)
            })
            .collect();
        let along: Vec<Tracer<'g>> = space.basis.iter().map(|column| dot(column, &right)).collect();
        let solved = factors.solve(&along);
        let accelerations = (0..nv).map(|j| {
            let row: Vec<Tracer<'g>> = space.basis.iter().map(|column| column[j]).collect();
            particular[j] + dot(&row, &solved)
        });
        columns.push(accelerations.collect());
    }
    (columns, pivots)
}

/// `δτ` of the inverse dynamics of the tree along these directions: directly, or combined from
/// single entries if that costs fewer operations.
fn cheaper_effort_derivatives<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    free: &IndependentDifferences<'g>,
    directions: &[CompletedDirection<'g>],
    replacements: &[(NodeId, Tracer<'g>)],
) -> Vec<Vec<Tracer<'g>>> {
    let complete_directions: Vec<&Direction<'g>> = directions.iter().map(|x| &x.direction).collect();
    let at_once = differentiate_efforts(d, motion.inputs(), &complete_directions, replacements);
    let mut moving: Vec<usize> = directions.iter().flat_map(|x| &x.parts).map(|(place, _)| *place).collect();
    moving.sort_unstable();
    moving.dedup();
    let single: Vec<&Direction<'g>> = moving.iter().map(|place| &free.elementary()[*place]).collect();
    let bases: Vec<&Direction<'g>> = directions.iter().filter_map(|x| x.base.as_ref()).collect();
    let of_single = differentiate_efforts(d, motion.inputs(), &single, replacements);
    let of_bases = differentiate_efforts(d, motion.inputs(), &bases, replacements);
    let mut of_bases = of_bases.into_iter();
    let combined: Vec<Vec<Tracer<'g>>> = directions
        .iter()
        .map(|x| {
            let zeros = vec![Tracer::ZERO; d.m.nv()];
            let mut sum = match &x.base {
                Some(_) => d.graph.invariants().require(
                    of_bases.next(),
                    zeros,
                    "no column of derivatives was computed for a direction",
                ),
                None => zeros,
            };
            for (place, rate) in &x.parts {
                let Ok(k) = moving.binary_search(place) else {
                    d.graph.invariants().report_broken(
                        "a direction moves a state entry that is not in the list of moving entries",
                    );
                    continue;
                };
                let terms = sum.iter_mut().zip(&of_single[k]).filter(|(_, x)| !x.is_zero());
                terms.for_each(|(s, x)| *s = *s + *x * *rate);
            }
            sum
        })
        .collect();
    let cost = |columns: &Vec<Vec<Tracer<'g>>>| d.count_operations(columns.iter().flatten().copied());
    if cost(&combined) < cost(&at_once) { combined } else { at_once }
}
