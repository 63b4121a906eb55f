//! A builder for specs in Rust, equivalent to the TOML format and with the same checks.
//!
//! The builder writes the TOML text that a person would write, and the stage `read` reads it. Thus
//! there is one format, one reader and one set of messages, and a mechanism built in Rust can be
//! saved, viewed and diffed ([`SpecBuilder::to_toml`]). Messages about a built spec point into that
//! text.

use dqdt_spec::spec::item::{key_text, write_line};
use dqdt_spec::spec::{Entries, Item};

/// Builds a [`Spec`](dqdt_spec::spec::Spec) in Rust. Keys, defaults and checks are those of the
/// TOML format.
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
    set_top_key: Entries,
    sections: Vec<(&'static str, Entries)>,
}

impl SpecBuilder {
    /// Starts a spec without bodies; `name` is that of the mechanism, and of emitted modules.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let top = Entries::new().with("name", name.as_str());
        SpecBuilder { name, set_top_key: top, sections: Vec::new() }
    }

    /// Name of the mechanism that the spec describes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sets a key at the top level of the spec, such as `gravity`.
    fn top(mut self, key: &str, value: impl Into<Item>) -> Self {
        self.set_top_key = self.set_top_key.with(key, value);
        self
    }

    /// Adds a named entry to a section such as `bodies`; a new section follows the existing ones.
    fn add_section_entry(
        mut self,
        section: &'static str,
        name: impl Into<String>,
        value: impl Into<Item>,
    ) -> Self {
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

    /// Sets the description of the mechanism, one line of text.
    pub fn description(self, text: impl Into<Item>) -> Self {
        self.top("description", text)
    }

    /// Sets the acceleration of gravity in ground axes, in m/s².
    pub fn gravity(self, components: impl Into<Item>) -> Self {
        self.top("gravity", components)
    }

    /// Sets the driven speeds: they are chosen as independent if constraints leave a choice, and
    /// their accelerations are arguments of `kinetostatics`.
    pub fn driven(self, speeds: impl Into<Item>) -> Self {
        self.top("driven", speeds)
    }

    /// Sets the functions that are emitted if a command names none; `default` includes the usual
    /// ones.
    pub fn functions(self, names: impl Into<Item>) -> Self {
        self.top("functions", names)
    }

    /// Sets the codes of warnings and notes to suppress, as the key `accept`.
    pub fn accept(self, codes: impl Into<Item>) -> Self {
        self.top("accept", codes)
    }

    /// Adds a size (`3`, `"2*n - 1"`) or an index (`"1 to n"`) for repeats: an entry with `{i}` in
    /// its name is repeated for each i.
    pub fn repeat(self, name: impl Into<String>, value: impl Into<Item>) -> Self {
        self.add_section_entry("repeat", name, value)
    }

    /// Adds a parameter: a number, a formula, or `{ value, unit, description, constant }`.
    pub fn parameter(self, name: impl Into<String>, value: impl Into<Item>) -> Self {
        self.add_section_entry("parameters", name, value)
    }

    /// Adds a table that formulas may call as a function: `{ x, y, interpolation, x_unit, y_unit
    /// }`.
    pub fn table(self, name: impl Into<String>, entries: Entries) -> Self {
        self.add_section_entry("tables", name, entries)
    }

    /// Adds a definition: a named formula, for use in other formulas.
    pub fn definition(self, name: impl Into<String>, formula: impl Into<Item>) -> Self {
        self.add_section_entry("definitions", name, formula)
    }

    /// Adds a named point of the ground.
    pub fn ground_point(mut self, name: impl Into<String>, point: impl Into<Item>) -> Self {
        let (name, point) = (name.into(), point.into());
        if let Some((_, ground)) = self.sections.iter_mut().find(|(s, _)| *s == "ground")
            && let Some((_, Item::Entries(points))) = ground.0.first_mut()
        {
            points.0.push((name, point));
            return self;
        }
        self.add_section_entry("ground", "points", Entries::new().with(name, point))
    }

    /// Adds a body: `{ mass, center_of_mass, inertia, points }`.
    pub fn body(self, name: impl Into<String>, entries: Entries) -> Self {
        self.add_section_entry("bodies", name, entries)
    }

    /// Adds a joint of the type `kind`: `{ parent, child, axis, … }`.
    pub fn joint(self, name: impl Into<String>, kind: &str, entries: Entries) -> Self {
        self.add_section_entry("joints", name, entries_with_type(kind, entries))
    }

    /// Adds an input: a unit, or `{ unit, limits, default, description }`.
    pub fn input(self, name: impl Into<String>, value: impl Into<Item>) -> Self {
        self.add_section_entry("inputs", name, value)
    }

    /// Adds a user state: `{ rate, start, unit, description }`.
    pub fn state(self, name: impl Into<String>, entries: Entries) -> Self {
        self.add_section_entry("states", name, entries)
    }

    /// Adds a load, such as a spring, of the type `kind`.
    pub fn load(self, name: impl Into<String>, kind: &str, entries: Entries) -> Self {
        self.add_section_entry("loads", name, entries_with_type(kind, entries))
    }

    /// Adds a constraint, such as a loop closure, of the type `kind`.
    pub fn constraint(self, name: impl Into<String>, kind: &str, entries: Entries) -> Self {
        self.add_section_entry("constraints", name, entries_with_type(kind, entries))
    }

    /// Adds an event, such as an impact, of the type `kind`.
    pub fn event(self, name: impl Into<String>, kind: &str, entries: Entries) -> Self {
        self.add_section_entry("events", name, entries_with_type(kind, entries))
    }

    /// Adds an output: a formula, or `{ type, … }`.
    pub fn output(self, name: impl Into<String>, value: impl Into<Item>) -> Self {
        self.add_section_entry("outputs", name, value)
    }

    /// The TOML text of the spec, as a person could have written it.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        for (key, item) in &self.set_top_key.0 {
            write_line(&mut out, key, item);
        }
        for (section, entries) in &self.sections {
            let tables = entries.0.iter().all(|(_, i)| matches!(i, Item::Entries(_)));
            if !tables || *section == "ground" || *section == "parameters" {
                out.push_str(&format!("\n[{section}]\n"));
                entries.0.iter().for_each(|(key, item)| write_line(&mut out, key, item));
                continue;
            }
            for (name, item) in &entries.0 {
                out.push_str(&format!("\n[{section}.{}]\n", key_text(name)));
                if let Item::Entries(inner) = item {
                    inner.0.iter().for_each(|(key, item)| write_line(&mut out, key, item));
                }
            }
        }
        out
    }
}

/// The entries of a joint, load, constraint or event, preceded by the key `type`.
fn entries_with_type(kind: &str, entries: Entries) -> Entries {
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
