//! Every spec of `examples/specs` builds without errors and warnings, by the
//! pipeline and stage by stage.

use std::path::{Path, PathBuf};

use dqdt_codegen::Formalism;
use dqdt_codegen::pipeline::{self, Assembled, Origin, Request};
use dqdt_derivation::assemble::assemble;
use dqdt_spec::resolve::resolve;

fn specs() -> Vec<PathBuf> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs");
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
        let built = pipeline::build(&spec, "").unwrap_or_else(|e| panic!("{e}"));
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = built.warnings.render(false);
        // Bricard's linkage moves only because a row is redundant; the warning is expected.
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

fn emit_by_kane(l: &Assembled) -> String {
    pipeline::rust(&pipeline::program(l, &Request::all(Formalism::Kane))).unwrap()
}

#[test]
fn stages_one_by_one_give_what_the_pipeline_gives() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs/four_bar.toml");
    let whole = pipeline::load(Path::new(path)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((whole.origin.file.as_str(), whole.origin.hash.len()), ("four_bar.toml", 64));
    let state = whole.state.as_ref().expect("it has constraints");

    let spec = dqdt_codegen::read::read(path).unwrap_or_else(|e| panic!("{e}"));
    let mut resolved = resolve(&spec).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(resolved.origin, Origin { file: String::new(), hash: whole.origin.hash.clone() });
    resolved.origin.file = "renamed.toml".to_owned();
    let single = assemble(resolved).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(single.state.as_ref(), Some(state));
    assert_eq!(single.starts, whole.starts);
    assert!(emit_by_kane(&whole).contains(&whole.origin.hash[..12]));
    assert_eq!(emit_by_kane(&single), emit_by_kane(&whole).replace("four_bar.toml", "renamed.toml"));
}
