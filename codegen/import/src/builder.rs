//! Specs built in Rust, with the same power as the TOML format and the same checks.
//!
//! A builder writes the TOML text that a person would write, and the stage `read` reads it. So there is one format, one reader and one
//! set of messages, and a mechanism built in Rust can be saved, looked at and diffed ([`SpecBuilder::to_toml`]). Messages
//! about a built spec point into that text.

use dqdt_spec::spec::item::{key_text, line};
use dqdt_spec::spec::{Entries, Item};

/// Builds a [`Spec`](dqdt_spec::spec::Spec) in Rust. Keys, defaults and checks are those of the TOML format.
///
/// # Example
/// ```
/// use dqdt_codegen::pipeline;
/// use dqdt_codegen::spec::{Entries, SpecBuilder};
///
/// let spec = SpecBuilder::new("pendulum")
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
/// let loaded = pipeline::build(&spec, "")?;
/// assert_eq!(loaded.mechanism.coordinates[0].name, "theta");
/// # Ok::<(), dqdt_codegen::Errors>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SpecBuilder {
    name: String,
    top: Entries,
    sections: Vec<(&'static str, Entries)>,
}

impl SpecBuilder {
    /// A mechanism without bodies.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let top = Entries::new().with("name", name.as_str());
        SpecBuilder { name, top, sections: Vec::new() }
    }

    /// The name of the mechanism.
    pub fn name(&self) -> &str {
        &self.name
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

    /// Speeds that are commanded: independent ones where constraints leave a choice, and those whose accelerations `kinetostatics` takes.
    pub fn driven(self, speeds: impl Into<Item>) -> Self {
        self.top("driven", speeds)
    }

    /// Functions that are emitted unless others are asked for; `default` stands for the default ones.
    pub fn functions(self, names: impl Into<Item>) -> Self {
        self.top("functions", names)
    }

    /// Codes of warnings and notes that are told no more.
    pub fn accept(self, codes: impl Into<Item>) -> Self {
        self.top("accept", codes)
    }

    /// A size (`3`, `"2*n - 1"`) or an index (`"1 to n"`) of repeats: a name with `{i}` is there once for each i.
    pub fn repeat(self, name: impl Into<String>, value: impl Into<Item>) -> Self {
        self.entry("repeat", name, value)
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

    /// A constraint of a type.
    pub fn constraint(self, name: impl Into<String>, kind: &str, entries: Entries) -> Self {
        self.entry("constraints", name, typed(kind, entries))
    }

    /// An event of a type.
    pub fn event(self, name: impl Into<String>, kind: &str, entries: Entries) -> Self {
        self.entry("events", name, typed(kind, entries))
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
}

fn typed(kind: &str, entries: Entries) -> Entries {
    let mut all = Entries::new().with("type", kind);
    all.0.extend(entries.0);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_text_survives() {
        let spec = SpecBuilder::new("a").description("tab\t \"quotes\" \\ and é").build().unwrap();
        assert_eq!(spec.description, "tab\t \"quotes\" \\ and é");
    }

    #[test]
    fn messages_quote_the_text_that_was_written() {
        let spec = SpecBuilder::new("a").body("b", Entries::new().with("mas", 0.1)).build().unwrap();
        let text = dqdt_spec::resolve::resolve(&spec).unwrap_err().to_string();
        assert!(text.contains("a (built in Rust):4:1") && text.contains("did you mean `mass`?"), "{text}");
    }

    #[test]
    fn no_number_of_rust_breaks_the_text() {
        for x in [f64::NAN, f64::INFINITY, -0.0, 1e300, 5e-324, 1e16] {
            assert!(SpecBuilder::new("a").parameter("p", x).build().is_ok(), "{x}");
        }
    }
}
