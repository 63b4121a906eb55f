//! Direct call.

use super::error::SymbolicError;

/// Runs.
pub(super) fn run<R>(job: impl FnOnce() -> R) -> Result<R, SymbolicError> {
    Ok(job())
}

/// False.
pub fn is_running() -> bool {
    false
}

/// Runs.
pub(super) fn while_idle<R>(f: impl FnOnce() -> R) -> Option<R> {
    Some(f())
}
