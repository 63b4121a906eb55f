use std::collections::BTreeSet;
use std::path::Path;

use super::*;
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline;
use dqdt_import::read;

fn sources(folder: &Path, out: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // The table itself and tests raise no message.
        if path.is_dir() && name != "codes" {
            sources(&path, out);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
            out.push((name, text[..end].to_owned()));
        }
    }
}

fn is_code(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Codes found in the sources, next to the constructors of messages.
fn raised() -> BTreeSet<String> {
    let mut files = Vec::new();
    // The sources of `dqdt-codegen` and of all crates in its folder.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    sources(&root.join("src"), &mut files);
    for entry in std::fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    let makers = ["::error(", "::warning(", "::note(", "problem(", "syntax_error(", "code: "];
    let mut out = BTreeSet::new();
    for (_, text) in &files {
        for maker in makers {
            for (at, _) in text.match_indices(maker) {
                let rest = text[at + maker.len()..].trim_start();
                let literal = rest.strip_prefix('"').and_then(|r| r.split_once('"')).map(|(code, _)| code);
                out.extend(literal.filter(|code| is_code(code)).map(str::to_owned));
            }
        }
    }
    out
}

#[test]
fn every_code_of_the_sources_is_explained_and_no_other() {
    let explained: Vec<&str> = all_codes().map(|c| c.code).collect();
    let known: BTreeSet<String> = explained.iter().map(|c| (*c).to_owned()).collect();
    assert_eq!(known.len(), explained.len(), "a code is explained twice");
    let raised = raised();
    assert!(raised.len() > 150, "the sources are not read as they should: {}", raised.len());
    let without: Vec<&String> = raised.difference(&known).collect();
    assert!(without.is_empty(), "not explained: {without:?}");
    let idle: Vec<&String> = known.difference(&raised).collect();
    assert!(idle.is_empty(), "explained, but nothing says it: {idle:?}");
}

#[test]
fn every_code_of_the_corpus_is_explained() {
    for folder in ["spec/fail", "urdf/fail", "mjcf/fail"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "expected") {
                let text = std::fs::read_to_string(&path).unwrap();
                for line in text.lines() {
                    let code = ["error[", "warning[", "note["]
                        .iter()
                        .find_map(|s| line.strip_prefix(s)?.split_once(']').map(|(c, _)| c));
                    if let Some(code) = code {
                        assert!(all_codes().any(|c| c.code == code), "{code} of {}", path.display());
                    }
                }
            }
        }
    }
}

/// The pendulum spec of the README, merged with these entries.
fn pendulum_with(text: &str) -> String {
    let readme = include_str!("../../../../../README.md");
    let spec = readme.split("```toml\n").nth(1).and_then(|t| t.split("```").next()).unwrap();
    let mut base: toml::Table = spec.parse().unwrap();
    merge(&mut base, text.parse().unwrap_or_else(|e| panic!("{e}\n{text}")));
    toml::to_string(&base).unwrap()
}

fn merge(into: &mut toml::Table, from: toml::Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(old)), toml::Value::Table(new)) => merge(old, new),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// All messages about a spec: errors, or warnings if it is valid.
fn messages_of(name: &str, bytes: Vec<u8>) -> String {
    let messages: Result<String, Errors> = read::parse(name, bytes)
        .and_then(|spec| pipeline::build(&spec, name))
        .map(|loaded| loaded.warnings.to_string());
    messages.unwrap_or_else(|e| e.to_string())
}

#[test]
fn every_example_brings_about_its_message() {
    let mut wrong = Vec::new();
    for c in all_codes() {
        let text = match c.example {
            Example::Pendulum(text) => messages_of("pendulum.toml", pendulum_with(text).into_bytes()),
            // The replacement character marks where the example has a byte that is not UTF-8.
            Example::Spec(text) if text.contains('\u{fffd}') => messages_of(
                "spec.toml",
                text.replace('\u{fffd}', "\u{ff}").chars().map(|c| c as u8).collect(),
            ),
            Example::Spec(text) => messages_of("spec.toml", text.as_bytes().to_vec()),
            Example::Robot(text) => {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("robot.xml");
                std::fs::write(&path, text).unwrap();
                pipeline::load(&path).map_or_else(|e| e.to_string(), |l| l.warnings.to_string())
            }
            Example::Described(text) => {
                assert!(text.len() > 10, "{}", c.code);
                continue;
            }
        };
        if !text.contains(&format!("[{}]", c.code)) {
            wrong.push(format!("{}:\n{text}", c.code));
        }
        assert!(c.cause.ends_with('.') && c.remedy.ends_with('.'), "{}", c.code);
    }
    assert!(wrong.is_empty(), "{} examples\n{}", wrong.len(), wrong.join("\n"));
}
