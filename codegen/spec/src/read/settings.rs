//! Settings of the reader of specs.

use std::path::{Path, PathBuf};

/// Sizes of repeats, and where templates are. The default leaves both to the spec.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Settings {
    pub(super) sizes: Vec<(String, i64)>,
    pub(super) folder: Option<PathBuf>,
    /// Parts of robots that are left out, besides those that a spec accepts.
    pub(super) accept: Vec<String>,
    /// Sizes that hold whether or not the text has them.
    pub(super) known: Vec<(String, i64)>,
}

impl Settings {
    /// Nothing but what the spec says.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a size of `[repeat]` another value.
    pub fn set(mut self, size: impl Into<String>, value: i64) -> Self {
        let size = size.into();
        self.sizes.retain(|(n, _)| *n != size);
        self.sizes.push((size, value));
        self
    }

    /// The folder to which the paths of templates are relative. A file that is read has its own.
    pub fn folder(mut self, path: impl AsRef<Path>) -> Self {
        self.folder = Some(path.as_ref().to_owned());
        self
    }

    /// Accepts that a part of a robot is left out although it changes the equations, such as `tendon`.
    pub fn accept(mut self, part: impl Into<String>) -> Self {
        self.accept.push(part.into());
        self
    }

    /// The sizes that are given.
    pub fn sizes(&self) -> &[(String, i64)] {
        &self.sizes
    }
}
