//! Internal part of `dqdt-command`; promises nothing to anyone else.
//!
//! Lagrange's equations by another computer algebra system, against those of this project. The two
//! share the texts of T, V and q̇ = N v + n₀ ([`LagrangeTexts`]): calculus, trigonometry and normal
//! forms are separate.
//!
//! Symbolica has a licence of its own, so it is a feature; without it [`lagrange`] answers
//! [`Failed::Absent`].

use dqdt_equations::symbolic::LagrangeTexts;

#[cfg(feature = "symbolica")]
mod derivation;
#[cfg(feature = "symbolica")]
mod normal;
#[cfg(all(test, feature = "symbolica"))]
mod tests;

/// What the other system says of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The difference has the normal form zero.
    Equal,
    /// It has another one.
    Different {
        /// The numerator of the difference, or its beginning.
        numerator: String,
    },
    /// The normal form is not unique here, and it is not zero.
    Open {
        /// Why.
        reason: String,
    },
}

/// One answer an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answers {
    /// Entries of M by rows.
    pub mass: Vec<Answer>,
    /// Entries of c − Q.
    pub bias: Vec<Answer>,
}

/// Why there are no answers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failed {
    /// Built without it.
    #[error(
        "this program was built without Symbolica, which has a licence of its own (docs/licence.md); the feature `symbolica` \
         of the command builds it in"
    )]
    Absent,
    /// Something that it did not take.
    #[error("Symbolica does not read `{text}`: {reason}")]
    Text {
        /// The beginning of the text.
        text: String,
        /// What it says.
        reason: String,
    },
}

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
