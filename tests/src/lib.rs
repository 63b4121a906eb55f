//! Helpers for tests across crates.

use std::path::PathBuf;

pub mod emitted;

/// A path relative to the root of the repository.
pub fn root(relative: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(relative)
}

/// Paths of the specs in `examples/specs`, sorted.
///
/// # Errors
/// If the folder cannot be read.
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

fn method_name(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("        ")?.split_once('(')?;
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| name.to_owned())
}

/// The methods of `Model<f64>` in every module of `generated/`, in source order, by module.
///
/// # Errors
/// If a file cannot be read.
pub fn plain_functions() -> std::io::Result<Vec<(String, Vec<String>)>> {
    let mut modules = Vec::new();
    for entry in std::fs::read_dir(root("generated/src"))? {
        let path = entry?.path();
        let module = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        if module != "lib" {
            let text = std::fs::read_to_string(&path)?;
            let methods = text.split_once("::dqdt::methods! {").map_or("", |(_, after)| after);
            let methods = methods.split("\n}").next().unwrap_or_default();
            let functions: Vec<String> = methods.lines().filter_map(method_name).collect();
            // Families are generic over their size and have none.
            if !functions.is_empty() {
                modules.push((module, functions));
            }
        }
    }
    modules.sort();
    Ok(modules)
}
