//! Paths of files of the repository.

#![allow(dead_code)]

use std::path::{Path, PathBuf};

/// A path relative to the root of the repository.
pub fn root(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(relative)
}

/// The spec of an example.
pub fn example_path(name: &str) -> PathBuf {
    root(&format!("examples/specs/{name}.toml"))
}

/// A file of `tests/data/cases`, by its name with extension.
pub fn case_path(name: &str) -> PathBuf {
    root("tests/data/cases").join(name)
}
