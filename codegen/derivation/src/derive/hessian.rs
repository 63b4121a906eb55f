//! Second derivatives of `λᵀẋ` by the state, the inputs and the parameters.
//!
//! Problem: the Hessian of the state derivative `ẋ`, weighted by constant costates λ.
//! Method:  the unknowns y of the motion, accelerations and multipliers, solve `R(x, y) = 0`, which
//!          is linear in y; R is the inverse dynamics of the tree less the forces of the active
//!          rows, and the residuals of these rows. With the adjoint unknowns w of
//!          `(∂R/∂y)ᵀ w = λ_v`, and y and w held constant, the scalar is
//!          `S = λ_qᵀ q̇ + λ_zᵀ ż − wᵀ R(x, y)`. The Hessian of `λᵀẋ` is
//!          `S_xx + S_xy y_x + (S_xy y_x)ᵀ`. S is differentiated by `held_scalar` or
//!          `second_derivatives`, y_x is solved with the factors of the motion.
//!          Where the formalism uses other rows, for inputs that realise constraints, and for tiny
//!          trees if that is cheaper, the recorded `λᵀẋ` itself is differentiated twice.
//!
//! Not handled: direct differentiation that would need more than [`MOST_OPERATIONS`].

use super::constrained;
use super::derivation::Derivation;
use super::directions::{Direction, input_directions, parameter_directions, state_entry_directions};
use super::held_scalar::HeldScalar;
use super::linear;
use super::second_derivatives::{differentiate_twice, lower_triangle};
use super::solution::Solved;
use dqdt_algebra::{Scalar, dot};
use dqdt_graph::ir::{NodeId, SymbolKind, Tangents, Tracer, substitute_symbols};
use dqdt_mechanics::formalism::{self, Pivot};
use dqdt_mechanics::kinematics::evaluate_formula;

/// Hessian of `λᵀẋ`, with its divisors.
pub struct Hessian<'g> {
    /// Names of the variables: entries of the state, inputs, free parameters.
    pub variables: Vec<String>,
    /// Entries of the lower triangle, one list a row.
    pub rows: Vec<Vec<Tracer<'g>>>,
    /// Divisors of the entries.
    pub divisors: Vec<Pivot<Tracer<'g>>>,
}

/// Lower triangle of a Hessian, one list a row, with its divisors.
type Triangle<'g> = (Vec<Vec<Tracer<'g>>>, Vec<Pivot<Tracer<'g>>>);

/// Largest number of speeds for which a tree is also differentiated directly.
const TINY: usize = 3;
/// Largest estimated number of operations of direct differentiation: above, there is no Hessian.
const MOST_OPERATIONS: u32 = 200_000;
/// Estimated operations of a direct sweep along one variable, per operation of `ẋ`.
const OPERATIONS_OF_SWEEP: u32 = 5;

/// Second derivatives of `λᵀẋ` for costates λ, one per entry of the state; `None` if they would
/// need too many operations.
pub fn hessian_of_motion<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    costates: &[Tracer<'g>],
) -> Option<Hessian<'g>> {
    let variables = [state_entry_directions(d), input_directions(d), parameter_directions(d)].concat();
    let names = variables.iter().map(|x| x.name.clone()).collect();
    let directly = || {
        let scalar = dot(costates, &state_rates(d, motion));
        let all = differentiate_twice(d, scalar, &variables, &[], &|_, _| true);
        (lower_triangle(&all.by_variables), motion.solution.pivots.clone())
    };
    let cost = |x: &Triangle<'g>| d.count_operations(x.0.iter().flatten().copied());
    let (rows, divisors) = if !has_residual(d) {
        let sweep = OPERATIONS_OF_SWEEP * d.count_operations(state_rates(d, motion));
        if sweep.saturating_mul(variables.len() as u32) > MOST_OPERATIONS {
            return None;
        }
        directly()
    } else if !d.rows().is_empty() {
        hessian_with_constraints(d, motion, costates, &variables)
    } else {
        let structured = hessian_of_tree(d, motion, costates, &variables);
        let direct = (d.m.nv() <= TINY).then(directly);
        direct.filter(|x| cost(x) < cost(&structured)).unwrap_or(structured)
    };
    Some(Hessian { variables: names, rows, divisors })
}

/// True if the accelerations of the formalism are the solution of `R(x, y) = 0` with the active
/// rows, at states that violate the constraints, too.
fn has_residual(d: &Derivation<'_, '_>) -> bool {
    let p = d.partition;
    d.m.inputs_realising_constraints().is_empty()
        && (d.rows().is_empty()
            || d.solves_with_mass_matrix()
            || p.redundant.is_empty() && p.groups.is_empty())
}

/// The state derivative: coordinate rates, accelerations, rates of user states.
pub fn state_rates<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<Tracer<'g>> {
    let env = d.environment(motion.inputs());
    let users: Vec<_> = d.m.states.iter().map(|s| evaluate_formula(d.m, &env, &s.rate)).collect();
    [d.coordinate_rates(), motion.accelerations(), &users].concat()
}

/// `λ_qᵀ q̇ + λ_zᵀ ż`.
fn kinematic_scalar<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>, costates: &[Tracer<'g>]) -> Tracer<'g> {
    let mut of_kinematics = costates.to_vec();
    of_kinematics[d.m.nq()..d.m.nq() + d.m.nv()].fill(Tracer::ZERO);
    dot(&of_kinematics, &state_rates(d, motion))
}

/// The Hessian of a tree.
fn hessian_of_tree<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    costates: &[Tracer<'g>],
    variables: &[Direction<'g>],
) -> Triangle<'g> {
    let factored = d.factor_mass_matrix(&d.equations().mass);
    let weights = factored.solve(&costates[d.m.nq()..d.m.nq() + d.m.nv()]);
    let held = Held::new(d, motion.accelerations(), &weights, 0);
    let scalar = HeldScalar {
        accelerations: &held.unknowns,
        weights: &held.weights,
        kinematic: kinematic_scalar(d, motion, costates),
    };
    let second = scalar.second_derivatives(d, motion.inputs(), variables);
    let [by_variables, by_unknowns] = [lower_triangle(&second.by_variables), second.by_accelerations]
        .map(|rows| held.insert_values(d, &rows));
    let slopes = acceleration_columns(d, motion);
    (add_products(by_variables, &by_unknowns, &slopes), factored.pivots(d.m))
}

/// The Hessian with constraints, whose multipliers are unknowns as well.
fn hessian_with_constraints<'g>(
    d: &Derivation<'g, '_>,
    motion: &Solved<'g>,
    costates: &[Tracer<'g>],
    variables: &[Direction<'g>],
) -> Triangle<'g> {
    let (m, nv) = (d.m, d.m.nv());
    let (env, e) = (d.environment(motion.inputs()), d.equations());
    let rows = &d.selection.rows;
    let gamma: Vec<_> = d.rows().iter().map(|row| row.stabilised_gamma(m, &env)).collect();
    let gamma = d.selection.select_active_values("gamma", &gamma);
    let right: Vec<_> = e.force.iter().zip(&e.c).map(|(q, c)| *q - *c).collect();
    let solve = |right: &[Tracer<'g>], gamma: &[Tracer<'g>]| {
        let solution = constrained::solve_active_rows(d, &e.mass, right, gamma);
        ([&solution.x[..], &solution.multipliers].concat(), solution.pivots)
    };
    let (unknowns, pivots) = solve(&right, &gamma);
    let (mut weights, _) = solve(&costates[m.nq()..m.nq() + nv], &vec![Tracer::ZERO; rows.len()]);
    weights[nv..].iter_mut().for_each(|x| *x = -*x);
    let held = Held::new(d, &unknowns, &weights, rows.len());
    let (accelerations, multipliers) = held.unknowns.split_at(nv);
    let mut residuals = formalism::inverse_dynamics(m, &env, accelerations);
    for (row, multiplier) in rows.iter().zip(multipliers) {
        for (residual, x) in residuals.iter_mut().zip(&row.jacobian).filter(|(_, x)| !x.is_zero()) {
            *residual = *residual - *x * *multiplier;
        }
    }
    residuals.extend(rows.iter().zip(&gamma).map(|(row, gamma)| dot(&row.jacobian, accelerations) - *gamma));
    let scalar = kinematic_scalar(d, motion, costates) - dot(&held.weights, &residuals);
    let second = differentiate_twice(d, scalar, variables, &held.unknowns, &|_, _| true);
    let [by_variables, by_unknowns] = [lower_triangle(&second.by_variables), second.by_accelerations]
        .map(|rows| held.insert_values(d, &rows));
    let tangents = Tangents::new(d.graph, &residuals);
    let along = variables.iter().map(|x| tangents.derivatives_along(&x.seeds, &x.name));
    let along = held.insert_values(d, &along.collect::<Vec<_>>());
    let slopes: Vec<Vec<Tracer<'g>>> = along
        .into_iter()
        .map(|residuals| {
            let opposed: Vec<Tracer<'g>> = residuals.into_iter().map(|x| -x).collect();
            solve(&opposed[..nv], &opposed[nv..]).0
        })
        .collect();
    (add_products(by_variables, &by_unknowns, &slopes), pivots)
}

/// Adds `S_xy y_x` and its transpose to a lower triangle.
fn add_products<'g>(
    mut triangle: Vec<Vec<Tracer<'g>>>,
    by_unknowns: &[Vec<Tracer<'g>>],
    slopes: &[Vec<Tracer<'g>>],
) -> Vec<Vec<Tracer<'g>>> {
    for (i, row) in triangle.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            let one = sparse_dot(&by_unknowns[i], &slopes[j]);
            let other = if i == j { one } else { sparse_dot(&by_unknowns[j], &slopes[i]) };
            *entry = *entry + (one + other);
        }
    }
    triangle
}

/// Sum of products; a product with a zero is not recorded.
fn sparse_dot<'g>(a: &[Tracer<'g>], b: &[Tracer<'g>]) -> Tracer<'g> {
    let products = a.iter().zip(b).filter(|(a, b)| !a.is_zero() && !b.is_zero());
    products.fold(Tracer::ZERO, |sum, (a, b)| sum + *a * *b)
}

/// Derivatives of the accelerations of a tree by each variable, one list each.
fn acceleration_columns<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<Vec<Tracer<'g>>> {
    let (nq, nv) = (d.m.nq(), d.m.nv());
    let first = linear::derivatives_by_state_entries(d, motion);
    let of_rates = first.by_state.into_iter().chain(first.by_input);
    let mut columns: Vec<Vec<Tracer<'g>>> = of_rates.map(|column| column[nq..nq + nv].to_vec()).collect();
    columns.extend(linear::acceleration_derivatives(d, motion, &parameter_directions(d)));
    columns
}

/// Symbols that replace the unknowns and the adjoint unknowns while these are held constant.
struct Held<'g> {
    unknowns: Vec<Tracer<'g>>,
    weights: Vec<Tracer<'g>>,
    /// The values of the symbols.
    replacements: Vec<(NodeId, Tracer<'g>)>,
}

impl<'g> Held<'g> {
    /// Symbols for these unknowns, of which the last `rows` are multipliers, and their weights.
    fn new(d: &Derivation<'g, '_>, unknowns: &[Tracer<'g>], weights: &[Tracer<'g>], rows: usize) -> Self {
        let auxiliary = |name: &str, count: usize, first: usize| -> Vec<Tracer<'g>> {
            let symbols = (first..first + count)
                .map(|i| d.graph.symbol(&format!("{name}_{}", i - first + 1), SymbolKind::Auxiliary(i)));
            symbols.map(|id| Tracer::new(d.graph, id)).collect()
        };
        let symbols = [d.acceleration_symbols(), auxiliary("held_multiplier", rows, 0)].concat();
        let held_weights = auxiliary("held_weight", weights.len(), rows);
        let values = unknowns.iter().chain(weights);
        let replacements =
            symbols.iter().chain(&held_weights).map(|x| d.node_id(*x)).zip(values.copied()).collect();
        Held { unknowns: symbols, weights: held_weights, replacements }
    }

    /// The same entries with the values of the unknowns and the weights.
    fn insert_values(&self, d: &Derivation<'g, '_>, rows: &[Vec<Tracer<'g>>]) -> Vec<Vec<Tracer<'g>>> {
        rows.iter().map(|row| substitute_symbols(d.graph, row, &self.replacements)).collect()
    }
}
