//! Forms that keep their digits where constraints hold light links under load.
//!
//! Problem: a form that divides by the mass matrix of the tree divides by the inertia of a light link, and the constraint takes the large
//!          acceleration away again: what is left is rounding.
//! Method:  the loss is that of single precision (`singles`), at random states around the start. Where half of the states keep less than
//!          three of seven digits in single precision, as many are lost in double precision, and a form that projects is taken.
//! Cost:    an evaluation a state and form, only of mechanisms with constraints.

use super::cost::WAITING;
use super::{refine, singles};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions::{self, Definition};
use dqdt_graph::ir::Program;
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::Mechanism;

/// Relative error in single precision beyond which a form has lost its digits. Forms that keep them are within 1e-5 on ordinary
/// mechanisms; implicit steps at usual tolerances fail well before nothing is left.
const LOST: f64 = 1e-3;

/// Forms that do not divide by M of the tree.
const PROJECTING: [Formalism; 2] = [Formalism::MaggiCoordinates, Formalism::Maggi];

/// `taken`, or a form that keeps its digits where that one loses them. `may`: forms that fit and solve everywhere; `derived`: a program after every pass.
pub(super) fn keep(
    loaded: &Assembled,
    functions: &[&'static Definition],
    taken: (Formalism, Assembled),
    may: &dyn Fn(Formalism) -> bool,
    derived: &dyn Fn(&Assembled, &Request) -> Program,
) -> (Formalism, Assembled) {
    let moves = functions.iter().any(|f| f.derive.asks_for_motion());
    if loaded.mechanism.constraints.is_empty() || !moves {
        return taken;
    }
    let loses = |f: Formalism, own: &Assembled| {
        loses(&loaded.mechanism, &derived(own, &Request::new(f, vec![functions::DQDT])))
    };
    if !loses(taken.0, &taken.1) {
        return taken;
    }
    let other = PROJECTING.into_iter().filter(|f| *f != taken.0 && may(*f)).find_map(|f| {
        let own = refine::found(loaded, &Request::new(f, functions.to_vec()), WAITING, derived);
        (!loses(f, &own)).then_some((f, own))
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
