//! The search for a formulation.

use super::open::is_open;
use super::refine;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_mechanics::mechanism::Formulation;

/// The formulation with what the formalism leaves open chosen for these functions; what is given stays. `waiting`: what an operation of
/// the longest chain counts.
pub fn complete(loaded: &Assembled, given: &Formulation, request: &Request, waiting: u32) -> Formulation {
    if !is_open(&loaded.mechanism, given, request) {
        return given.clone();
    }
    refine::found(loaded, given, request, waiting)
}
