//! The JSON schema of the format, for editors, generated from the same table of keys that drives
//! the reader.

use serde_json::{Map, Value, json};

use super::key::{Family, Kind, TableShape};
use super::keys::{FRAME, OFFSET, SPEC, SPOT};

/// Regular expression of a name in a spec, possibly with indices in braces: `rod{i-1}`.
const NAME: &str = r"^([A-Za-z_]\w*(\{[^{}]*\}\w*)*|(each|if) .*)$";
/// Regular expression of the code of a message, such as `redundant-constraint`.
const CODE: &str = "^[a-z][a-z0-9-]*$";
/// Regular expression of the path of an entry of a template, or of a key of that entry.
const ENTRY: &str = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_ ]*)*$";

/// Regular expression of keys that group entries by index (`each i`) or by condition (`if i = 1`).
const GROUP: &str = "^(each|if) ";

/// The JSON schema of spec files (draft 7, which TOML editors support). Parts that occur more than
/// once become definitions.
pub fn schema() -> Value {
    let mut out = share_repeated_parts(&table_schema(&SPEC));
    if let Value::Object(map) = &mut out {
        map.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
        map.insert("title".to_owned(), json!("dqdt mechanism"));
        // With a template, entries contain only differences, so nothing is required.
        let required = map.remove("required").unwrap_or_default();
        let sections: Map<String, Value> = SPEC
            .keys()
            .filter(|k| has_typed_entries(k.kind))
            .map(|k| {
                (k.name.to_owned(), json!({ "patternProperties": { "^[^ ]+$": { "required": ["type"] } } }))
            })
            .collect();
        map.insert("if".to_owned(), json!({ "not": { "required": ["template"] } }));
        map.insert("then".to_owned(), json!({ "required": required, "properties": sections }));
    }
    out
}

/// The JSON schema of spec files as text, with a line for each section and each definition.
pub fn schema_text() -> String {
    let Value::Object(whole) = schema() else { return String::new() };
    let parts: Vec<String> = whole
        .iter()
        .map(|(key, value)| match value {
            Value::Object(inner) if key == "properties" || key == "$defs" => {
                let lines: Vec<String> = inner.iter().map(|(key, value)| json_property(key, value)).collect();
                format!("{}: {{\n{}\n}}", json!(key), lines.join(",\n"))
            }
            _ => json_property(key, value),
        })
        .collect();
    format!("{{\n{}\n}}\n", parts.join(",\n"))
}

fn json_property(key: &str, value: &Value) -> String {
    format!("{}: {value}", json!(key))
}

/// True for kinds of sections whose entries have a key `type`.
fn has_typed_entries(k: Kind) -> bool {
    match k {
        Kind::Typed(_) => true,
        Kind::Named(inner) => has_typed_entries(*inner),
        Kind::Either(kinds) => kinds.iter().any(|k| has_typed_entries(*k)),
        _ => false,
    }
}

/// Minimum length of the text of a part of the schema for it to become a shared definition.
const SHORT: usize = 48;

/// Replaces equal parts of a JSON schema by references to definitions, named after the key of their
/// first occurrence.
fn share_repeated_parts(whole: &Value) -> Value {
    let mut parts = Vec::new();
    count_parts(whole, "spec", &mut parts);
    let mut names: Vec<(String, String)> = Vec::new();
    for (text, name, _) in parts.iter().filter(|(text, _, met)| *met > 1 && text.len() > SHORT) {
        let taken = |name: &str| names.iter().any(|(_, n)| n == name);
        let free = (2..).map(|i| format!("{name}_{i}")).find(|n| !taken(n));
        let name = if taken(name) { free.unwrap_or_default() } else { name.clone() };
        names.push((text.clone(), name));
    }
    let mut out = replace_parts_by_references(whole, &names);
    let definitions: Map<String, Value> = names
        .iter()
        .filter_map(|(text, name)| {
            let part: Value = serde_json::from_str(text).ok()?;
            Some((name.clone(), replace_parts_by_references(&part, &names)))
        })
        .collect();
    if let Value::Object(map) = &mut out {
        map.insert("$defs".to_owned(), Value::Object(definitions));
    }
    out
}

/// The schemas directly within a JSON schema, with their keys.
fn sub_schemas(v: &Value) -> Vec<(String, &Value)> {
    let mut out = Vec::new();
    for (key, inner) in v["properties"].as_object().into_iter().flatten() {
        out.push((key.clone(), inner));
    }
    for inner in v["patternProperties"].as_object().into_iter().flat_map(Map::values) {
        out.push((String::new(), inner));
    }
    for many in ["oneOf", "anyOf"] {
        for inner in v[many].as_array().into_iter().flatten() {
            out.push((String::new(), inner));
        }
    }
    for one in ["additionalProperties", "items"] {
        if v[one].is_object() {
            out.push((String::new(), &v[one]));
        }
    }
    out
}

/// Collects the text, the key of the first occurrence and the number of occurrences of each part of
/// a schema. Parts nested in a repeated part are counted once.
fn count_parts(v: &Value, name: &str, parts: &mut Vec<(String, String, usize)>) {
    for (key, inner) in sub_schemas(v) {
        let key = if key.is_empty() { name } else { key.as_str() };
        let text = inner.to_string();
        match parts.iter_mut().find(|(known, _, _)| *known == text) {
            Some(part) => part.2 += 1,
            None => {
                parts.push((text, key.to_owned(), 1));
                count_parts(inner, key, parts);
            }
        }
    }
}

/// The schema with its repeated parts (`names`: text and name) replaced by references.
fn replace_parts_by_references(v: &Value, names: &[(String, String)]) -> Value {
    let refer = |inner: &Value| {
        let text = inner.to_string();
        match names.iter().find(|(known, _)| *known == text) {
            Some((_, name)) => json!({ "$ref": format!("#/$defs/{name}") }),
            None => replace_parts_by_references(inner, names),
        }
    };
    let Value::Object(map) = v else { return v.clone() };
    let entries = map.iter().map(|(key, value)| {
        let value = match (key.as_str(), value) {
            ("properties" | "patternProperties", Value::Object(all)) => {
                all.iter().map(|(k, inner)| (k.clone(), refer(inner))).collect()
            }
            ("oneOf" | "anyOf", Value::Array(all)) => all.iter().map(refer).collect(),
            ("additionalProperties" | "items", Value::Object(_)) => refer(value),
            _ => value.clone(),
        };
        (key.clone(), value)
    });
    Value::Object(entries.collect())
}

/// Schema of a table with fixed keys.
fn table_schema(s: &TableShape) -> Value {
    let mut properties = Map::new();
    for key in s.keys() {
        let mut value = value_schema(key.kind);
        if let Value::Object(map) = &mut value {
            map.insert("description".to_owned(), json!(key.editor_text()));
        }
        properties.insert(key.name.to_owned(), value);
    }
    let required: Vec<&str> = s.keys().filter(|k| k.required).map(|k| k.name).collect();
    let mut out = json!({
        "type": "object",
        "properties": properties,
        // Overrides for one index, such as "if i = 1".
        "patternProperties": { "^if ": { "type": "object" } },
        "additionalProperties": false,
    });
    if !required.is_empty() {
        out["required"] = json!(required);
    }
    out
}

/// Schema of a table of one of the types of a family.
fn family_schema(f: &Family) -> Value {
    let mut members: Vec<Value> = f
        .members
        .iter()
        .map(|(name, s, doc)| {
            let mut value = table_schema(s);
            value["description"] = json!(doc);
            value["properties"]["type"] = json!({ "const": name });
            value
        })
        .collect();
    // An entry that changes one of a template has no `type`.
    let mut keys: Vec<&str> = f.members.iter().flat_map(|m| m.1.keys()).map(|k| k.name).collect();
    keys.sort_unstable();
    keys.dedup();
    let names = json!({ "anyOf": [{ "enum": keys }, { "pattern": "^if " }] });
    members.push(json!({ "type": "object", "not": { "required": ["type"] }, "propertyNames": names }));
    json!({ "oneOf": members })
}

/// Schema of a table of named entries, which may be grouped under `each i` or `if i = 1`.
fn named_entries_schema(inner: &Value) -> Value {
    let group = json!({
        "type": "object",
        "propertyNames": { "pattern": NAME },
        "patternProperties": { GROUP: { "type": "object" } },
        "additionalProperties": inner,
    });
    json!({
        "type": "object",
        "propertyNames": { "pattern": NAME },
        "patternProperties": { GROUP: group },
        "additionalProperties": inner,
    })
}

/// Schema of a list, with `count` elements if that is fixed.
fn list_schema(item: &Value, count: Option<usize>) -> Value {
    match count {
        Some(n) => json!({ "type": "array", "items": item, "minItems": n, "maxItems": n }),
        None => json!({ "type": "array", "items": item }),
    }
}

/// Schema of the values of a key of this kind.
fn value_schema(k: Kind) -> Value {
    let text = json!({ "type": "string" });
    let value = json!({ "type": ["number", "string"] });
    let axis = json!({ "anyOf": [
        { "enum": ["x", "y", "z", "-x", "-y", "-z", "+x", "+y", "+z"] },
        list_schema(&value, Some(3)),
    ] });
    match k {
        Kind::Text | Kind::Name | Kind::Unit => text,
        Kind::Value => value,
        Kind::Triple => list_schema(&value, Some(3)),
        Kind::Pair => list_schema(&value, Some(2)),
        Kind::Values => list_schema(&value, None),
        Kind::Entries => list_schema(&json!({ "type": "string", "pattern": ENTRY }), None),
        Kind::Codes => list_schema(&json!({ "type": "string", "pattern": CODE }), None),
        Kind::Names => list_schema(&json!({ "type": "string", "pattern": NAME }), None),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Axis => axis,
        Kind::Axes => list_schema(&axis, Some(2)),
        Kind::Matrix => list_schema(&list_schema(&value, Some(3)), Some(3)),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Frame => json!({ "anyOf": [text, table_schema(&FRAME)] }),
        Kind::Spot => json!({ "anyOf": [text, table_schema(&SPOT)] }),
        Kind::Point => json!({ "anyOf": [text, list_schema(&value, Some(3)), table_schema(&OFFSET)] }),
        Kind::Table(s) => table_schema(s),
        Kind::Named(inner) => named_entries_schema(&value_schema(*inner)),
        Kind::Typed(f) => family_schema(f),
        Kind::Either(kinds) => json!({ "anyOf": kinds.iter().map(|k| value_schema(*k)).collect::<Vec<_>>() }),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Collects the paths of all keys. Tables shared by many keys occur under each of them.
    fn collect_kind_paths(k: Kind, path: &str, out: &mut BTreeSet<String>) {
        match k {
            Kind::Table(s) => collect_shape_paths(s, path, out),
            Kind::Named(inner) => collect_kind_paths(*inner, &format!("{path}.*"), out),
            Kind::Either(kinds) => kinds.iter().for_each(|k| collect_kind_paths(*k, path, out)),
            Kind::Typed(f) => {
                f.members.iter().for_each(|(n, s, _)| collect_shape_paths(s, &format!("{path}<{n}>"), out))
            }
            Kind::Frame => collect_shape_paths(&FRAME, path, out),
            Kind::Spot => collect_shape_paths(&SPOT, path, out),
            Kind::Point => collect_shape_paths(&OFFSET, path, out),
            _ => {}
        }
    }

    fn collect_shape_paths(s: &TableShape, path: &str, out: &mut BTreeSet<String>) {
        for key in s.keys() {
            let path = format!("{path}.{}", key.name);
            out.insert(path.clone());
            collect_kind_paths(key.kind, &path, out);
        }
    }

    /// Collects the paths of the keys that a document uses.
    fn collect_used_paths(k: Kind, item: &toml::Value, path: &str, out: &mut BTreeSet<String>) {
        let toml::Value::Table(table) = item else { return };
        match k {
            Kind::Table(s) => collect_used_paths_in_table(s, table, path, out),
            Kind::Named(inner) => {
                table
                    .iter()
                    .for_each(|(_, item)| collect_used_paths(*inner, item, &format!("{path}.*"), out));
            }
            Kind::Either(kinds) => kinds.iter().for_each(|k| collect_used_paths(*k, item, path, out)),
            Kind::Typed(f) => {
                if let Some(toml::Value::String(t)) = table.get("type")
                    && let Some(s) = f.members.iter().find(|(n, _, _)| n == t)
                {
                    collect_used_paths_in_table(&s.1, table, &format!("{path}<{t}>"), out);
                }
            }
            Kind::Frame => collect_used_paths_in_table(&FRAME, table, path, out),
            Kind::Spot => collect_used_paths_in_table(&SPOT, table, path, out),
            Kind::Point => collect_used_paths_in_table(&OFFSET, table, path, out),
            _ => {}
        }
    }

    fn collect_used_paths_in_table(
        s: &TableShape,
        table: &toml::Table,
        path: &str,
        out: &mut BTreeSet<String>,
    ) {
        for (name, item) in table {
            if let Some(key) = s.key(name) {
                let path = format!("{path}.{name}");
                out.insert(path.clone());
                collect_used_paths(key.kind, item, &path, out);
            }
        }
    }

    /// Collects the paths of the keys that the schema describes.
    fn collect_schema_paths(whole: &Value, v: &Value, path: &str, out: &mut BTreeSet<String>) {
        if let Some(name) = v["$ref"].as_str() {
            let name = name.strip_prefix("#/$defs/").unwrap();
            return collect_schema_paths(whole, &whole["$defs"][name], path, out);
        }
        let kind = v["properties"]["type"]["const"].as_str();
        let path = kind.map_or(path.to_owned(), |k| format!("{path}<{k}>"));
        if let Some(properties) = v["properties"].as_object() {
            for (name, inner) in properties {
                let path = format!("{path}.{name}");
                out.insert(path.clone());
                collect_schema_paths(whole, inner, &path, out);
            }
        }
        if v["additionalProperties"].is_object() {
            collect_schema_paths(whole, &v["additionalProperties"], &format!("{path}.*"), out);
        }
        for many in ["oneOf", "anyOf"] {
            v[many].as_array().into_iter().flatten().for_each(|m| collect_schema_paths(whole, m, &path, out));
        }
    }

    /// Maps the paths of a table shared by many keys to a common path, so that one use counts for
    /// all.
    fn shared_table_path(path: &str) -> String {
        // Keys that all constraints have.
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
        [".rotation.", ".points.", ".parent.", ".child.", ".from.", ".to.", ".frame.", ".at.", ".about."]
            .iter()
            .filter_map(|part| path.rfind(part))
            .max()
            .map_or(path, |i| &path[i..])
            .replace(".from.", ".frame.")
            .replace(".to.", ".frame.")
            .replace(".child.", ".parent.")
            .replace(".about.", ".at.")
    }

    #[test]
    fn the_schema_has_the_keys_that_the_reader_knows_and_no_others() {
        let (mut known, mut described) = (BTreeSet::new(), BTreeSet::new());
        collect_shape_paths(&SPEC, "", &mut known);
        let schema = schema();
        collect_schema_paths(&schema, &schema, "", &mut described);
        assert_eq!(known, described);
        assert!(known.len() > 150);
    }

    #[test]
    fn the_schema_is_small_and_its_text_is_the_schema() {
        let text = schema_text();
        // Editors load the whole schema.
        const MOST: usize = 66_000;
        assert!(
            text.len() < MOST,
            "the schema has {} bytes: shorten the texts of keys, or raise MOST if all of them are needed",
            text.len()
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), schema());
    }

    #[test]
    fn the_corpus_of_good_specs_uses_every_key() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/spec/pass");
        let mut used = BTreeSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let table: toml::Table = text.parse().unwrap();
            collect_used_paths_in_table(&SPEC, &table, "", &mut used);
        }
        let mut known = BTreeSet::new();
        collect_shape_paths(&SPEC, "", &mut known);
        let used: BTreeSet<String> = used.iter().map(|p| shared_table_path(p)).collect();
        let known: BTreeSet<String> = known.iter().map(|p| shared_table_path(p)).collect();
        let missing: Vec<&String> = known.difference(&used).collect();
        assert!(missing.is_empty(), "no spec of tests/data/spec/pass uses {missing:#?}: add them to one");
    }
}
