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

use super::cost::{cost_with_weight, total_operations};
use super::equal_limbs::parametrise_equal_limbs;
use super::open::origins_are_open;
use super::{search, shortest_program_to_count};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, derive_to_count};
use dqdt_mechanics::mechanism::{BodyAxes, Formulation, JointOrigins, group_equivalent_joints};

/// Budget of the refinement: total operations of the programs that are tried. Passes handle some
/// hundred thousand operations per second.
const BUDGET: u32 = 15_000;

/// Maximum number of recorded operations up to which joint origins are compared after passes.
const LARGE: u32 = 5_000;

/// Completes a formulation for these functions by the cost after passes. `latency_weight` is the
/// weight of an operation on the longest dependency chain.
pub(super) fn refine_formulation(
    loaded: &Assembled,
    partial: &Formulation,
    request: &Request,
    latency_weight: u32,
) -> Formulation {
    let best = refine_with_origins(loaded, partial, request, latency_weight);
    if latency_weight == 0
        || !best.has_unrotated_axes()
        || parametrise_equal_limbs(&loaded.mechanism).is_none()
    {
        return best;
    }
    // The search ignores equal limbs, which may have more operations in common in their own axes.
    let in_own_axes =
        Formulation { body_axes: Some(BodyAxes::from_joints(&loaded.mechanism.joints)), ..best.clone() };
    let cost =
        |f: &Formulation| cost_with_weight(&shortest_program_to_count(loaded, f, request), latency_weight);
    if cost(&in_own_axes) < cost(&best) { in_own_axes } else { best }
}

fn refine_with_origins(
    loaded: &Assembled,
    partial: &Formulation,
    request: &Request,
    latency_weight: u32,
) -> Formulation {
    let search = |partial: &Formulation| search::search_formulation(loaded, partial, request, latency_weight);
    if !origins_are_open(&loaded.mechanism, partial, request)
        || total_operations(&derive_to_count(loaded, partial, request)) > LARGE
    {
        return search(partial);
    }
    let with_spec_origins =
        search(&Formulation { joint_origins: Some(JointOrigins::default()), ..partial.clone() });
    let other = search(partial);
    let [spec_cost, other_cost] = [&with_spec_origins, &other]
        .map(|f| cost_with_weight(&shortest_program_to_count(loaded, f, request), latency_weight));
    let best = if other_cost < spec_cost { other } else { with_spec_origins };
    toggle_joint_origins(loaded, best, request, latency_weight)
}

/// Improves the joint origins of `start` by local search, as long as the cost after passes falls.
fn toggle_joint_origins(
    loaded: &Assembled,
    start: Formulation,
    request: &Request,
    latency_weight: u32,
) -> Formulation {
    let joints = &loaded.mechanism.joints;
    let mut left = BUDGET;
    let mut cost = |formulation: &Formulation| {
        let program = shortest_program_to_count(loaded, formulation, request);
        left = left.saturating_sub(total_operations(&program));
        (left > 0).then(|| cost_with_weight(&program, latency_weight))
    };
    let Some(first) = cost(&start) else { return start };
    let mut origins = start.joint_origins.clone().unwrap_or_default();
    let mut tried = vec![origins.move_joint_origins(joints)];
    let mut best = (first, start.clone());
    let classes = group_equivalent_joints(joints);
    loop {
        let mut better = false;
        for class in &classes {
            let mut other = origins.clone();
            other.level.resize(joints.len(), false);
            class.iter().for_each(|j| other.level[*j] = !other.level[*j]);
            let other = other.keep_effective(joints);
            let placed = other.move_joint_origins(joints);
            if tried.contains(&placed) {
                continue;
            }
            tried.push(placed);
            let formulation = Formulation { joint_origins: Some(other.clone()), ..start.clone() };
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
