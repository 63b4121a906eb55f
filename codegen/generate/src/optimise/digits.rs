//! Forms that keep their digits where constraints hold light links under load.
//!
//! Problem: a form that divides by the mass matrix of the tree divides by the inertia of a light link, and the constraint takes the large
//!          acceleration away again: what is left is rounding.
//! Method:  the loss is that of single precision (`singles`), at random states around the start. Where half of the states keep less than
//!          three of seven digits in single precision, as many are lost in double precision, and a form that projects is taken.
//! Cost:    an evaluation a state and form, only of mechanisms with constraints.

use super::cost::WAITING;
use super::optimised::Optimised;
use super::{refine, shortest_to_count, singles};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions::{self, Definition};
use dqdt_graph::ir::Program;
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::{Formulation, Mechanism};

/// Relative error in single precision beyond which a form has lost its digits. Forms that keep them are within 1e-5 on ordinary
/// mechanisms; implicit steps at usual tolerances fail well before nothing is left.
const LOST: f64 = 1e-3;

/// Forms that do not divide by M of the tree.
const PROJECTING: [Formalism; 2] = [Formalism::MaggiCoordinates, Formalism::Maggi];

/// `taken`, or a form that keeps its digits where that one loses them. `may`: forms that fit and solve everywhere.
pub(super) fn keep(
    loaded: &Assembled,
    functions: &[&'static Definition],
    taken: Optimised,
    may: &dyn Fn(Formalism) -> bool,
) -> Optimised {
    let moves = functions.iter().any(|f| f.derive.asks_for_motion());
    if loaded.mechanism.constraints.is_empty() || !moves {
        return taken;
    }
    let loses = |o: &Optimised| {
        let request = Request::new(o.formalism, vec![functions::DQDT]);
        loses(&loaded.mechanism, &shortest_to_count(loaded, &o.formulation, &request))
    };
    if !loses(&taken) {
        return taken;
    }
    let other = PROJECTING.into_iter().filter(|f| *f != taken.formalism && may(*f)).find_map(|formalism| {
        let request = Request::new(formalism, functions.to_vec());
        let formulation = refine::found(loaded, &Formulation::default(), &request, WAITING);
        Some(Optimised { formalism, formulation }).filter(|other| !loses(other))
    });
    other.unwrap_or(taken)
}

/// A form that keeps the digits which `taken` loses; `None` where that keeps them, or none does.
pub(super) fn form_that_keeps(
    loaded: &Assembled,
    taken: Formalism,
    may: &dyn Fn(Formalism) -> bool,
    program: &dyn Fn(Formalism) -> Option<Program>,
) -> Option<Formalism> {
    let m = &loaded.mechanism;
    let loses = |f: Formalism| program(f).map(|program| loses(m, &program));
    if m.constraints.is_empty() || loses(taken) != Some(true) {
        return None;
    }
    PROJECTING.into_iter().filter(|f| *f != taken && may(*f)).find(|f| loses(*f) == Some(false))
}

fn loses(m: &Mechanism, program: &Program) -> bool {
    singles::errors(m, program).is_some_and(|e| e.median > LOST)
}
