//! Reading of one TOML table: its keys, missing keys, and the types of their values.

use super::constant::Constants;
use crate::read::document::{Data, TomlItem, TomlTable};
use crate::spec::Name;
use crate::spec::key::{Family, Key, Kind, TableShape, required};
use crate::spec::{did_you_mean, place_of_foreign_key};
use dqdt_diagnostics::base::{InternalError, MAX_NAME, Sources, Span, Spanned, is_name, is_rust_word};
use dqdt_diagnostics::error::{Diagnostic, Errors};

/// State of the stage `read`: source texts, and the problems and constants collected so far. Its
/// methods read values of keys.
pub(super) struct SpecReader<'t> {
    pub sources: &'t Sources,
    pub problems: Vec<Diagnostic>,
    /// Names of entries that could not be read, so that uses of them are not reported as unknown.
    pub unreadable_names: Vec<String>,
    /// True if a section is not a table, so that the names of its entries are unknown.
    pub lost_section: bool,
    /// Values of the constant parameters, which the components of axes may use.
    pub constants: Constants,
    /// Names of the constant parameters that axes use, so that they do not count as unused.
    pub axis_names: Vec<String>,
}

/// A TOML table while it is read, with the keys that it may have. Used by the readers of all
/// sections.
pub(super) struct Fields<'d> {
    pub table: &'d TomlTable,
    /// Place of the table in the source, for messages: its name, or its text.
    pub span: Span,
    /// Noun and name of the table in messages: "joint `A`".
    pub name_in_messages: String,
    /// The keys that the table may have, by the declarations of the format.
    shape: &'static TableShape,
}

impl<'d> Fields<'d> {
    pub fn new(table: &'d TomlTable, span: Span, what: String, shape: &'static TableShape) -> Self {
        Fields { table, span, name_in_messages: what, shape }
    }

    /// Value of a key, if the table has it.
    pub fn find_item(&self, key: &str) -> Option<&'d TomlItem> {
        debug_assert!(self.shape.key(key).is_some(), "key `{key}` is not declared for this table");
        self.table.get(key).map(|(_, v)| v)
    }

    /// True if a table of this shape may have the key.
    pub fn allows_key(&self, key: &str) -> bool {
        self.shape.key(key).is_some()
    }

    /// Place of a key in the source, if the table has it.
    pub fn key_span(&self, key: &str) -> Option<Span> {
        self.table.get(key).and_then(|(k, _)| k.span)
    }

    /// Name of a key in messages: "`mass` of body `rod`".
    pub fn quoted_key_name(&self, key: &str) -> String {
        format!("`{key}` of {}", self.name_in_messages)
    }

    /// Number of entries of a section, which is a table of named entries; 0 if it is missing.
    pub fn count_entries(&self, section: &str) -> usize {
        match self.find_item(section).map(|i| &i.data) {
            Some(Data::Table(t)) => t.0.len(),
            _ => 0,
        }
    }
}

/// Shape of a table of which only the key `type` is read so far.
static TYPED: TableShape = TableShape {
    keys: &[&[required("type", Kind::Word(&[]), "Type of the joint, constraint, load, output or event.")]],
};

impl<'t> SpecReader<'t> {
    pub fn new(sources: &'t Sources) -> Self {
        SpecReader {
            sources,
            problems: Vec::new(),
            unreadable_names: Vec::new(),
            lost_section: false,
            constants: Constants::new(),
            axis_names: Vec::new(),
        }
    }

    /// Adds a diagnostic to the problems of the spec.
    pub fn report(&mut self, d: Diagnostic) {
        self.problems.push(d);
    }

    /// Reports, as an internal error, a key that a type declares but whose value its reader does
    /// not read.
    pub fn report_unread_key(&mut self, word: &str, key: &str) {
        let what = format!("key `{key}` is declared for type `{word}`, but its value is never read");
        self.problems.extend(Errors::from(InternalError::new(what)).diagnostics);
    }

    /// Reports a value of the wrong TOML type; `what` names it, `wanted` is the expected type.
    pub fn report_wrong_type(&mut self, what: &str, item: &TomlItem, wanted: &str) {
        let d = self.wrong_type_error(what, item, wanted);
        self.report(d);
    }

    /// The diagnostic of a value of the wrong TOML type, for callers that add to it.
    pub fn wrong_type_error(&self, what: &str, item: &TomlItem, wanted: &str) -> Diagnostic {
        let message = format!("{what} must be {wanted}, not {}", item.data.type_name());
        Diagnostic::error("wrong-type", message).at(Some(item.span), format!("expected {wanted}"))
    }

    /// Reports unknown and missing keys of a table. `family`: the types among which the key `type`
    /// chose this one.
    pub fn check_keys(
        &mut self,
        fields: &Fields<'_>,
        shape: &'static TableShape,
        family: Option<(&'static Family, &str)>,
    ) {
        for (key, _) in &fields.table.0 {
            if shape.key(&key.value).is_none() {
                self.report_unknown_key(fields, shape, key, family);
            }
        }
        let missing: Vec<&str> = shape
            .keys()
            .filter(|k| k.required && fields.table.get(k.name).is_none())
            .map(|k| k.name)
            .collect();
        for name in missing {
            let doc = shape.key(name).map_or_else(String::new, Key::editor_text);
            self.report(
                Diagnostic::error(
                    "missing-key",
                    format!("{} lacks the required key `{name}`", fields.name_in_messages),
                )
                .at(Some(fields.span), format!("`{name}` is missing"))
                .help(format!("add `{name} = …`. {doc}")),
            );
        }
    }

    fn report_unknown_key(
        &mut self,
        fields: &Fields<'_>,
        shape: &'static TableShape,
        key: &Name,
        family: Option<(&'static Family, &str)>,
    ) {
        let names: Vec<&str> = shape.keys().map(|k| k.name).collect();
        let keys = names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let elsewhere = family.filter(|(f, _)| f.members.iter().any(|(_, s, _)| s.key(&key.value).is_some()));
        if let Some((family, word)) = elsewhere {
            let a = if word.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
            let d = Diagnostic::error(
                "key-not-for-type",
                format!(
                    "{}, {a} {word} {}, does not accept the key `{}`",
                    fields.name_in_messages, family.noun, key.value
                ),
            )
            .at(key.span, format!("not a key of {a} {word} {}", family.noun));
            self.report(if word == "fixed" {
                d.help("a fixed joint does not move: remove this key or choose another `type`")
            } else {
                d.help(format!("keys of a {word} {}: {keys}", family.noun))
            });
            return;
        }
        let d = Diagnostic::error(
            "unknown-key",
            format!("unknown key `{}` in {}", key.value, fields.name_in_messages),
        )
        .at(key.span, "this key is not allowed here");
        if key.value.starts_with("if ") || key.value.starts_with("each ") {
            self.report(
                d.help("add the section [repeat], which defines the ranges of indices: keys that begin with `if` or `each` require it"),
            );
            return;
        }
        let elsewhere = place_of_foreign_key(&fields.name_in_messages, &key.value);
        let help = match (elsewhere, did_you_mean(&key.value, names.iter().copied())) {
            (Some(remedy), _) => remedy.to_owned(),
            (None, Some(name)) => format!("did you mean `{name}`?"),
            (None, None) => format!("allowed keys: {keys}"),
        };
        self.report(d.help(help));
    }

    /// Opens a value as a table with fixed keys and checks its keys; `None`, with an error, if it
    /// is no table.
    pub fn open_table<'d>(
        &mut self,
        item: &'d TomlItem,
        what: String,
        shape: &'static TableShape,
        span: Span,
    ) -> Option<Fields<'d>> {
        let Data::Table(table) = &item.data else {
            self.report_wrong_type(&what, item, "a table { … }");
            return None;
        };
        let fields = Fields::new(table, span, what, shape);
        self.check_keys(&fields, shape, None);
        Some(fields)
    }

    /// Opens a value as a table whose key `type` determines its other keys, such as a joint.
    /// Returns its fields and its type.
    pub fn open_typed_table<'d>(
        &mut self,
        item: &'d TomlItem,
        what: String,
        family: &'static Family,
        span: Span,
    ) -> Option<(Fields<'d>, &'static str)> {
        let Data::Table(table) = &item.data else {
            self.report_wrong_type(&what, item, "a table with the key `type`");
            return None;
        };
        let typed: &'static TableShape = &TYPED;
        let mut fields = Fields::new(table, span, what, typed);
        let types: Vec<&str> = family.members.iter().map(|(n, _, _)| *n).collect();
        let all = types.join(", ");
        let Some(kind) = fields.find_item("type") else {
            self.report(
                Diagnostic::error(
                    "missing-key",
                    format!("{} lacks the required key `type`", fields.name_in_messages),
                )
                .at(Some(span), "`type` is missing")
                .help(format!("add `type = \"…\"` with one of: {all}")),
            );
            return None;
        };
        let Data::Text(word) = &kind.data else {
            self.report_wrong_type(&fields.quoted_key_name("type"), kind, "a string");
            return None;
        };
        let Some((name, shape, _)) = family.members.iter().find(|(n, _, _)| n == word) else {
            let d = Diagnostic::error("unknown-type", format!("unknown {} type `{word}`", family.noun))
                .at(Some(kind.span), "unknown type");
            self.report(match did_you_mean(word, types.iter().copied()) {
                Some(near) => d.help(format!("did you mean `{near}`?")),
                None => d.help(format!("types: {all}")),
            });
            return None;
        };
        fields.shape = shape;
        self.check_keys(&fields, shape, Some((family, *name)));
        Some((fields, name))
    }

    /// Names and values of the entries of a section or of `points`, whose names formulas may use.
    /// Invalid names are reported.
    pub fn named_entries<'d>(&mut self, fields: &Fields<'d>, key: &str) -> Vec<(Name, &'d TomlItem)> {
        let Some(item) = fields.find_item(key) else { return Vec::new() };
        self.read_named_entries(item, key, Self::check_name)
    }

    /// Names and values of the entries of a section, such as `[bodies]`, whose names do not occur
    /// in formulas. Such a name may be a reserved word of Rust; emitted code appends `_` where it
    /// is used alone.
    pub fn entries_outside_formulas<'d>(
        &mut self,
        fields: &Fields<'d>,
        key: &str,
    ) -> Vec<(Name, &'d TomlItem)> {
        let Some(item) = fields.find_item(key) else { return Vec::new() };
        self.read_named_entries(item, key, |r, name| _ = r.has_name_characters(name))
    }

    /// Names and values of the entries of a table; `check` reports invalid names.
    fn read_named_entries<'d>(
        &mut self,
        item: &'d TomlItem,
        key: &str,
        check: impl Fn(&mut Self, &Name),
    ) -> Vec<(Name, &'d TomlItem)> {
        let Data::Table(table) = &item.data else {
            self.report_wrong_type(&format!("`{key}`"), item, "a table of named entries");
            self.lost_section = true;
            return Vec::new();
        };
        table.0.iter().map(|(k, v)| (k.clone(), v)).inspect(|(k, _)| check(self, k)).collect()
    }

    /// Reports a text that cannot be a name in formulas, or is a reserved word of Rust.
    pub fn check_name(&mut self, name: &Name) {
        let text = &name.value;
        if self.has_name_characters(name) && is_rust_word(text) {
            self.report(
                Diagnostic::error(
                    "reserved-name",
                    format!("`{text}` is a reserved word in Rust and cannot be used as a name"),
                )
                .at(name.span, "reserved")
                .help("choose another name: names also appear in the generated code"),
            );
        }
    }

    /// True if a text has the characters and the length of a name of the spec; otherwise reports
    /// it.
    fn has_name_characters(&mut self, name: &Name) -> bool {
        let text = &name.value;
        if text.len() > MAX_NAME {
            self.report(
                Diagnostic::error(
                    "bad-name",
                    format!("this name is {} characters long", text.chars().count()),
                )
                .at(name.span, "too long")
                .help(format!(
                    "shorten it to at most {MAX_NAME} characters; use `description` for longer text"
                )),
            );
        } else if !is_name(text) {
            let mended: String =
                text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let d = Diagnostic::error("bad-name", format!("`{}` is not a valid name", text.escape_debug()))
                .at(name.span, "invalid name");
            if text.contains('{') {
                self.report(d.help(
                    "add the section [repeat], and define the range of the index there: i = \"1 to 3\"",
                ));
                return false;
            }
            let d = if text.is_ascii() && is_name(&mended) { d.help(format!("write `{mended}`")) } else { d };
            self.report(
                d.help("a name may contain the letters a to z and A to Z, digits and `_`, and must not start with a digit"),
            );
        } else {
            return true;
        }
        false
    }

    /// Value of a key that is text; empty if the key is missing.
    pub fn read_text(&mut self, fields: &Fields<'_>, key: &str) -> String {
        match fields.find_item(key) {
            None => String::new(),
            Some(item) => match &item.data {
                Data::Text(t) => t.clone(),
                _ => {
                    self.report_wrong_type(&fields.quoted_key_name(key), item, "a string in quotes");
                    String::new()
                }
            },
        }
    }

    /// Value of a key that is `true` or `false`; false if the key is missing.
    pub fn read_flag(&mut self, fields: &Fields<'_>, key: &str) -> bool {
        match fields.find_item(key) {
            None => false,
            Some(TomlItem { data: Data::Flag(b), .. }) => *b,
            Some(item) => {
                self.report_wrong_type(&fields.quoted_key_name(key), item, "`true` or `false`");
                false
            }
        }
    }

    /// Value of a key that permits only the listed words, such as `"linear"`.
    pub fn read_word(
        &mut self,
        fields: &Fields<'_>,
        key: &str,
        words: &[&'static str],
    ) -> Option<Spanned<&'static str>> {
        let item = fields.find_item(key)?;
        let Data::Text(text) = &item.data else {
            self.report_wrong_type(&fields.quoted_key_name(key), item, "a string in quotes");
            return None;
        };
        if let Some(word) = words.iter().find(|w| *w == text) {
            return Some(Spanned::with_span(word, item.span));
        }
        let d =
            Diagnostic::error("unknown-word", format!("{} cannot be `{text}`", fields.quoted_key_name(key)))
                .at(Some(item.span), "this value is not allowed");
        self.report(match did_you_mean(text, words.iter().copied()) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None => d.help(format!("choices: {}", words.join(", "))),
        });
        None
    }

    /// Value of a key that is the name of another entry, such as a body. The name is resolved
    /// later.
    pub fn read_reference(&mut self, fields: &Fields<'_>, key: &str) -> Option<Name> {
        let item = fields.find_item(key)?;
        match &item.data {
            Data::Text(t) => Some(Spanned::with_span(t.clone(), item.span)),
            _ => {
                self.report_wrong_type(&fields.quoted_key_name(key), item, "a name in quotes");
                None
            }
        }
    }

    /// Value of the key `name`: the name of the mechanism; an invalid one is reported.
    pub fn read_mechanism_name(&mut self, fields: &Fields<'_>) -> Option<Name> {
        let name = self.read_reference(fields, "name")?;
        self.check_name(&name);
        Some(name)
    }
}
