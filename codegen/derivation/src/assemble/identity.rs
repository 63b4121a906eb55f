//! Exact dependence of rows of constraints in every pose.
//!
//! Problem: the rank of constraints is found over doubles at some poses. A row that is a sum of others by its form alone
//!          (a loop that stays in its plane, a constraint given twice) is redundant whatever the pose and the parameters.
//! Method:  the factors of the sum, found over doubles, are taken as exact numbers; the sum is recorded over the tracer,
//!          where coordinates and parameters are symbols, and must fold to nothing. Folding is exact.
//! Not handled: factors that change with the pose, factors with a denominator above 12, sums that vanish only by
//!          trigonometry, or only in assembled poses. Of these nothing is said.

use crate::symbols::symbols;
use dqdt_algebra::Number;
use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Mechanism, RowIndex};

/// True if `row` is the sum `from` of rows with their factors, for every pose and all parameters.
pub(super) fn follows_identically(m: &Mechanism, row: RowIndex, from: &[(RowIndex, f64)]) -> bool {
    let factors: Option<Vec<Number>> = from.iter().map(|s| simple(s.1)).collect();
    let Some(factors) = factors else { return false };
    let graph = Graph::new();
    let number = |n: Number| Tracer::number(&graph, n);
    let symbols = symbols(&graph, m);
    let rows = kinematics::constraint_rows(m, &symbols.environment(&number));
    let find = |row: RowIndex| rows.iter().find(|r| r.place() == row).map(|r| &r.jacobian);
    let Some(target) = find(row) else { return false };
    let Some(sources) = from.iter().map(|s| find(s.0)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    (0..m.nv()).all(|speed| {
        let terms = sources.iter().zip(&factors).map(|(a, f)| a[speed] * number(*f));
        let sum = terms.fold(-target[speed], |sum, x| sum + x);
        sum.constant() == Some(Number::ZERO)
    })
}

/// The fraction of small denominator that a double is, but for rounding.
fn simple(x: f64) -> Option<Number> {
    (1..=12i64).find_map(|den| {
        let num = x * den as f64;
        let near = num.round();
        let whole = (num - near).abs() < 1e-9 && near.abs() < 1e6;
        if whole { Number::ratio(near as i64, den) } else { None }
    })
}
