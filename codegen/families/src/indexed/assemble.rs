//! `M`, `c` and `Q` of a member out of the formulas of its family.
//!
//! Problem: formulas are compared with equations, and evaluated for any n.
//! Method:  each element is the value of its block's formula; c is the sum over products of rates.
//! Shapes:  the rows given, in their order. Generic over the scalar.
//! Cost:    that of the sums as they stand.

use super::expand::class;
use super::family::Member;
use super::formula::Site;
use super::names::{Stem, Symbol, split};
use super::search::{Answer, Quantity};
use dqdt_algebra::{Number, Ratio, Scalar};
use dqdt_graph::ir::{Graph, NodeId, Tracer};

/// What the names in formulas stand for.
pub struct Values<'a, S> {
    /// Exact numbers.
    pub number: &'a dyn Fn(Ratio) -> S,
    /// Symbols.
    pub symbol: &'a dyn Fn(&Symbol) -> S,
}

/// `M`, `c` and `Q`; `None` where a formula is missing.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Assembled<S> {
    pub mass: Vec<Vec<Option<S>>>,
    pub c: Vec<Option<S>>,
    pub force: Vec<Option<S>>,
}

/// The equations of member `n`, by the formulas.
pub fn assemble<S: Scalar>(
    answers: &[Answer],
    rows: &[Symbol],
    n: i64,
    values: &Values<'_, S>,
) -> Assembled<S> {
    let mut symbol = |s: &Symbol| (values.symbol)(s);
    let mut e = Assembled {
        mass: vec![vec![None; rows.len()]; rows.len()],
        c: vec![Some(S::ZERO); rows.len()],
        force: vec![None; rows.len()],
    };
    for answer in answers {
        let formula = answer.formula.as_ref().ok();
        let rank = formula.map_or(0, |f| f.rank);
        let mut value = |site| formula.and_then(|f| f.evaluate(site, values.number, &mut symbol));
        let row = match &answer.quantity {
            Quantity::Mass { row, .. } | Quantity::Inertial { row, .. } | Quantity::Applied { row } => row,
            Quantity::Rate { .. } => continue,
        };
        for (a, i) in members(row, rows) {
            match &answer.quantity {
                Quantity::Mass { column, .. } => {
                    for (b, j) in members(column, rows) {
                        let x = value(site(rank, n, i, j));
                        (e.mass[a][b], e.mass[b][a]) = (x, x);
                    }
                }
                Quantity::Inertial { rates, .. } => {
                    let last = if rank > usize::from(i > 0) { n } else { 1 };
                    for j in 1..=last {
                        let mut x = value(site(rank, n, i, if i == 0 || rank == 2 { j } else { 0 }));
                        for rate in rates.iter().flatten() {
                            let name = if rate.indexed { rate.member(j) } else { rate.only() };
                            x = x.map(|x| x * (values.symbol)(&name));
                        }
                        e.c[a] = e.c[a].zip(x).map(|(sum, x)| sum + x);
                    }
                }
                Quantity::Rate { .. } => {}
                Quantity::Applied { .. } => e.force[a] = value(site(rank, n, i, 0)),
            }
        }
    }
    e
}

/// Where a formula of some rank is evaluated; one index is called i.
fn site(rank: usize, n: i64, i: i64, j: i64) -> Site {
    match rank {
        0 => Site { n, i: 0, j: 0 },
        1 => Site { n, i: if i == 0 { j } else { i }, j: 0 },
        _ => Site { n, i, j },
    }
}

/// Positions and indices of the rows of a stem.
fn members(stem: &Stem, rows: &[Symbol]) -> Vec<(usize, i64)> {
    let index = |row: &Symbol| -> Option<i64> {
        if !stem.indexed {
            return (*row == stem.only()).then_some(0);
        }
        split(row).filter(|(s, index)| s == stem && *index > 0).map(|(_, index)| index)
    };
    rows.iter().enumerate().filter_map(|(a, row)| Some((a, index(row)?))).collect()
}

/// What the formulas say and what was derived, entry by entry, for a proof by others.
#[derive(Debug)]
pub struct Comparison {
    /// The graph of the formulas; its symbols are those of the member.
    pub graph: Graph,
    /// Entries of M, c and Q that have formulas.
    pub formulas: Vec<NodeId>,
    /// The same in the member's graph.
    pub derived: Vec<NodeId>,
}

/// The entries of a member, twice.
pub fn comparison(answers: &[Answer], m: &Member) -> Comparison {
    let graph = Graph::new();
    let (mut formulas, mut derived) = (Vec::new(), Vec::new());
    {
        let infos = m.graph.symbols();
        let symbol = |s: &Symbol| {
            let info = infos.iter().find(|x| x.name == s.name && class(x.kind) == s.class);
            info.map_or(Tracer::ZERO, |x| Tracer::new(&graph, graph.symbol(&x.name, x.kind)))
        };
        let number = |r| Tracer::number(&graph, Number::Rational(r));
        let e = assemble(answers, &m.rows, m.n, &Values { number: &number, symbol: &symbol });
        let all = e.mass.iter().flatten().chain(&e.c).chain(&e.force);
        for (x, node) in all.zip(m.mass.iter().flatten().chain(&m.c).chain(&m.force)) {
            if let Some(x) = x {
                formulas.push(x.id(&graph));
                derived.push(*node);
            }
        }
    }
    Comparison { graph, formulas, derived }
}
