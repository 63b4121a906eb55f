//! Errors of the files of a sweep.

use std::io;
use std::path::Path;

/// Reason why a file of a sweep cannot be read, written or continued.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// An error of the file system.
    #[error("cannot {action} {path}: {source}")]
    File {
        /// Verb of the message, such as `read`.
        action: &'static str,
        /// Path of the file.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The content of the file, or its presence, does not fit.
    #[error("{place}: {message}")]
    Content {
        /// Path of the file, and the line if there is one.
        place: String,
        /// The problem and its remedy.
        message: String,
    },
}

impl SweepError {
    pub(super) fn from_file_error(action: &'static str, path: &Path, source: io::Error) -> Self {
        SweepError::File { action, path: path.display().to_string(), source }
    }

    pub(super) fn from_content(path: &Path, message: impl Into<String>) -> Self {
        SweepError::Content { place: path.display().to_string(), message: message.into() }
    }
}
