//! The section `[repeat]`: sizes such as `n = 3`, indices such as `i = "1 to n"`, and their values.

use super::index::{self, Index, IndexError};
use crate::read::document::{Data, TomlItem};
use crate::spec::did_you_mean;
use dqdt_diagnostics::base::{SourceId, Span, Spanned};
use dqdt_diagnostics::error::Diagnostic;

/// Maximum number of copies of a repeated entry, that is, of values of an index.
const MAX_COPIES: i64 = 10_000;

/// Definition of a name in `[repeat]`: a size, or an index with its range.
#[derive(Clone, Debug)]
enum RepeatEntry {
    Size(Index),
    Range(Index, Index),
}

/// Symbol table of repeats: the sizes and indices that `[repeat]` defines.
#[derive(Clone, Default, Debug)]
pub(super) struct RepeatScope {
    entries: Vec<(Spanned<String>, RepeatEntry, Span)>,
}

/// Values of the indices bound around an expression, innermost last.
pub(super) type BoundValues = [(String, i64)];

/// A size of `[repeat]` set by the user: by the key `set` of a spec that uses a template, or by a
/// command option.
pub(super) struct SizeSetting<'s> {
    pub name: &'s str,
    pub value: i64,
    /// Place of the setting in the spec, if it is not a command option.
    pub span: Option<Span>,
}

impl RepeatScope {
    /// Reads the section `[repeat]`. `known`: predefined sizes, which override those of the
    /// section.
    pub fn read_repeat_section(
        item: &TomlItem,
        known: &[(String, i64)],
        problems: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut scope = RepeatScope::default();
        let Data::Table(table) = &item.data else {
            problems.push(
                Diagnostic::error(
                    "wrong-type",
                    format!("`repeat` must be a table, not {}", item.data.type_name()),
                )
                .at(Some(item.span), "expected a table")
                .help("write [repeat] and, below it, n = 3 and i = \"1 to n\""),
            );
            return scope;
        };
        for (name, item) in &table.0 {
            let entry = match &item.data {
                Data::Number(text) | Data::Text(text) if !text.contains(" to ") => {
                    index::parse_index(text).map(RepeatEntry::Size)
                }
                Data::Text(text) => index::parse_index_range(text).map(|(a, b)| RepeatEntry::Range(a, b)),
                other => Err(format!("{} is neither a size nor a range", other.type_name())),
            };
            let good = name.value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !good {
                problems.push(
                    Diagnostic::error(
                        "bad-name",
                        format!("`{}` is not a valid name", name.value.escape_debug()),
                    )
                    .at(name.span, "invalid name")
                    .help("choose a name such as `i` for an index or `n` for a size"),
                );
                continue;
            }
            match entry {
                Ok(entry) => scope.entries.push((name.clone(), entry, item.span)),
                Err(message) => problems.push(
                    Diagnostic::error("repeat-syntax", message).at(Some(item.span), "this entry is neither a size nor a range").help(
                        "a size is a whole number or a formula of other sizes: n = 3, last = \"2*n - 1\"; \
                         an index runs over a range: i = \"1 to n\"",
                    ),
                ),
            }
        }
        scope.add_known_sizes(known, item.span);
        scope.check_sizes(problems);
        scope
    }

    /// A scope for a spec without the section `[repeat]`, with predefined sizes only.
    pub fn from_sizes(known: &[(String, i64)]) -> Self {
        let mut scope = RepeatScope::default();
        scope.add_known_sizes(known, Span::new(SourceId(0), 0, 0));
        scope
    }

    /// Reports sizes whose expressions have no value, for example because they depend on each
    /// other.
    fn check_sizes(&self, problems: &mut Vec<Diagnostic>) {
        for (name, entry, span) in &self.entries {
            if let RepeatEntry::Size(index) = entry
                && let Err(e) = self.index_value(index, &[])
            {
                problems.push(self.index_error(&e, Some(*span), &format!("`{}`", name.value)));
            }
        }
    }

    /// Adds predefined sizes, as those of a spec for a file of formulas; existing sizes of the same
    /// name are overridden.
    fn add_known_sizes(&mut self, sizes: &[(String, i64)], span: Span) {
        for (name, value) in sizes {
            let size = RepeatEntry::Size(Index::Number(*value));
            match self.entries.iter_mut().find(|(n, _, _)| n.value == *name) {
                Some((_, entry, _)) => *entry = size,
                None => self.entries.push((Spanned::without_span(name.clone()), size, span)),
            }
        }
    }

    /// Overrides sizes by settings of the user. Unknown names are reported.
    pub fn override_sizes(&mut self, settings: &[SizeSetting<'_>], problems: &mut Vec<Diagnostic>) {
        for setting in settings {
            let sizes: Vec<&str> = self.size_names().map(|(n, _)| n).collect();
            let list = if sizes.is_empty() {
                "the spec defines no sizes".to_owned()
            } else {
                format!("sizes defined in the spec: {}", sizes.join(", "))
            };
            let near = did_you_mean(setting.name, sizes.iter().copied()).map(str::to_owned);
            match self.entries.iter_mut().find(|(n, _, _)| n.value == setting.name) {
                Some((_, entry @ RepeatEntry::Size(_), _)) => {
                    *entry = RepeatEntry::Size(Index::Number(setting.value))
                }
                Some((name, RepeatEntry::Range(..), _)) => problems.push(
                    Diagnostic::error(
                        "unknown-size",
                        format!("`{}` is an index and cannot be set", setting.name),
                    )
                    .at(setting.span.or(name.span), "this index runs over a range")
                    .help(format!("only sizes can be set; {list}")),
                ),
                None => {
                    let d = Diagnostic::error(
                        "unknown-size",
                        format!("the spec defines no size `{}`", setting.name),
                    )
                    .at(setting.span, "no size has this name");
                    problems.push(match near {
                        Some(near) => d.help(format!("did you mean `{near}`?")),
                        None => d.help(format!("sizes are the whole numbers defined in [repeat]; {list}")),
                    });
                }
            }
        }
        if problems.is_empty() {
            self.check_sizes(problems);
        }
    }

    /// Names of the sizes of `[repeat]`, with the places where they are defined.
    pub fn size_names(&self) -> impl Iterator<Item = (&str, Span)> {
        self.entries
            .iter()
            .filter_map(|(n, e, s)| matches!(e, RepeatEntry::Size(_)).then_some((n.value.as_str(), *s)))
    }

    /// The sizes of `[repeat]` with their values.
    pub fn size_values(&self) -> Vec<(String, i64)> {
        let sizes = self.size_names().filter_map(|(name, _)| {
            let value = self.index_value(&Index::Name(name.to_owned()), &[]).ok()?;
            Some((name.to_owned(), value))
        });
        sizes.collect()
    }

    /// True if the name is an index of `[repeat]`, which has a range, and not a size.
    pub fn is_index(&self, name: &str) -> bool {
        self.entries.iter().any(|(n, e, _)| n.value == name && matches!(e, RepeatEntry::Range(..)))
    }

    /// Names in the range of an index, which must be bound to values before it.
    pub fn names_in_range(&self, name: &str) -> Vec<&str> {
        let mut out = Vec::new();
        if let Some((_, RepeatEntry::Range(from, to), _)) =
            self.entries.iter().find(|(n, _, _)| n.value == name)
        {
            from.collect_names(&mut out);
            to.collect_names(&mut out);
        }
        out
    }

    /// Value of an index expression, for these values of the bound indices.
    pub fn index_value(&self, index: &Index, bound: &BoundValues) -> Result<i64, IndexError> {
        self.evaluate_to_depth(index, bound, self.entries.len())
    }

    /// Value of an index expression. `depth`: maximum number of sizes to substitute, so that a
    /// cyclic definition ends in an error.
    fn evaluate_to_depth(&self, index: &Index, bound: &BoundValues, depth: usize) -> Result<i64, IndexError> {
        index.evaluate(&|name| {
            if let Some((_, value)) = bound.iter().rev().find(|(n, _)| n == name) {
                return Ok(*value);
            }
            match self.entries.iter().find(|(n, _, _)| n.value == name) {
                None => Err(IndexError::Unknown(name.to_owned())),
                Some((_, RepeatEntry::Range(..), _)) => Err(IndexError::Unbound(name.to_owned())),
                Some(_) if depth == 0 => Err(IndexError::Cycle(name.to_owned())),
                Some((_, RepeatEntry::Size(index), _)) => self.evaluate_to_depth(index, bound, depth - 1),
            }
        })
    }

    /// First and last value of an index of `[repeat]`; first > last if the range is empty.
    ///
    /// # Errors
    /// A problem in the definition of the range.
    pub fn index_range(&self, name: &str, bound: &BoundValues) -> Result<(i64, i64), Box<Diagnostic>> {
        let entry = self.entries.iter().find(|(n, _, _)| n.value == name);
        if let Some((_, RepeatEntry::Size(_), span)) = entry {
            return Err(Box::new(
                Diagnostic::error("unknown-index", format!("`{name}` is a size, not an index"))
                    .at(Some(*span), "this entry is a size, not a range")
                    .help(format!(
                        "repeat over an index instead: define one in [repeat], such as k = \"1 to {name}\""
                    )),
            ));
        }
        let Some((_, RepeatEntry::Range(from, to), span)) = entry else {
            return Err(Box::new(self.index_error(&IndexError::Unknown(name.to_owned()), None, "a repeat")));
        };
        let value = |index: &Index| {
            self.index_value(index, bound)
                .map_err(|e| Box::new(self.index_error(&e, Some(*span), &format!("the range of `{name}`"))))
        };
        let (from, to) = (value(from)?, value(to)?);
        let count = to.checked_sub(from).and_then(|n| n.checked_add(1));
        match count {
            Some(n) if n < 0 => Err(Box::new(
                Diagnostic::error("repeat-range", format!("the range of index `{name}` descends from {from} to {to}"))
                    .at(Some(*span), "descending range")
                    .help("write an ascending range; a range that ends exactly one below its start, such as `1 to 0`, is allowed and empty"),
            )),
            Some(n) if n <= MAX_COPIES => Ok((from, to)),
            _ => Err(Box::new(
                Diagnostic::error("repeat-too-long", format!("the range of index `{name}`, {from} to {to}, has too many values"))
                    .at(Some(*span), format!("this range has more than {MAX_COPIES} values"))
                    .help(format!("an index can have at most {MAX_COPIES} values; choose a smaller size")),
            )),
        }
    }

    /// Error message for an index expression without a value. `what`: the text that contains the
    /// expression.
    pub fn index_error(&self, e: &IndexError, span: Option<Span>, what: &str) -> Diagnostic {
        match e {
            IndexError::Unknown(name) => {
                let names: Vec<&str> = self.entries.iter().map(|(n, _, _)| n.value.as_str()).collect();
                let d = Diagnostic::error("unknown-index", format!("[repeat] does not define `{name}`"))
                    .at(span, "this name is neither an index nor a size");
                match did_you_mean(name, names.iter().copied()) {
                    Some(near) => d.help(format!("did you mean `{near}`?")),
                    None if names.is_empty() => {
                        d.help("write [repeat] and, below it, n = 3 and i = \"1 to n\"")
                    }
                    None => d.help(format!("entries of [repeat]: {}", names.join(", "))),
                }
            }
            IndexError::Unbound(name) => {
                Diagnostic::error("index-without-value", format!("index `{name}` has no value in {what}"))
                    .at(span, format!("this entry is not repeated over `{name}`"))
                    .help(format!(
                        "use {{{name}}} in the name of the entry, or sum over the index: sum{{{name}}}(…)"
                    ))
            }
            IndexError::Cycle(name) => {
                Diagnostic::error("repeat-cycle", format!("the size `{name}` depends on itself"))
                    .at(span, "circular definition")
                    .help("write one of the sizes in this cycle as a number")
            }
            IndexError::Zero => Diagnostic::error(
                "index-range",
                format!("an index expression in {what} contains a division by zero"),
            )
            .at(span, "this index expression divides by zero"),
            IndexError::Large => Diagnostic::error(
                "index-range",
                format!("the value of an index expression in {what} is too large"),
            )
            .at(span, "beyond 64 bits"),
        }
    }
}
