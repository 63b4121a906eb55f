//! A robot description (URDF or MJCF) as a template: the entries of the spec are merged over those
//! of the robot.

use std::path::Path;

use crate::read::document::{Data, TomlItem, TomlTable};
use crate::read::robots::format::{Format, is_robot};
use crate::read::robots::{Base, Options, Robots};
use crate::read::settings::Settings;
use crate::read::text::{self, SPEC, parse_toml_as_kind};
use crate::spec::did_you_mean;
use crate::spec::keys::{MJCF, URDF};
use dqdt_algebra::Ratio;
use dqdt_diagnostics::base::{Sources, Span};
use dqdt_diagnostics::error::{Diagnostic, Errors};

/// Path of the robot description, if the key `template` names one.
pub(super) fn robot_path(template: &TomlItem) -> Option<&str> {
    match &template.data {
        Data::Text(template_path) if is_robot(Path::new(template_path)) => Some(template_path),
        _ => None,
    }
}

/// Imports the robot at `template_path`, with the options of `[urdf]` or `[mjcf]`, as a tree of
/// keys and values.
pub(super) fn load_robot_template(
    main: &TomlTable,
    item: &TomlItem,
    template_path: &str,
    sources: &mut Sources,
    settings: &Settings,
    robots: &dyn Robots,
) -> Result<(TomlTable, ImportNotes), Vec<Diagnostic>> {
    let Some(folder) = &settings.folder else {
        let d = Diagnostic::error(
            "unreadable-template",
            format!(
                "cannot locate the robot `{template_path}`: the spec was not read from a file, so its folder is unknown"
            ),
        );
        let help = "read the spec from a file, or set `Settings::folder` to the folder of its templates";
        return Err(vec![d.at(Some(item.span), "this robot").help(help)]);
    };
    let shown =
        Path::new(sources.name(item.span.source)).parent().unwrap_or(Path::new("")).join(template_path);
    let shown = shown.display().to_string();
    let path = folder.join(template_path);
    let robot = text::read_robot_file(&path, &shown, &settings.files)
        .map_err(|errors| merge_import_messages(sources, errors, item.span))?;
    let mut options = read_import_options(main, robot.format)?;
    options.files = settings.files.clone();
    options.accept.extend(accepted_codes(main));
    options.accept.extend(settings.accept.iter().cloned());
    let imported = robots
        .import_robot(&path, &shown, &robot, &options, &mut Vec::new())
        .map_err(|errors| merge_import_messages(sources, errors, item.span))?;
    let id = sources.add(format!("{shown} (imported)"), imported.text.as_str());
    let warnings = merge_import_messages(sources, imported.warnings, item.span);
    let notes = ImportNotes { accepted: imported.accepted, warnings };
    Ok((parse_toml_as_kind(&imported.text, id, sources.name(id), &SPEC)?, notes))
}

/// Adds the texts of an import to `sources`. Returns the messages of the import; one without a
/// place, such as that of a file that cannot be read, points at the name of the robot (`span`).
fn merge_import_messages(sources: &mut Sources, errors: Errors, span: Span) -> Vec<Diagnostic> {
    let mut all = Errors { sources: std::mem::take(sources), diagnostics: Vec::new() };
    all.merge(errors);
    *sources = all.sources;
    let with_place = all.diagnostics.into_iter().map(|d| match d.primary {
        Some(_) => d,
        None => Diagnostic { help: Vec::new(), ..d }
            .at(Some(span), "this robot")
            .help("`template` is a path relative to the folder of the spec"),
    });
    with_place.collect()
}

/// Warnings of the import of a robot template, and the names of accepted losses.
#[derive(Default)]
pub(super) struct ImportNotes {
    pub warnings: Vec<Diagnostic>,
    pub accepted: Vec<String>,
}

/// The words of the key `accept` of the spec: codes of messages and parts of robots. Elements of
/// another type are reported when the keys of the spec are read.
pub(in crate::read) fn accepted_codes(main: &TomlTable) -> Vec<String> {
    let Some((_, TomlItem { data: Data::Array(items), .. })) = main.get("accept") else { return Vec::new() };
    let words = items.iter().filter_map(|item| match &item.data {
        Data::Text(word) => Some(word.clone()),
        _ => None,
    });
    words.collect()
}

fn number_value(item: &TomlItem) -> Option<f64> {
    match &item.data {
        Data::Number(n) => Ratio::parse_decimal(n).map(|r| r.to_f64()),
        _ => None,
    }
}

/// Reason why an import option cannot be set.
enum OptionProblem {
    /// The value is not of this kind.
    Expected(&'static str),
    UnknownKey,
}

/// Sets one import option to its value in the spec.
fn set_import_option(
    options: &mut Options,
    format: Format,
    key: &str,
    item: &TomlItem,
) -> Result<(), OptionProblem> {
    match (key, &item.data) {
        ("base", Data::Text(word)) if format == Format::Urdf && (word == "fixed" || word == "free") => {
            options.base = if word == "free" { Base::Free } else { Base::Fixed };
        }
        ("base", _) if format == Format::Urdf => {
            return Err(OptionProblem::Expected("\"fixed\" or \"free\""));
        }
        ("damping", Data::Flag(flag)) => options.damping = *flag,
        ("damping", _) => return Err(OptionProblem::Expected("`true` or `false`")),
        ("snap", _) => {
            let angle = number_value(item).filter(|x| (0.0..0.5).contains(x));
            options.snap = angle.ok_or(OptionProblem::Expected("an angle from 0 to 0.5 rad"))?;
        }
        ("dry_friction", _) => {
            let speed = number_value(item).filter(|x| *x > 0.0);
            options.dry_friction = Some(speed.ok_or(OptionProblem::Expected("a positive speed"))?);
        }
        _ => return Err(OptionProblem::UnknownKey),
    }
    Ok(())
}

/// Reads the import options in the table `[urdf]` or `[mjcf]` of the spec.
fn read_import_options(main: &TomlTable, format: Format) -> Result<Options, Vec<Diagnostic>> {
    let mut options = Options::default();
    let (section, other, keys) = match format {
        Format::Urdf => ("urdf", "mjcf", &URDF),
        Format::Mjcf => ("mjcf", "urdf", &MJCF),
    };
    if let Some((key, _)) = main.get(other) {
        let message =
            format!("[{other}] does not apply to this robot, whose format is {}", section.to_uppercase());
        let d = Diagnostic::error("other-format", message);
        return Err(vec![
            d.at(key.span, "these options are for another format").help(format!("write [{section}]")),
        ]);
    }
    let Some((_, item)) = main.get(section) else { return Ok(options) };
    let mut problems = Vec::new();
    let Data::Table(table) = &item.data else {
        let d = Diagnostic::error(
            "wrong-type",
            format!("`{section}` must be a table, not {}", item.data.type_name()),
        );
        let help = match format {
            Format::Urdf => "write [urdf] and, below it, base = \"free\"",
            Format::Mjcf => "write [mjcf] and, below it, snap = 0.001",
        };
        return Err(vec![d.at(Some(item.span), "expected a table").help(help)]);
    };

    for (key, item) in &table.0 {
        let expected = match set_import_option(&mut options, format, &key.value, item) {
            Ok(()) => continue,
            Err(OptionProblem::Expected(what)) => what,
            Err(OptionProblem::UnknownKey) => {
                let name = &key.value;
                let known: Vec<&str> = keys.keys().map(|k| k.name).collect();
                let help = match did_you_mean(name, known.iter().copied()) {
                    Some(meant) => format!("write `{meant}`"),
                    None => format!("its keys: {}", known.join(", ")),
                };
                let message = format!("unknown key `{name}` in [{section}]");
                problems
                    .push(Diagnostic::error("unknown-key", message).at(key.span, "unknown key").help(help));
                continue;
            }
        };
        let message = format!("`{}` must be {expected}", key.value);
        problems.push(
            Diagnostic::error("wrong-type", message)
                .at(Some(item.span), "wrong value")
                .help(format!("set `{}` to {expected}", key.value)),
        );
    }
    if problems.is_empty() { Ok(options) } else { Err(problems) }
}

/// Reports entries without a type whose names the robot template does not have: they were meant to
/// override something in it.
pub(super) fn report_unmatched_entries(robot: &TomlTable, over: &TomlTable) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for (section, noun) in [("joints", "joint"), ("loads", "load"), ("constraints", "constraint")] {
        let Some((_, TomlItem { data: Data::Table(entries), .. })) = over.get(section) else { continue };
        let known = match robot.get(section) {
            Some((_, TomlItem { data: Data::Table(known), .. })) => known.0.as_slice(),
            _ => &[],
        };
        for (name, item) in &entries.0 {
            let typed = matches!(&item.data, Data::Table(t) if t.get("type").is_none());
            if !typed || known.iter().any(|(k, _)| k.value == name.value) {
                continue;
            }
            let meant = did_you_mean(&name.value, known.iter().map(|(k, _)| k.value.as_str()));
            let help = match meant {
                Some(meant) => format!("write `{meant}`"),
                None => {
                    format!(
                        "add a `type` to define a new {noun}; `dqdt import` lists the {noun}s of the robot"
                    )
                }
            };
            let message = format!("the robot has no {noun} `{}`", name.value);
            problems.push(
                Diagnostic::error("unknown-name", message)
                    .at(name.span, "this name is not in the robot file")
                    .help(help),
            );
        }
    }
    problems
}
