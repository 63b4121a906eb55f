//! Completes a formulation by search.

use super::open::is_open;
use super::refine;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_mechanics::mechanism::Formulation;

/// Completes `given` by a search over the choices that it leaves open, for these functions.
/// `waiting` is the weight of an operation on the longest dependency chain.
pub fn complete(loaded: &Assembled, given: &Formulation, request: &Request, waiting: u32) -> Formulation {
    if !is_open(&loaded.mechanism, given, request) {
        return given.clone();
    }
    refine::found(loaded, given, request, waiting)
}
