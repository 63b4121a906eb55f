//! Internal errors: invariants of the generator itself that do not hold.
//!
//! Problem: a default for a value that "cannot" be missing prints a wrong program, or leaves
//!          something out without a word.
//! Method:  the code that finds a broken invariant reports it, with its own place in the sources,
//!          and goes on with any stand-in. The first report is kept, and makes the result as a
//!          whole an error: a stand-in reaches no one. Recursive printers stay free of `Result`,
//!          and nothing panics.

use std::fmt;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

/// A broken invariant of the generator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InternalError {
    what: String,
    place: &'static Location<'static>,
}

impl InternalError {
    /// A broken invariant, at the place of the caller.
    #[track_caller]
    pub fn new(what: impl Into<String>) -> Self {
        InternalError { what: what.into(), place: Location::caller() }
    }
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = without_home(self.place.file());
        write!(f, "internal error, please report: {} (at {file}:{})", self.what, self.place.line())
    }
}

impl std::error::Error for InternalError {}

/// A source file without the folders of the machine that compiled it: those of crates from a
/// registry are absolute.
fn without_home(file: &str) -> String {
    let file = file.replace('\\', "/").replace("/./", "/");
    let is_absolute = file.starts_with('/') || file.get(1..3) == Some(":/");
    let src = file.rfind("/src/").filter(|_| is_absolute);
    let start = src.map_or(0, |at| file[..at].rfind('/').map_or(0, |slash| slash + 1));
    file[start..].to_owned()
}

/// The first broken invariant of a stage. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Invariants(Arc<OnceLock<InternalError>>);

impl Invariants {
    /// Reports a broken invariant, at the place of the caller.
    #[track_caller]
    pub fn broken(&self, what: impl Into<String>) {
        self.keep(InternalError::new(what));
    }

    /// The value that must be there. If it is missing, `what` says so and `stand_in` takes its
    /// place.
    #[track_caller]
    pub fn require<T>(&self, found: Option<T>, stand_in: T, what: &str) -> T {
        if found.is_none() {
            self.broken(what);
        }
        found.unwrap_or(stand_in)
    }

    /// Keeps an error, unless there is one.
    pub fn keep(&self, error: InternalError) {
        self.0.get_or_init(|| error);
    }

    /// Fails if an invariant was broken.
    ///
    /// # Errors
    /// The first one.
    pub fn hold(&self) -> Result<(), InternalError> {
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
        assert_eq!(invariants.hold(), Ok(()));
        let (line, value) = (line!(), invariants.clone().require(None, 7, "a value has no name"));
        invariants.broken("later");
        assert_eq!(value, 7);
        let text = invariants.hold().map_err(|e| e.to_string());
        let file = without_home(file!());
        let expected = format!("internal error, please report: a value has no name (at {file}:{line})");
        assert_eq!(text, Err(expected));
    }

    #[test]
    fn folders_of_a_machine_are_not_shown() {
        let of = |file| without_home(file);
        assert_eq!(of("codegen/src/./plan/mod.rs"), "codegen/src/plan/mod.rs");
        assert_eq!(of("/home/a/.cargo/registry/src/b/dqdt-1.0/src/plan/mod.rs"), "dqdt-1.0/src/plan/mod.rs");
        assert_eq!(of("C:\\a\\dqdt-1.0\\src\\ir.rs"), "dqdt-1.0/src/ir.rs");
        assert_eq!(of("/build.rs"), "/build.rs");
    }
}
