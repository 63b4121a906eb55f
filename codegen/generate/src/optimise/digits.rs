//! Formalisms that keep precision where constraints hold light links under load.
//!
//! Problem: a formalism that divides by the mass matrix of the tree divides by the inertia of a
//!          light link, and the constraint then cancels the large acceleration: rounding errors
//!          remain.
//! Method:  the loss is estimated in single precision (`singles`), at random states around the
//!          start. If half of the states keep less than three of seven digits, as many digits are
//!          lost in double precision, and a formalism that projects is used.
//! Cost:    one evaluation per state and formalism, only for mechanisms with constraints.

use super::cost::WAITING;
use super::optimised::Optimised;
use super::{refine, shortest_program_to_count, singles};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions::{self, Definition};
use dqdt_graph::ir::Program;
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::{Formulation, Mechanism};

/// Median relative error in single precision above which a formalism has lost its precision in
/// double precision too. Formalisms without this loss are within 1e-5 on ordinary mechanisms;
/// implicit steps at usual tolerances fail well before all digits are lost.
const LOST: f64 = 1e-3;

/// Formalisms that project onto the constraints, so that they do not divide by M of the tree.
const PROJECTING: [Formalism; 2] = [Formalism::MaggiCoordinates, Formalism::Maggi];

/// Returns `taken`, or a derivation by a projecting formalism if only that one keeps precision.
/// `may` is true for formalisms that fit in memory and solve in every pose.
pub(super) fn keep_precision(
    loaded: &Assembled,
    functions: &[&'static Definition],
    taken: Optimised,
    may: &dyn Fn(Formalism) -> bool,
) -> Optimised {
    let moves = functions.iter().any(|f| f.derive.needs_motion());
    if loaded.mechanism.constraints.is_empty() || !moves {
        return taken;
    }
    let loses = |o: &Optimised| {
        let request = Request::new(o.formalism, vec![functions::DQDT]);
        loses_precision(&loaded.mechanism, &shortest_program_to_count(loaded, &o.formulation, &request))
    };
    if !loses(&taken) {
        return taken;
    }
    let other = PROJECTING.into_iter().filter(|f| *f != taken.formalism && may(*f)).find_map(|formalism| {
        let request = Request::new(formalism, functions.to_vec());
        let formulation = refine::refine_formulation(loaded, &Formulation::default(), &request, WAITING);
        Some(Optimised { formalism, formulation }).filter(|other| !loses(other))
    });
    other.unwrap_or(taken)
}

/// Projecting formalism that keeps the precision that `taken` loses; `None` if `taken` keeps it, or
/// none does. Used when programs are interpreted.
pub(super) fn precise_formalism(
    loaded: &Assembled,
    taken: Formalism,
    may: &dyn Fn(Formalism) -> bool,
    program: &dyn Fn(Formalism) -> Option<Program>,
) -> Option<Formalism> {
    let m = &loaded.mechanism;
    let loses = |f: Formalism| program(f).map(|program| loses_precision(m, &program));
    if m.constraints.is_empty() || loses(taken) != Some(true) {
        return None;
    }
    PROJECTING.into_iter().filter(|f| *f != taken && may(*f)).find(|f| loses(*f) == Some(false))
}

fn loses_precision(m: &Mechanism, program: &Program) -> bool {
    singles::errors(m, program).is_some_and(|e| e.median > LOST)
}
