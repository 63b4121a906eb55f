//! Normal forms of recorded values, computed before other values depend on them.
//!
//! Problem: the mechanics records `m c² + m s²` where `m` would do, and `k c s − k s c`, which is
//!          zero: a factorisation might divide by it, and a solve would carry it along. Local
//!          folding detects neither.
//! Method:  values become exact polynomials with `s² → 1 − c²` (`expand`). A value that vanishes
//!          identically becomes the constant zero (`vanishing`). The polynomials of a small group
//!          are recorded again with shared products (`build`), and replace those values that they
//!          compute with fewer operations (`choose`).
//! Not handled: identities behind a root or a quotient, since an operation that is not polynomial
//!          becomes a variable. The terms of a value and the steps of all products are bounded by
//!          numbers, not by time: same input, same result.
//!
//! Only graphs made by [`Graph::with_normal_forms`] use this. The graphs that proofs compare are
//! recorded without it, so that the normal forms are proved, too.

mod build;
mod choose;
mod expand;
mod vanishing;

use super::count::count_nodes;
use super::graph::Graph;
use super::node::NodeId;
use expand::{Depth, Expansion};

/// Number of operations of all values above which they are only tested for zero.
const SMALL: usize = 1_000;
/// Maximum number of terms of a value to be rewritten as a normal form, and of every intermediate
/// result.
const TERMS: usize = 64;
/// Maximum number of steps of all products in the expansion for normal forms.
const STEPS: usize = 20_000;

/// The same values, replaced by forms with fewer operations where found. Each group may be emitted
/// alone.
pub(super) fn compute_normal_forms(graph: &Graph, groups: &[Vec<NodeId>]) -> Vec<Vec<NodeId>> {
    let mut values = groups.to_vec();
    vanishing::replace_vanishing_values(graph, &mut values);
    let all: Vec<NodeId> = values.iter().flatten().copied().collect();
    if count_nodes(graph, &all).total() as usize > SMALL {
        return values;
    }
    let expansion = Expansion::new(graph, &all, Depth::AboveParameters, TERMS, STEPS);
    let forms: Vec<Vec<Option<NodeId>>> = values
        .iter()
        .map(|group| build::record_polynomials(graph, &expansion.ring, &expansion.polys(group)))
        .collect();
    choose::choose_cheaper_forms(graph, &mut values, &forms);
    values
}

/// True if a value is a single product after sines and cosines of one angle are reduced, as
/// `x² c² + x² s²` is.
pub fn is_single_product(graph: &Graph, value: NodeId) -> bool {
    let form = Expansion::new(graph, &[value], Depth::Full, TERMS, STEPS).polys(&[value]);
    form.iter().flatten().any(|p| p.len() <= 1)
}

#[cfg(test)]
mod tests {
    use super::super::node::SymbolKind;
    use super::super::tracer::Tracer;
    use super::*;
    use dqdt_algebra::{Number, Scalar};

    struct Symbols<'g> {
        q: Tracer<'g>,
        r: Tracer<'g>,
        m: Tracer<'g>,
        n: Tracer<'g>,
    }

    fn symbols(graph: &Graph) -> Symbols<'_> {
        let symbol = |name, kind| Tracer::new(graph, graph.symbol(name, kind));
        Symbols {
            q: symbol("q", SymbolKind::Coordinate(0)),
            r: symbol("r", SymbolKind::Coordinate(1)),
            m: symbol("m", SymbolKind::Parameter(0)),
            n: symbol("n", SymbolKind::Parameter(1)),
        }
    }

    #[test]
    fn what_vanishes_becomes_the_constant_zero() {
        let g = Graph::with_normal_forms();
        let Symbols { q, r, m, n } = symbols(&g);
        let ((s, c), (t, d)) = (q.sin_cos(), r.sin_cos());
        let (sum, _) = (q + r).sin_cos();
        let two = Tracer::number(&g, Number::integer(2));
        let square = q * q + r * r;
        let zeros = [
            (m * c) * s - (m * s) * c,
            m * (c * c) + m * (s * s) - m,
            (m + n) * c - m * c - n * c,
            sum - s * d - c * t,
            (m / n) * (q * s) - (m * s) * (q / n),
            (m * q).sqrt() * (s * c) - ((m * q).sqrt() * s) * c,
            (two / square) * (q * q) + (two / square) * (r * r) - two,
        ];
        let alone: Vec<usize> = (0..zeros.len()).filter(|i| zeros[*i].is_zero()).collect();
        assert!(alone.is_empty(), "found by folding: {alone:?}");
        let others = [m * c - n * s, (m * q).sqrt() - m.sqrt() * q.sqrt()];
        let forms = Tracer::normal_forms(&[&zeros, &others]);
        assert!(forms[0].iter().all(|x| x.is_zero()), "{forms:?}");
        assert!(forms[1].iter().all(|x| !x.is_zero()), "{forms:?}");
        // Other graphs keep the value as recorded.
        let plain = Graph::new();
        let Symbols { q, m, .. } = symbols(&plain);
        let (s, c) = q.sin_cos();
        let x = (m * c) * s - (m * s) * c;
        assert_eq!(Tracer::normal_forms(&[&[x]]), [[x]]);
    }

    #[test]
    fn a_form_takes_the_place_of_more_operations_only() {
        let g = Graph::with_normal_forms();
        let Symbols { q, r, m, n } = symbols(&g);
        let ((s, c), (t, d)) = (q.sin_cos(), r.sin_cos());
        let turned = c * (m * c) + s * (m * s);
        let product = (m * c + n * s) * (m * d + n * t);
        let forms = Tracer::normal_forms(&[&[turned, product]]);
        assert_eq!(forms[0], [m, product]);
    }

    #[test]
    fn forms_have_the_values_that_were_recorded() {
        let g = Graph::with_normal_forms();
        let Symbols { q, r, m, n } = symbols(&g);
        let ((s, c), (t, d)) = (q.sin_cos(), r.sin_cos());
        let (x, y) = (s * d - c * t, s * t + c * d);
        let two = Tracer::number(&g, Number::integer(2));
        let group = [
            c * (m * (n * x)) - s * (m * (n * y)),
            s * (m * (n * x)) + c * (m * (n * y)),
            two * (c * (m * (c * q)) + s * (m * (s * q))) - n * (s * s) * r,
            -(m * c * c) - m * s * s + (two * n) * (d * d) * (d * d),
        ];
        let forms = Tracer::normal_forms(&[&group]);
        let ids = |xs: &[Tracer<'_>]| xs.iter().map(|x| x.id(&g)).collect::<Vec<_>>();
        let (before, after) = (ids(&group), ids(&forms[0]));
        let count = |ids: &[NodeId]| count_nodes(&g, ids).total();
        assert!(count(&after) < count(&before), "{} and {}", count(&after), count(&before));
        for k in 0..5 {
            let outputs = [before.clone(), after.clone()].concat();
            let values = super::super::evaluate(&g, &outputs, |kind| match kind {
                SymbolKind::Coordinate(i) => 0.3 + 0.7 * f64::from(k) - i as f64,
                _ => 1.7 - 0.2 * f64::from(k),
            });
            for (x, y) in values[..4].iter().zip(&values[4..]) {
                assert!((x - y).abs() < 1e-13, "{x} and {y}");
            }
        }
    }
}
