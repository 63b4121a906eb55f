//! Results of the comparison with the other computer algebra system.

/// Verdict of the other system on one entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryVerdict {
    /// The difference has the normal form zero: the entries are equal.
    Equal,
    /// The difference has another normal form: the entries differ.
    Different {
        /// Numerator of the difference, truncated if long.
        numerator: String,
    },
    /// Undecided: the normal form is not zero, but it is not unique here.
    Open {
        /// Reason why it is not unique.
        reason: String,
    },
}

/// Verdicts on all entries of M and c − Q.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryVerdicts {
    /// Entries of M, row by row.
    pub mass: Vec<EntryVerdict>,
    /// Entries of c − Q.
    pub bias: Vec<EntryVerdict>,
}

/// Reason why the comparison failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ComparisonError {
    /// The program was built without Symbolica.
    #[error(
        "this program was built without Symbolica, which has its own licence (docs/licence.md); build the \
         command with the feature `symbolica` to include it"
    )]
    Absent,
    /// Symbolica could not parse a formula.
    #[error("Symbolica cannot parse `{text}`: {reason}")]
    Text {
        /// Beginning of the formula.
        text: String,
        /// Symbolica's error message.
        reason: String,
    },
}
