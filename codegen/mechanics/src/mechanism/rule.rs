//! Conditions that a number must fulfil.

/// Condition that the value of a formula must fulfil, for checks of specs and parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The value must be finite, not NaN.
    Finite,
    /// The value must be zero or positive.
    NotNegative,
    /// The value must be positive.
    Positive,
}
