//! Checks README, ARCHITECTURE and decisions: sizes, map of folders, index of decisions, and
//! existence of the named files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{page}: {e}"))
}

fn names_in(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

/// File names of decisions, without their index.
fn decisions() -> Vec<String> {
    names_in("docs/decisions").into_iter().filter(|name| name != "README.md").collect()
}

#[test]
fn pages_keep_their_sizes() {
    for (page, most) in [("README.md", 6 * 1024), ("ARCHITECTURE.md", 15 * 1024)] {
        let size = text(page).len();
        assert!(size <= most, "{page} has {size} bytes, more than {most}");
    }
    for name in decisions() {
        let lines = text(&format!("docs/decisions/{name}")).lines().count();
        assert!((10..=40).contains(&lines), "{name} has {lines} lines, not 10 to 40");
    }
    // A table cell must be readable at a glance.
    for line in text("README.md").lines().filter(|l| l.starts_with('|')) {
        for cell in line.split('|') {
            assert!(cell.split_whitespace().count() <= 30, "a cell of README has more than 30 words: {cell}");
        }
    }
    let changes = text("CHANGELOG.md");
    let sections = ["Added", "Changed", "Deprecated", "Fixed", "Removed", "Security"];
    for line in changes.lines() {
        if let Some(section) = line.strip_prefix("### ") {
            assert!(sections.contains(&section), "CHANGELOG has a section `{section}`");
        }
        assert!(!line.starts_with("  "), "an entry of CHANGELOG is one line: {line}");
        assert!(
            line.split_whitespace().count() <= 25,
            "an entry of CHANGELOG has more than 25 words: {line}"
        );
    }
}

fn is_inner_crate(name: &String) -> bool {
    root().join("codegen").join(name).join("Cargo.toml").is_file()
}

/// Folder names of the generator's inner crates.
fn crates() -> Vec<String> {
    names_in("codegen").into_iter().filter(is_inner_crate).collect()
}

#[test]
fn the_map_names_every_folder_of_the_generator() {
    let architecture = text("ARCHITECTURE.md");
    let rows: Vec<&str> = architecture.lines().filter(|l| l.starts_with("| `")).collect();
    let cells = rows.iter().flat_map(|l| [l.split('|').nth(1), l.split('|').nth(3)]).flatten();
    let named: BTreeSet<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let crates = crates();
    // The folders of `targets` are languages, listed by its registry `targets!`.
    let with_folders = crates.iter().filter(|name| *name != "targets");
    let folders = with_folders.flat_map(|name| {
        let src = format!("codegen/{name}/src");
        names_in(&src).into_iter().filter(move |folder| root().join(&src).join(folder).is_dir())
    });
    let all = crates.iter().cloned().chain(folders);
    let missing: Vec<String> = all.filter(|f| !named.contains(f.as_str())).collect();
    assert!(missing.is_empty(), "not in the map of ARCHITECTURE.md: {missing:?}");
}

#[test]
fn every_decision_has_its_parts_and_a_line_in_the_index() {
    let index = text("docs/decisions/README.md");
    let mut numbers = BTreeSet::new();
    for name in decisions() {
        let page = text(&format!("docs/decisions/{name}"));
        let number = name.get(..3).unwrap();
        assert!(number.bytes().all(|b| b.is_ascii_digit()) && name.ends_with(".md"), "{name}");
        assert!(numbers.insert(number.to_owned()), "two decisions have the number {number}");
        assert!(page.starts_with(&format!("# {number}. ")), "{name}: its title has another number");
        for part in ["## Context", "## Decision", "## Consequences", "## Evidence"] {
            assert!(page.lines().any(|l| l == part), "{name} has no `{part}`");
        }
        assert!(index.contains(&format!("]({name})")), "{name} is not in the index");
    }
    assert!(numbers.len() > 20);
    let entries = index.lines().filter(|l| l.starts_with("- [")).count();
    assert_eq!(entries, numbers.len(), "the index names a file twice, or one that is not there");
}

fn is_path_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._-/".contains(c)
}

/// Paths of files in backticks.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    const ENDINGS: [&str; 12] =
        ["rs", "md", "toml", "xml", "urdf", "svg", "json", "py", "txt", "yaml", "js", "css"];
    // Fences have three backticks, so they split in pairs too.
    page.split('`').filter(|word| {
        let ending =
            word.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && ENDINGS.contains(&end));
        ending && word.contains('/') && !word.starts_with('/') && word.chars().all(is_path_char)
    })
}

#[test]
fn every_file_that_pages_name_is_there() {
    let fixed = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/what-works.md"];
    let decisions = decisions().into_iter().map(|name| format!("docs/decisions/{name}"));
    let mut checked = 0;
    let mut missing = Vec::new();
    let crates = crates();
    for page in fixed.into_iter().map(str::to_owned).chain(decisions) {
        let text = text(&page);
        for path in paths(&text) {
            // Paths of the generator may be relative to the sources of their crate.
            let fixed = ["", "codegen/src", "codegen", "runtime/src"].map(|place| root().join(place));
            let inner = crates.iter().map(|name| root().join(format!("codegen/{name}/src")));
            let places: Vec<_> = fixed.into_iter().chain(inner).collect();
            // Build outputs do not exist yet.
            if !path.starts_with("target/") && !places.iter().any(|place| place.join(path).exists()) {
                missing.push(format!("{page}: `{path}`"));
            }
            checked += 1;
        }
        let folder = root().join(&page);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
        for link in links.filter(|l| !l.contains("://") && !l.starts_with('#')) {
            let file = link.split('#').next().unwrap();
            if !folder.parent().unwrap().join(file).exists() {
                missing.push(format!("{page}: ({link})"));
            }
            checked += 1;
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(checked > 100, "{checked}");
}

/// Appends the text of all Rust sources in a folder to `out`.
fn sources(folder: &Path, out: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[test]
fn names_of_the_glossary_are_names_of_the_code() {
    let mut code = String::new();
    ["codegen", "runtime"].iter().for_each(|folder| sources(&root().join(folder), &mut code));
    let words: BTreeSet<&str> = code.split(|c| !is_name_char(c)).collect();
    let page = text("docs/glossary.md");
    let names: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_suffix(" |")?.rsplit_once("| ")?.1.strip_prefix('`')?.strip_suffix('`'))
        .collect();
    assert!(names.len() > 40, "{}", names.len());
    let missing: Vec<&&str> = names.iter().filter(|name| !words.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
