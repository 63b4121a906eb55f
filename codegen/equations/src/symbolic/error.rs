//! Errors of symbolic work, and the limits of the normal form.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A symbolic query that could not be carried out at all.
#[derive(Debug, thiserror::Error)]
pub enum SymbolicError {
    /// The lock file of this machine cannot be made or locked.
    #[error("cannot lock {path}: {source}")]
    Lock {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The worker thread could not be started.
    #[error("cannot start the symbolic worker thread: {0}")]
    Thread(std::io::Error),
    /// The worker thread has gone.
    #[error("the symbolic worker thread has stopped")]
    Stopped,
    /// A query panicked inside the computer algebra system.
    #[error("the computer algebra system failed: {0}")]
    Panicked(String),
    /// A request that refers to nodes that it does not hold.
    #[error("malformed symbolic request: {0}")]
    BadRequest(&'static str),
    /// A file or stream of the child process.
    #[error("cannot {what}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A message of the protocol that is none.
    #[error("unreadable symbolic message: {0}")]
    Message(#[from] serde_json::Error),
    /// The child process was killed, as Symbolica does when another of its kind runs.
    #[error(
        "the symbolic engine stopped the process ({status}). Without a licence key Symbolica allows one process on a \
         machine: another program or another user may be running it. Wait for it, or set SYMBOLICA_LICENSE"
    )]
    Aborted {
        /// How the child ended.
        status: String,
    },
    /// The child process ended with a failure of its own.
    #[error("the symbolic child process failed ({status})")]
    Child {
        /// How the child ended.
        status: String,
    },
    /// The child reports an error.
    #[error("{0}")]
    Reported(Failure),
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

/// An error of the child process, as its parent sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Failure {
    /// The query is beyond the normal form.
    OutsideNormalForm(Reason),
    /// Anything else, in words.
    Failed {
        /// The message.
        message: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::OutsideNormalForm(reason) => reason.fmt(f),
            Failure::Failed { message } => f.write_str(message),
        }
    }
}

impl From<&SymbolicError> for Failure {
    fn from(error: &SymbolicError) -> Self {
        match error {
            SymbolicError::OutsideNormalForm(reason)
            | SymbolicError::Reported(Failure::OutsideNormalForm(reason)) => {
                Failure::OutsideNormalForm(reason.clone())
            }
            other => Failure::Failed { message: other.to_string() },
        }
    }
}

/// Why an expression has no normal form here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize, Deserialize)]
pub enum Reason {
    /// A polynomial outgrew the limit.
    #[error("more than {limit} terms")]
    TooLarge {
        /// The limit.
        limit: usize,
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
    /// Angles refine each other without end.
    #[error("angles nest too deeply")]
    Angles,
}
