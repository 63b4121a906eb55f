//! Accelerations and multipliers in the graph, and their divisors.
//!
//! Problem: `M v̇ = Q − c`, with constraints or without, or what a formalism without a mass matrix finds itself.
//! Method:  the tree-sparse LᵀDL of `algebra/tree_factors` for M, `constrained` for rows of constraints. Whatever is
//!          divided by is handed on with a name, so that an emitted function can say what became singular.

use std::sync::Arc;

use super::{Derivation, constrained, program_inputs};
use crate::algebra::Number;
use crate::formalism::{self, Factorised, Formalism, Implicit, Pivot, SolvedSystem};
use crate::ir::{Graph, Tracer};
use crate::mechanism::{Environment, Mechanism};

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

/// M factored with the sparsity of the tree, for the reader of the code with names for the entries of L.
pub(super) fn tree_factors<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    mass: &[Vec<Tracer<'g>>],
) -> Factorised<Tracer<'g>> {
    let factored = Factorised::new(m, mass);
    let Factorised { order, factors, .. } = &factored;
    let section = Arc::from("pivots of the factorisation M = LᵀDL");
    for (i, (row, ancestors)) in factors.lower.iter().zip(&factors.ancestors).enumerate() {
        for (l, j) in row.iter().zip(ancestors) {
            graph.label(
                l.id(graph),
                &format!("L_{}_{}", m.stem_of_speed(order[i]), m.stem_of_speed(order[*j])),
                &section,
            );
        }
    }
    for (k, speed) in order.iter().enumerate() {
        graph.label(factors.pivots[k].id(graph), &format!("D_{}", m.stem_of_speed(*speed)), &section);
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

/// True if `M v̇ = Q − c` is what the formalism solves, with the M, c and Q of [`formalism::implicit`].
pub(super) fn solves_implicit(f: Formalism) -> bool {
    f.facts().solves == SolvedSystem::Implicit
}

impl<'g> Derivation<'g, '_> {
    /// M, c and Q, also where the formalism does not need them.
    pub(super) fn implicit(&mut self) -> &Implicit<Tracer<'g>> {
        let number = |n: Number| Tracer::number(self.graph, n);
        let known = program_inputs::known(self.m, &self.inputs);
        let env = self.symbols.environment(&number, &known);
        self.equations.get_or_insert_with(|| formalism::implicit(self.formalism, self.m, &env))
    }

    /// Solves for the accelerations once; all functions that need them share it.
    pub(super) fn solution(&mut self) -> Solution<'g> {
        if let Some(s) = &self.solution {
            return s.clone();
        }
        let number = |n: Number| Tracer::number(self.graph, n);
        let env = self.symbols.environment(&number, &self.inputs);
        let s = if solves_implicit(self.formalism) || !self.m.realising_inputs().is_empty() {
            let e = self.implicit().clone();
            let right: Vec<_> = e.force.iter().zip(&e.c).map(|(q, c)| *q - *c).collect();
            let section = Arc::from("right side Q − c");
            for (i, r) in right.iter().enumerate() {
                self.label(*r, &format!("rhs_{}", self.m.stem_of_speed(i)), &section);
            }
            let env = self.symbols.environment(&number, &self.inputs);
            let gamma: Vec<_> = self.rows.iter().map(|row| row.stabilised(self.m, &env)).collect();
            let s = self.solve_for(&e.mass, &right, &gamma);
            match program_inputs::realise(self, &env, &e, &s) {
                Some(found) => {
                    self.realised = Some(found.inputs);
                    found.solution
                }
                None => s,
            }
        } else {
            let solution = self.solved(&env);
            let rows = &self.selection.rows;
            let active: Vec<usize> = (0..rows.len()).collect();
            let independence = constrained::independence(rows, &active, &solution.independence);
            let (x, mut pivots, multipliers) =
                (solution.accelerations, solution.pivots, solution.multipliers);
            pivots.extend(constrained::lengths(rows, &active, &solution.lengths));
            Solution { x, pivots, multipliers, independence }
        };
        let section = Arc::from("pivots of the factorisation M = LᵀDL");
        for pivot in s.pivots.iter().filter(|p| !p.squared) {
            let of = pivot.name.strip_prefix("pivot of ").unwrap_or(&pivot.name);
            self.label(pivot.value, &format!("D_{}", of.replace(' ', "_")), &section);
        }
        let section = Arc::from("accelerations");
        for (i, a) in s.x.iter().enumerate() {
            self.label(*a, &format!("acc_{}", self.m.stem_of_speed(i)), &section);
        }
        self.solution = Some(s.clone());
        s
    }

    /// What the formalism itself finds: recorded twice, it is there once.
    pub(super) fn solved(&self, env: &Environment<'_, Tracer<'g>>) -> formalism::Solution<Tracer<'g>> {
        formalism::solve(self.formalism, self.m, env)
    }

    /// Accelerations and multipliers for a mass matrix, a right side and a γ.
    pub(super) fn solve_for(
        &self,
        mass: &[Vec<Tracer<'g>>],
        right: &[Tracer<'g>],
        gamma: &[Tracer<'g>],
    ) -> Solution<'g> {
        if self.rows.is_empty() {
            return factored(self.graph, self.m, mass, right);
        }
        let elimination = self.elimination.as_ref();
        constrained::solve(self.graph, self.m, mass, right, &self.selection, gamma, elimination)
    }
}
