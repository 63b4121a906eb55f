//! Errors of the symbolic engine, and reasons why an expression has no normal form.

/// A symbolic query that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum SymbolicError {
    /// A malformed request, such as nodes that it does not contain, or two sides of different
    /// lengths.
    #[error("malformed symbolic request: {0}")]
    BadRequest(&'static str),
    /// An expression without a normal form, or with none within the limits.
    #[error("{0}")]
    OutsideNormalForm(#[from] Reason),
    /// A text that is not a valid expression.
    #[error("column {column}: {expected} expected")]
    Syntax {
        /// Column of the error, counted from 1.
        column: usize,
        /// Syntax that the parser expects at that column.
        expected: &'static str,
    },
    /// A parsed text contains an unknown symbol or function.
    #[error("column {column}: unknown name {name}")]
    UnknownName {
        /// Column of the name, counted from 1.
        column: usize,
        /// The name that is neither a symbol nor a function.
        name: String,
    },
}

/// Reason why an expression has no normal form, or why a claim is undecided; printed by `prove` and
/// in place of closed forms.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// A polynomial has more terms than the limit of the query.
    #[error("more than {limit} terms: {polynomial}")]
    TooLarge {
        /// Largest allowed number of terms.
        limit: usize,
        /// Description of the polynomial: its terms and variables.
        polynomial: String,
    },
    /// The computation reached the limit of work of one query.
    #[error("the work limit of one claim is exceeded (powers of sums with long coefficients)")]
    Work,
    /// An exponent of a polynomial exceeds the limit of the engine.
    #[error("an exponent is too large")]
    Degree,
    /// An expression divides by zero for all values of its symbols.
    #[error("division by zero")]
    DivisionByZero,
    /// A float that is NaN or infinite.
    #[error("a constant is not finite")]
    NotFinite,
    /// A denominator with square roots is zero although it does not look so.
    #[error("a denominator with nested roots cannot be cleared")]
    ZeroDivisor,
    /// The engine has no derivative for a function, such as a magnitude.
    #[error("{function} has no derivative in closed form")]
    NoDerivative {
        /// Name of the function that has no derivative.
        function: String,
    },
    /// The difference contains functions without algebraic rules.
    #[error("the difference contains {function}")]
    Opaque {
        /// Name of one of the functions without algebraic rules.
        function: String,
    },
    /// The difference is not zero, but no point was found where it is an exact non-zero number.
    #[error("the difference is not zero, but no exact witness was found")]
    NoWitness,
    /// Functions are nested deeper than the engine permits.
    #[error("functions are nested too deeply")]
    Depth,
    /// A number is too large for factorisation into primes.
    #[error("a radicand is too large")]
    Radicand,
    /// The sides differ, but only off the constraints, where nothing is claimed.
    #[error("the sides differ only where the constraints are violated")]
    OffConstraints,
    /// Angles need ever finer fractions, so that the query would restart without end.
    #[error("angles are nested too deeply")]
    Angles,
}
