//! Errors of formalisms in single precision, recorded in `tests/data/singles.toml`. The formalism
//! chosen for single precision has errors within 1e-5.

use crate::files::root;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use dqdt_codegen::pipeline::singles::{self, Errors};
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice, Request};
use dqdt_codegen::{Formalism, functions};
use dqdt_samples::tier::cases_by_tier;
use toml::Table;

const FILE: &str = "tests/data/singles.toml";
const FOLDERS: [(&str, &str); 3] =
    [("examples", "examples/specs"), ("robots", "tests/data/robots"), ("loops", "tests/data/robots/loops")];
const FORMS: [Formalism; 3] = [Formalism::Kane, Formalism::ArticulatedBody, Formalism::Mixed];

/// Largest number of speeds in the quick and the full tier. Larger mechanisms are evaluated only to
/// write the file: they take too long in a debug build.
const SMALL: (usize, usize) = (3, 10);

const HEADER: &str = "\
# Errors of accelerations in single precision: every operation of the graph of `dqdt` rounded to 24 bits, at 64 random states around
# the start, relative to the largest acceleration of the state. [median, nine states of ten, all of them]; what is left of ten is close
# to singular poses as a rule. `default`: the form taken where none is named; `singles`: the one taken for single precision.
# Written by `DQDT_BLESS=1 cargo test -p dqdt-command --test it singles::`.
";

fn errors(loaded: &Assembled, form: Formalism) -> Option<Errors> {
    let program = pipeline::program(loaded, &Request::new(form, vec![functions::DQDT]));
    singles::errors(&loaded.mechanism, &program)
}

fn format_errors(e: Option<Errors>) -> String {
    e.map_or("[]".to_owned(), |e| format!("[{:.1e}, {:.1e}, {:.1e}]", e.median, e.most, e.largest))
}

/// TOML entry of a mechanism: the chosen formalisms with their errors, and the errors of [`FORMS`].
fn entry(loaded: &Assembled) -> String {
    let mut text = String::new();
    for (name, choice) in [("default", FormalismChoice::BySize), ("singles", FormalismChoice::ForSingles)] {
        let derivation = pipeline::derive(loaded, choice, &[functions::DQDT]).unwrap();
        let errors = format_errors(singles::errors(&loaded.mechanism, &derivation.program));
        writeln!(text, "{name} = {{ form = \"{}\", errors = {errors} }}", derivation.formalism.name())
            .unwrap();
    }
    for form in FORMS {
        let small = loaded.mechanism.nv() <= 40 || form != Formalism::Kane;
        if small {
            writeln!(text, "{} = {}", form.name(), format_errors(errors(loaded, form))).unwrap();
        }
    }
    text
}

/// List of errors of an entry of the file.
fn read_errors(v: &toml::Value) -> Vec<f64> {
    let list = v.get("errors").unwrap_or(v).as_array().cloned().unwrap_or_default();
    list.iter().filter_map(toml::Value::as_float).collect()
}

#[test]
fn what_forms_lose_in_single_precision_is_in_the_file() {
    let bless = std::env::var_os("DQDT_BLESS").is_some();
    let mut entries = BTreeMap::new();
    for (folder, path) in FOLDERS {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(root(path)).unwrap().map(|e| e.unwrap().path()).collect();
        paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
        for path in paths {
            let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"));
            if bless || loaded.mechanism.nv() <= cases_by_tier(SMALL.0, SMALL.1) {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                entries.insert(format!("{folder}.{name}"), entry(&loaded));
            }
        }
    }
    if bless {
        let text: String = entries.iter().map(|(name, entry)| format!("\n[{name}]\n{entry}")).collect();
        std::fs::write(root(FILE), format!("{HEADER}{text}")).unwrap();
    }
    let file: Table = std::fs::read_to_string(root(FILE)).unwrap().parse().unwrap();
    let mut wrong = Vec::new();
    for (name, entry) in &entries {
        let (folder, subject) = name.split_once('.').unwrap();
        let here: Table = entry.parse().unwrap();
        let there = &file[folder][subject];
        for (key, value) in &here {
            // Sines of other libraries differ in the last bit, which may double an error, but
            // changes no choice.
            let (a, b) = (read_errors(value), read_errors(&there[key]));
            let close =
                a.len() == b.len() && a.iter().zip(&b).take(2).all(|(a, b)| *a <= 2.0 * b && *b <= 2.0 * a);
            if !close || value.get("form") != there[key].get("form") {
                wrong.push(format!("{name}.{key}: {value} here, {} there", there[key]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\nDQDT_BLESS=1 accepts these", wrong.join("\n"));
}

#[test]
fn the_form_for_single_precision_is_within_the_limit() {
    let file: Table = std::fs::read_to_string(root(FILE)).unwrap().parse().unwrap();
    let mut count = 0;
    for (folder, subjects) in &file {
        for (name, subject) in subjects.as_table().unwrap() {
            let errors = subject["singles"]["errors"].as_array().unwrap();
            if let Some(most) = errors.get(1).and_then(toml::Value::as_float) {
                assert!(most <= singles::LIMIT, "{folder}.{name}: {most}");
                count += 1;
            }
        }
    }
    assert!(count > 40);
}
