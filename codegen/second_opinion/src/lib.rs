//! Internal part of `dqdt-command`: no stability is promised.
//!
//! Derives Lagrange's equations by another computer algebra system, Symbolica, and compares them
//! with those of this project. Both use the same texts of T, V and q̇ = N v + n₀
//! ([`LagrangeTexts`]); calculus, trigonometry and normal forms are independent.
//!
//! Symbolica has a licence of its own, so it is an optional feature; without it
//! the comparison returns [`ComparisonError::Absent`].

use dqdt_equations::symbolic::LagrangeTexts;

#[cfg(feature = "symbolica")]
mod derivation;
#[cfg(feature = "symbolica")]
mod normal;
mod verdict;

pub use verdict::{ComparisonError, EntryVerdict, EntryVerdicts};

/// Derives Lagrange's equations from the energies by Symbolica, and compares them with the entries
/// in `texts`.
///
/// # Errors
/// [`ComparisonError`]; an undecided entry is not an error.
pub fn compare_lagrange_equations(texts: &LagrangeTexts) -> Result<EntryVerdicts, ComparisonError> {
    #[cfg(feature = "symbolica")]
    return derivation::compare_equations(texts);
    #[cfg(not(feature = "symbolica"))]
    {
        let _ = texts;
        Err(ComparisonError::Absent)
    }
}
