//! Results of the comparison with the other computer algebra system.

/// Verdict of Symbolica on one entry of M or c − Q, for `dqdt prove --engine symbolica`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryVerdict {
    /// The difference of both derivations has the normal form zero: the entries are equal.
    Equal,
    /// The difference has another normal form than zero: the entries differ.
    Different {
        /// Numerator of the difference as text, truncated if long.
        numerator: String,
    },
    /// Undecided: the difference could not be brought to a unique normal form.
    Open {
        /// Cause of the missing decision, such as square roots.
        reason: String,
    },
}

/// Verdicts of Symbolica on all entries of M and c − Q of a mechanism.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryVerdicts {
    /// Verdicts on the entries of M, row by row.
    pub mass: Vec<EntryVerdict>,
    /// Verdicts on the entries of c − Q, one per speed.
    pub bias: Vec<EntryVerdict>,
}

/// Reason why the comparison with Symbolica could not be made.
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
        /// Beginning of the formula that was rejected.
        text: String,
        /// Symbolica's error message.
        reason: String,
    },
}
