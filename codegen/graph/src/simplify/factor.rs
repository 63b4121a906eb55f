//! Common factors: a·b + a·c becomes a·(b + c).
//!
//! Method:  greedy in each sum. The factor that saves most operations is extracted first. A factor
//!          whose cofactors depend on parameters only also saves the additions of these, which are
//!          done once. Every step saves a multiplication, so the pass terminates.
//! Cost:    O(terms²) per sum; sums of more than [`LIMIT`] terms are left unchanged.

use rustc_hash::FxHashMap;

use super::cluster::SignedTerm;
use super::regroup::{rebuild_clusters, record_product_by_group, record_sum_by_group};
use crate::ir::{GraphBuilder, Group, NodeId, Program};

/// Maximum number of terms of a sum in which common factors are looked for.
const LIMIT: usize = 500;

/// The pass: extracts common factors from every sum.
pub fn extract_common_factors(program: &Program) -> Program {
    rebuild_clusters(program, record_factored_sum)
}

/// The factor whose extraction saves most operations, if it saves at least one; among equals the
/// first.
fn best_common_factor(b: &mut GraphBuilder, terms: &[SignedTerm]) -> Option<NodeId> {
    // For each factor, the number of terms with it, and of those whose other factors depend on
    // parameters only.
    let mut counts: FxHashMap<NodeId, (u32, u32)> = FxHashMap::default();
    let mut order = Vec::new();
    for t in terms.iter().filter(|t| t.factors.len() > 1) {
        let late = t.factors.iter().filter(|f| b.dependency_group(**f) > Group::Parameter).count();
        for (i, f) in t.factors.iter().enumerate() {
            if t.factors[..i].contains(f) {
                continue;
            }
            let count = counts.entry(*f).or_insert_with(|| {
                order.push(*f);
                (0, 0)
            });
            count.0 += 1;
            count.1 += u32::from(late == 1 && b.dependency_group(*f) > Group::Parameter);
        }
    }
    let saving = |f: &NodeId| {
        let (all, known) = counts[f];
        (all - 1) + known.saturating_sub(1)
    };
    order.into_iter().rev().max_by_key(saving).filter(|f| saving(f) > 0)
}

/// Records a sum with common factors extracted, as long as that saves operations.
fn record_factored_sum(b: &mut GraphBuilder, mut terms: Vec<SignedTerm>) -> NodeId {
    while terms.len() > 1
        && terms.len() <= LIMIT
        && let Some(f) = best_common_factor(b, &terms)
    {
        let (mut with, mut rest) = (Vec::new(), Vec::new());
        let mut place = None;
        for mut t in terms {
            match t.factors.iter().position(|g| *g == f).filter(|_| t.factors.len() > 1) {
                Some(at) => {
                    t.factors.remove(at);
                    place.get_or_insert(rest.len());
                    with.push(t);
                }
                None => rest.push(t),
            }
        }
        // The sign of the first term moves outside.
        let negative = with.first().is_some_and(|t| t.negative);
        for t in &mut with {
            t.negative ^= negative;
        }
        let inner = record_factored_sum(b, with);
        let place = b.graph.invariants().require(
            place,
            0,
            "the common factor of a sum does not occur in any of its terms",
        );
        rest.insert(place, SignedTerm { negative, factors: vec![f, inner] });
        terms = rest;
    }
    let terms: Vec<(bool, NodeId)> =
        terms.iter().map(|t| (t.negative, record_product_by_group(b, &t.factors))).collect();
    record_sum_by_group(b, &terms)
}
