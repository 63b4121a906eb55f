//! Internal part of `dqdt-command`; promises nothing to anyone else.
//!
//! Lagrange's equations by another computer algebra system, against those of this project. The two
//! share the texts of T, V and q̇ = N v + n₀ ([`LagrangeTexts`]): calculus, trigonometry and normal
//! forms are separate.
//!
//! Symbolica has a licence of its own, so it is a feature; without it [`lagrange`] answers
//! [`Failed::Absent`].

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
/// [`Failed`]; an entry that is not decided is no error.
pub fn lagrange(texts: &LagrangeTexts) -> Result<Answers, Failed> {
    #[cfg(feature = "symbolica")]
    return derivation::answers(texts);
    #[cfg(not(feature = "symbolica"))]
    {
        let _ = texts;
        Err(Failed::Absent)
    }
}
