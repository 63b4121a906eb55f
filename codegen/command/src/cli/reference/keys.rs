//! Reference page of the spec file: tables of the keys of the file and of all nested tables.

use super::page::{code_cell, escape_cell, markdown_table};
use dqdt_spec::spec::key::{Key, Kind, TableShape};
use dqdt_spec::spec::keys::{FRAME, OFFSET, SPOT};

/// Nested table of the spec format, with the path of keys that leads to it.
pub(super) struct NestedTable {
    pub path: String,
    pub shape: &'static TableShape,
}

/// Renders the reference page of the spec file as Markdown.
pub(super) fn spec_page(shape: &'static TableShape) -> String {
    let mut out = String::from(
        "# The spec\n\n\
         A spec is a [TOML](https://toml.io) text of at most 4 MiB in UTF-8. Its keys are listed below; those of [joints](joints.md), \
         [loads](loads.md), [constraints](constraints.md), [outputs](outputs.md) and [events](events.md) have their own pages. The values of the column *type* mean:\n\n",
    );
    out.push_str(&markdown_table(&["type", "written as"], &kind_rows()));
    out.push_str(
        "A bare number is in the SI unit of its key, and in radians for an angle; `\"30 deg\"` and `\"2 kg\"` state their own units ([units](units.md)). A formula is written in quotes ([formulas](formulas.md)).\n\n\
         ## The file\n",
    );
    out.push_str(&key_table(shape.keys()));
    for nested in nested_tables(shape, "") {
        out.push_str(&format!("## `{}`\n", nested.path));
        out.push_str(&key_table(nested.shape.keys()));
    }
    out.push_str(
        "## A frame\n\nThe frame that a joint or a constraint connects: the name of a body, or a table.\n",
    );
    out.push_str(&key_table(FRAME.keys()));
    out.push_str("## A place\n\nThe point of application of a force, together with the axes of its components: the name of a body, or a table.\n");
    out.push_str(&key_table(SPOT.keys()));
    out.push_str("## A point\n\nA point of a body: the name of one of its points, `\"com\"`, three values `[x, y, z]`, or a table.\n");
    out.push_str(&key_table(OFFSET.keys()));
    out.push_str(
        "## In an editor\n\nThe first line of a spec names its JSON schema: `#:schema ./dqdt.schema.json`. \
         `dqdt new` writes the spec and the schema; `dqdt schema > dqdt.schema.json` writes the schema \
         alone. Editors with [taplo](https://taplo.tamasfe.dev) (Even Better TOML in VS Code; its language \
         server elsewhere) then complete keys, show their meanings and mark errors.\n",
    );
    out
}

fn kind_rows() -> Vec<Vec<String>> {
    let rows = [
        ("text", "any text in quotes"),
        (
            "name",
            "a word of letters, digits and `_`, in quotes; a name in formulas must not be a Rust keyword (`box`, `type`, `move`), the name of a function in formulas, `t`, `pi`, `ground` or `com`",
        ),
        ("value", "a number, or a formula in quotes: `0.5`, `\"m*l^2/12\"`, `\"30 deg\"`"),
        ("flag", "`true` or `false`"),
        ("unit", "a unit in quotes: `\"kg*m^2\"`"),
        (
            "axis",
            "`\"x\"`, `\"-y\"`, or three numbers or constant formulas such as `[0, 0.6, 0.8]`; the vector may have any length except zero",
        ),
        (
            "[point](spec.md#a-point)",
            "the name of a point of the body, `\"com\"`, three values, or a table with a point and an offset",
        ),
        ("[frame](spec.md#a-frame)", "`\"ground\"`, a body, or a table with a point and a rotation"),
        ("[place](spec.md#a-place)", "`\"ground\"`, a body, or a table with a point"),
        (
            "entries",
            "a list of entries of the template, each in quotes and preceded by its section: `[\"loads.motor\", \"joints.elbow.armature\", \"inputs\"]`",
        ),
        ("codes", "a list of message codes in quotes: `[\"redundant-constraint\"]`"),
        ("table", "`{ key = … }`, or a section `[name]`; a section of this page lists its keys"),
    ];
    rows.iter().map(|(kind, how)| vec![(*kind).to_owned(), (*how).to_owned()]).collect()
}

/// Type of the value of a key, in words for the reference.
pub(super) fn describe_kind(k: Kind) -> String {
    match k {
        Kind::Text => "text".into(),
        Kind::Name => "name".into(),
        Kind::Value => "value".into(),
        Kind::Triple => "three values".into(),
        Kind::Pair => "two values".into(),
        Kind::Values => "values".into(),
        Kind::Names => "names".into(),
        Kind::Codes => "codes".into(),
        Kind::Entries => "entries".into(),
        Kind::Flag => "flag".into(),
        Kind::Unit => "unit".into(),
        Kind::Axis => "axis".into(),
        Kind::Axes => "two axes".into(),
        Kind::Matrix => "three rows of three values".into(),
        Kind::Word([]) => "type".into(),
        Kind::Word(words) => {
            words.iter().map(|w| code_cell(&format!("\"{w}\""))).collect::<Vec<_>>().join(" ")
        }
        Kind::Frame => "[frame](spec.md#a-frame)".into(),
        Kind::Spot => "[place](spec.md#a-place)".into(),
        Kind::Point => "[point](spec.md#a-point)".into(),
        Kind::Table(_) => "table".into(),
        Kind::Named(inner) => format!("by names: {}", describe_kind(*inner)),
        Kind::Typed(family) => format!("[{0}]({0}s.md)", family.noun),
        Kind::Either(kinds) => {
            let all: Vec<String> = kinds.iter().map(|k| describe_kind(*k)).collect();
            all.join(", or ")
        }
    }
}

/// Markdown table of keys of the spec format, one key per row.
pub(super) fn key_table<'k>(keys: impl Iterator<Item = &'k Key>) -> String {
    let rows: Vec<Vec<String>> = keys.map(key_row).collect();
    markdown_table(&["key", "type", "default", "meaning, example"], &rows)
}

fn key_row(key: &Key) -> Vec<String> {
    let unit = if key.unit.is_empty() { String::new() } else { format!(" [{}]", key.unit) };
    let default = match (key.required, key.default) {
        (true, _) => "**required**".to_owned(),
        (false, "") => String::new(),
        (false, text) if text.starts_with(['"', '[', '{']) || text.parse::<f64>().is_ok() => {
            // A default value, optionally followed by a remark.
            let (value, rest) = text.split_once(';').map_or((text, ""), |(v, r)| (v, r));
            if rest.is_empty() {
                code_cell(value)
            } else {
                format!("{};{}", code_cell(value), escape_cell(rest))
            }
        }
        (false, text) => escape_cell(text),
    };
    let example = if key.example.is_empty() {
        String::new()
    } else {
        format!("<br>`{} = {}`", key.name, key.example.replace('|', "\\|"))
    };
    vec![
        code_cell(key.name),
        format!("{}{}", describe_kind(key.kind), escape_cell(&unit)),
        default,
        format!("{}{example}", escape_cell(key.doc)),
    ]
}

/// All tables nested in the keys of `shape`, without repetition; `path` leads to it. Tables that
/// depend on a `type` key are not included.
pub(super) fn nested_tables(shape: &'static TableShape, path: &str) -> Vec<NestedTable> {
    let mut out = Vec::new();
    collect_nested_tables(shape, path, &mut out);
    out
}

fn collect_nested_tables(shape: &'static TableShape, path: &str, out: &mut Vec<NestedTable>) {
    let before = out.len();
    for key in shape.keys() {
        let path = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
        collect_tables_in_kind(key.kind, &path, out);
    }
    // Breadth first: the tables of this level precede those nested in them.
    let nested: Vec<(String, &'static TableShape)> =
        out[before..].iter().map(|n| (n.path.clone(), n.shape)).collect();
    for (path, shape) in nested {
        collect_nested_tables(shape, &path, out);
    }
}

fn collect_tables_in_kind(k: Kind, path: &str, out: &mut Vec<NestedTable>) {
    match k {
        Kind::Table(shape) if !out.iter().any(|n| std::ptr::eq(n.shape, shape)) => {
            out.push(NestedTable { path: path.to_owned(), shape });
        }
        Kind::Named(inner) => collect_tables_in_kind(*inner, &format!("{path}.NAME"), out),
        Kind::Either(kinds) => kinds.iter().for_each(|k| collect_tables_in_kind(*k, path, out)),
        _ => {}
    }
}
