//! Claims about a mechanism, and their proofs.
//!
//! Problem: a user who embeds an emitted function must trust every step from the energies to the
//!          printed operation.
//! Method:  claims between expressions of independent origin, each decided by the exact normal form
//!          of the engine:
//!          1. Kane's equations against Lagrange's, which the engine derives itself from T and V
//!             (`forms`);
//!          2. M, c, Q of every other formalism that has them, Poisson's momenta among them,
//!             against Kane's (`forms`);
//!          3. the sparse systems of the other formalisms, in an arbitrary motion, against Kane's
//!             equations (`systems`);
//!          4. the null-space matrix of the constraints, and the projected equations
//!             (`projection`);
//!          5. the solves with M, its entries being symbols (`factorisation`);
//!          6. the final graph of each formalism that has M, after every pass (`programs`);
//!          7. `M v̇ = Q − c + Aᵀ λ`, `A v̇ = γ` with the accelerations of the final graph of each
//!             formalism (`programs`);
//!          8. every closed form that `inspect` prints, read back from its text
//!             (`printed_forms`), and the system that these forms make up, constraints included,
//!             against the final graph (`printed_system`).
//! Limits:  an entry whose polynomials outgrow the limit is compared at random points with 100
//!          digits; it is then checked, not proved. The articulated-body formalism has
//!          accelerations only, so 7 is its only claim.

mod against;
mod claim;
mod factorisation;
mod forms;
mod printed_entries;
mod printed_forms;
mod printed_system;
mod programs;
mod projection;
mod systems;

pub use against::{Against, Comparison, read_formula_file};
pub use claim::{Claim, Decision, FormalismPart, decide_claim};
pub use forms::{equal_equations_claim, lagrange_claim_texts};
pub use printed_forms::{Printed, closed_form_texts, printed_forms_claims};
pub use printed_system::printed_system_claims;
pub use programs::{final_graph_claim, solved_accelerations_claim};
pub use systems::equivalent_system_claim;

use crate::symbolic::SymbolicError;
use dqdt_derivation::assemble::{Assembled, repartition};
use dqdt_mechanics::mechanism::Treatment;

/// All claims about a mechanism except those about printed forms, which need the closed forms
/// first.
///
/// # Errors
/// If the engine rejects a query.
pub fn mechanism_claims(loaded: &Assembled) -> Result<Vec<Claim>, SymbolicError> {
    let bare = with_multipliers_only(loaded);
    let mut claims = vec![forms::lagrange_claim(&loaded.mechanism)?];
    claims.extend(forms::formalism_claims(&bare.mechanism));
    claims.extend(systems::sparse_system_claims(&bare));
    claims.extend(projection::projection_claims(&bare));
    claims.extend(factorisation::factorisation_claims(&bare));
    claims.extend(programs::final_graph_claims(&bare, loaded));
    Ok(claims)
}

/// A copy of the mechanism without stabilisation, eliminated speeds and program constraints: every
/// constraint keeps its multipliers. Claims about elimination choose their dependent speeds
/// themselves.
fn with_multipliers_only(loaded: &Assembled) -> Assembled {
    let mut bare = loaded.clone();
    let (m, p) = (&mut bare.mechanism, &mut bare.partition);
    // A program constraint is no law of mechanics, so claims are about the other constraints.
    let mut next_place = 0..;
    let places: Vec<usize> = m
        .constraints
        .iter()
        .map(|c| if c.is_program() { 0 } else { next_place.next().unwrap_or(0) })
        .collect();
    let in_groups = p.groups.iter_mut().flat_map(|g| &mut g.rows);
    for row in in_groups.chain(&mut p.redundant) {
        row.constraint = places[row.constraint];
    }
    p.undetermined.clear();
    m.constraints.retain(|c| !c.is_program());
    for c in &mut m.constraints {
        c.stabilisation = None;
        c.treatment = Treatment::Multipliers;
    }
    bare.partition = repartition(&bare.mechanism, &bare.partition);
    bare
}
