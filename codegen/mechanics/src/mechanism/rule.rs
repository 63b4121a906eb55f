//! What may be asked of a number.

/// What is asked of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Neither infinite nor NaN.
    Finite,
    /// Zero or more.
    NotNegative,
    /// More than zero.
    Positive,
}
