//! Solution of the equations of motion: accelerations, multipliers and effective inputs.
//!
//! Problem: `M v̇ = Q − c`, with or without constraints, or the accelerations of a formalism
//!          without a mass matrix.
//! Method:  `constrained` for M, c and Q with constraint rows, `program_inputs` for rows that
//!          inputs realise; else the formalism's own solution. All functions that need
//!          accelerations share the result.

use std::sync::Arc;

use super::derivation::Derivation;
use super::solution::{Solution, Solved, name_independence_measures, name_row_lengths};
use super::{constrained, program_inputs};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::formalism::{self, Implicit};
use dqdt_mechanics::mechanism::{Environment, SpeedId};

/// M and `Q − c`, as the difference of Q and c, or by one RNEA sweep if that needs fewer
/// operations.
fn cheaper_mass_and_right_side<'g>(
    d: &Derivation<'g, '_>,
    e: &Implicit<Tracer<'g>>,
    env: &Environment<'_, Tracer<'g>>,
) -> (Vec<Vec<Tracer<'g>>>, Vec<Tracer<'g>>) {
    let difference: Vec<_> = e.force.iter().zip(&e.c).map(|(q, c)| *q - *c).collect();
    let Some((mass, swept)) = formalism::mass_matrix_and_right_side(d.formalism, d.m, env) else {
        return (e.mass.clone(), difference);
    };
    let cost = |mass: &[Vec<Tracer<'g>>], right: &[Tracer<'g>]| {
        d.count_operations(mass.iter().flatten().chain(right).copied())
    };
    if cost(&mass, &swept) < cost(&e.mass, &difference) {
        (mass, swept)
    } else {
        (e.mass.clone(), difference)
    }
}

/// Solves the equations of motion with the formalism of the derivation.
pub(super) fn solve_equations_of_motion<'g>(d: &Derivation<'g, '_>) -> Solved<'g> {
    let env = d.environment(&d.inputs);
    let solved = if d.solves_with_mass_matrix() || !d.m.inputs_realising_constraints().is_empty() {
        let e = d.equations();
        let (mass, right) = cheaper_mass_and_right_side(d, &e, &env);
        let section = Arc::from("right-hand side Q − c");
        for (i, r) in SpeedId::enumerate(&right) {
            d.label_value(*r, &format!("rhs_{}", d.m.speed_name_stem(i)), &section);
        }
        let gamma: Vec<_> = d.constraint_rows.iter().map(|row| row.stabilised_gamma(d.m, &env)).collect();
        let free = constrained::solve_with_constraints(d, &mass, &right, &gamma);
        program_inputs::solve_program_inputs(d, &env, &e, free)
    } else {
        let solution = d.solve_by_formalism(&env);
        let rows = &d.selection.rows;
        let active: Vec<usize> = (0..rows.len()).collect();
        let mut pivots = solution.pivots;
        pivots.extend(name_row_lengths(rows, &active, &solution.lengths));
        let solution = Solution {
            x: solution.accelerations,
            pivots,
            multipliers: solution.multipliers,
            independence: name_independence_measures(rows, &active, &solution.independence),
        };
        Solved { solution, inputs: d.inputs.clone() }
    };
    let section = Arc::from("pivots of the factorisation M = LᵀDL");
    for pivot in solved.solution.pivots.iter().filter(|p| !p.squared) {
        let stem = pivot.name.strip_prefix("pivot of ").unwrap_or(&pivot.name);
        d.label_value(pivot.value, &format!("D_{}", stem.replace(' ', "_")), &section);
    }
    let section = Arc::from("accelerations");
    for (i, a) in SpeedId::enumerate(&solved.solution.x) {
        d.label_value(*a, &format!("acc_{}", d.m.speed_name_stem(i)), &section);
    }
    solved
}
