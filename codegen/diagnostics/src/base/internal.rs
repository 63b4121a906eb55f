//! Internal errors: violated invariants of the generator itself.
//!
//! Problem: a default for a value that "cannot" be missing would silently print a wrong program, or
//!          omit something.
//! Method:  the code that detects a broken invariant reports it, with its own place in the sources,
//!          and continues with a placeholder. The first report is kept and turns the whole result
//!          into an error, so no placeholder reaches a user. Recursive printers need no `Result`,
//!          and nothing panics.

use std::fmt;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

/// Violation of an invariant of the generator, with the source line that detected it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InternalError {
    message: String,
    location: &'static Location<'static>,
}

impl InternalError {
    /// An internal error located at the caller's source line.
    #[track_caller]
    pub fn new(message: impl Into<String>) -> Self {
        InternalError { message: message.into(), location: Location::caller() }
    }
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = strip_machine_folders(self.location.file());
        write!(f, "internal error, please report: {} (at {file}:{})", self.message, self.location.line())
    }
}

impl std::error::Error for InternalError {}

/// Removes the folders of the machine that compiled the crate from a source path; paths of crates
/// from a registry are absolute.
fn strip_machine_folders(file: &str) -> String {
    let file = file.replace('\\', "/").replace("/./", "/");
    let is_absolute = file.starts_with('/') || file.get(1..3) == Some(":/");
    let src = file.rfind("/src/").filter(|_| is_absolute);
    let start = src.map_or(0, |at| file[..at].rfind('/').map_or(0, |slash| slash + 1));
    file[start..].to_owned()
}

/// Record of the first broken invariant of a stage, if any. Clones share it; a stage checks it at
/// its end.
#[derive(Clone, Default, Debug)]
pub struct Invariants(Arc<OnceLock<InternalError>>);

impl Invariants {
    /// Reports a broken invariant, located at the caller's source line.
    #[track_caller]
    pub fn report_broken(&self, message: impl Into<String>) {
        self.store_first_error(InternalError::new(message));
    }

    /// Unwraps a value that must be present. If it is missing, reports `message` as a broken
    /// invariant and returns `placeholder`.
    #[track_caller]
    pub fn require<T>(&self, value: Option<T>, placeholder: T, message: &str) -> T {
        if value.is_none() {
            self.report_broken(message);
        }
        value.unwrap_or(placeholder)
    }

    /// Stores an error, unless one is stored already; used to pass on the error of another record.
    pub fn store_first_error(&self, error: InternalError) {
        self.0.get_or_init(|| error);
    }

    /// Returns the stored error, if an invariant was broken; called at the end of a stage.
    ///
    /// # Errors
    /// The first one reported.
    pub fn ensure_unbroken(&self) -> Result<(), InternalError> {
        self.0.get().map_or(Ok(()), |error| Err(error.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_broken_invariant_is_kept_with_its_place() {
        let invariants = Invariants::default();
        assert_eq!(invariants.require(Some(1), 0, "one"), 1);
        assert_eq!(invariants.ensure_unbroken(), Ok(()));
        let (line, value) = (line!(), invariants.clone().require(None, 7, "a value has no name"));
        invariants.report_broken("later");
        assert_eq!(value, 7);
        let text = invariants.ensure_unbroken().map_err(|e| e.to_string());
        let file = strip_machine_folders(file!());
        let expected = format!("internal error, please report: a value has no name (at {file}:{line})");
        assert_eq!(text, Err(expected));
    }

    #[test]
    fn folders_of_a_machine_are_not_shown() {
        for (file, expected) in [
            ("codegen/src/./plan/mod.rs", "codegen/src/plan/mod.rs"),
            ("/home/a/.cargo/registry/src/b/dqdt-1.0/src/plan/mod.rs", "dqdt-1.0/src/plan/mod.rs"),
            ("C:\\a\\dqdt-1.0\\src\\ir.rs", "dqdt-1.0/src/ir.rs"),
            ("/build.rs", "/build.rs"),
        ] {
            assert_eq!(strip_machine_folders(file), expected);
        }
    }
}
