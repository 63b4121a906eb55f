//! Values of a spec built in Rust, and their TOML text.

use std::fmt::Write;

/// A value for a spec built in Rust by `SpecBuilder`: a number, a formula or text, a list, a table.
///
/// A Rust number becomes the shortest decimal that represents it, so `0.1` is exactly one tenth.
/// Lists that mix numbers and formulas are tuples: `(0, 0, "-l/2")`.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A TOML string: text or a formula.
    Text(String),
    /// A number of the spec in decimal digits.
    Number(String),
    /// A TOML boolean.
    Flag(bool),
    /// A TOML list.
    List(Vec<Item>),
    /// A TOML table.
    Entries(Entries),
}

/// A table for a spec built in Rust by `SpecBuilder`: keys with values, in the order of insertion.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entries(pub Vec<(String, Item)>);

impl Entries {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a key with its value to the table.
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Item>) -> Self {
        self.0.push((key.into(), value.into()));
        self
    }

    /// The table `{ body, at }`: a point of a body, given by name or by three components.
    pub fn at(body: impl Into<Item>, at: impl Into<Item>) -> Self {
        Entries::new().with("body", body).with("at", at)
    }

    /// The table `{ value, unit }`: a number with its unit.
    pub fn quantity(value: impl Into<Item>, unit: impl Into<Item>) -> Self {
        Entries::new().with("value", value).with("unit", unit)
    }
}

/// Appends the line `key = value` of a TOML text.
pub fn write_line(out: &mut String, key: &str, item: &Item) {
    out.push_str(&key_text(key));
    out.push_str(" = ");
    write_item(out, item);
    out.push('\n');
}

/// A TOML key, in quotes if necessary.
pub fn key_text(key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { key.to_owned() } else { toml_string(key) }
}

/// A TOML string in quotes, with escapes.
fn toml_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Appends a value in TOML.
fn write_item(out: &mut String, item: &Item) {
    match item {
        Item::Text(t) => out.push_str(&toml_string(t)),
        Item::Number(n) => out.push_str(n),
        Item::Flag(b) => out.push_str(if *b { "true" } else { "false" }),
        Item::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_item(out, item);
            }
            out.push(']');
        }
        Item::Entries(entries) => {
            out.push_str("{ ");
            for (i, (key, item)) in entries.0.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                out.push_str(&key_text(key));
                out.push_str(" = ");
                write_item(out, item);
            }
            out.push_str(" }");
        }
    }
}

impl From<&str> for Item {
    fn from(text: &str) -> Self {
        Item::Text(text.to_owned())
    }
}

impl From<String> for Item {
    fn from(text: String) -> Self {
        Item::Text(text)
    }
}

impl From<bool> for Item {
    fn from(b: bool) -> Self {
        Item::Flag(b)
    }
}

impl From<i32> for Item {
    fn from(n: i32) -> Self {
        Item::Number(n.to_string())
    }
}

impl From<f64> for Item {
    fn from(x: f64) -> Self {
        // `{x:?}` always has a point or an exponent. `inf` and `nan` are valid TOML, but reading
        // rejects them.
        let text = format!("{x:?}");
        Item::Number(if x.is_nan() { "nan".to_owned() } else { text })
    }
}

impl From<Entries> for Item {
    fn from(entries: Entries) -> Self {
        Item::Entries(entries)
    }
}

impl<T: Into<Item>> From<Vec<T>> for Item {
    fn from(items: Vec<T>) -> Self {
        Item::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Item>, const N: usize> From<[T; N]> for Item {
    fn from(items: [T; N]) -> Self {
        Item::List(items.into_iter().map(Into::into).collect())
    }
}

impl<A: Into<Item>, B: Into<Item>> From<(A, B)> for Item {
    fn from((a, b): (A, B)) -> Self {
        Item::List(vec![a.into(), b.into()])
    }
}

impl<A: Into<Item>, B: Into<Item>, C: Into<Item>> From<(A, B, C)> for Item {
    fn from((a, b, c): (A, B, C)) -> Self {
        Item::List(vec![a.into(), b.into(), c.into()])
    }
}
