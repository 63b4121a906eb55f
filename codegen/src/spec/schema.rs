//! The JSON schema of the format, for editors. It is made from the table of keys that the reader uses.

use serde_json::{Map, Value, json};

use super::key::{Family, Kind, TableShape};
use super::keys::{FRAME, SPEC, SPOT};

/// What a name may be: with indices in braces, `rod{i-1}`.
const NAME: &str = r"^([A-Za-z_][A-Za-z0-9_]*(\{[^{}]*\}[A-Za-z0-9_]*)*|each .*|if .*)$";

/// The JSON schema (draft 7) of spec files.
pub fn schema() -> Value {
    let mut out = shape(&SPEC);
    if let Value::Object(map) = &mut out {
        map.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
        map.insert("title".to_owned(), json!("dqdt mechanism"));
    }
    out
}

fn shape(s: &TableShape) -> Value {
    let mut properties = Map::new();
    for key in s.keys() {
        let mut value = kind(key.kind);
        if let Value::Object(map) = &mut value {
            map.insert("description".to_owned(), json!(key.doc));
        }
        properties.insert(key.name.to_owned(), value);
    }
    let required: Vec<&str> = s.keys().filter(|k| k.required).map(|k| k.name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        // What stands here for one index, such as "if i = 1".
        "patternProperties": { "^if ": { "type": "object" } },
        "additionalProperties": false,
    })
}

fn family(f: &Family) -> Value {
    let members: Vec<Value> = f
        .members
        .iter()
        .map(|(name, s, doc)| {
            let mut value = shape(s);
            value["description"] = json!(doc);
            value["properties"]["type"] = json!({ "const": name, "description": doc });
            value
        })
        .collect();
    json!({ "oneOf": members })
}

fn list(item: &Value, count: Option<usize>) -> Value {
    match count {
        Some(n) => json!({ "type": "array", "items": item, "minItems": n, "maxItems": n }),
        None => json!({ "type": "array", "items": item }),
    }
}

fn kind(k: Kind) -> Value {
    let text = json!({ "type": "string" });
    let value = json!({ "type": ["number", "string"] });
    let axis = json!({ "anyOf": [
        { "enum": ["x", "y", "z", "-x", "-y", "-z", "+x", "+y", "+z"] },
        list(&value, Some(3)),
    ] });
    match k {
        Kind::Text | Kind::Name | Kind::Unit => text,
        Kind::Value => value,
        Kind::Triple => list(&value, Some(3)),
        Kind::Pair => list(&value, Some(2)),
        Kind::Values => list(&value, None),
        Kind::Names => list(&json!({ "type": "string", "pattern": NAME }), None),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Axis => axis,
        Kind::Axes => list(&axis, Some(2)),
        Kind::Matrix => list(&list(&value, Some(3)), Some(3)),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Frame => json!({ "anyOf": [text, shape(&FRAME)] }),
        Kind::Spot => json!({ "anyOf": [text, shape(&SPOT)] }),
        Kind::Point => json!({ "anyOf": [text, list(&value, Some(3))] }),
        Kind::Table(s) => shape(s),
        Kind::Named(inner) => json!({
            "type": "object",
            "propertyNames": { "pattern": NAME },
            "additionalProperties": kind(*inner),
        }),
        Kind::Typed(f) => family(f),
        Kind::Either(kinds) => json!({ "anyOf": kinds.iter().map(|k| kind(*k)).collect::<Vec<_>>() }),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every key, with the path of keys to it. Tables that many keys share appear once under each.
    fn keys_of(k: Kind, path: &str, out: &mut BTreeSet<String>) {
        match k {
            Kind::Table(s) => shape_keys(s, path, out),
            Kind::Named(inner) => keys_of(*inner, &format!("{path}.*"), out),
            Kind::Either(kinds) => kinds.iter().for_each(|k| keys_of(*k, path, out)),
            Kind::Typed(f) => {
                f.members.iter().for_each(|(n, s, _)| shape_keys(s, &format!("{path}<{n}>"), out))
            }
            Kind::Frame => shape_keys(&FRAME, path, out),
            Kind::Spot => shape_keys(&SPOT, path, out),
            _ => {}
        }
    }

    fn shape_keys(s: &TableShape, path: &str, out: &mut BTreeSet<String>) {
        for key in s.keys() {
            let path = format!("{path}.{}", key.name);
            out.insert(path.clone());
            keys_of(key.kind, &path, out);
        }
    }

    /// The keys that a document uses, with the same paths.
    fn used(k: Kind, item: &toml::Value, path: &str, out: &mut BTreeSet<String>) {
        let toml::Value::Table(table) = item else { return };
        match k {
            Kind::Table(s) => used_in(s, table, path, out),
            Kind::Named(inner) => {
                table.iter().for_each(|(_, item)| used(*inner, item, &format!("{path}.*"), out));
            }
            Kind::Either(kinds) => kinds.iter().for_each(|k| used(*k, item, path, out)),
            Kind::Typed(f) => {
                if let Some(toml::Value::String(t)) = table.get("type")
                    && let Some(s) = f.members.iter().find(|(n, _, _)| n == t)
                {
                    used_in(&s.1, table, &format!("{path}<{t}>"), out);
                }
            }
            Kind::Frame => used_in(&FRAME, table, path, out),
            Kind::Spot => used_in(&SPOT, table, path, out),
            _ => {}
        }
    }

    fn used_in(s: &TableShape, table: &toml::Table, path: &str, out: &mut BTreeSet<String>) {
        for (name, item) in table {
            if let Some(key) = s.key(name) {
                let path = format!("{path}.{name}");
                out.insert(path.clone());
                used(key.kind, item, &path, out);
            }
        }
    }

    /// The keys that the schema describes, with the same paths.
    fn schema_keys(v: &Value, path: &str, out: &mut BTreeSet<String>) {
        let kind = v["properties"]["type"]["const"].as_str();
        let path = kind.map_or(path.to_owned(), |k| format!("{path}<{k}>"));
        if let Some(properties) = v["properties"].as_object() {
            for (name, inner) in properties {
                let path = format!("{path}.{name}");
                out.insert(path.clone());
                schema_keys(inner, &path, out);
            }
        }
        if v["additionalProperties"].is_object() {
            schema_keys(&v["additionalProperties"], &format!("{path}.*"), out);
        }
        for many in ["oneOf", "anyOf"] {
            v[many].as_array().into_iter().flatten().for_each(|m| schema_keys(m, &path, out));
        }
    }

    /// Tables that many keys share need to be seen under one of them.
    fn shared(path: &str) -> String {
        // Keys that every constraint may have.
        let common = ["description", "stabilisation", "treatment", "dependent", "realised_by"];
        if let Some((_, key)) = path.strip_prefix(".constraints.").and_then(|p| p.split_once(">."))
            && common.contains(&key.split('.').next().unwrap_or(""))
        {
            return format!(".constraints.*.{key}");
        }
        for key in [".coordinates.hold", ".speeds.free"] {
            if path.ends_with(key) {
                return key.to_owned();
            }
        }
        [".rotation.", ".points.", ".parent.", ".child.", ".from.", ".to.", ".frame."]
            .iter()
            .filter_map(|part| path.rfind(part))
            .max()
            .map_or(path, |i| &path[i..])
            .replace(".from.", ".frame.")
            .replace(".to.", ".frame.")
            .replace(".child.", ".parent.")
    }

    #[test]
    fn the_schema_has_the_keys_that_the_reader_knows_and_no_others() {
        let (mut known, mut described) = (BTreeSet::new(), BTreeSet::new());
        shape_keys(&SPEC, "", &mut known);
        schema_keys(&schema(), "", &mut described);
        assert_eq!(known, described);
        assert!(known.len() > 150);
    }

    #[test]
    fn the_corpus_of_good_specs_uses_every_key() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/spec/pass");
        let mut seen = BTreeSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let table: toml::Table = text.parse().unwrap();
            used_in(&SPEC, &table, "", &mut seen);
        }
        let mut known = BTreeSet::new();
        shape_keys(&SPEC, "", &mut known);
        let seen: BTreeSet<String> = seen.iter().map(|p| shared(p)).collect();
        let known: BTreeSet<String> = known.iter().map(|p| shared(p)).collect();
        // What only tests know is used where it is tested.
        let added = |key: &&String| crate::registry_tests::ADDED.iter().any(|word| key.contains(word));
        let missing: Vec<&String> = known.difference(&seen).filter(|key| !added(key)).collect();
        assert!(missing.is_empty(), "no good spec uses {missing:#?}");
    }
}
