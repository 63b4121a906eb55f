//! Repeats: one text for a chain of any length.
//!
//! Problem: chains, trees and stars should not be written out by hand. `[repeat]` defines sizes (`n
//!          = 3`) and indices (`i = "1 to n"`). Then
//! - an entry whose key contains an index, such as `[bodies."rod{i}"]`, is copied in place for each
//!   value; so is an element of a list that is an indexed name, such as `names = ["q{i}"]`;
//! - `{i-1}`, `{i/2}`, `{n}` in a text are replaced by numbers, `sum{k}(m{k})` by the sum over all
//!   k;
//! - the entries of a table with the key `if i = 1` override their siblings where the condition
//!   holds;
//! - the entries of a table with the key `each i` are grouped for each i: a1, b1, a2, b2 instead of
//!   a1, a2, b1, b2.
//!
//! Method: the tree of keys and values from TOML is expanded before it is interpreted, so repeats
//!         work alike in every section. Each copy of a text has a source id of its own
//!         (`Sources::add_copy`), so later messages point to the line of the template and name the
//!         index. A spec without `[repeat]` and `template` is not changed.
//!
//! Cost: linear in the size of the result, which has the same limit as the text of a spec.

mod index;
mod pieces;
mod remove;
mod robot;
mod scope;
mod template;
mod texts;

use std::collections::{BTreeMap, BTreeSet};

use super::document::{Data, TomlItem, TomlTable};
use super::file_source::MAX_BYTES;
use dqdt_diagnostics::base::{SourceId, Sources, Span, Spanned};
use dqdt_diagnostics::error::Diagnostic;
use pieces::TextPiece;
use scope::RepeatScope;

pub(super) use template::{expand_spec, parent_folder, template_path};

/// Keys at the top level of a spec that control templates and repeats; the expansion removes them.
const OWN_KEYS: [&str; 6] = ["repeat", "template", "set", "remove", "urdf", "mjcf"];

/// Values of the indices to which a copy of a repeated entry is bound, with an id that is unique to
/// this set of values.
#[derive(Clone, Default)]
struct Bound {
    values: Vec<(String, i64)>,
    id: usize,
}

impl Bound {
    /// The values of the indices in messages: `i = 2, j = 3`.
    fn index_values_text(&self) -> String {
        self.values.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ")
    }
}

/// An indexed name used in a value, such as `rod{i-1}`; some entry should define it.
struct Reference {
    skeleton: String,
    name: String,
    written: String,
    span: Span,
}

struct Expander<'s> {
    scope: &'s RepeatScope,
    sources: &'s mut Sources,
    problems: Vec<Diagnostic>,
    /// Source ids of the copies of a template text, by id of the bound indices and original source.
    copies: BTreeMap<(usize, SourceId), SourceId>,
    bindings: usize,
    /// Size of the expanded spec so far, in bytes.
    byte_count: usize,
    /// Names that entries defined so far, by their skeleton (`rod{}`).
    names_by_skeleton: BTreeMap<String, BTreeSet<String>>,
    /// All keys, and all names in lists, of the expanded spec, to recognise indexed names that
    /// exist.
    names: BTreeSet<String>,
    references: Vec<Reference>,
}

impl<'s> Expander<'s> {
    fn new(scope: &'s RepeatScope, sources: &'s mut Sources) -> Self {
        Expander {
            scope,
            sources,
            problems: Vec::new(),
            copies: BTreeMap::new(),
            bindings: 0,
            byte_count: 0,
            names_by_skeleton: BTreeMap::new(),
            names: BTreeSet::new(),
            references: Vec::new(),
        }
    }

    /// Translates a span of the template to the copy for the bound indices, so that messages name
    /// the index.
    fn span_in_copy(&mut self, span: Span, bound: &Bound) -> Span {
        if bound.values.is_empty() {
            return span;
        }
        let sources = &mut *self.sources;
        let copy = *self
            .copies
            .entry((bound.id, span.source))
            .or_insert_with(|| sources.add_copy(span.source, bound.index_values_text()));
        Span { source: copy, ..span }
    }

    /// Adds to the size of the expanded spec; false, with an error, if it exceeds the limit.
    fn count_bytes(&mut self, bytes: usize, span: Span) -> bool {
        let limit = MAX_BYTES;
        let before = self.byte_count;
        self.byte_count = self.byte_count.saturating_add(bytes + 8);
        if before <= limit && self.byte_count > limit {
            self.problems.push(
                Diagnostic::error(
                    "repeat-too-long",
                    format!("the repeated entries exceed {} MiB after expansion", limit >> 20),
                )
                .at(Some(span), "the limit is exceeded here")
                .help(
                    "choose a smaller size in [repeat], or build the spec in Rust with `spec::SpecBuilder`",
                ),
            );
        }
        self.byte_count <= limit
    }

    /// Expands a table for the bound indices; keys that occur twice are reported.
    fn expand_table(&mut self, table: &TomlTable, bound: &Bound) -> TomlTable {
        let mut out: Vec<(Spanned<String>, TomlItem)> = Vec::new();
        self.expand_entries(table, bound, &mut out);
        let mut first: BTreeMap<&str, Option<Span>> = BTreeMap::new();
        for (key, _) in &out {
            let Some(earlier) = first.insert(&key.value, key.span) else { continue };
            self.problems.push(
                Diagnostic::error("duplicate", format!("`{}` is defined twice", key.value))
                    .at(key.span, "again here")
                    .also(earlier, "first here")
                    .help("start the range of the index at a larger value, or put the keys that differ for one index under \"if i = 1\" = { … }"),
            );
        }
        TomlTable(out)
    }

    /// Appends the expanded entries of a table: an entry with an index in its key is repeated.
    fn expand_entries(
        &mut self,
        table: &TomlTable,
        bound: &Bound,
        out: &mut Vec<(Spanned<String>, TomlItem)>,
    ) {
        for (key, item) in self.apply_conditions(table, bound) {
            let at = key.span.unwrap_or(item.span);
            if let Some(names) = key.value.strip_prefix("each ") {
                let names: Vec<String> = names.split(',').map(|n| n.trim().to_owned()).collect();
                let Data::Table(inner) = &item.data else {
                    self.problems.push(not_a_table_error(key, item));
                    continue;
                };
                self.for_each_index_value(&names, bound, at, &mut |e, b| e.expand_entries(inner, b, out));
                continue;
            }
            let Some(pieces) = self.pieces_or_report(&key.value, at, bound) else { continue };
            let names = self.free_indices(&pieces, bound);
            self.for_each_index_value(&names, bound, at, &mut |e, b| {
                let Some(text) = e.render_pieces(&pieces, &key.value, at, b, "the name of the entry") else {
                    return;
                };
                if !e.count_bytes(text.len(), at) {
                    return;
                }
                e.record_name(&pieces, &text);
                let item = e.expand_item(item, b);
                out.push((Spanned::with_span(text, e.span_in_copy(at, b)), item));
            });
        }
    }

    /// The entries of a table, after those of its conditional tables (`if …`) that hold have
    /// replaced the ones they override.
    fn apply_conditions<'t>(
        &mut self,
        table: &'t TomlTable,
        bound: &Bound,
    ) -> Vec<(&'t Spanned<String>, &'t TomlItem)> {
        let (ifs, mut out): (Vec<_>, Vec<_>) =
            table.0.iter().map(|(k, v)| (k, v)).partition(|(k, _)| k.value.starts_with("if "));
        for (key, item) in ifs {
            let at = key.span.map(|s| self.span_in_copy(s, bound));
            let condition = match index::parse_condition(&key.value[3..]) {
                Ok(c) => c,
                Err(message) => {
                    self.problems.push(
                        Diagnostic::error("repeat-syntax", message)
                            .at(at, "this key is not a valid condition")
                            .help("write \"if i = 1\" = { … } or \"if 1 < i and i < n\" = { … }"),
                    );
                    continue;
                }
            };
            let Data::Table(inner) = &item.data else {
                self.problems.push(not_a_table_error(key, item));
                continue;
            };
            let values = condition.iter().map(|(a, relation, b)| {
                let (a, b) =
                    (self.scope.index_value(a, &bound.values)?, self.scope.index_value(b, &bound.values)?);
                Ok(index::relation_holds(a, relation, b))
            });
            match values.collect::<Result<Vec<bool>, _>>() {
                Err(e) => {
                    let d = self.scope.index_error(&e, at, "a condition");
                    self.problems.push(d);
                }
                Ok(all) if all.iter().all(|x| *x) => {
                    for (k, v) in &inner.0 {
                        match out.iter_mut().find(|(old, _)| old.value == k.value) {
                            Some(old) => *old = (k, v),
                            None => out.push((k, v)),
                        }
                    }
                }
                Ok(_) => {}
            }
        }
        out
    }

    /// Expands a value for the bound indices.
    fn expand_item(&mut self, item: &TomlItem, bound: &Bound) -> TomlItem {
        let span = self.span_in_copy(item.span, bound);
        let data = match &item.data {
            Data::Text(text) => Data::Text(self.expand_text(text, item.span, bound)),
            Data::Array(items) => Data::Array(self.expand_list(items, bound)),
            Data::Table(table) => Data::Table(self.expand_table(table, bound)),
            other => other.clone(),
        };
        self.count_bytes(0, item.span);
        TomlItem { data, span }
    }

    /// Expands a list: an element that is an indexed name is repeated for each value of its index.
    fn expand_list(&mut self, items: &[TomlItem], bound: &Bound) -> Vec<TomlItem> {
        let mut out = Vec::new();
        for item in items {
            let Data::Text(text) = &item.data else {
                out.push(self.expand_item(item, bound));
                continue;
            };
            let Some(pieces) = self.pieces_or_report(text, item.span, bound) else { continue };
            let named = pieces::name_skeleton(&pieces).is_some();
            let names = if named { self.free_indices(&pieces, bound) } else { Vec::new() };
            self.for_each_index_value(&names, bound, item.span, &mut |e, b| {
                let Some(text) = e.render_pieces(&pieces, text, item.span, b, "a list") else { return };
                if e.count_bytes(text.len(), item.span) {
                    e.record_name(&pieces, &text);
                    let span = e.span_in_copy(item.span, b);
                    out.push(TomlItem { data: Data::Text(text), span });
                }
            });
        }
        out
    }

    /// Calls `f` for all combinations of values of the named indices; the first index varies
    /// slowest.
    fn for_each_index_value(
        &mut self,
        names: &[String],
        bound: &Bound,
        at: Span,
        f: &mut dyn FnMut(&mut Self, &Bound),
    ) {
        let Some((name, rest)) = names.split_first() else {
            f(self, bound);
            return;
        };
        match self.scope.index_range(name, &bound.values) {
            Err(d) => {
                let place = self.span_in_copy(at, bound);
                self.problems.push(if d.primary.is_some() {
                    d.also(Some(place), "repeated here")
                } else {
                    d.at(Some(place), "here")
                });
            }
            Ok((from, to)) => {
                for value in from..=to {
                    if self.byte_count > MAX_BYTES {
                        return;
                    }
                    self.bindings += 1;
                    let mut inner = Bound { values: bound.values.clone(), id: self.bindings };
                    inner.values.push((name.clone(), value));
                    self.for_each_index_value(rest, &inner, at, f);
                }
            }
        }
    }

    /// Records a name that an entry defines, also by its skeleton if it is indexed.
    fn record_name(&mut self, pieces: &[TextPiece], text: &str) {
        if let Some(skeleton) = pieces::name_skeleton(pieces) {
            self.names_by_skeleton.entry(skeleton).or_default().insert(text.to_owned());
        }
        self.names.insert(text.to_owned());
    }

    /// Reports indexed names that no entry defines although other entries have names of that form.
    /// Returns those names.
    fn check_indexed_references(&mut self) -> Vec<String> {
        let mut missing = Vec::new();
        for r in std::mem::take(&mut self.references) {
            let Some(made) = self.names_by_skeleton.get(&r.skeleton) else { continue };
            if self.names.contains(&r.name) {
                continue;
            }
            let known: Vec<&String> = made.iter().collect();
            let list = match known[..] {
                [] => "no name of this form exists".to_owned(),
                [one] => format!("the only name of this form is `{one}`"),
                _ if made.len() <= 6 => {
                    format!(
                        "the names of this form are {}",
                        known.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
                    )
                }
                _ => format!("there are {} names of this form", made.len()),
            };
            self.problems.push(
                Diagnostic::error(
                    "index-out-of-range",
                    format!("`{}` refers to `{}`, which does not exist", r.written, r.name),
                )
                .at(Some(r.span), format!("no `{}`", r.name))
                .help(format!(
                    "{list}; override the value for this index with a condition in the same table, such as \"if i = 1\" = {{ … }}"
                )),
            );
            missing.push(r.name);
        }
        missing
    }
}

fn not_a_table_error(key: &Spanned<String>, item: &TomlItem) -> Diagnostic {
    Diagnostic::error(
        "wrong-type",
        format!("`{}` must be a table {{ … }}, not {}", key.value, item.data.type_name()),
    )
    .at(Some(item.span), "expected a table")
    .help("write the entries of this group or condition as a table")
}
