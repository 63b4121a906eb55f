//! Errors of symbolic work, and the limits of the normal form.

/// A symbolic query that could not be carried out at all.
#[derive(Debug, thiserror::Error)]
pub enum SymbolicError {
    /// A request that refers to nodes that it does not hold.
    #[error("malformed symbolic request: {0}")]
    BadRequest(&'static str),
    /// The query is beyond the normal form.
    #[error("{0}")]
    OutsideNormalForm(#[from] Reason),
    /// A text that is no expression.
    #[error("column {column}: {expected} expected")]
    Syntax {
        /// From one.
        column: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// A text that names an unknown symbol or function.
    #[error("column {column}: unknown name {name}")]
    UnknownName {
        /// From one.
        column: usize,
        /// The name.
        name: String,
    },
}

/// Why an expression has no normal form here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// A polynomial outgrew the limit.
    #[error("more than {limit} terms: {polynomial}")]
    TooLarge {
        /// The limit.
        limit: usize,
        /// The polynomial: its terms and variables.
        polynomial: String,
    },
    /// The work of one query came to its bound.
    #[error("the bound on the work of one claim: powers of sums with long coefficients")]
    Work,
    /// An exponent outgrew the limit.
    #[error("an exponent is too large")]
    Degree,
    /// A divisor is zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A float that is no number.
    #[error("a constant is not finite")]
    NotFinite,
    /// A square root in a denominator hides a zero.
    #[error("a denominator with nested roots cannot be cleared")]
    ZeroDivisor,
    /// A function without a derivative in closed form.
    #[error("no derivative of {function}")]
    NoDerivative {
        /// Its name.
        function: String,
    },
    /// The difference contains functions whose algebra is not known.
    #[error("the difference contains {function}")]
    Opaque {
        /// One of them.
        function: String,
    },
    /// No point was found where the difference is an exact number other than zero.
    #[error("the difference is not zero, but no exact witness was found")]
    NoWitness,
    /// Functions of functions of functions, without end.
    #[error("functions nest too deeply")]
    Depth,
    /// A number too large to be taken apart into primes.
    #[error("a radicand is too large")]
    Radicand,
    /// The sides differ, but only where no claim is made.
    #[error("a difference where the constraints do not hold")]
    OffConstraints,
    /// Angles refine each other without end.
    #[error("angles nest too deeply")]
    Angles,
}
