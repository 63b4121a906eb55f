//! Registries: a kind is a file of mechanics, a file of keys and a line in each list, and no other code names it.

use std::path::{Path, PathBuf};

use dqdt_mechanics::mechanism::{ConstraintKind, JointKind};
use dqdt_spec::spec::{constraint_kinds, joint_words};

/// The kinds and the keys agree on the words.
#[test]
fn every_type_of_constraint_is_a_kind_and_every_kind_has_a_type() {
    let (kinds, types) = (ConstraintKind::WORDS, constraint_kinds());
    assert!(types.iter().all(|t| kinds.contains(t)) && kinds.iter().all(|k| types.contains(k)));
}

#[test]
fn the_keys_of_a_spec_and_the_kinds_of_joints_have_the_same_words() {
    assert_eq!(JointKind::WORDS, joint_words());
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).expect("folder").map(|e| e.expect("entry").path());
    paths
        .flat_map(|p| if p.is_dir() { walk(&p) } else { vec![p] })
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .collect()
}

/// The lists that name every kind of constraint.
const LISTS: [&str; 2] =
    ["mechanics/src/mechanism/constraint/mod.rs", "spec/src/spec/constraint_keys/mod.rs"];

#[test]
fn nothing_but_its_files_and_the_lists_names_a_kind_of_constraint() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = ["mechanics", "spec", "graph", "derivation", "print", "generate", "motion"]
        .map(|c| walk(&root.join(c).join("src")))
        .concat();
    for word in ["knife_edge", "point_on_line", "rolling_ball"] {
        for file in &files {
            let relative = file.strip_prefix(&root).expect("below").to_string_lossy().replace('\\', "/");
            if relative.ends_with(&format!("{word}.rs")) || relative.ends_with("tests.rs") {
                continue;
            }
            let names = std::fs::read_to_string(file).expect("text").lines().any(|l| l.contains(word));
            assert_eq!(names, LISTS.contains(&relative.as_str()), "{relative} names {word}");
        }
    }
}
