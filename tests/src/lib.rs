//! Helpers for tests across crates.

use std::path::PathBuf;

/// A path from the root of the repository.
pub fn root(relative: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(relative)
}

/// The specs of `examples/specs`, sorted.
///
/// # Errors
/// Those of the file system.
pub fn specs() -> std::io::Result<Vec<PathBuf>> {
    let mut specs = Vec::new();
    for entry in std::fs::read_dir(root("examples/specs"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            specs.push(path);
        }
    }
    specs.sort();
    Ok(specs)
}
