//! Detects values that vanish identically.
//!
//! Method:  first the values at one point in `f64`. A value that is clearly not zero there does not
//!          vanish, which decides nearly every case; for the others the expanded polynomial
//!          decides.

use super::super::eval::Tape;
use super::super::graph::Graph;
use super::super::node::{NodeId, SymbolKind};
use super::expand::{Depth, Expansion};
use dqdt_algebra::Number;

/// Maximum number of terms of a value that is tested for zero by expansion, and of every
/// intermediate result.
const TERMS: usize = 500;
/// Maximum number of steps of all products in the expansion that tests for zero.
const STEPS: usize = 50_000;
/// Magnitude below which a value at the test point may be a rounding error of zero; symbols are of
/// order one there.
const CLEAR: f64 = 1e-6;

/// Replaces every value that vanishes identically by the constant zero.
pub(super) fn replace_vanishing_values(graph: &Graph, groups: &mut [Vec<NodeId>]) {
    let mut open: Vec<NodeId> =
        groups.iter().flatten().copied().filter(|id| graph.constant(*id).is_none()).collect();
    open.sort();
    open.dedup();
    let mut values = vec![0.0; open.len()];
    Tape::new(graph, &open).evaluate(symbol_at_test_point, &mut Vec::new(), &mut values);
    // NaN, such as from the root of a negative value, decides nothing.
    let mut at = values.iter();
    open.retain(|_| at.next().is_none_or(|x| x.is_nan() || x.abs() < CLEAR));
    if open.is_empty() {
        return;
    }
    let forms = Expansion::new(graph, &open, Depth::Full, TERMS, STEPS).polys(&open);
    let zero = graph.number(Number::ZERO);
    for id in groups.iter_mut().flatten() {
        let form = open.binary_search(id).ok().and_then(|i| forms[i].as_ref());
        if form.is_some_and(|p| p.is_empty()) {
            *id = zero;
        }
    }
}

/// The value of a symbol at the test point: between 0.3 and 1.3 without a pattern; those of symbols
/// of one kind follow the golden section.
fn symbol_at_test_point(kind: SymbolKind) -> f64 {
    let (class, index) = kind.place();
    0.3 + (0.137 * f64::from(class) + 0.618_033_988_749_894_9 * (index + 1) as f64).fract()
}
