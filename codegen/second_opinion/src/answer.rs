//! What is answered.

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
