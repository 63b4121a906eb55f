//! A new kind needs only its files and list lines: a copy of the generator with the files of
//! `tests/added_kinds` and the lines of `tests/added_kinds/lines.toml`, and no other change, passes
//! the tests of its crate `checks`.
//!
//! To add a kind to this test: its files below `tests/added_kinds`, at their paths below `codegen`;
//! its lines in `lines.toml`; a file of tests in `checks/src`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dqdt_tests::root;
use toml::{Table, Value};

use crate::satellite::{Satellite, files, write};

/// Folder of the test crate, in `tests/added_kinds` and in the copy of `codegen`.
const CHECKS: &str = "checks";

/// The text of a file of `codegen` with its lines of `lines.toml` inserted.
fn insert_lines(file: &Path, mut text: String, lines: &[Value]) -> String {
    for line in lines.iter().filter(|line| Path::new(line["file"].as_str().unwrap()) == file) {
        let [after, line] = ["after", "line"].map(|key| format!("\n{}\n", line[key].as_str().unwrap()));
        let places: Vec<usize> = text.match_indices(&after).map(|(place, _)| place).collect();
        let [place] = places[..] else {
            panic!(
                "{} has {} lines `{}`, after which one is inserted",
                file.display(),
                places.len(),
                after.trim()
            )
        };
        text.insert_str(place + after.len(), &line[1..]);
    }
    text
}

/// The workspace manifest reduced to the crates of `codegen` and `checks`. No profile optimises:
/// compilation takes most of the time.
fn manifest() -> String {
    let mut manifest: Table = std::fs::read_to_string(root("Cargo.toml")).unwrap().parse().unwrap();
    let workspace = manifest["workspace"].as_table_mut().unwrap();
    workspace.remove("exclude");
    let members = workspace["members"].as_array_mut().unwrap();
    members.retain(|member| member.as_str().unwrap().starts_with("codegen"));
    members.push(format!("codegen/{CHECKS}").into());
    let runtime = root("runtime").canonicalize().unwrap().display().to_string();
    workspace["dependencies"]["dqdt"]["path"] = runtime.into();
    let profile: Table = "dev = { debug = false, incremental = false }".parse().unwrap();
    manifest.insert("profile".to_owned(), profile.into());
    toml::to_string(&manifest).unwrap()
}

/// Removes files left in the workspace by an earlier run.
fn remove_others(folder: &Path, keep: &BTreeSet<PathBuf>) {
    for file in files(folder) {
        if !keep.contains(file.strip_prefix(folder).unwrap()) {
            std::fs::remove_file(file).unwrap();
        }
    }
}

#[test]
fn kinds_are_added_by_files_and_lines_alone() {
    let added = root("tests/added_kinds");
    let lines: Table = std::fs::read_to_string(added.join("lines.toml")).unwrap().parse().unwrap();
    let lines = lines["line"].as_array().unwrap();
    for line in lines {
        let file = root("codegen").join(line["file"].as_str().unwrap());
        assert!(file.is_file(), "lines.toml names {}, which is no file", file.display());
    }

    let satellite = Satellite::new("added_kinds");
    let codegen = Path::new("codegen");
    write(&satellite.folder.join("Cargo.toml"), &manifest());
    let mut copies = BTreeSet::from([PathBuf::from("Cargo.toml")]);
    copies.extend(satellite.copy(&root("examples/specs"), Path::new("examples/specs"), |_, text| text));
    copies.extend(satellite.copy(&root("codegen"), codegen, |file, text| insert_lines(file, text, lines)));
    for file in satellite.copy(&added, codegen, |_, text| text) {
        assert!(copies.insert(file.clone()), "{} is no new file", file.display());
    }
    remove_others(&satellite.folder, &copies);

    let output = satellite.command(&["test", "--lib", "-p", "dqdt-added-kinds"]).output().unwrap();
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{stderr}\n{stdout}");
    // Check that every file of `checks` has run.
    for file in std::fs::read_dir(added.join(CHECKS).join("src")).unwrap() {
        let file = file.unwrap().path();
        let module = file.file_stem().unwrap().to_str().unwrap();
        assert!(module == "lib" || stdout.contains(&format!("test {module}::")), "{module}: {stdout}");
    }
}
