//! From a formulation to the shorter of two programs: as derived, or with the same operations in
//! all equal limbs (`equal_limbs`).

use super::cost::total_operations;
use super::equal_limbs::{parametrise_equal_limbs, restore_limb_constants};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, derive, derive_to_count};
use dqdt_graph::ir::Program;
use dqdt_graph::plan;
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::mechanism::Formulation;

/// Derives a program and runs every pass. If the mechanism has equal limbs, all of them get the
/// same operations when the vectorised result costs less.
pub fn shortest_program(loaded: &Assembled, formulation: &Formulation, request: &Request) -> Program {
    shorter_with_equal_limbs(loaded, formulation, request, derive)
}

/// Same as [`shortest_program`], without the names and notes for readers; for programs that are
/// only counted or interpreted.
pub fn shortest_program_to_count(
    loaded: &Assembled,
    formulation: &Formulation,
    request: &Request,
) -> Program {
    shorter_with_equal_limbs(loaded, formulation, request, derive_to_count)
}

fn shorter_with_equal_limbs(
    loaded: &Assembled,
    formulation: &Formulation,
    request: &Request,
    derive: fn(&Assembled, &Formulation, &Request) -> Program,
) -> Program {
    let plain = simplify(&derive(loaded, formulation, request));
    if !request.side_by_side {
        return plain;
    }
    let Some(limbs) = parametrise_equal_limbs(&formulation.move_joint_origins(&loaded.mechanism)) else {
        return plain;
    };
    let stand_ins = limbs.numbers.len();
    let formulation = Formulation { stand_ins, joint_origins: None, ..formulation.clone() };
    let with_parameters = Assembled { mechanism: limbs.mechanism, ..loaded.clone() };
    let with_parameters = simplify(&derive(&with_parameters, &formulation, request));
    let with_limbs = restore_limb_constants(&with_parameters, &limbs.numbers, &plain);
    if vectorised_operations(&with_limbs) < vectorised_operations(&plain) { with_limbs } else { plain }
}

/// Operations of one call of every function, where those of vectorised limbs count once for all
/// lanes.
fn vectorised_operations(p: &Program) -> u32 {
    total_operations(p) - plan::saved_by_lanes(p).iter().sum::<u32>()
}
