//! Claims about a mechanism, and their proofs.
//!
//! Problem: whoever embeds the emitted function must trust every step from the energies to the printed operation.
//! Method:  claims between expressions of independent origin, each decided by the exact normal form of the engine:
//!          1. Kane's equations against Lagrange's as the engine derives them itself from T and V (`forms`);
//!          2. M, c, Q of every other form that has them, Poisson's momenta among them, against Kane's (`forms`);
//!          3. the sparse systems of the other forms in a motion against Kane's equations (`systems`);
//!          4. the complement of the constraints, and the projected equations (`projected`);
//!          5. the solves with M, its entries being symbols (`factorisation`);
//!          6. the final graph of each form that has M, after every pass (`programs`);
//!          7. `M v̇ = Q − c + Aᵀ λ`, `A v̇ = γ` with the accelerations of the final graph of all forms (`programs`);
//!          8. every closed form that `inspect` prints, read back from its text (`printed`), and the system that
//!             these make up, constraints included, against the final graph (`printed_system`).
//! Limits:  an entry whose polynomials outgrow the limit is compared at random points of 100 digits: it is checked then, not
//!          proved. Of the articulated-body form there are accelerations only, so that 7 is all that is claimed.

mod against;
mod claim;
mod factorisation;
mod forms;
mod printed;
mod printed_system;
mod programs;
mod projected;
mod systems;

pub use against::{Against, Comparison, against};
pub use claim::{Claim, Decision, FormalismPart, decide};
pub use forms::{lagrange_texts, same_equations};
pub use printed::{Printed, printed, texts};
pub use printed_system::printed_system;
pub use programs::{final_graph, solved};
pub use systems::same_motion;

use crate::symbolic::SymbolicError;
use dqdt_derivation::assemble::{Assembled, repartition};
use dqdt_mechanics::mechanism::Treatment;

/// All claims about a mechanism but those about printed forms, which need the forms first.
///
/// # Errors
/// Those of a request that the engine would not take.
pub fn claims(loaded: &Assembled) -> Result<Vec<Claim>, SymbolicError> {
    let bare = unstabilised(loaded);
    let mut claims = vec![forms::own_lagrange(&loaded.mechanism)?];
    claims.extend(forms::claims(&bare.mechanism));
    claims.extend(systems::claims(&bare));
    claims.extend(projected::claims(&bare));
    claims.extend(factorisation::claims(&bare));
    claims.extend(programs::claims(&bare, loaded));
    Ok(claims)
}

/// The mechanism whose constraints are not stabilised, have all their multipliers, and determine no speeds: what
/// is proved is the equations; claims about elimination choose their speeds themselves.
fn unstabilised(loaded: &Assembled) -> Assembled {
    let mut bare = loaded.clone();
    let (m, p) = (&mut bare.mechanism, &mut bare.partition);
    // A program is not a law of mechanics: the claims are about what carries it out.
    let mut kept = 0..;
    let places: Vec<usize> =
        m.constraints.iter().map(|c| if c.is_program() { 0 } else { kept.next().unwrap_or(0) }).collect();
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
