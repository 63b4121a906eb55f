//! Settings for the reader of specs.

use std::path::{Path, PathBuf};

use super::file_source::FileSource;

/// Settings for the reader of a spec: overrides for sizes of repeats, and the folder of templates.
/// By default both are those of the spec.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Settings {
    pub(super) sizes: Vec<(String, i64)>,
    pub(super) folder: Option<PathBuf>,
    /// Source of templates, robots and included files.
    pub(super) files: FileSource,
    /// Names of parts of robots that may be dropped, in addition to those that a spec accepts.
    pub(super) accept: Vec<String>,
    /// Sizes that are defined even if the text does not define them, such as those of the spec that
    /// a file of formulas is about.
    pub(super) known: Vec<(String, i64)>,
}

impl Settings {
    /// Settings without overrides of a spec.
    pub fn new() -> Self {
        Self::default()
    }

    /// Overrides the value of a size of `[repeat]`.
    pub fn set(mut self, size: impl Into<String>, value: i64) -> Self {
        let size = size.into();
        self.sizes.retain(|(n, _)| *n != size);
        self.sizes.push((size, value));
        self
    }

    /// Sets the folder that paths of templates are relative to. When a file is read, this is the
    /// folder of the file.
    pub fn folder(mut self, path: impl AsRef<Path>) -> Self {
        self.folder = Some(path.as_ref().to_owned());
        self
    }

    /// Sets the source of templates, robots and included files; the disk by default.
    #[doc(hidden)]
    pub fn files(mut self, files: FileSource) -> Self {
        self.files = files;
        self
    }

    /// Permits that a part of a robot, such as `tendon`, is dropped although this changes the
    /// equations.
    pub fn accept(mut self, part: impl Into<String>) -> Self {
        self.accept.push(part.into());
        self
    }

    /// The overridden sizes of repeats, with their values.
    pub fn sizes(&self) -> &[(String, i64)] {
        &self.sizes
    }
}
