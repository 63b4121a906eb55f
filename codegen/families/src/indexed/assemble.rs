//! Assembles `M`, `c` and `Q` of a family member from the formulas of its family.
//!
//! Problem: the formulas must be compared with derived equations, and evaluated for any n.
//! Method:  each entry is the value of its block's formula; c is the sum over products of rates.
//!          Generic over the scalar.
//! Cost:    that of the sums as they are written.

use super::expand::symbol_class;
use super::family::Member;
use super::formula::Site;
use super::names::{Stem, Symbol, split_index};
use super::search::{Answer, Quantity};
use dqdt_algebra::{Number, Ratio, Scalar};
use dqdt_graph::ir::{Graph, NodeId, Tracer};

/// Conversions of numbers and symbols to the scalar in which the formulas of a family are
/// evaluated.
pub struct Values<'a, S> {
    /// Converts an exact number of a formula to the scalar.
    pub number: &'a dyn Fn(Ratio) -> S,
    /// Returns the value of a symbol of a formula, as the scalar.
    pub symbol: &'a dyn Fn(&Symbol) -> S,
}

/// `M`, `c` and `Q` of one mechanism, evaluated by the formulas of its family; `None` for an entry
/// without a formula.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Assembled<S> {
    pub mass: Vec<Vec<Option<S>>>,
    pub c: Vec<Option<S>>,
    pub force: Vec<Option<S>>,
}

/// Evaluates the formulas of a family for the mechanism with `n` links, in the order of `rows`.
pub fn assemble_equations<S: Scalar>(
    answers: &[Answer],
    rows: &[Symbol],
    n: i64,
    values: &Values<'_, S>,
) -> Assembled<S> {
    let mut e = Assembled {
        mass: vec![vec![None; rows.len()]; rows.len()],
        c: vec![Some(S::ZERO); rows.len()],
        force: vec![None; rows.len()],
    };
    for answer in answers {
        let formula = answer.formula.as_ref().ok();
        let rank = formula.map_or(0, |f| f.rank);
        let value =
            |site| formula.and_then(|f| f.evaluate_entry(site, values.number, &mut |s| (values.symbol)(s)));
        let row = match &answer.quantity {
            Quantity::Mass { row, .. } | Quantity::Inertial { row, .. } | Quantity::Applied { row } => row,
            Quantity::Rate { .. } => continue,
        };
        for (a, i) in rows_with_stem(row, rows) {
            match &answer.quantity {
                Quantity::Mass { column, .. } => {
                    for (b, j) in rows_with_stem(column, rows) {
                        let x = value(formula_site(rank, n, i, j));
                        (e.mass[a][b], e.mass[b][a]) = (x, x);
                    }
                }
                Quantity::Inertial { rates, .. } => {
                    let last = if rank > usize::from(i > 0) { n } else { 1 };
                    for j in 1..=last {
                        let mut x = value(formula_site(rank, n, i, if i == 0 || rank == 2 { j } else { 0 }));
                        for rate in rates.iter().flatten() {
                            let name =
                                if rate.indexed { rate.indexed_symbol(j) } else { rate.scalar_symbol() };
                            x = x.map(|x| x * (values.symbol)(&name));
                        }
                        e.c[a] = e.c[a].zip(x).map(|(sum, x)| sum + x);
                    }
                }
                Quantity::Rate { .. } => {}
                Quantity::Applied { .. } => e.force[a] = value(formula_site(rank, n, i, 0)),
            }
        }
    }
    e
}

/// The site at which a formula with `rank` free indices is evaluated; an only index is called i.
fn formula_site(rank: usize, n: i64, i: i64, j: i64) -> Site {
    match rank {
        0 => Site { n, i: 0, j: 0 },
        1 => Site { n, i: if i == 0 { j } else { i }, j: 0 },
        _ => Site { n, i, j },
    }
}

/// Positions in `rows`, and indices, of the rows whose symbols belong to a stem.
fn rows_with_stem(stem: &Stem, rows: &[Symbol]) -> Vec<(usize, i64)> {
    let index = |row: &Symbol| -> Option<i64> {
        if !stem.indexed {
            return (*row == stem.scalar_symbol()).then_some(0);
        }
        split_index(row).filter(|(s, index)| s == stem && *index > 0).map(|(_, index)| index)
    };
    rows.iter().enumerate().filter_map(|(a, row)| Some((a, index(row)?))).collect()
}

/// Entries of one mechanism both by the formulas and as derived, for a proof that they are equal.
#[derive(Debug)]
pub struct Comparison {
    /// Graph of the values by formulas, with the symbols of the mechanism.
    pub graph: Graph,
    /// Entries of M, c and Q that have formulas, as nodes of `graph`.
    pub formula_nodes: Vec<NodeId>,
    /// Derived values of the same entries, as nodes of [`Member::graph`].
    pub reference_nodes: Vec<NodeId>,
}

/// Records the entries of one mechanism by the formulas, next to the derived ones, for
/// `dqdt prove`.
pub fn build_comparison(answers: &[Answer], m: &Member) -> Comparison {
    let graph = Graph::new();
    let (mut formulas, mut nodes) = (Vec::new(), Vec::new());
    {
        let infos = m.graph.symbols();
        let values = Values {
            number: &|r| Tracer::number(&graph, Number::Rational(r)),
            symbol: &|s| {
                let info = infos.iter().find(|x| x.name == s.name && symbol_class(x.kind) == s.class);
                info.map_or(Tracer::ZERO, |x| Tracer::new(&graph, graph.symbol(&x.name, x.kind)))
            },
        };
        let e = assemble_equations(answers, &m.rows, m.n, &values);
        let all = e.mass.iter().flatten().chain(&e.c).chain(&e.force);
        for (x, node) in
            all.zip(m.mass_matrix.iter().flatten().chain(&m.inertia_terms).chain(&m.applied_forces))
        {
            if let Some(x) = x {
                formulas.push(x.id(&graph));
                nodes.push(*node);
            }
        }
    }
    Comparison { graph, formula_nodes: formulas, reference_nodes: nodes }
}
