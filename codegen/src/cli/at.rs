//! The file of `--at`, read once: it may be a pipe, or standard input.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::source::Failure;

/// A state as JSON, and where it is from.
pub(super) struct At {
    /// For messages.
    pub place: PathBuf,
    pub text: String,
}

impl At {
    /// What `--at` names; `-` is standard input.
    pub fn read(path: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        if path.as_os_str() == "-" {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|e| Failure::file("read", Path::new(STANDARD_INPUT), e))?;
            return Ok(Some(At { place: PathBuf::from(STANDARD_INPUT), text }));
        }
        let text = std::fs::read_to_string(path).map_err(|e| Failure::file("read", path, e))?;
        Ok(Some(At { place: path.to_owned(), text }))
    }
}

const STANDARD_INPUT: &str = "standard input";
