//! Inputs that realise program constraints.
//!
//! Problem: in `M v̇ + c = Q₀ + B u + Aᵀ λ`, find the inputs u for which `G v̇ = γ_G`, the
//!          accelerations of the program constraints with their feedback.
//! Method:  accelerations are linear in the inputs: `v̇ = v̇₀ + V u`, where each column of V is the
//!          response to one column of B alone with γ = 0; then `(G V) u = γ_G − G v̇₀`. B is the
//!          derivative of Q by the inputs, by jets.
//! Report:  the pivots of the decoupling matrix G V.
//!
//! Not handled: inputs in which forces are not linear; `assemble` rejects them.

use super::constrained;
use super::derivation::Derivation;
use super::solution::{Solution, Solved};
use dqdt_algebra::{DenseFactors, Scalar};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::formalism::{self, Formalism, Implicit, Pivot};
use dqdt_mechanics::kinematics::{self, ConstraintRow};
use dqdt_mechanics::mechanism::{Environment, Mechanism, PivotPlace};

/// Column `∂Q/∂u_k` of the input matrix, one entry for each speed.
pub fn input_force_column<'g>(m: &Mechanism, env: &Environment<'_, Tracer<'g>>, k: usize) -> Vec<Tracer<'g>> {
    let e = env.with_input_jet(k, |lifted| formalism::implicit_equations(Formalism::Kane, m, lifted));
    e.force.iter().map(|q| q.d).collect()
}

/// Product of the Jacobian of a constraint row with a vector over the speeds.
fn row_times_vector<'g>(row: &ConstraintRow<Tracer<'g>>, x: &[Tracer<'g>]) -> Tracer<'g> {
    let terms = row.jacobian.iter().zip(x).filter(|(a, b)| !a.is_zero() && !b.is_zero());
    terms.fold(Tracer::ZERO, |sum, (a, b)| sum + *a * *b)
}

/// The solved motion with the inputs that program constraints require. `free` is the solution with
/// these inputs at zero.
pub(super) fn solve_program_inputs<'g>(
    derivation: &Derivation<'g, '_>,
    env: &Environment<'_, Tracer<'g>>,
    equations: &Implicit<Tracer<'g>>,
    free: Solution<'g>,
) -> Solved<'g> {
    let m = derivation.m;
    let mut inputs = derivation.inputs.clone();
    let realising = m.inputs_realising_constraints();
    if realising.is_empty() {
        return Solved { solution: free, inputs };
    }
    let rows = kinematics::program_constraint_rows(m, env);
    let silent = vec![Tracer::ZERO; derivation.constraint_rows.len()];
    let answers: Vec<Solution<'g>> = realising
        .iter()
        .map(|k| {
            constrained::solve_with_constraints(
                derivation,
                &equations.mass,
                &input_force_column(m, env, *k),
                &silent,
            )
        })
        .collect();
    let matrix: Vec<Vec<Tracer<'g>>> =
        rows.iter().map(|row| answers.iter().map(|a| row_times_vector(row, &a.x)).collect()).collect();
    let right: Vec<Tracer<'g>> =
        rows.iter().map(|row| row.stabilised_gamma(m, env) - row_times_vector(row, &free.x)).collect();
    let mut pairs = derivation.partition.program.clone();
    // A row without a pivot at the start gets any free column; the program reports it at run time.
    for i in 0..rows.len() {
        if !pairs.iter().any(|p| p.row.0 == i) {
            let column = (0..rows.len()).find(|c| !pairs.iter().any(|p| p.column == *c));
            let what = "no input is left for a row of a program constraint";
            pairs.push((i, derivation.graph.invariants().require(column, i, what)).into());
        }
    }
    let ordered = pairs.iter().map(|p| pairs.iter().map(|q| matrix[p.row.0][q.column]).collect()).collect();
    let factors = DenseFactors::new(ordered);
    let realised = factors.solve(&pairs.iter().map(|p| right[p.row.0]).collect::<Vec<_>>());
    let mut solution = free;
    for (PivotPlace { column, .. }, u) in pairs.iter().zip(&realised) {
        inputs[realising[*column]] = *u;
        let add = |to: &mut Vec<Tracer<'g>>, answer: &[Tracer<'g>]| {
            for (x, a) in to.iter_mut().zip(answer).filter(|(_, a)| !a.is_zero()) {
                *x = *x + *a * *u;
            }
        };
        add(&mut solution.x, &answers[*column].x);
        add(&mut solution.multipliers, &answers[*column].multipliers);
    }
    for (p, d) in pairs.iter().zip(factors.pivots()) {
        solution.pivots.push(Pivot {
            name: format!("decoupling of constraint {}", rows[p.row.0].name),
            hint: "in this pose the inputs cannot produce the motion that this constraint requires: choose \
                   another program, or other inputs"
                .to_owned(),
            ..Pivot::row_pivot("", d, None)
        });
    }
    Solved { solution, inputs }
}
