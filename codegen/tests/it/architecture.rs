//! Holds the module table of ARCHITECTURE.md: which folder may use which.

use std::fs;
use std::path::{Path, PathBuf};

/// Folder, and what its `use crate::…` lines may name besides itself. No file has more rights than its folder.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("error", &["base"]),
    ("algebra", &["base"]),
    ("spec", &["base", "error", "algebra"]),
    ("mechanism", &["base", "error", "algebra"]),
    ("resolve", &["base", "error", "algebra", "spec", "mechanism"]),
    ("kinematics", &["base", "error", "algebra", "mechanism"]),
    ("formalism", &["base", "error", "algebra", "mechanism", "kinematics"]),
    ("ir", &["base", "algebra"]),
    ("simplify", &["algebra", "ir"]),
    ("plan", &["algebra", "ir"]),
    ("symbols", &["algebra", "mechanism", "kinematics", "ir"]),
    (
        "assemble",
        &["base", "error", "algebra", "mechanism", "resolve", "kinematics", "formalism", "ir", "symbols"],
    ),
    ("derive", &["base", "error", "algebra", "mechanism", "kinematics", "formalism", "ir", "symbols"]),
    ("functions", &["algebra", "mechanism", "kinematics", "formalism", "ir", "derive"]),
    ("symbolic", &["base", "algebra", "ir", "formalism"]),
    ("indexed", &["base", "algebra", "mechanism", "kinematics", "formalism", "ir", "symbols"]),
    ("emit", &["base", "algebra", "ir", "plan", "indexed"]),
    (
        "simulate",
        &[
            "algebra",
            "error",
            "mechanism",
            "kinematics",
            "formalism",
            "ir",
            "assemble",
            "functions",
            "pipeline",
        ],
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// What stands before the tests of a file: tests may use what they like.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

#[test]
fn folders_use_only_what_the_table_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut breaches = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        if relative.ends_with("tests.rs") || relative.contains("/tests/") {
            continue;
        }
        let folder = relative.split(['/', '.']).next().unwrap();
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == folder) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        let used = without_tests(&text).match_indices("crate::").filter_map(|(at, _)| {
            let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
            let comment = text[line..at].trim_start().starts_with("//");
            let name: String =
                text[at + 7..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            (!comment && !name.is_empty()).then_some(name)
        });
        for name in used {
            let ok = name == folder || allowed.contains(&name.as_str());
            if !ok {
                breaches.push(format!("{relative} uses crate::{name}"));
            }
        }
    }
    assert!(breaches.is_empty(), "not in the table of ARCHITECTURE.md:\n{}", breaches.join("\n"));
}

#[test]
fn only_the_symbolic_folder_names_the_engine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files.iter().filter(|f| !f.starts_with(root.join("symbolic"))) {
        let text = fs::read_to_string(file).unwrap();
        assert!(!text.contains("symbolica::"), "{}", file.display());
    }
}

#[test]
fn no_file_iterates_over_a_standard_hash_map() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for word in ["std::collections::HashMap", "std::collections::HashSet"] {
            assert!(!without_tests(&text).contains(word), "{} uses {word}", file.display());
        }
    }
}
