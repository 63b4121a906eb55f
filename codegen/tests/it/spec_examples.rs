//! Every spec of `examples/specs` builds without errors and without warnings.

use std::path::PathBuf;

fn specs() -> Vec<PathBuf> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/specs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
}

#[test]
fn all_examples_build_without_a_warning() {
    for path in specs() {
        let spec = dqdt_codegen::read::read(&path).unwrap_or_else(|e| panic!("{e}"));
        let built = dqdt_codegen::pipeline::build(&spec, "").unwrap_or_else(|e| panic!("{e}"));
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = built.warnings.render(false);
        // It moves because a row is redundant; the warning says so.
        let expected = if stem == "bricard" {
            "warning[redundant-constraint]: 1 of 5 rows follows from the others"
        } else {
            ""
        };
        assert!(text.starts_with(expected) && text.is_empty() == expected.is_empty(), "{stem}: {text}");
        assert_eq!(built.mechanism.name, stem);
        assert!(!built.mechanism.description.is_empty(), "{stem}");
    }
}
