//! Internal part of `dqdt-command`: no stability is promised.
//!
//! Derives Lagrange's equations by another computer algebra system, Symbolica, and compares them
//! with those of this project. Both use the same texts of T, V and q̇ = N v + n₀
//! ([`LagrangeTexts`]); calculus, trigonometry and normal forms are independent.
//!
//! Symbolica has a licence of its own, so it is an optional feature; without it [`lagrange`]
//! returns [`Failed::Absent`].

use dqdt_equations::symbolic::LagrangeTexts;

mod answer;
#[cfg(feature = "symbolica")]
mod derivation;
#[cfg(feature = "symbolica")]
mod normal;

pub use answer::{Answer, Answers, Failed};

/// Derives Lagrange's equations from the energies and compares them with the given ones.
///
/// # Errors
/// [`Failed`]; an undecided entry is not an error.
pub fn lagrange(texts: &LagrangeTexts) -> Result<Answers, Failed> {
    #[cfg(feature = "symbolica")]
    return derivation::answers(texts);
    #[cfg(not(feature = "symbolica"))]
    {
        let _ = texts;
        Err(Failed::Absent)
    }
}
