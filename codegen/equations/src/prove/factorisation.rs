//! Claims about the solves with a mass matrix, independent of the mechanics.
//!
//! Problem: accelerations are quotients of polynomials too large for an exact proof, but the
//!          operations on the entries of M do not depend on their values.
//! Method:  three identities over the sparsity pattern of the tree and of the constraints.
//!          `LᵀDL = M` with the entries of M as symbols; `LᵀDL x = b` for the substitution with the
//!          entries of L and D as symbols; and with constraints `LᵀDL v̇ − Aᵀ λ = r`, `A v̇ = γ`
//!          for the Schur complement with the entries of L, D, A, r and γ as symbols.
//! Limits:  identities with too many terms are compared at random points with 100 digits;
//!          recursions and sparse eliminations of the other formalisms are not covered.

use super::claim::{Claim, auxiliary_symbols, node_ids, with_symbols};
use crate::symbolic::{Assumptions, Expressions, Query};
use dqdt_algebra::{Scalar, TreeFactors};
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::formalism::{RowNames, solve_constrained};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Mechanism, SpeedId};

/// Largest number of terms of an exact proof of these identities; larger ones are compared at
/// random points.
const TERMS: usize = 5_000;

/// Order and parents of the speeds, which determine the sparsity of M and of its factors.
struct Pattern {
    /// Speeds in the order in which M is factored.
    order: Vec<SpeedId>,
    /// Parent of each position in that order.
    parent: Vec<Option<usize>>,
}

impl Pattern {
    fn new(m: &Mechanism) -> Self {
        let order = kinematics::speeds_parents_first(m);
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, speed)| place[*speed] = k);
        let parents = kinematics::elimination_tree(m);
        let parent = order.iter().map(|s| parents[*s].map(|p| place[p])).collect();
        Pattern { order, parent }
    }
}

/// Claims about the factorisation, and about the Schur complement if there are constraints.
pub(super) fn factorisation_claims(loaded: &Assembled) -> Vec<Claim> {
    [Some(factors_claim(&loaded.mechanism)), schur_claim(loaded)].into_iter().flatten().collect()
}

/// Pairs of expressions to be proved equal, with their descriptions.
#[derive(Default)]
struct Sides<'g> {
    left: Vec<Tracer<'g>>,
    right: Vec<Tracer<'g>>,
    entries: Vec<String>,
}

impl<'g> Sides<'g> {
    /// Adds a pair of values to be proved equal, with a description.
    fn add_pair(&mut self, entry: String, left: Tracer<'g>, right: Tracer<'g>) {
        self.entries.push(entry);
        self.left.push(left);
        self.right.push(right);
    }

    /// The claim that all pairs are equal.
    fn equality_claim(self, graph: &'g Graph, title: &str) -> Claim {
        Claim {
            title: title.to_owned(),
            entries: self.entries,
            query: Query::ProveEqual {
                left: Expressions::new(graph, &node_ids(graph, &self.left)),
                right: Expressions::new(graph, &node_ids(graph, &self.right)),
            },
            assumptions: Assumptions { limit: TERMS, together: true, ..Assumptions::default() },
            about: None,
        }
    }
}

/// Claim `LᵀDL = M` with the entries of M as symbols, and `LᵀDL x = b` with those of L and D.
fn factors_claim(m: &Mechanism) -> Claim {
    let graph = Graph::new();
    let pattern = Pattern::new(m);
    let n = pattern.order.len();
    let symbols = auxiliary_symbols(&graph, "m", 0, n * n);
    let mut sides = Sides::default();
    let factors = TreeFactors::new(&pattern.parent, |i, j| symbols[i * n + j]);
    for i in 0..n {
        for j in (0..=i).filter(|j| i == *j || factors.ancestors[i].contains(j)) {
            sides.add_pair(
                format!("M[{}, {}]", i + 1, j + 1),
                factored_matrix_entry(&factors, i, j),
                symbols[i * n + j],
            );
        }
    }
    let symbolic = symbolic_factors(&graph, &factors.ancestors);
    let right = auxiliary_symbols(&graph, "b", n * n, n);
    for (i, (left, b)) in
        multiply_by_factors(&symbolic, &symbolic.solve(&right)).into_iter().zip(&right).enumerate()
    {
        sides.add_pair(format!("row {} of the solution by substitution", i + 1), left, *b);
    }
    let title = "factorisation: LᵀDL = M with the entries of M as symbols, and substitution with the factors \
                 solves LᵀDL x = b";
    sides.equality_claim(&graph, title)
}

/// Claim that the Schur complement solves `LᵀDL v̇ − Aᵀ λ = r`, `A v̇ = γ`, all entries being
/// symbols; `None` for a tree.
fn schur_claim(loaded: &Assembled) -> Option<Claim> {
    let (m, partition) = (&loaded.mechanism, &loaded.partition);
    // Sparsity pattern of A: true for entries that are not structurally zero.
    let is_entry: Vec<Vec<bool>> = {
        let graph = Graph::new();
        with_symbols(&graph, m, partition, |env| {
            let rows = kinematics::active_stabilised_rows(m, env).into_iter();
            rows.map(|row| row.jacobian.iter().map(|a| !a.is_zero()).collect()).collect()
        })
    };
    if is_entry.is_empty() {
        return None;
    }
    let graph = Graph::new();
    let pattern = Pattern::new(m);
    let (n, count) = (pattern.order.len(), is_entry.len());
    let ancestors = TreeFactors::new(&pattern.parent, |_, _| Tracer::ONE).ancestors;
    let factors = symbolic_factors(&graph, &ancestors);
    let right = auxiliary_symbols(&graph, "r", n * n, n);
    let gamma = auxiliary_symbols(&graph, "gamma", n * n + n, count);
    let symbols = auxiliary_symbols(&graph, "a", n * n + n + count, n * count);
    let rows: Vec<Vec<Tracer<'_>>> = (is_entry.iter().enumerate())
        .map(|(r, is_entry)| {
            let entries = pattern.order.iter().enumerate();
            entries
                .map(|(k, speed)| if is_entry[*speed] { symbols[r * n + k] } else { Tracer::ZERO })
                .collect()
        })
        .collect();
    let names = RowNames { row: &number_from_one, speed: &number_from_one };
    let solution = solve_constrained(&factors, &right, &rows, &gamma, &names);
    let mut sides = Sides::default();
    for (k, left) in multiply_by_factors(&factors, &solution.accelerations).into_iter().enumerate() {
        let reactions = rows.iter().zip(&solution.multipliers).filter(|(row, _)| !row[k].is_zero());
        let left = reactions.fold(left, |sum, (row, lambda)| sum - row[k] * *lambda);
        sides.add_pair(format!("row {}", k + 1), left, right[k]);
    }
    for (r, (row, gamma)) in rows.iter().zip(&gamma).enumerate() {
        sides.add_pair(
            format!("row {} of A v̇ = γ", r + 1),
            super::claim::nonzero_dot_product(row, &solution.accelerations),
            *gamma,
        );
    }
    let title =
        "Schur complement: the solution satisfies M v̇ = r + Aᵀ λ, A v̇ = γ, with all entries as symbols";
    Some(sides.equality_claim(&graph, title))
}

/// A number as text, counted from one.
fn number_from_one(index: usize) -> String {
    (index + 1).to_string()
}

/// Factors L and D whose entries are symbols, with the pattern of the tree.
fn symbolic_factors<'g>(graph: &'g Graph, ancestors: &[Vec<usize>]) -> TreeFactors<Tracer<'g>> {
    let n = ancestors.len();
    let symbols = auxiliary_symbols(graph, "m", 0, n * n);
    let pivots: Vec<Tracer<'g>> = (0..n).map(|i| symbols[i * n + i]).collect();
    TreeFactors {
        ancestors: ancestors.to_vec(),
        lower: (ancestors.iter().enumerate())
            .map(|(i, path)| path.iter().map(|j| symbols[i * n + *j]).collect())
            .collect(),
        reciprocals: pivots.iter().map(|d| Tracer::ONE / *d).collect(),
        diagonal: pivots.clone(),
        pivots,
    }
}

/// Entry of L at a row and a column; `None` outside the pattern.
fn lower_factor_entry<'g>(f: &TreeFactors<Tracer<'g>>, row: usize, column: usize) -> Option<Tracer<'g>> {
    if row == column {
        return Some(Tracer::ONE);
    }
    let at = f.ancestors[row].iter().position(|a| *a == column)?;
    Some(f.lower[row][at])
}

/// Entry of `LᵀDL` at row i and column j ≤ i.
fn factored_matrix_entry<'g>(f: &TreeFactors<Tracer<'g>>, i: usize, j: usize) -> Tracer<'g> {
    sum_terms(
        (i..f.pivots.len())
            .filter_map(|k| Some(lower_factor_entry(f, k, i)? * f.pivots[k] * lower_factor_entry(f, k, j)?)),
    )
}

/// The product `LᵀDL x` of factors of a mass matrix with a vector.
fn multiply_by_factors<'g>(f: &TreeFactors<Tracer<'g>>, x: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
    let n = x.len();
    let y: Vec<Tracer<'g>> = (0..n)
        .map(|i| f.pivots[i] * sum_terms((0..=i).filter_map(|j| Some(lower_factor_entry(f, i, j)? * x[j]))))
        .collect();
    (0..n).map(|i| sum_terms((i..n).filter_map(|k| Some(lower_factor_entry(f, k, i)? * y[k])))).collect()
}

/// Sum of recorded values.
fn sum_terms<'g>(terms: impl Iterator<Item = Tracer<'g>>) -> Tracer<'g> {
    terms.fold(Tracer::ZERO, |sum, term| sum + term)
}
