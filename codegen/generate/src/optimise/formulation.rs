//! Completes a formulation by search.

use super::open::has_open_choices;
use super::refine;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_mechanics::mechanism::Formulation;

/// Completes `partial` by a search over the choices (axes, origins, groups) that it leaves open,
/// for the functions of the request. `latency_weight` is the weight of an operation on the longest
/// dependency chain.
pub fn complete_formulation(
    loaded: &Assembled,
    partial: &Formulation,
    request: &Request,
    latency_weight: u32,
) -> Formulation {
    if !has_open_choices(&loaded.mechanism, partial, request) {
        return partial.clone();
    }
    refine::refine_formulation(loaded, partial, request, latency_weight)
}
