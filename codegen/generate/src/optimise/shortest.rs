//! From a formulation to the shorter of two programs: as derived, or with the same operations in
//! all equal limbs (`equal_limbs`).

use super::cost::total;
use super::equal_limbs::{parametrise_limbs, restore_numbers};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, derive, derive_to_count};
use dqdt_graph::ir::Program;
use dqdt_graph::plan;
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::mechanism::Formulation;

/// Derives a program and runs every pass. If the mechanism has equal limbs, all of them get the
/// same operations when the vectorised result costs less.
pub fn shortest(loaded: &Assembled, formulation: &Formulation, request: &Request) -> Program {
    of_both(loaded, formulation, request, derive)
}

/// Same as [`shortest`], without the names and notes for readers; for programs that are only
/// counted or interpreted.
pub fn shortest_to_count(loaded: &Assembled, formulation: &Formulation, request: &Request) -> Program {
    of_both(loaded, formulation, request, derive_to_count)
}

fn of_both(
    loaded: &Assembled,
    formulation: &Formulation,
    request: &Request,
    derive: fn(&Assembled, &Formulation, &Request) -> Program,
) -> Program {
    let plain = simplify(&derive(loaded, formulation, request));
    if !request.side_by_side {
        return plain;
    }
    let Some(limbs) = parametrise_limbs(&formulation.with_moved_origins(&loaded.mechanism)) else {
        return plain;
    };
    let stand_ins = limbs.numbers.len();
    let formulation = Formulation { stand_ins, joint_origins: None, ..formulation.clone() };
    let with_parameters = Assembled { mechanism: limbs.mechanism, ..loaded.clone() };
    let with_parameters = simplify(&derive(&with_parameters, &formulation, request));
    let with_limbs = restore_numbers(&with_parameters, &limbs.numbers, &plain);
    if total_in_lanes(&with_limbs) < total_in_lanes(&plain) { with_limbs } else { plain }
}

/// Operations of one call of every function, where those of vectorised limbs count once for all
/// lanes.
fn total_in_lanes(p: &Program) -> u32 {
    total(p) - plan::saved(p).iter().sum::<u32>()
}
