//! Registries: a kind consists of its files and one line in each list; no other code names it.
//! `tests/tests/sweeps/added_kinds.rs` tests that no more is needed to add one.

use std::collections::BTreeSet;

use crate::architecture::files;
use dqdt_mechanics::mechanism::{ConstraintKind, EventKind, JointKind, LoadKind, MeasureKind, OutputKind};
use dqdt_spec::spec::formula::FUNCTIONS;
use dqdt_spec::spec::{constraint_keys, event_keys, joint_words, load_keys, output_keys};

/// Constraint kinds and constraint keys use the same words.
#[test]
fn every_type_of_constraint_is_a_kind_and_every_kind_has_a_type() {
    let (kinds, types) = (ConstraintKind::WORDS, constraint_keys::kinds());
    assert!(types.iter().all(|t| kinds.contains(t)) && kinds.iter().all(|k| types.contains(k)));
}

#[test]
fn the_keys_of_a_spec_and_the_kinds_of_joints_have_the_same_words() {
    assert_eq!(JointKind::WORDS, joint_words());
}

#[test]
fn loads_outputs_and_events_have_keys_for_every_kind() {
    for (family, kinds, keys) in [
        ("load", LoadKind::WORDS, load_keys::kinds()),
        ("output", OutputKind::WORDS, output_keys::kinds()),
        ("event", EventKind::WORDS, event_keys::kinds()),
    ] {
        let [kinds, keys] = [kinds, &keys[..]].map(|words| words.iter().copied().collect::<BTreeSet<_>>());
        assert_eq!(kinds, keys, "kinds of `mechanism/{family}` and of `spec/{family}_keys`");
    }
}

#[test]
fn every_measure_has_a_function_of_its_own() {
    let functions: Vec<String> =
        MeasureKind::by_kind().iter().flatten().map(|kind| kind.form().function()).collect();
    let once: BTreeSet<&str> = functions.iter().map(String::as_str).collect();
    assert_eq!(once.len(), functions.len(), "two measures are the same function: {functions:?}");
    let named = |name: &str| once.contains(name);
    assert!(MeasureKind::TEXTS.iter().all(|text| named(text.function)));
    assert!(!FUNCTIONS.iter().any(|f| named(f.name)), "a measure is called as a function of formulas");
}

const JOINTS: &[&str] = &["mechanics/mechanism/joint/mod.rs", "spec/spec/joint_keys/mod.rs"];
const CONSTRAINTS: &[&str] = &["mechanics/mechanism/constraint/mod.rs", "spec/spec/constraint_keys/mod.rs"];
const LOADS: &[&str] = &["mechanics/mechanism/load/mod.rs", "spec/spec/load_keys/mod.rs"];
const OUTPUTS: &[&str] = &["mechanics/mechanism/output/mod.rs", "spec/spec/output_keys/mod.rs"];
const EVENTS: &[&str] = &["mechanics/mechanism/event/mod.rs", "spec/spec/event_keys/mod.rs"];
const MEASURES: &[&str] = &["mechanics/mechanism/measure/mod.rs"];
const FORMALISMS: &[&str] = &["mechanics/formalism/registry.rs", "mechanics/formalism/methods/mod.rs"];
const PASSES: &[&str] = &["graph/simplify/mod.rs"];

/// Word and type of each kind, with the lists that may name it. Kinds that other code has reason to
/// name are omitted: importers name joints and constraints of their formats; the search for a
/// formalism and proofs name some formalisms.
const KINDS: &[(&str, &str, &[&[&str]])] = &[
    // Both a joint and a constraint; the synonym "screw" refers to both.
    ("helical", "Helical", &[JOINTS, CONSTRAINTS, &["spec/spec/suggest.rs"]]),
    ("point_on_line", "PointOnLine", &[CONSTRAINTS]),
    ("point_on_plane", "PointOnPlane", &[CONSTRAINTS]),
    ("point_on_surface", "PointOnSurface", &[CONSTRAINTS]),
    ("knife_edge", "KnifeEdge", &[CONSTRAINTS]),
    ("rolling_ball", "RollingBall", &[CONSTRAINTS]),
    ("joint_spring", "JointSpring", &[LOADS]),
    ("specific_force", "SpecificForce", &[OUTPUTS, &["spec/spec/suggest.rs"]]),
    ("joint_stop", "JointStop", &[EVENTS]),
    ("distance_rate", "DistanceRate", &[MEASURES]),
    ("direct", "Direct", &[FORMALISMS]),
    ("trig", "trig", &[PASSES]),
    ("mirrors", "mirrors", &[PASSES]),
];

fn is_code_file(krate: &str, file: &str) -> bool {
    let is_page = krate == "command" && file.starts_with("cli/codes/");
    !is_page && !file.ends_with("tests.rs")
}

/// Code of all crates, by path without `src`: without comments, tests, and the pages of messages,
/// whose examples are specs.
fn code() -> impl Iterator<Item = (String, String)> {
    let read =
        files().into_iter().map(|(krate, file, path)| (krate, file, std::fs::read_to_string(path).unwrap()));
    read.filter(move |(krate, file, _)| is_code_file(krate, file)).map(|(krate, file, text)| {
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        (format!("{krate}/{file}"), lines.join("\n"))
    })
}

#[test]
fn nothing_but_its_files_and_the_lists_names_a_kind() {
    let code: Vec<(String, String)> = code().collect();
    for (word, name, lists) in KINDS {
        let patterns = [
            format!("\"{word}\""),
            format!("mod {word};"),
            format!("{word}::"),
            format!("JointKind::{name}"),
            format!("ConstraintKind::{name}"),
            format!("LoadKind::{name}"),
            format!("OutputKind::{name}"),
            format!("EventKind::{name}"),
            format!("MeasureKind::{name}"),
            format!("Formalism::{name}"),
        ];
        let naming = code.iter().filter(|(file, text)| {
            !file.ends_with(&format!("/{word}.rs")) && patterns.iter().any(|pattern| text.contains(pattern))
        });
        let naming: BTreeSet<&str> = naming.map(|(file, _)| file.as_str()).collect();
        assert_eq!(naming, lists.concat().into_iter().collect(), "files that name {word}");
    }
}

/// Code that depends on a kind calls its traits instead of naming a variant of these enums.
#[test]
fn no_code_names_a_variant_of_the_kinds() {
    for (file, text) in code() {
        // The axis of a prismatic joint decides where the origin of its child may be.
        if file == "mechanics/mechanism/formulation/joint_origins.rs" {
            continue;
        }
        let kinds =
            ["JointKind::", "ConstraintKind::", "LoadKind::", "OutputKind::", "EventKind::", "MeasureKind::"];
        for kinds in kinds {
            for (at, _) in text.match_indices(kinds) {
                // Another type may end with the name.
                if text[..at].ends_with(char::is_alphanumeric) {
                    continue;
                }
                let after = &text[at + kinds.len()..];
                let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                // Methods and constants of the enum are not variants.
                let is_variant = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
                assert!(!is_variant, "{file} names {kinds}{name}");
            }
        }
    }
}
