//! The Rust files of the repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders without sources of our own: build output, emitted code, and the history.
const SKIPPED: [&str; 3] = ["target", "generated", "node_modules"];

/// Root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Path from the root and text of every Rust file, sorted by path.
///
/// # Errors
/// Reading a folder or a file fails.
pub fn files() -> io::Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    let root = root();
    collect(&root, &root, &mut all)?;
    all.sort();
    Ok(all)
}

fn collect(root: &Path, folder: &Path, all: &mut Vec<(String, String)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_str()) && !name.starts_with('.') {
                collect(root, &path, all)?;
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            let relative = path.strip_prefix(root).unwrap_or(&path);
            all.push((relative.to_string_lossy().replace('\\', "/"), fs::read_to_string(&path)?));
        }
    }
    Ok(())
}

/// Crate of a file: its folder below `codegen`, `examples` or `tests`, else its first folder.
pub fn crate_of(file: &str) -> &str {
    let mut slashes = file.match_indices('/').map(|(i, _)| i);
    let first = slashes.next().unwrap_or(file.len());
    let nested = ["codegen", "examples", "tests"].contains(&&file[..first]);
    let end = if nested { slashes.next().unwrap_or(first) } else { first };
    &file[..end]
}

#[cfg(test)]
mod tests {
    use super::crate_of;

    #[test]
    fn a_crate_is_a_folder_of_one_or_two_levels() {
        assert_eq!(crate_of("codegen/graph/src/ir/graph.rs"), "codegen/graph");
        assert_eq!(crate_of("codegen/build.rs"), "codegen");
        assert_eq!(crate_of("runtime/src/lib.rs"), "runtime");
    }
}
