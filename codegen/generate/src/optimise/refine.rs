//! Refines joint origins, and axes of equal limbs, by the cost after all passes.
//!
//! Problem: `search` counts operations as recorded. Between different origins, the savings of
//!          passes and vectorised limbs differ by as much as the recorded operations do, and other
//!          origins favour other axes.
//! Method:  one search with the origins of the spec and one with all choices; starting from the
//!          better result, the origins of each class of joints are toggled as long as the cost
//!          falls.
//! Cost:    up to [`BUDGET`] operations of tried programs. For mechanisms with more than [`LARGE`]
//!          recorded operations only the search with all choices is done.

use super::cost::{cost_by, total};
use super::equal_limbs::alike;
use super::open::origins_are_open;
use super::{search, shortest_to_count};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, derive_to_count};
use dqdt_mechanics::mechanism::{BodyAxes, Formulation, JointOrigins, equivalent_joints};

/// Total operations of the programs that are tried. Passes handle some hundred thousand per second.
const BUDGET: u32 = 15_000;

/// Maximum number of recorded operations up to which origins are compared after passes.
const LARGE: u32 = 5_000;

/// Completes `given` for these functions. `waiting` is the weight of an operation on the longest
/// dependency chain.
pub(super) fn found(loaded: &Assembled, given: &Formulation, request: &Request, waiting: u32) -> Formulation {
    let found = with_origins(loaded, given, request, waiting);
    if waiting == 0 || !found.any_unturned() || alike(&loaded.mechanism).is_none() {
        return found;
    }
    // The search ignores equal limbs, which may have more operations in common in their own axes.
    let own = Formulation { body_axes: Some(BodyAxes::own(&loaded.mechanism.joints)), ..found.clone() };
    let cost = |f: &Formulation| cost_by(&shortest_to_count(loaded, f, request), waiting);
    if cost(&own) < cost(&found) { own } else { found }
}

fn with_origins(loaded: &Assembled, given: &Formulation, request: &Request, waiting: u32) -> Formulation {
    let search = |given: &Formulation| search::found(loaded, given, request, waiting);
    if !origins_are_open(&loaded.mechanism, given, request)
        || total(&derive_to_count(loaded, given, request)) > LARGE
    {
        return search(given);
    }
    let own = search(&Formulation { joint_origins: Some(JointOrigins::default()), ..given.clone() });
    let other = search(given);
    let [of_own, of_other] = [&own, &other].map(|f| cost_by(&shortest_to_count(loaded, f, request), waiting));
    let found = if of_other < of_own { other } else { own };
    refined(loaded, found, request, waiting)
}

/// Improves the joint origins of `found` by local search.
fn refined(loaded: &Assembled, found: Formulation, request: &Request, waiting: u32) -> Formulation {
    let joints = &loaded.mechanism.joints;
    let mut left = BUDGET;
    let mut cost = |formulation: &Formulation| {
        let program = shortest_to_count(loaded, formulation, request);
        left = left.saturating_sub(total(&program));
        (left > 0).then(|| cost_by(&program, waiting))
    };
    let Some(first) = cost(&found) else { return found };
    let mut origins = found.joint_origins.clone().unwrap_or_default();
    let mut tried = vec![origins.with_moved_origins(joints)];
    let mut best = (first, found.clone());
    let classes = equivalent_joints(joints);
    loop {
        let mut better = false;
        for class in &classes {
            let mut other = origins.clone();
            other.level.resize(joints.len(), false);
            class.iter().for_each(|j| other.level[*j] = !other.level[*j]);
            let other = other.without_unmoved(joints);
            let placed = other.with_moved_origins(joints);
            if tried.contains(&placed) {
                continue;
            }
            tried.push(placed);
            let formulation = Formulation { joint_origins: Some(other.clone()), ..found.clone() };
            let Some(cost) = cost(&formulation) else { return best.1 };
            if cost < best.0 {
                (best, origins, better) = ((cost, formulation), other, true);
            }
        }
        if !better {
            return best.1;
        }
    }
}
