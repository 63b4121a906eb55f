//! Specs built in Rust, with the same power as the TOML format and the same checks.
//!
//! A builder writes the TOML text that a person would write and reads it. So there is one format, one reader and one
//! set of messages, and a mechanism built in Rust can be saved, looked at and diffed ([`Builder::to_toml`]). Messages
//! about a built spec point into that text.

use std::fmt::Write;

use super::{Spec, parse};
use crate::error::Errors;

/// A value of a spec: a number, a formula or text, a list, a table.
///
/// Numbers of Rust become the shortest decimals that stand for them, so `0.1` is exactly one tenth. Lists of mixed
/// numbers and formulas are tuples: `(0, 0, "-l/2")`.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// Text or a formula.
    Text(String),
    /// Decimal digits.
    Number(String),
    /// `true` or `false`.
    Flag(bool),
    /// A list.
    List(Vec<Item>),
    /// Keys with values.
    Entries(Entries),
}

/// Keys with values, in the order in which they were added.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entries(Vec<(String, Item)>);

impl Entries {
    /// No keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a key.
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Item>) -> Self {
        self.0.push((key.into(), value.into()));
        self
    }

    /// `{ body, at }`: a named point, or three components, of a body.
    pub fn at(body: impl Into<Item>, at: impl Into<Item>) -> Self {
        Entries::new().with("body", body).with("at", at)
    }

    /// `{ value, unit }`: a number with its unit.
    pub fn quantity(value: impl Into<Item>, unit: impl Into<Item>) -> Self {
        Entries::new().with("value", value).with("unit", unit)
    }
}

/// Builds a [`Spec`] in Rust. Keys, defaults and checks are those of the TOML format.
///
/// # Example
/// ```
/// use dqdt_codegen::mechanism::build;
/// use dqdt_codegen::spec::{Builder, Entries};
///
/// let spec = Builder::new("pendulum")
///     .description("a rod on a hinge")
///     .gravity((0, 0, "-g"))
///     .parameter("g", Entries::quantity(9.81, "m/s^2"))
///     .parameter("m", Entries::quantity(1, "kg"))
///     .parameter("l", Entries::quantity(0.5, "m"))
///     .body(
///         "rod",
///         Entries::new()
///             .with("mass", "m")
///             .with("center_of_mass", (0, 0, "-l/2"))
///             .with("inertia", ("m*l^2/12", "m*l^2/12", 0)),
///     )
///     .joint(
///         "hinge",
///         "revolute",
///         Entries::new()
///             .with("axis", "y")
///             .with("parent", "ground")
///             .with("child", "rod")
///             .with("coordinates", Entries::new().with("names", ["theta"]).with("start", ["30 deg"])),
///     )
///     .output("energy", Entries::new().with("type", "energy"))
///     .build()?;
/// let built = build(&spec)?;
/// assert_eq!(built.mechanism.coordinates[0].name, "theta");
/// # Ok::<(), dqdt_codegen::error::Errors>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Builder {
    name: String,
    top: Entries,
    sections: Vec<(&'static str, Entries)>,
}

impl Builder {
    /// A mechanism without bodies.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let top = Entries::new().with("name", name.as_str());
        Builder { name, top, sections: Vec::new() }
    }

    fn top(mut self, key: &str, value: impl Into<Item>) -> Self {
        self.top = self.top.with(key, value);
        self
    }

    fn entry(mut self, section: &'static str, name: impl Into<String>, value: impl Into<Item>) -> Self {
        let index = match self.sections.iter().position(|(s, _)| *s == section) {
            Some(i) => i,
            None => {
                self.sections.push((section, Entries::new()));
                self.sections.len() - 1
            }
        };
        self.sections[index].1.0.push((name.into(), value.into()));
        self
    }

    /// One line for people.
    pub fn description(self, text: impl Into<Item>) -> Self {
        self.top("description", text)
    }

    /// Acceleration of gravity in ground axes.
    pub fn gravity(self, components: impl Into<Item>) -> Self {
        self.top("gravity", components)
    }

    /// A parameter: a number, a formula, or `{ value, unit, description, constant }`.
    pub fn parameter(self, name: impl Into<String>, value: impl Into<Item>) -> Self {
        self.entry("parameters", name, value)
    }

    /// A table: `{ x, y, interpolation, x_unit, y_unit }`.
    pub fn table(self, name: impl Into<String>, entries: Entries) -> Self {
        self.entry("tables", name, entries)
    }

    /// A named formula.
    pub fn definition(self, name: impl Into<String>, formula: impl Into<Item>) -> Self {
        self.entry("definitions", name, formula)
    }

    /// A named point of the ground.
    pub fn ground_point(mut self, name: impl Into<String>, point: impl Into<Item>) -> Self {
        let (name, point) = (name.into(), point.into());
        if let Some((_, ground)) = self.sections.iter_mut().find(|(s, _)| *s == "ground")
            && let Some((_, Item::Entries(points))) = ground.0.first_mut()
        {
            points.0.push((name, point));
            return self;
        }
        self.entry("ground", "points", Entries::new().with(name, point))
    }

    /// A body: `{ mass, center_of_mass, inertia, points }`.
    pub fn body(self, name: impl Into<String>, entries: Entries) -> Self {
        self.entry("bodies", name, entries)
    }

    /// A joint of a type: `{ parent, child, axis, … }`.
    pub fn joint(self, name: impl Into<String>, kind: &str, entries: Entries) -> Self {
        self.entry("joints", name, typed(kind, entries))
    }

    /// An input: a unit, or `{ unit, limits, default, description }`.
    pub fn input(self, name: impl Into<String>, value: impl Into<Item>) -> Self {
        self.entry("inputs", name, value)
    }

    /// A user state: `{ rate, start, unit, description }`.
    pub fn state(self, name: impl Into<String>, entries: Entries) -> Self {
        self.entry("states", name, entries)
    }

    /// A load of a type.
    pub fn load(self, name: impl Into<String>, kind: &str, entries: Entries) -> Self {
        self.entry("loads", name, typed(kind, entries))
    }

    /// An output: a formula, or `{ type, … }`.
    pub fn output(self, name: impl Into<String>, value: impl Into<Item>) -> Self {
        self.entry("outputs", name, value)
    }

    /// The spec as TOML text.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        for (key, item) in &self.top.0 {
            line(&mut out, key, item);
        }
        for (section, entries) in &self.sections {
            let tables = entries.0.iter().all(|(_, i)| matches!(i, Item::Entries(_)));
            if !tables || *section == "ground" || *section == "parameters" {
                out.push_str(&format!("\n[{section}]\n"));
                entries.0.iter().for_each(|(key, item)| line(&mut out, key, item));
                continue;
            }
            for (name, item) in &entries.0 {
                out.push_str(&format!("\n[{section}.{}]\n", key_text(name)));
                if let Item::Entries(inner) = item {
                    inner.0.iter().for_each(|(key, item)| line(&mut out, key, item));
                }
            }
        }
        out
    }

    /// Reads the spec.
    ///
    /// # Errors
    /// As for [`parse`]; all else that is wrong is reported by `mechanism::build`.
    pub fn build(&self) -> Result<Spec, Errors> {
        parse(&format!("{} (built in Rust)", self.name), self.to_toml())
    }
}

fn typed(kind: &str, entries: Entries) -> Entries {
    let mut all = Entries::new().with("type", kind);
    all.0.extend(entries.0);
    all
}

fn line(out: &mut String, key: &str, item: &Item) {
    out.push_str(&key_text(key));
    out.push_str(" = ");
    write_item(out, item);
    out.push('\n');
}

fn key_text(key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { key.to_owned() } else { quoted(key) }
}

fn quoted(text: &str) -> String {
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

fn write_item(out: &mut String, item: &Item) {
    match item {
        Item::Text(t) => out.push_str(&quoted(t)),
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
        // `{x:?}` always has a point or an exponent, and `inf` and `nan` are words of TOML that reading refuses.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_text_survives() {
        let spec = Builder::new("a").description("tab\t \"quotes\" \\ and é").build().unwrap();
        assert_eq!(spec.description, "tab\t \"quotes\" \\ and é");
    }

    #[test]
    fn messages_quote_the_text_that_was_written() {
        let spec = Builder::new("a").body("b", Entries::new().with("mas", 0.1)).build().unwrap();
        let text = crate::mechanism::build(&spec).unwrap_err().to_string();
        assert!(text.contains("a (built in Rust):4:1") && text.contains("did you mean `mass`?"), "{text}");
    }

    #[test]
    fn no_number_of_rust_breaks_the_text() {
        for x in [f64::NAN, f64::INFINITY, -0.0, 1e300, 5e-324, 1e16] {
            assert!(Builder::new("a").parameter("p", x).build().is_ok(), "{x}");
        }
    }
}
