//! Values that vanish, whatever the symbols stand for.
//!
//! Method: values at one point of doubles first. Where one is clear of zero it does not vanish, which is all there is to do
//!         for nearly every value; of the others the polynomial decides.

use super::super::eval::Tape;
use super::super::graph::Graph;
use super::super::node::{NodeId, SymbolKind};
use super::expand::{Depth, Expansion};
use dqdt_algebra::Number;

/// Terms of a polynomial that may turn out to be zero, and of everything on the way to it.
const TERMS: usize = 500;
/// Steps of all products on the way to those.
const STEPS: usize = 50_000;
/// A value below this may be rounding: symbols are of order one at the point.
const CLEAR: f64 = 1e-6;

/// Puts the constant zero for every value that vanishes identically.
pub(super) fn replace(graph: &Graph, groups: &mut [Vec<NodeId>]) {
    let is_constant = |id: NodeId| graph.constant(id).is_some();
    let mut open: Vec<NodeId> = groups.iter().flatten().copied().filter(|id| !is_constant(*id)).collect();
    open.sort();
    open.dedup();
    let mut values = vec![0.0; open.len()];
    Tape::new(graph, &open).run(point, &mut Vec::new(), &mut values);
    // NaN is of no help: a root of something negative.
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

/// Values between 0.3 and 1.3 without a pattern; those of symbols of one kind follow the golden section.
fn point(kind: SymbolKind) -> f64 {
    let (class, index) = kind.place();
    0.3 + (0.137 * f64::from(class) + 0.618_033_988_749_894_9 * (index + 1) as f64).fract()
}
