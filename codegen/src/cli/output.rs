//! Writing files whole, and standard output without panics.

use std::io::Write;
use std::path::Path;

use super::Failure;
use crate::pipeline;

/// Prints to standard output.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|e| Failure::file("write", Path::new("standard output"), e))
}

/// Writes a file whole: under another name first, then renamed, so that a kill leaves the old file.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    pipeline::write_if_changed(path, text).map(|_| ()).map_err(|e| Failure::file("write", path, e))
}

/// To the file if there is one, else to standard output.
pub(super) fn product(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    match path {
        Some(path) => write(path, text),
        None => print(text),
    }
}
