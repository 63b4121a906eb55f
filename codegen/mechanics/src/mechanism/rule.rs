//! Conditions that a number must fulfil.

/// A condition that the value of a formula must fulfil.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The value must be finite, not NaN.
    Finite,
    /// The value must be zero or positive.
    NotNegative,
    /// The value must be positive.
    Positive,
}
