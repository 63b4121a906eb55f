//! `M`, `c` and `Q` of a member out of the formulas of its family.
//!
//! Problem: formulas are compared with equations, and evaluated for any n.
//! Method:  each element is the value of its block's formula; c is the sum over products of rates.
//! Shapes:  the rows given, in their order. Generic over the scalar.
//! Cost:    that of the sums as they stand.

use super::formula::Site;
use super::names::{Stem, Symbol, split};
use super::search::{Answer, Quantity};
use crate::algebra::{Ratio, Scalar};
use crate::formalism::Implicit;

/// What the names in formulas stand for.
pub struct Values<'a, S> {
    /// Exact numbers.
    pub number: &'a dyn Fn(Ratio) -> S,
    /// Symbols.
    pub symbol: &'a dyn Fn(&Symbol) -> S,
}

/// The equations of member `n`, by the formulas. `None` if a block has none, or a number does not fit.
pub fn assemble<S: Scalar>(
    answers: &[Answer],
    rows: &[Symbol],
    n: i64,
    values: &Values<'_, S>,
) -> Option<Implicit<S>> {
    let own = |stem: &Stem, row: &Symbol| -> Option<i64> {
        if !stem.indexed {
            return (*stem == Stem::scalar(row)).then_some(0);
        }
        split(row).filter(|(s, index)| s == stem && *index > 0).map(|(_, index)| index)
    };
    let mut symbol = |s: &Symbol| (values.symbol)(s);
    let mut e = Implicit {
        mass: vec![vec![S::ZERO; rows.len()]; rows.len()],
        c: vec![S::ZERO; rows.len()],
        force: vec![S::ZERO; rows.len()],
    };
    for answer in answers {
        let formula = answer.formula.as_ref().ok()?;
        let mut value = |site| formula.evaluate(site, values.number, &mut symbol);
        let row = match &answer.quantity {
            Quantity::Mass { row, .. } | Quantity::Inertial { row, .. } | Quantity::Applied { row } => row,
        };
        for (a, i) in rows.iter().enumerate().filter_map(|(a, r)| Some((a, own(row, r)?))) {
            match &answer.quantity {
                Quantity::Mass { column, .. } => {
                    for (b, j) in rows.iter().enumerate().filter_map(|(b, r)| Some((b, own(column, r)?))) {
                        let site =
                            if formula.rank == 1 { Site { n, i: i.max(j), j: 0 } } else { Site { n, i, j } };
                        let x = value(site)?;
                        (e.mass[a][b], e.mass[b][a]) = (x, x);
                    }
                }
                Quantity::Inertial { rates: None, .. } => e.c[a] = e.c[a] + value(Site { n, i, j: 0 })?,
                Quantity::Inertial { rates: Some(rates), .. } => {
                    let last = if formula.rank > usize::from(i > 0) { n } else { 1 };
                    for j in 1..=last {
                        let (first, second) = if i == 0 { (j, 0) } else { (i, j) };
                        let site = match formula.rank {
                            0 => Site { n, i: 0, j: 0 },
                            1 => Site { n, i: first, j: 0 },
                            _ => Site { n, i: first, j: second },
                        };
                        let mut x = value(site)?;
                        for rate in rates {
                            let name = if rate.indexed {
                                rate.member(j)
                            } else {
                                Symbol { class: rate.class, name: rate.before.clone() }
                            };
                            x = x * (values.symbol)(&name);
                        }
                        e.c[a] = e.c[a] + x;
                    }
                }
                Quantity::Applied { .. } => e.force[a] = e.force[a] + value(Site { n, i, j: 0 })?,
            }
        }
    }
    Some(e)
}
