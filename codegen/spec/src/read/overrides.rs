//! Overrides of a spec by command options: `-p NAME=VALUE` and `--input NAME=WHAT`.
//!
//! Problem: overrides need the units, names and messages that values in the spec have, with
//!          messages that point at the typed text.
//! Method:  each option is a source text of its own. Its value replaces that of the spec before the
//!          stage `resolve`, so every check of specs applies to it. Problems are stored in the
//!          spec, like those of reading.

use std::path::Path;

use super::fields::SpecReader;
use super::series::{self, Series};
use crate::read::document::{Data, TomlItem};
use crate::spec::formula::scale_to_si;
use crate::spec::{Input, Law, Name, Parameter, Spec, Value, did_you_mean};
use dqdt_algebra::Number;
use dqdt_diagnostics::base::{Sources, Span, Spanned};
use dqdt_diagnostics::error::Diagnostic;

/// Overrides values of parameters, as the option `-p` asks. Each text is `NAME=VALUE`; `option` is
/// the option that contained it.
pub fn override_parameters(spec: &mut Spec, option: &str, texts: &[String]) {
    for text in texts {
        let Some((name, value)) = parse_assignment(spec, option, text, "m_pole=0.3, \"l=20 cm\"") else {
            continue;
        };
        let known: Vec<&str> = spec.parameters.iter().map(|p| p.name.value.as_str()).collect();
        let Some(i) = known.iter().position(|n| *n == name.value) else {
            let free: Vec<&str> =
                spec.parameters.iter().filter(|p| can_be_overridden(p)).map(|p| &*p.name.value).collect();
            let help = unknown_name_help(&name.value, &known, &free, "free parameters");
            let d = Diagnostic::error("unknown-name", format!("the spec has no parameter `{}`", name.value));
            spec.problems.push(d.at(name.span, "not found").help(help));
            continue;
        };
        let p = &spec.parameters[i];
        let refused = match (p.is_overridden, can_be_overridden(p)) {
            (true, _) => Some(("given twice", "specify it only once")),
            (false, true) => None,
            (false, false) if p.constant => Some((
                "fixed in the equations, because the spec declares it with `constant = true`",
                "change the value of the parameter in the spec, or remove `constant = true` there",
            )),
            (false, false) => Some((
                "computed from other parameters",
                "set the parameters from which it is computed, or define it as a number in the spec",
            )),
        };
        if let Some((why, help)) = refused {
            let text = format!("parameter `{}` cannot be set: it is {why}", name.value);
            let d = Diagnostic::error("fixed-parameter", text).at(name.span, why).also(p.value.span, "here");
            spec.problems.push(d.help(help));
            continue;
        }
        let p = &mut spec.parameters[i];
        (p.value, p.is_overridden) = (value, true);
    }
}

/// True if a command option may override the value of the parameter.
fn can_be_overridden(p: &Parameter) -> bool {
    p.is_overridden || !p.constant && !p.value.expr().is_some_and(|e| e.names().any(|(n, _)| n != "pi"))
}

/// Sets the laws of inputs along a motion. Each text is `NAME=FORMULA`, `NAME=@FILE.csv` or
/// `@FILE.csv`; `option` is the option that contained it.
pub fn set_input_laws(spec: &mut Spec, option: &str, texts: &[String], held: bool) {
    for text in texts {
        let source = spec.sources.add(option, text.as_str());
        let whole = Span::new(source, 0, text.len());
        if let Some(path) = text.strip_prefix('@') {
            set_inputs_from_columns(spec, Path::new(path), whole, held);
            continue;
        }
        let Some((name, rest)) = split_assignment(text, source) else {
            let d = Diagnostic::error(
                "bad-option",
                format!("the argument of `{option}` must have the form NAME=WHAT"),
            )
            .at(Some(whole), "here");
            let help = "write, for example, force=2, \"force=-20*theta - 3*theta_dot\", force=@measured.csv, or @measured.csv";
            spec.problems.push(d.help(help));
            continue;
        };
        let Some(i) = find_input_without_law(spec, &name) else { continue };
        let law = match text[rest.start..].trim().strip_prefix('@') {
            Some(path) => law_from_column(spec, i, Path::new(path), rest, held),
            None => Some(Law::Formula(parse_value_at(spec, rest, &format!("input `{}`", name.value)))),
        };
        spec.inputs[i].law = law;
    }
}

/// Sets inputs to columns of a recorded motion (`--motion`), which are in SI units. Inputs that
/// already have a law, or that a constraint determines, are left alone.
pub fn set_inputs_from_motion_table(spec: &mut Spec, table: &Series) {
    let source = spec.sources.add("--motion", "");
    let realising = spec.constraints.iter().filter_map(|c| c.realised_by.as_ref()).flat_map(|r| &r.value);
    let decided: Vec<String> = realising.map(|n| n.value.clone()).collect();
    for u in spec.inputs.iter_mut().filter(|u| u.law.is_none() && !decided.contains(&u.name.value)) {
        let factor =
            u.unit.as_ref().and_then(|u| scale_to_si(Number::ONE, u.unit)).map_or(1.0, Number::to_f64);
        let column = table.column(&u.name.value).map(|x| x.iter().map(|x| x / factor).collect::<Vec<_>>());
        u.law = column.map(|values| table.input_law(&values, Span::new(source, 0, 0), true));
    }
}

/// Index of the named input, if it exists and has no law yet; otherwise reports a problem.
fn find_input_without_law(spec: &mut Spec, name: &Name) -> Option<usize> {
    let known: Vec<&str> = spec.inputs.iter().map(|u| u.name.value.as_str()).collect();
    let index = known.iter().position(|n| *n == name.value);
    let problem = match index {
        None => {
            let help = unknown_name_help(&name.value, &known, &known, "inputs");
            let d = Diagnostic::error("unknown-name", format!("the spec has no input `{}`", name.value));
            Some(d.at(name.span, "not found").help(help))
        }
        Some(i) if spec.inputs[i].law.is_some() => {
            let d = Diagnostic::error("duplicate", format!("input `{}` is specified twice", name.value));
            Some(d.at(name.span, "again here").help("specify it only once"))
        }
        Some(_) => None,
    };
    match problem {
        Some(d) => {
            spec.problems.push(d);
            None
        }
        None => index,
    }
}

/// Law of an input along a motion, from the column of a CSV file that has the name of the input.
fn law_from_column(spec: &mut Spec, input: usize, path: &Path, place: Span, held: bool) -> Option<Law> {
    let name = spec.inputs[input].name.value.clone();
    let table = series::read_csv(&mut spec.sources, path, place).map_err(|d| spec.problems.push(*d)).ok()?;
    let Some(y) = table.column(&name) else {
        let columns: Vec<&str> = table.names().collect();
        let d = Diagnostic::error("unknown-name", format!("the table has no column `{name}`"));
        let help = format!("the first row of the table names these columns: {}", columns.join(", "));
        spec.problems
            .push(d.at(Some(table.head), "column names").also(Some(place), "requested here").help(help));
        return None;
    };
    Some(table.input_law(y, place, held))
}

/// Sets the law of each input whose name is a column of a CSV file.
fn set_inputs_from_columns(spec: &mut Spec, path: &Path, place: Span, held: bool) {
    let table = match series::read_csv(&mut spec.sources, path, place) {
        Ok(table) => table,
        Err(d) => return spec.problems.push(*d),
    };
    let mut has_input = false;
    for name in table.names().map(str::to_owned).collect::<Vec<_>>() {
        if !spec.inputs.iter().any(|u: &Input| u.name.value == name) {
            continue;
        }
        has_input = true;
        let Some(i) = find_input_without_law(spec, &Spanned::with_span(name.clone(), place)) else {
            continue;
        };
        spec.inputs[i].law = table.column(&name).map(|y| table.input_law(y, place, held));
    }
    if !has_input {
        let known: Vec<&str> = spec.inputs.iter().map(|u| u.name.value.as_str()).collect();
        let help = match known[..] {
            [] => "the spec has no inputs".to_owned(),
            _ => format!("inputs: {}", known.join(", ")),
        };
        let d = Diagnostic::error("unknown-name", "the table has no column for any input");
        let d = d.at(Some(table.head), "column names").also(Some(place), "requested here").help(help);
        spec.problems.push(d);
    }
}

/// Help text for an unknown name in an option: a similar candidate, or the list of names.
fn unknown_name_help(name: &str, candidates: &[&str], listed: &[&str], nouns: &str) -> String {
    match did_you_mean(name, candidates.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if listed.is_empty() => format!("the spec has no {nouns}"),
        None => format!("{nouns}: {}", listed.join(", ")),
    }
}

/// Splits an option `NAME=VALUE` and parses its value.
fn parse_assignment(spec: &mut Spec, option: &str, text: &str, example: &str) -> Option<(Name, Value)> {
    let source = spec.sources.add(option, text);
    let Some((name, rest)) = split_assignment(text, source) else {
        let whole = Span::new(source, 0, text.len());
        let d = Diagnostic::error(
            "bad-option",
            format!("the argument of `{option}` must have the form NAME=VALUE"),
        );
        spec.problems.push(d.at(Some(whole), "here").help(format!("write, for example, {example}")));
        return None;
    };
    let what = format!("parameter `{}`", name.value);
    let value = parse_value_at(spec, rest, &what);
    Some((name, value))
}

/// Name before the first `=` of an option, and the span of the text after it.
fn split_assignment(text: &str, source: dqdt_diagnostics::base::SourceId) -> Option<(Name, Span)> {
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || value.is_empty() {
        return None;
    }
    let first = text.len() - text.trim_start().len();
    let at = text.trim_end().len() - value.len();
    let name = Spanned::with_span(name.to_owned(), Span::new(source, first, first + name.len()));
    Some((name, Span::new(source, at, at + value.len())))
}

/// Parses the value at a span of the text of an option.
fn parse_value_at(spec: &mut Spec, place: Span, what: &str) -> Value {
    let text = spec.sources.text(place.source)[place.start..place.end].to_owned();
    let sources: &Sources = &spec.sources;
    let mut reader = SpecReader::new(sources);
    let read = reader.parse_value(&TomlItem { data: Data::Text(text), span: place }, what);
    let problems = reader.problems;
    spec.problems.extend(problems);
    read
}
