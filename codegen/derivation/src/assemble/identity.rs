//! Exact linear dependence of constraint rows in every pose.
//!
//! Problem: the rank of constraints is computed in floating point at some poses. A row that is a
//!          linear combination of others by its form alone (a planar loop, a duplicate constraint)
//!          is redundant in all poses and for all parameters.
//! Method:  the factors of the combination, computed in floating point, are rounded to exact
//!          fractions. The combination is recorded with the tracer, where coordinates and
//!          parameters are symbols, and must fold to zero. Folding is exact.
//!
//! Not handled: factors that change with the pose, factors with a denominator above 12,
//! combinations that vanish only by trigonometric identities or only in assembled poses. These
//! count as not proven.

use crate::symbols::mechanism_symbols;
use dqdt_algebra::Number;
use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Mechanism, RowIndex};

/// True if `row` equals the linear combination `from` of other rows, for all poses and parameters.
pub(super) fn is_redundant_in_every_pose(m: &Mechanism, row: RowIndex, from: &[(RowIndex, f64)]) -> bool {
    let factors: Option<Vec<Number>> = from.iter().map(|s| nearest_simple_fraction(s.1)).collect();
    let Some(factors) = factors else { return false };
    let graph = Graph::new();
    let number = |n: Number| Tracer::number(&graph, n);
    let symbols = mechanism_symbols(&graph, m);
    let rows = kinematics::constraint_rows(m, &symbols.as_environment(&number));
    let find = |row: RowIndex| rows.iter().find(|r| r.row_index() == row).map(|r| &r.jacobian);
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

/// The fraction with a denominator of at most 12 that `x` equals up to rounding.
fn nearest_simple_fraction(x: f64) -> Option<Number> {
    (1..=12i64).find_map(|den| {
        let num = x * den as f64;
        let near = num.round();
        let whole = (num - near).abs() < 1e-9 && near.abs() < 1e6;
        if whole { Number::ratio(near as i64, den) } else { None }
    })
}
