//! The JSON schema of specs accepts valid specs and rejects wrong shapes.
//!
//! The tests use a small validator of their own for the draft 7 rules that the schema uses.

use std::path::{Path, PathBuf};

use dqdt_codegen::spec::schema;
use serde_json::Value;

fn is_condition_key(text: &str) -> bool {
    text.starts_with("each ") || text.starts_with("if ")
}

fn starts_as_name(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// True if a part of a path is a name, which may contain the characters `more`.
fn is_path_part(part: &str, more: &str) -> bool {
    starts_as_name(part) && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || more.contains(c))
}

/// Matches a text against one of the patterns that the schema uses.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    match pattern {
        "^if " => text.starts_with("if "),
        "^(each|if) " => is_condition_key(text),
        "^[^ ]+$" => !text.is_empty() && !text.contains(' '),
        // The code of a message.
        "^[a-z][a-z0-9-]*$" => {
            text.starts_with(|c: char| c.is_ascii_lowercase())
                && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        }
        // A section, then the names and keys on the path to an entry; these may contain blanks.
        r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_ ]*)*$" => {
            let mut parts = text.split('.');
            parts.next().is_some_and(|first| is_path_part(first, ""))
                && parts.all(|part| is_path_part(part, " "))
        }
        name => {
            assert!(name.contains(r"\{[^{}]*\}"), "a pattern that is not known here: {name}");
            // A word with indices in braces.
            let mut depth = 0;
            let plain: String = text
                .chars()
                .filter(|c| {
                    depth += i32::from(*c == '{');
                    let keep = depth == 0;
                    depth -= i32::from(*c == '}');
                    keep
                })
                .collect();
            let named = plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            is_condition_key(text) || named
        }
    }
}

fn is_valid(whole: &Value, s: &Value, v: &Value) -> bool {
    let Value::Object(map) = s else { panic!("no schema: {s}") };
    let object = v.as_object();
    map.iter().all(|(key, rule)| match key.as_str() {
        "$ref" => {
            let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
            is_valid(whole, &whole["$defs"][name], v)
        }
        "type" => {
            let is = |word: &str| match word {
                "object" => v.is_object(),
                "array" => v.is_array(),
                "string" => v.is_string(),
                "number" => v.is_number(),
                "boolean" => v.is_boolean(),
                other => panic!("{other}"),
            };
            match rule {
                Value::Array(all) => all.iter().any(|w| is(w.as_str().unwrap())),
                word => is(word.as_str().unwrap()),
            }
        }
        "enum" => rule.as_array().unwrap().contains(v),
        "const" => rule == v,
        "pattern" => v.as_str().is_none_or(|text| matches_pattern(rule.as_str().unwrap(), text)),
        "anyOf" => rule.as_array().unwrap().iter().any(|s| is_valid(whole, s, v)),
        "oneOf" => rule.as_array().unwrap().iter().filter(|s| is_valid(whole, s, v)).count() == 1,
        "not" => !is_valid(whole, rule, v),
        "if" => !is_valid(whole, rule, v) || is_valid(whole, &s["then"], v),
        "required" => object
            .is_none_or(|o| rule.as_array().unwrap().iter().all(|k| o.contains_key(k.as_str().unwrap()))),
        "properties" => object.is_none_or(|o| {
            rule.as_object().unwrap().iter().all(|(k, s)| o.get(k).is_none_or(|v| is_valid(whole, s, v)))
        }),
        "patternProperties" => object.is_none_or(|o| {
            o.iter().all(|(k, v)| {
                rule.as_object().unwrap().iter().all(|(p, s)| !matches_pattern(p, k) || is_valid(whole, s, v))
            })
        }),
        "additionalProperties" => object.is_none_or(|o| {
            o.iter().all(|(k, v)| {
                let known = s["properties"].get(k).is_some()
                    || s["patternProperties"]
                        .as_object()
                        .is_some_and(|p| p.keys().any(|p| matches_pattern(p, k)));
                known || (rule != &Value::Bool(false) && is_valid(whole, rule, v))
            })
        }),
        "propertyNames" => {
            object.is_none_or(|o| o.keys().all(|k| is_valid(whole, rule, &Value::String(k.clone()))))
        }
        "items" => v.as_array().is_none_or(|a| a.iter().all(|v| is_valid(whole, rule, v))),
        "minItems" => v.as_array().is_none_or(|a| a.len() as u64 >= rule.as_u64().unwrap()),
        "maxItems" => v.as_array().is_none_or(|a| a.len() as u64 <= rule.as_u64().unwrap()),
        "$schema" | "title" | "description" | "$defs" | "then" => true,
        other => panic!("a keyword that is not known here: {other}"),
    })
}

fn read_specs(folder: &str) -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if path.extension().is_some_and(|e| e == "toml")
            && let Ok(table) = text.parse::<toml::Table>()
        {
            out.push((path, serde_json::to_value(table).unwrap()));
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}

#[test]
fn every_good_spec_fits_the_schema() {
    let schema = schema();
    let folders = [
        "tests/data/spec/pass",
        "tests/data/spec/templates",
        "tests/data/measures",
        "tests/data/stiff",
        "tests/data/linearize",
        "tests/data/specs",
        "tests/data/robots",
        "examples/specs",
        "examples/specs/families",
    ];
    let mut tried = 0;
    for (path, spec) in folders.iter().flat_map(|f| read_specs(f)) {
        assert!(is_valid(&schema, &schema, &spec), "{}", path.display());
        tried += 1;
    }
    assert!(tried > 70, "{tried}");
    let new: toml::Table = dqdt_codegen::spec::template("robot").parse().unwrap();
    assert!(is_valid(&schema, &schema, &serde_json::to_value(new).unwrap()));
}

#[test]
fn specs_of_a_wrong_shape_do_not_fit_the_schema() {
    let schema = schema();
    // Errors that an editor can find by the schema.
    let shape_codes =
        ["unknown-key", "missing-key", "key-not-for-type", "unknown-type", "wrong-length", "unknown-word"];
    let mut refused = 0;
    for (path, spec) in read_specs("tests/data/spec/fail") {
        let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap();
        let fits = is_valid(&schema, &schema, &spec);
        refused += usize::from(!fits);
        let first = expected.lines().next().unwrap_or_default();
        let about_shape = shape_codes.iter().any(|c| first.starts_with(&format!("error[{c}]")));
        // A choice between two keys, and copies for an index, cannot be expressed in the schema.
        if about_shape && fits {
            assert!(
                expected.contains("has no joint and no speed")
                    || expected.contains("names neither a joint nor a ")
                    || expected.contains("no coefficient")
                    || expected.contains("`transition`")
                    || expected.contains("this message also applies to")
                    || expected.contains(" (i = "),
                "{} fits\n{expected}",
                path.display()
            );
        }
    }
    assert!(refused >= REFUSED, "only {refused} of the bad specs do not fit");
}

/// Least number of specs in `tests/data/spec/fail` that the schema rejects.
const REFUSED: usize = 37;

#[test]
fn each_reference_leads_to_a_definition() {
    let schema = schema();
    let text = format!("{schema:#}\n");
    let definitions = schema["$defs"].as_object().unwrap();
    for (at, _) in text.match_indices("#/$defs/") {
        let name = text[at + "#/$defs/".len()..].split('"').next().unwrap();
        assert!(definitions.contains_key(name), "{name}");
    }
    for name in definitions.keys() {
        assert!(text.matches(&format!("#/$defs/{name}\"")).count() > 1, "{name} is used once");
    }
}
