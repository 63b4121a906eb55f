//! Reads files of formulas to be proved: definitions, elements, equations.

use super::fields::{Fields, SpecReader};
use super::robots::NoRobots;
use super::settings::Settings;
use super::text::{TextKind, add_and_parse_source};
use super::{document, parameters, repeat};
use crate::read::document::{Data, TomlItem};
use crate::spec::{Definition, Element, FORMULAS, Formulas, Input, KeyValues, Name, Output, Spec, Value};
use dqdt_diagnostics::base::{Sources, Span, Spanned};
use dqdt_diagnostics::error::{Diagnostic, Errors, Severity};

static KIND: TextKind = TextKind {
    keys: &FORMULAS,
    code: "not-formulas",
    is_not: "not a formula file",
    has_not: "no table `[equal]`",
    help: "write elements such as \"M[x, phi1]\" below `[equal]`, each with the formula that it should equal",
};

/// Reads a file of formulas about a spec, for `prove --against`. `symbols`: names that formulas may
/// use in addition to those of the spec.
///
/// # Errors
/// The errors of [`super::parse`]. Problems within formulas are reported when the spec of the
/// result is resolved.
pub fn parse_formulas(
    spec: &Spec,
    symbols: impl IntoIterator<Item = String>,
    name: &str,
    text: impl Into<Vec<u8>>,
) -> Result<Formulas, Errors> {
    let mut spec = spec.clone();
    spec.outputs.clear();
    spec.inputs.extend(symbols.into_iter().map(input_without_unit));
    let settings = Settings { known: spec.sizes.clone(), ..Settings::default() };
    let parts = read_formula_file(&mut spec.sources, name, text.into(), &settings)?;
    spec.definitions.extend(parts.definitions);
    spec.problems.extend(parts.problems);
    let mut elements = Vec::new();
    for (name, kind, arguments, values) in parts.elements {
        elements.push(Element { name: name.clone(), kind, arguments, output: spec.outputs.len() });
        spec.outputs.extend(values.into_iter().map(|value| Output {
            name: name.clone(),
            description: String::new(),
            keys: KeyValues::plain_formula(value),
        }));
    }
    Ok(Formulas { spec, eliminate: parts.eliminate, elements })
}

/// An input without a unit that stands for an additional symbol of the formulas, such as an
/// acceleration.
fn input_without_unit(name: String) -> Input {
    Input {
        law: None,
        name: Name::without_span(name),
        unit: None,
        limits: None,
        default: None,
        description: String::new(),
    }
}

/// Content of a file of formulas that `prove --against` compares with derived equations.
struct FormulaFile {
    definitions: Vec<Definition>,
    eliminate: Vec<Name>,
    /// Each element of `[equal]`: the name as written, its kind, the names in brackets, and one or
    /// two formulas.
    elements: Vec<(Name, String, Vec<String>, Vec<Value>)>,
    problems: Vec<Diagnostic>,
}

/// Reads a file of formulas for `prove --against` and adds its text to `sources`.
fn read_formula_file(
    sources: &mut Sources,
    name: &str,
    bytes: Vec<u8>,
    settings: &Settings,
) -> Result<FormulaFile, Errors> {
    let (table, id): (document::TomlTable, _) = add_and_parse_source(sources, name, bytes, &KIND)?;
    let entry_count = count_equal_entries(&table);
    let expanded = repeat::expand_spec(table, sources, settings, &NoRobots);
    let expanded = expanded.map_err(|diagnostics| Errors { sources: sources.clone(), diagnostics })?;
    let mut r = SpecReader::new(sources);
    let top = Fields::new(&expanded.table, Span::new(id, 0, 0), "the formula file".to_owned(), &FORMULAS);
    r.check_keys(&top, &FORMULAS, None);
    let definitions = parameters::read_definitions(&mut r, &top);
    let eliminate = r.read_names(&top, "eliminate").map_or(Vec::new(), |names| names.value);
    let mut elements = Vec::new();
    let mut errors = Vec::new();
    match top.find_item("equal").map(|i| (&i.data, i)) {
        Some((Data::Table(table), _)) => {
            for (name, item) in &table.0 {
                elements.extend(read_element(&mut r, name, item));
            }
            if table.0.is_empty() {
                errors.push(no_elements_error(top.find_item("equal").map(|i| i.span), entry_count));
            }
        }
        Some((_, item)) => r.report_wrong_type("`equal`", item, "a table of elements and formulas"),
        None => {}
    }
    let mut problems = r.problems;
    problems.extend(expanded.problems);
    problems.extend(errors);
    if problems.iter().any(|d| d.severity == Severity::Error) {
        return Err(Errors { sources: sources.clone(), diagnostics: problems });
    }
    Ok(FormulaFile { definitions, eliminate, elements, problems })
}

/// Number of entries of the table `[equal]` in a file of formulas, before repeats are expanded.
fn count_equal_entries(table: &document::TomlTable) -> usize {
    match table.0.iter().find(|(name, _)| name.value == "equal").map(|(_, item)| &item.data) {
        Some(Data::Table(equal)) => equal.0.len(),
        _ => 0,
    }
}

/// Error for a file of formulas without elements, which would be proved trivially.
fn no_elements_error(span: Option<Span>, entry_count: usize) -> Diagnostic {
    let d = Diagnostic::error("nothing-claimed", "`[equal]` contains no formula to prove");
    if entry_count == 0 {
        d.at(span, "empty").help("write an element and its formula, such as \"M[x, x]\" = \"m\"")
    } else {
        d.at(span, "all entries are repeated over empty ranges")
            .help("set the sizes so that the index has at least one value: sizes in the spec override those in this file, and `--set` changes the sizes of the spec")
    }
}

/// Reads one element of `[equal]`, such as `"M[x, phi1]"`, with its one or two formulas.
fn read_element(
    r: &mut SpecReader<'_>,
    name: &Name,
    item: &TomlItem,
) -> Option<(Name, String, Vec<String>, Vec<Value>)> {
    let text = name.value.trim();
    let (kind, arguments) = match text.split_once('[').map(|(k, rest)| (k.trim(), rest.strip_suffix(']'))) {
        None => (text, Vec::new()),
        Some((kind, Some(inside))) => (kind, inside.split(',').map(|n| n.trim().to_owned()).collect()),
        Some((_, None)) => {
            r.report(
                Diagnostic::error("bad-element", format!("`{text}` has an unclosed bracket"))
                    .at(name.span, "expected `]` at the end")
                    .help("write \"M[x, phi1]\" = \"…\""),
            );
            return None;
        }
    };
    let what = format!("`{text}`");
    let values = match (&item.data, kind) {
        (Data::Text(text), "equation") => {
            let sides: Vec<&str> = text.split('=').collect();
            let [left, right] = sides[..] else {
                r.report(
                    Diagnostic::error("bad-equation", format!("{what} must contain exactly one `=`"))
                        .at(Some(item.span), "this text is not an equation")
                        .help("write \"equation[x]\" = \"m*x_ddot + k*x = F\""),
                );
                return None;
            };
            let side = |r: &mut SpecReader<'_>, text: &str| {
                r.parse_value(&TomlItem { data: Data::Text(text.trim().to_owned()), span: item.span }, &what)
            };
            vec![side(r, left), side(r, right)]
        }
        _ => vec![r.parse_value(item, &what)],
    };
    Some((Spanned { value: text.to_owned(), span: name.span }, kind.to_owned(), arguments, values))
}
