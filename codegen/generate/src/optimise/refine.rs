//! Origins of joints, and axes of equal limbs, by what they cost after every pass.
//!
//! Problem: the search of `search` counts operations as they are recorded. What passes and equal limbs save of them differs between
//!          origins by as much as the origins themselves do, and with other origins other axes are best.
//! Method:  a search with the origins of the spec, and one with all choices; from the better one the origins of each class of joints are
//!          turned round, as long as the cost falls.
//! Cost:    up to [`BUDGET`] operations of programs that are tried. Of mechanisms with more than [`LARGE`] the search with all choices
//!          has the last word.

use super::cost::{cost_by, total};
use super::equal_limbs::alike;
use super::open::origins_are_open;
use super::{search, shortest_to_count};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, derive_to_count};
use dqdt_mechanics::mechanism::{BodyAxes, Formulation, JointOrigins, classes};

/// Operations of all programs that are tried. Passes go over some hundred thousand a second.
const BUDGET: u32 = 15_000;

/// Recorded operations up to which origins are compared after passes.
const LARGE: u32 = 5_000;

/// A formulation for these functions by this form; what is given stays.
pub(super) fn found(loaded: &Assembled, given: &Formulation, request: &Request, waiting: u32) -> Formulation {
    let found = with_origins(loaded, given, request, waiting);
    if waiting == 0 || !found.any_unturned() || alike(&loaded.mechanism).is_none() {
        return found;
    }
    // The search knows nothing of equal limbs; in their own axes these may be more alike.
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

/// `found` with better origins, if there are any.
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
    let mut tried = vec![origins.placed(joints)];
    let mut best = (first, found.clone());
    let classes = classes(joints);
    loop {
        let mut better = false;
        for class in &classes {
            let mut other = origins.clone();
            other.level.resize(joints.len(), false);
            class.iter().for_each(|j| other.level[*j] = !other.level[*j]);
            let other = other.which_move(joints);
            let placed = other.placed(joints);
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
