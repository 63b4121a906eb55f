//! Accelerations and multipliers in the graph, and their divisors.
//!
//! Problem: `M v̇ = Q − c`, with constraints or without, or what a formalism without a mass matrix finds itself.
//! Method:  the tree-sparse LᵀDL of `algebra/tree_factors` for M. Whatever is divided by is handed on with a name, so that an
//!          emitted function can say what became singular.

use std::sync::Arc;

use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::formalism::{Factorised, Pivot};
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::Mechanism;

/// Accelerations by speed in spec order, and what was divided by.
#[derive(Clone)]
pub(super) struct Solution<'g> {
    pub(super) x: Vec<Tracer<'g>>,
    pub(super) pivots: Vec<Pivot<Tracer<'g>>>,
    /// One a row of the constraints.
    pub(super) multipliers: Vec<Tracer<'g>>,
    /// Denominators of order one that come from constraints.
    pub(super) independence: Vec<(String, Tracer<'g>)>,
}

/// The motion that the equations give.
#[derive(Clone)]
#[doc(hidden)]
pub struct Solved<'g> {
    pub(super) solution: Solution<'g>,
    pub(super) inputs: Vec<Tracer<'g>>,
}

impl<'g> Solved<'g> {
    /// `v̇`, by speed.
    pub fn accelerations(&self) -> &[Tracer<'g>] {
        &self.solution.x
    }

    /// `λ`, one a row of the constraints.
    pub(crate) fn multipliers(&self) -> &[Tracer<'g>] {
        &self.solution.multipliers
    }

    /// Inputs as they act: within their limits, and those that realise constraints.
    pub fn inputs(&self) -> &[Tracer<'g>] {
        &self.inputs
    }
}

/// M factored with the sparsity of the tree, for the reader of the code with names for the entries of L.
pub(super) fn tree_factors<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    mass: &[Vec<Tracer<'g>>],
) -> Factorised<Tracer<'g>> {
    let factored = Factorised::new(m, mass);
    let Factorised { order, factors, .. } = &factored;
    let stems = m.stems_of_speeds();
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

/// Solves `M x = right` with the sparsity of the tree, for the reader of the code with names for the entries of L.
pub(super) fn factored<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    mass: &[Vec<Tracer<'g>>],
    right: &[Tracer<'g>],
) -> Solution<'g> {
    let factored = tree_factors(graph, m, mass);
    let x = factored.solve(right);
    Solution { x, pivots: factored.pivots(m), multipliers: Vec::new(), independence: Vec::new() }
}

/// How independent the rows are that take part, with names.
pub(super) fn independence<'g>(
    rows: &[ConstraintRow<Tracer<'g>>],
    kept: &[usize],
    found: &[Tracer<'g>],
) -> Vec<(String, Tracer<'g>)> {
    let row = |(i, x): (&usize, &Tracer<'g>)| (format!("independence of constraint {}", rows[*i].name), *x);
    kept.iter().zip(found).map(row).collect()
}

/// The squared lengths of the rows that take part, with names.
pub(super) fn lengths<'g>(
    rows: &[ConstraintRow<Tracer<'g>>],
    kept: &[usize],
    found: &[Tracer<'g>],
) -> Vec<Pivot<Tracer<'g>>> {
    let row = |(i, x): (&usize, &Tracer<'g>)| Pivot::length_of_row(&rows[*i].name, *x);
    kept.iter().zip(found).map(row).collect()
}
