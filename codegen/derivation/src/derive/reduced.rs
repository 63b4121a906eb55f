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
use super::directions::{Direction, derivatives};
use super::effort_slopes::of_efforts;
use super::independent::{Completed, Independent};
use super::linear::{Column, attitude, per_state};
use super::solution::Solved;
use dqdt_algebra::{Scalar, TreeFactors, dot};
use dqdt_graph::ir::{NodeId, Tangents, Tracer, substitute};
use dqdt_mechanics::formalism::{self, Pivot, depends_on_multipliers};
use dqdt_mechanics::kinematics::{constraint_rows, value_of};

type Columns<'g> = Vec<Vec<Tracer<'g>>>;

/// Derivatives of a constrained motion along several directions, with their divisors.
pub struct Reduced<'g> {
    /// One column of derivatives for each direction.
    pub columns: Vec<Column<'g>>,
    /// Pivots that the emitted function checks.
    pub divisors: Vec<Pivot<Tracer<'g>>>,
}

/// Derivatives of the motion along directions that keep the constraints fulfilled.
pub fn columns<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    free: &Independent<'g>,
    directions: &[Completed<'g>],
) -> Reduced<'g> {
    let (m, graph) = (d.m, d.graph);
    let given = d.given_accelerations();
    let found: Vec<(NodeId, Tracer<'g>)> =
        given.iter().zip(motion.accelerations()).map(|(a, x)| (d.id(*a), *x)).collect();
    let env = d.environment(motion.inputs());
    let rates = d.rates();
    let users: Vec<_> = m.states.iter().map(|s| value_of(m, &env, &s.rate)).collect();
    let outputs = outputs(d, motion, &given);
    let rest = Tangents::of(graph, &[rates, &users].concat());
    let of_outputs = Tangents::of(graph, &outputs);
    let mut divisors = free.pivots().to_vec();
    let accelerations = if m.realising_inputs().is_empty() {
        let (columns, pivots) = held(d, motion, free, directions, &found);
        divisors.extend(pivots);
        columns
    } else {
        let plain: Vec<&Direction<'g>> = directions.iter().map(|x| &x.direction).collect();
        derivatives(d, motion.accelerations(), &plain)
    };
    let places = free.places();
    let column = |(along, accelerations): (&Completed<'g>, &Vec<Tracer<'g>>)| {
        let direction = &along.direction;
        for (x, speed) in accelerations.iter().zip(&m.speeds) {
            x.named(&|| format!("{}_dot_by_{}", speed.name, direction.name));
        }
        let moved = rest.along(&direction.seeds, &direction.name);
        let (of_rates, of_users) = moved.split_at(rates.len());
        let mut all = per_state(d, of_rates, |joint| attitude(d, joint, direction).0);
        all.extend(accelerations);
        all.extend(of_users);
        let with_accelerations: Vec<_> = direction
            .seeds
            .iter()
            .copied()
            .chain(given.iter().zip(accelerations).map(|(a, x)| (d.id(*a), *x)))
            .collect();
        let along = of_outputs.along(&with_accelerations, &direction.name);
        let state = places.iter().map(|i| all[*i]).collect();
        Column { state, outputs: substitute(graph, &along, &found) }
    };
    Reduced { columns: directions.iter().zip(&accelerations).map(column).collect(), divisors }
}

/// Values of the outputs with symbols for the accelerations; outputs that depend on multipliers use
/// the solved accelerations.
fn outputs<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>, given: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
    let (m, env) = (d.m, d.environment(motion.inputs()));
    let at = |accelerations: &[Tracer<'g>]| {
        formalism::outputs(m, &env, accelerations, (d.rows(), motion.multipliers()))
    };
    let of_symbols = at(given);
    if !m.outputs.iter().any(|o| depends_on_multipliers(m, &o.kind)) {
        return of_symbols.into_iter().flat_map(|o| o.values).collect();
    }
    let all = m.outputs.iter().zip(of_symbols.into_iter().zip(at(motion.accelerations())));
    all.flat_map(|(output, (of_symbols, found))| match depends_on_multipliers(m, &output.kind) {
        true => found.values,
        false => of_symbols.values,
    })
    .collect()
}

/// `δv̇` of all speeds, from the equations differentiated at constant v̇ and λ, and the pivots of
/// `BᵀMB`.
fn held<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    free: &Independent<'g>,
    directions: &[Completed<'g>],
    found: &[(NodeId, Tracer<'g>)],
) -> (Columns<'g>, Vec<Pivot<Tracer<'g>>>) {
    let (m, nv) = (d.m, d.m.nv());
    let (space, rows) = (free.motion(), free.rows());
    let mass = d.equations().mass;
    let moved: Columns<'g> =
        space.basis.iter().map(|column| mass.iter().map(|row| dot(row, column)).collect()).collect();
    let chain: Vec<Option<usize>> = (0..space.basis.len()).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&chain, |i, j| dot(&space.basis[i], &moved[j]));
    let of_speeds = space.speeds().zip(factors.pivots.iter().zip(&factors.diagonal));
    let pivots = of_speeds.map(|(s, (x, whole))| Pivot::of_speed(m, s, *x, *whole)).collect();
    let entries: Vec<Tracer<'g>> =
        rows.iter().flat_map(|row| row.jacobian.iter().copied().chain([row.gamma])).collect();
    let of_rows = Tangents::of(d.graph, &entries);
    // Forces of redundant rows: of all rows, or of those selected at the pose.
    let spread = d.formalism.keeps_all_rows(d.partition) && !d.partition.groups.is_empty();
    let (lambda, of_forces) = match spread {
        true => {
            let all = d.at_given_speeds(|_, m, env| constraint_rows(m, env));
            let jacobian: Vec<Tracer<'g>> = all.iter().flat_map(|row| row.jacobian.clone()).collect();
            (motion.multipliers().to_vec(), Some(Tangents::of(d.graph, &jacobian)))
        }
        false => (d.selection.gather("lambda", motion.multipliers()), None),
    };
    let efforts = efforts(d, motion, free, directions, found);
    let column = |(along, efforts): (&Completed<'g>, &Vec<Tracer<'g>>)| -> Vec<Tracer<'g>> {
        let changed = of_rows.along(&along.direction.seeds, &along.direction.name);
        let changed: Vec<&[Tracer<'g>]> = changed.chunks(nv + 1).collect();
        let of_all = of_forces.as_ref().map(|t| t.along(&along.direction.seeds, &along.direction.name));
        let jacobian: Vec<&[Tracer<'g>]> = match &of_all {
            Some(all) => all.chunks(nv).collect(),
            None => changed.clone(),
        };
        let needed: Vec<Tracer<'g>> =
            changed.iter().map(|row| row[nv] - dot(&row[..nv], motion.accelerations())).collect();
        let particular = space.taken(&needed);
        let right = |j: usize| {
            let column: Vec<Tracer<'g>> = jacobian.iter().map(|row| row[j]).collect();
            dot(&column, &lambda) - efforts[j] - dot(&mass[j], &particular)
        };
        let right: Vec<Tracer<'g>> = (0..nv).map(right).collect();
        let along: Vec<Tracer<'g>> = space.basis.iter().map(|column| dot(column, &right)).collect();
        let solved = factors.solve(&along);
        let sum = |j: usize| {
            let own: Vec<Tracer<'g>> = space.basis.iter().map(|column| column[j]).collect();
            particular[j] + dot(&own, &solved)
        };
        (0..nv).map(sum).collect()
    };
    (directions.iter().zip(&efforts).map(column).collect(), pivots)
}

/// `δτ` of the inverse dynamics of the tree along these directions.
fn efforts<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    free: &Independent<'g>,
    directions: &[Completed<'g>],
    found: &[(NodeId, Tracer<'g>)],
) -> Columns<'g> {
    let whole: Vec<&Direction<'g>> = directions.iter().map(|x| &x.direction).collect();
    let at_once = of_efforts(d, motion.inputs(), &whole, found);
    let mut moving: Vec<usize> = directions.iter().flat_map(|x| &x.parts).map(|(place, _)| *place).collect();
    moving.sort_unstable();
    moving.dedup();
    let single: Vec<&Direction<'g>> = moving.iter().map(|place| &free.elementary()[*place]).collect();
    let bases: Vec<&Direction<'g>> = directions.iter().filter_map(|x| x.base.as_ref()).collect();
    let of_single = of_efforts(d, motion.inputs(), &single, found);
    let of_bases = of_efforts(d, motion.inputs(), &bases, found);
    let mut of_bases = of_bases.into_iter();
    let combined: Columns<'g> = directions
        .iter()
        .map(|x| {
            let zeros = vec![Tracer::ZERO; d.m.nv()];
            let mut sum = match &x.base {
                Some(_) => {
                    d.graph.invariants().require(of_bases.next(), zeros, "a direction without its column")
                }
                None => zeros,
            };
            for (place, rate) in &x.parts {
                let Ok(k) = moving.binary_search(place) else {
                    d.graph.invariants().broken("a direction moves what is not among the moving entries");
                    continue;
                };
                let terms = sum.iter_mut().zip(&of_single[k]).filter(|(_, x)| !x.is_zero());
                terms.for_each(|(s, x)| *s = *s + *x * *rate);
            }
            sum
        })
        .collect();
    let cost = |columns: &Columns<'g>| d.operations(columns.iter().flatten().copied());
    if cost(&combined) < cost(&at_once) { combined } else { at_once }
}
