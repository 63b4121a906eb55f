//! Symbol table: the single namespace of all names in formulas.

use crate::spec::Name;
use dqdt_diagnostics::base::{OrderedMap, Span};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{CoordinateId, MeasureKind, SpeedId};

/// Meaning of a name in a formula: the kind of item that it refers to, with its id. A plain integer
/// is an index into its list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameMeaning {
    /// A parameter, by its index in the order of the spec.
    Parameter(usize),
    Coordinate(CoordinateId),
    Speed(SpeedId),
    State(usize),
    Input(usize),
    /// Index of a definition or of the function of a prescribed coordinate.
    Definition(usize),
    Table(usize),
}

impl NameMeaning {
    /// Noun with its article for the kind of item in messages, such as "a parameter".
    pub fn noun(self) -> &'static str {
        match self {
            NameMeaning::Parameter(_) => "a parameter",
            NameMeaning::Coordinate(_) => "a coordinate",
            NameMeaning::Speed(_) => "a speed",
            NameMeaning::State(_) => "a state",
            NameMeaning::Input(_) => "an input",
            NameMeaning::Definition(_) => "a definition",
            NameMeaning::Table(_) => "a table",
        }
    }
}

/// Names built into every formula, which users cannot choose.
const BUILT_IN: [&str; 4] = ["t", "pi", "if", "deg"];

/// Function name that printed equations use for a limited input; therefore not available for
/// tables.
const LIMITED: &str = "sat";

#[derive(Default)]
pub(super) struct SymbolTable {
    map: OrderedMap<String, (NameMeaning, Option<Span>)>,
}

impl SymbolTable {
    /// The item that a name refers to.
    pub fn get(&self, name: &str) -> Option<NameMeaning> {
        self.map.get(name).map(|e| e.0)
    }

    /// Place of the declaration of a name.
    pub fn span(&self, name: &str) -> Option<Span> {
        self.map.get(name).and_then(|e| e.1)
    }

    pub fn all_names(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str)
    }

    /// Adds a name to the namespace of formulas. The error says why it is rejected.
    pub fn add_name(
        &mut self,
        name: &Name,
        meaning: NameMeaning,
        functions: &[&str],
    ) -> Result<(), Box<Diagnostic>> {
        let text = &name.value;
        // A table is called like a function, so it must not have the name of one.
        let table = matches!(meaning, NameMeaning::Table(_));
        let called = table && MeasureKind::named(text).is_some();
        if table && text == LIMITED {
            let d =
                Diagnostic::error("reserved-name", format!("`{text}` cannot be used as the name of a table"));
            let d =
                d.at(name.span, "in printed equations, `sat(u)` denotes the input u clamped to its limits");
            return Err(Box::new(d.help("choose another name")));
        }
        if called || BUILT_IN.contains(&text.as_str()) || functions.contains(&text.as_str()) {
            let use_of = match text.as_str() {
                "t" => "time",
                "pi" => "the number",
                "deg" => "degrees",
                _ => "a function",
            };
            return Err(Box::new(
                Diagnostic::error(
                    "reserved-name",
                    format!("`{text}` cannot be used as the name of {}", meaning.noun()),
                )
                .at(name.span, format!("in formulas, `{text}` denotes {use_of}"))
                .help("choose another name"),
            ));
        }
        if let Some((other, span)) = self.map.get(text) {
            return Err(Box::new(Diagnostic::error("duplicate", format!("the name `{text}` is used twice"))
                .at(name.span, format!("{} here", meaning.noun()))
                .also(*span, format!("{} here", other.noun()))
                .help("rename one of them: parameters, tables, definitions, coordinates, speeds, states and inputs share one namespace")));
        }
        self.map.insert(text.clone(), (meaning, name.span));
        Ok(())
    }
}
