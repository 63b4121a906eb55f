//! The README and the page of features: the specs, equations, code and paths they show are real.

use std::path::Path;

use dqdt_codegen::pipeline::{self, Request};
use dqdt_codegen::{Formalism, functions, read};
use dqdt_graph::ir::{Arguments, Machine};

fn root(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// The text of the first fenced block that starts with `fence`.
fn block<'a>(text: &'a str, fence: &str) -> &'a str {
    let start = text.find(fence).unwrap() + fence.len();
    let start = start + text[start..].find('\n').unwrap() + 1;
    &text[start..start + text[start..].find("```").unwrap()]
}

#[test]
fn the_pendulum_of_the_readme_falls_as_a_rod_does() {
    let readme = root("README.md");
    let spec = read::parse("README.md", block(&readme, "```toml")).unwrap();
    let loaded = pipeline::build(&spec, "pendulum.toml").unwrap();
    assert!(loaded.warnings.diagnostics.is_empty(), "{}", loaded.warnings);
    let program = pipeline::program(&loaded, &Request::all(Formalism::Kane));
    let arguments = Arguments::defaults(&program);
    let mut machine = Machine::new(&program, functions::DQDT).unwrap();
    let dx = machine.call(&arguments).unwrap();
    // A rod about its end: θ̈ = −3 g cos θ / (2 l).
    let expected = -3.0 * 9.81 * arguments.q[0].cos() / (2.0 * 0.5);
    assert!((dx[1] - expected).abs() < 1e-12 * expected.abs(), "{} against {expected}", dx[1]);
}

/// Standard output of a subcommand on the pendulum of the README.
fn run_on_pendulum(subcommand: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pendulum.toml");
    std::fs::write(&path, block(&root("README.md"), "```toml")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dqdt"));
    let output = command.arg(subcommand).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn inspect_prints_the_equation_of_the_readme() {
    let readme = root("README.md");
    let equation = block(&readme, "```text").trim();
    let report = run_on_pendulum("inspect");
    assert!(report.lines().any(|l| l.trim() == equation), "{equation}\n{report}");
}

#[test]
fn emit_prints_the_rust_of_the_readme() {
    let readme = root("README.md");
    let module = run_on_pendulum("emit");
    // In this order; lines in between may be omitted.
    let mut emitted = module.lines().map(str::trim);
    for line in block(&readme, "```rust").lines() {
        assert!(emitted.any(|l| l == line), "not emitted: {line}\n{module}");
    }
}

#[test]
fn dependencies_on_a_clone_name_its_folders() {
    let mut dependencies = 0;
    for page in ["README.md", "codegen/README.md", "runtime/README.md", "runtime/simd/README.md"] {
        let text = root(page);
        for (at, middle) in text.match_indices(" = { path = \"../dqdt/") {
            let name = text[..at].rsplit(['\n', '`']).next().unwrap();
            let folder = text[at + middle.len()..].split('"').next().unwrap();
            let manifest = root(&format!("{folder}/Cargo.toml"));
            assert!(manifest.contains(&format!("name = \"{name}\"")), "{page}: {name} in {folder}");
            dependencies += 1;
        }
    }
    assert_eq!(dependencies, 8);
}

fn is_file_of_repository(path: &str) -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path).is_file()
}

#[test]
fn every_feature_has_a_chapter_and_a_test() {
    let page = root("docs/what-works.md");
    let (features, _) = page.split_once("\n## What it does not do\n").unwrap();
    let entries: Vec<&str> =
        features.split("\n- ").skip(1).map(|e| e.split("\n\n").next().unwrap().trim_end()).collect();
    assert!(entries.len() > 50, "{} features", entries.len());
    for entry in entries {
        // `book.rs` checks the links.
        assert!(entry.contains("]("), "no chapter: {entry}");
        let test = entry.strip_suffix('`').and_then(|e| e.rsplit_once('`')).map(|(_, test)| test);
        assert!(test.is_some_and(|t| t.ends_with(".rs") && is_file_of_repository(t)), "no test: {entry}");
    }
}

#[test]
fn the_build_script_of_the_readme_is_compiled_in_a_satellite() {
    let readme = root("README.md");
    let shown = block(&readme, "```rust,ignore").trim_start_matches("// build.rs\n");
    let compiled = root("tests/satellites/arm/build.rs");
    assert!(compiled.contains(shown), "README:\n{shown}\nsatellite:\n{compiled}");
    let library =
        readme.split_once("// src/lib.rs\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().0;
    let (included, function) = library.split_once("\n\n").unwrap();
    let compiled = root("tests/satellites/arm/src/lib.rs");
    assert_eq!(included, "dqdt::include_mechanism!(pub mod arm = \"arm\");");
    assert!(compiled.contains("dqdt::include_mechanism!") && compiled.contains("pub mod arm = \"arm\""));
    assert!(compiled.contains(function), "README:\n{function}\nsatellite:\n{compiled}");
}

#[test]
fn published_packages_carry_licences_a_readme_and_words_to_be_found_by() {
    for package in ["runtime", "codegen", "runtime/simd", "codegen/stdio"] {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(root(&format!("{package}/{licence}")), root(licence), "{package}");
        }
        assert!(root(&format!("{package}/README.md")).contains("MIT or Apache-2.0"));
        let manifest = root(&format!("{package}/Cargo.toml"));
        for key in ["readme = ", "keywords = ", "categories = ", "description = "] {
            assert!(manifest.contains(key), "{package} has no `{key}`");
        }
    }
    assert!(root("generated/Cargo.toml").contains("publish = false"));
    // Rust versions in the READMEs equal those in the manifests.
    assert!(root("runtime/Cargo.toml").contains("rust-version = \"1.88\""));
    assert!(root("runtime/README.md").contains("Rust 1.88") && root("README.md").contains("build with 1.88"));
    assert!(
        root("Cargo.toml").contains("rust-version = \"1.95\"")
            && root("README.md").contains("needs Rust 1.95")
    );
}
