//! Accelerations and multipliers in the graph, with their divisors.
//!
//! Problem: `M v̇ = Q − c`, with or without constraints, or the accelerations of a formalism
//!          without a mass matrix.
//! Method:  the tree-sparse LᵀDL of `algebra/tree_factors` for M. Every divisor is returned with a
//!          name, so that an emitted function can report which one vanished.

use std::sync::Arc;

use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::formalism::{Factorised, Pivot};
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::Mechanism;

/// Accelerations by speed in spec order, with multipliers and divisors.
#[derive(Clone)]
pub(super) struct Solution<'g> {
    /// Accelerations by speed, in spec order.
    pub(super) x: Vec<Tracer<'g>>,
    /// Divisors of the solution, with the names that `Singular` reports.
    pub(super) pivots: Vec<Pivot<Tracer<'g>>>,
    /// Multipliers λ, one for each constraint row in spec order; zero for inactive rows.
    pub(super) multipliers: Vec<Tracer<'g>>,
    /// Measures of the independence of constraint rows, usually about one, with names for errors.
    /// The emitted function checks them.
    pub(super) independence: Vec<(String, Tracer<'g>)>,
}

/// Solved motion: accelerations, multipliers and effective inputs. Shared by the functions that
/// need them.
#[derive(Clone)]
#[doc(hidden)]
pub struct Solved<'g> {
    /// Accelerations and multipliers.
    pub(super) solution: Solution<'g>,
    /// Inputs after saturation, with computed values for those that realise constraints.
    pub(super) inputs: Vec<Tracer<'g>>,
}

impl<'g> Solved<'g> {
    /// Accelerations `v̇`, by speed.
    pub fn accelerations(&self) -> &[Tracer<'g>] {
        &self.solution.x
    }

    /// Multipliers `λ`, one for each constraint row, zero for inactive rows.
    pub(crate) fn multipliers(&self) -> &[Tracer<'g>] {
        &self.solution.multipliers
    }

    /// Effective inputs: after saturation, with computed values for those that realise constraints.
    pub fn inputs(&self) -> &[Tracer<'g>] {
        &self.inputs
    }
}

/// Factors M with the sparsity of the tree, and names the entries of L and D for the reader of the
/// code.
pub(super) fn factor_tree_mass_matrix<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    mass: &[Vec<Tracer<'g>>],
) -> Factorised<Tracer<'g>> {
    let factored = Factorised::new(m, mass);
    let Factorised { order, factors, .. } = &factored;
    let stems = m.speed_name_stems();
    let section = Arc::from("pivots of the factorisation M = LᵀDL");
    for (i, (row, ancestors)) in factors.lower.iter().zip(&factors.ancestors).enumerate() {
        for (l, j) in row.iter().zip(ancestors) {
            graph.label(l.id(graph), &format!("L_{}_{}", stems[order[i]], stems[order[*j]]), &section);
        }
    }
    for (k, speed) in order.iter().enumerate() {
        graph.label(factors.pivots[k].id(graph), &format!("D_{}", stems[*speed]), &section);
    }
    factored
}

/// Solves `M x = right` with the sparsity of the tree, for mechanisms without constraints.
pub(super) fn solve_tree<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    mass: &[Vec<Tracer<'g>>],
    right: &[Tracer<'g>],
) -> Solution<'g> {
    let factored = factor_tree_mass_matrix(graph, m, mass);
    let x = factored.solve(right);
    Solution { x, pivots: factored.pivots(m), multipliers: Vec::new(), independence: Vec::new() }
}

/// Measures of the independence of the rows `kept`, with names for error messages.
pub(super) fn name_independence_measures<'g>(
    rows: &[ConstraintRow<Tracer<'g>>],
    kept: &[usize],
    values: &[Tracer<'g>],
) -> Vec<(String, Tracer<'g>)> {
    let measures = kept.iter().zip(values);
    measures.map(|(i, x)| (format!("independence measure of constraint {}", rows[*i].name), *x)).collect()
}

/// Squared lengths of the rows `kept` as checked divisors, with names for error messages.
pub(super) fn name_row_lengths<'g>(
    rows: &[ConstraintRow<Tracer<'g>>],
    kept: &[usize],
    values: &[Tracer<'g>],
) -> Vec<Pivot<Tracer<'g>>> {
    kept.iter().zip(values).map(|(i, x)| Pivot::row_length_pivot(&rows[*i].name, *x)).collect()
}
