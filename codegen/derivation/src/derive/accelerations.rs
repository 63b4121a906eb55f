//! Solution of the equations of motion: accelerations, multipliers and effective inputs.
//!
//! Problem: `M v̇ = Q − c`, with or without constraints, or the accelerations of a formalism
//!          without a mass matrix.
//! Method:  `constrained` for M, c and Q with constraint rows, `program_inputs` for rows that
//!          inputs realise; else the formalism's own solution. All functions that need
//!          accelerations share the result.

use std::sync::Arc;

use super::derivation::Derivation;
use super::solution::{Solution, Solved, independence, lengths};
use super::{constrained, program_inputs};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::formalism::{self, Implicit};
use dqdt_mechanics::mechanism::{Environment, SpeedId};

/// M and `Q − c`, as the difference of Q and c, or by one RNEA sweep if that needs fewer
/// operations.
fn cheaper_right_side<'g>(
    d: &Derivation<'g, '_>,
    e: &Implicit<Tracer<'g>>,
    env: &Environment<'_, Tracer<'g>>,
) -> (Vec<Vec<Tracer<'g>>>, Vec<Tracer<'g>>) {
    let difference: Vec<_> = e.force.iter().zip(&e.c).map(|(q, c)| *q - *c).collect();
    let Some((mass, swept)) = formalism::solved_by_mass_matrix(d.formalism, d.m, env) else {
        return (e.mass.clone(), difference);
    };
    let cost = |mass: &[Vec<Tracer<'g>>], right: &[Tracer<'g>]| {
        d.operations(mass.iter().flatten().chain(right).copied())
    };
    if cost(&mass, &swept) < cost(&e.mass, &difference) {
        (mass, swept)
    } else {
        (e.mass.clone(), difference)
    }
}

/// Solves the equations of motion with the formalism of the derivation.
pub(super) fn solve<'g>(d: &Derivation<'g, '_>) -> Solved<'g> {
    let env = d.environment(&d.inputs);
    let solved = if d.solves_with_mass_matrix() || !d.m.realising_inputs().is_empty() {
        let e = d.equations();
        let (mass, right) = cheaper_right_side(d, &e, &env);
        let section = Arc::from("right-hand side Q − c");
        for (i, r) in SpeedId::enumerate(&right) {
            d.label(*r, &format!("rhs_{}", d.m.stem_of_speed(i)), &section);
        }
        let gamma: Vec<_> = d.rows.iter().map(|row| row.stabilised(d.m, &env)).collect();
        let free = constrained::solve(d, &mass, &right, &gamma);
        program_inputs::realise(d, &env, &e, free)
    } else {
        let solution = d.solved_by_method(&env);
        let rows = &d.selection.rows;
        let active: Vec<usize> = (0..rows.len()).collect();
        let mut pivots = solution.pivots;
        pivots.extend(lengths(rows, &active, &solution.lengths));
        let solution = Solution {
            x: solution.accelerations,
            pivots,
            multipliers: solution.multipliers,
            independence: independence(rows, &active, &solution.independence),
        };
        Solved { solution, inputs: d.inputs.clone() }
    };
    let section = Arc::from("pivots of the factorisation M = LᵀDL");
    for pivot in solved.solution.pivots.iter().filter(|p| !p.squared) {
        let stem = pivot.name.strip_prefix("pivot of ").unwrap_or(&pivot.name);
        d.label(pivot.value, &format!("D_{}", stem.replace(' ', "_")), &section);
    }
    let section = Arc::from("accelerations");
    for (i, a) in SpeedId::enumerate(&solved.solution.x) {
        d.label(*a, &format!("acc_{}", d.m.stem_of_speed(i)), &section);
    }
    solved
}
