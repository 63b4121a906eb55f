//! Errors of the symbolic engine, and reasons why an expression has no normal form.

/// A symbolic query that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum SymbolicError {
    /// A request that refers to nodes that it does not contain.
    #[error("malformed symbolic request: {0}")]
    BadRequest(&'static str),
    /// An expression has no normal form, or none within the limits.
    #[error("{0}")]
    OutsideNormalForm(#[from] Reason),
    /// A text that is not a valid expression.
    #[error("column {column}: {expected} expected")]
    Syntax {
        /// Column of the error, counted from 1.
        column: usize,
        /// Syntax that is expected there.
        expected: &'static str,
    },
    /// A text with an unknown symbol or function.
    #[error("column {column}: unknown name {name}")]
    UnknownName {
        /// Column of the name, counted from 1.
        column: usize,
        /// The unknown name.
        name: String,
    },
}

/// Reason why an expression has no normal form, or a claim no decision.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// A polynomial has more terms than the limit.
    #[error("more than {limit} terms: {polynomial}")]
    TooLarge {
        /// Largest allowed number of terms.
        limit: usize,
        /// Description of the polynomial: its terms and variables.
        polynomial: String,
    },
    /// The work of one query reached its limit.
    #[error("the work limit of one claim is exceeded (powers of sums with long coefficients)")]
    Work,
    /// An exponent exceeds the limit.
    #[error("an exponent is too large")]
    Degree,
    /// A divisor is zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A float that is NaN or infinite.
    #[error("a constant is not finite")]
    NotFinite,
    /// A denominator with square roots is zero although it does not look so.
    #[error("a denominator with nested roots cannot be cleared")]
    ZeroDivisor,
    /// A function without a derivative in closed form.
    #[error("{function} has no derivative in closed form")]
    NoDerivative {
        /// Name of the function.
        function: String,
    },
    /// The difference contains functions without algebraic rules.
    #[error("the difference contains {function}")]
    Opaque {
        /// Name of one of these functions.
        function: String,
    },
    /// The difference is not zero, but no point was found where it is an exact non-zero number.
    #[error("the difference is not zero, but no exact witness was found")]
    NoWitness,
    /// Functions are nested too deeply.
    #[error("functions are nested too deeply")]
    Depth,
    /// A number is too large for factorisation into primes.
    #[error("a radicand is too large")]
    Radicand,
    /// The sides differ, but only off the constraints, where nothing is claimed.
    #[error("the sides differ only where the constraints are violated")]
    OffConstraints,
    /// Angles need ever finer fractions.
    #[error("angles are nested too deeply")]
    Angles,
}
