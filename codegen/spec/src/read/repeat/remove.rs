//! The key `remove`: entries that a spec deletes from its template.
//!
//! Example: `remove = ["loads.motor_elbow", "joints.elbow.armature", "inputs"]` deletes an entry, a
//! key of an entry, and a section. Deletion precedes merging, so a deleted entry may be defined
//! anew in the spec.

use crate::read::document::{Data, TomlItem, TomlTable};
use crate::spec::did_you_mean;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;

/// Deletes the entries that the key `remove` (`item`) lists from the template. Returns the problems
/// found.
pub(super) fn remove_entries(template: &mut TomlTable, item: &TomlItem) -> Vec<Diagnostic> {
    const HELP: &str = "write remove = [\"loads.motor\", \"joints.elbow.armature\"]";
    let wrong = |message: String, span: Span| {
        vec![Diagnostic::error("wrong-type", message).at(Some(span), "wrong type").help(HELP)]
    };
    let Data::Array(list) = &item.data else {
        return wrong(format!("`remove` must be a list of names, not {}", item.data.type_name()), item.span);
    };
    let mut problems = Vec::new();
    let mut removed: Vec<&str> = Vec::new();
    for item in list {
        let Data::Text(path) = &item.data else {
            problems.extend(wrong(
                format!("an entry of `remove` must be a name in quotes, not {}", item.data.type_name()),
                item.span,
            ));
            continue;
        };
        if let Some(other) = removed.iter().copied().find(|other| is_path_within(path, other)) {
            let message = format!("`remove` lists `{path}` twice");
            let label = if other == path {
                "again".to_owned()
            } else {
                format!("`{other}` already removes this entry")
            };
            problems.push(
                Diagnostic::error("removed-twice", message)
                    .at(Some(item.span), label)
                    .help("list each entry only once"),
            );
            continue;
        }
        match remove_path(template, path) {
            Ok(()) => removed.push(path),
            Err((place, meant)) => {
                let what = if place.is_empty() {
                    format!("the template does not contain the section `{}`", first_segment(path))
                } else {
                    format!(
                        "`{place}` in the template does not contain `{}`",
                        first_segment(&path[place.len() + 1..])
                    )
                };
                let help = match meant {
                    Some(name) if place.is_empty() => format!("write `{name}`"),
                    Some(name) => format!("write `{place}.{name}`"),
                    None => "write the section and the name of an entry of the template, such as \
                             \"loads.motor\"; `dqdt import` lists the entries of a robot"
                        .to_owned(),
                };
                problems.push(
                    Diagnostic::error("unknown-name", what)
                        .at(Some(item.span), "the template does not contain this entry")
                        .help(help),
                );
            }
        }
    }
    problems
}

/// True if `path` is the dotted path `other` or one below it.
fn is_path_within(path: &str, other: &str) -> bool {
    path.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn first_segment(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

/// Deletes the entry at one dotted path. The error is the part of the path that exists, and a
/// similar name for the next part, if there is one.
fn remove_path(table: &mut TomlTable, path: &str) -> Result<(), (String, Option<String>)> {
    let (mut table, mut walked) = (table, String::new());
    let mut rest = path;
    loop {
        let (name, below) = rest.split_once('.').map_or((rest, None), |(name, below)| (name, Some(below)));
        let Some(place) = table.0.iter().position(|(key, _)| key.value == name) else {
            let known = table.0.iter().map(|(key, _)| key.value.as_str());
            let meant = did_you_mean(name, known).map(str::to_owned);
            return Err((walked, meant));
        };
        let Some(below) = below else {
            table.0.remove(place);
            return Ok(());
        };
        let end = walked.len() + usize::from(!walked.is_empty()) + name.len();
        walked = path[..end].to_owned();
        match &mut table.0[place].1.data {
            Data::Table(inner) => (table, rest) = (inner, below),
            // A value has no entries below it.
            _ => return Err((walked, None)),
        }
    }
}
