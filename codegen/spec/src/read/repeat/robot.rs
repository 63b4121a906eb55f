//! A robot description (URDF or MJCF) as a template: the entries of the spec are merged over those
//! of the robot.

use std::path::Path;

use crate::read::document::{Data, Item, Table};
use crate::read::robots::format::{Format, is_robot};
use crate::read::robots::{Base, Options, Robots};
use crate::read::settings::Settings;
use crate::read::text::{self, SPEC, toml};
use crate::spec::did_you_mean;
use crate::spec::keys::{MJCF, URDF};
use dqdt_algebra::Ratio;
use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors};

/// Path of the robot description, if the template is one.
pub(super) fn path(template: &Item) -> Option<&str> {
    match &template.data {
        Data::Text(written) if is_robot(Path::new(written)) => Some(written),
        _ => None,
    }
}

/// Imports the robot at the path `written`, with the options of `[urdf]` or `[mjcf]`, as a tree of
/// keys and values.
pub(super) fn load(
    main: &Table,
    item: &Item,
    written: &str,
    sources: &mut Sources,
    settings: &Settings,
    robots: &dyn Robots,
) -> Result<(Table, Told), Vec<Diagnostic>> {
    let Some(folder) = &settings.folder else {
        let d = Diagnostic::error(
            "unreadable-template",
            format!("the robot `{written}` cannot be found: the spec is no file"),
        );
        let help = "read the spec from a file, or say with `Settings::folder` where its templates are";
        return Err(vec![d.at(Some(item.span), "this robot").help(help)]);
    };
    let shown = Path::new(sources.name(item.span.source)).parent().unwrap_or(Path::new("")).join(written);
    let shown = shown.display().to_string();
    let path = folder.join(written);
    let said = |sources: &mut Sources, errors: Errors| -> Vec<Diagnostic> {
        let mut all = Errors { sources: std::mem::take(sources), diagnostics: Vec::new() };
        all.merge(errors);
        *sources = all.sources;
        // A file that cannot be read has no place of its own, so the message points at its name.
        let places = |d: Diagnostic| match d.primary {
            Some(_) => d,
            None => Diagnostic { help: Vec::new(), ..d }
                .at(Some(item.span), "this robot")
                .help("the path is relative to this file"),
        };
        all.diagnostics.into_iter().map(places).collect()
    };
    let robot = text::robot(&path, &shown).map_err(|errors| said(sources, errors))?;
    let mut options = options(main, robot.format)?;
    options.accept.extend(accepted(main));
    options.accept.extend(settings.accept.iter().cloned());
    let imported = robots
        .import(&path, &shown, &robot, &options, &mut Vec::new())
        .map_err(|errors| said(sources, errors))?;
    let id = sources.add(format!("{shown} (imported)"), imported.text.as_str());
    let told = Told { accepted: imported.accepted, warnings: said(sources, imported.warnings) };
    Ok((toml(&imported.text, id, sources.name(id), &SPEC)?, told))
}

/// Warnings of an import, and the names of accepted losses.
#[derive(Default)]
pub(super) struct Told {
    pub warnings: Vec<Diagnostic>,
    pub accepted: Vec<String>,
}

/// The words of the key `accept`. Elements of another type are reported when the keys of the spec
/// are read.
pub(in crate::read) fn accepted(main: &Table) -> Vec<String> {
    let Some((_, Item { data: Data::Array(items), .. })) = main.get("accept") else { return Vec::new() };
    let word = |item: &Item| match &item.data {
        Data::Text(word) => Some(word.clone()),
        _ => None,
    };
    items.iter().filter_map(word).collect()
}

/// The import options in `[urdf]` or `[mjcf]`.
fn options(main: &Table, format: Format) -> Result<Options, Vec<Diagnostic>> {
    let mut options = Options::default();
    let (section, other, keys) = match format {
        Format::Urdf => ("urdf", "mjcf", &URDF),
        Format::Mjcf => ("mjcf", "urdf", &MJCF),
    };
    if let Some((key, _)) = main.get(other) {
        let message = format!("[{other}] is given, but the robot is written in {}", section.to_uppercase());
        let d = Diagnostic::error("other-format", message);
        return Err(vec![d.at(key.span, "of another format").help(format!("write [{section}]"))]);
    }
    let Some((_, item)) = main.get(section) else { return Ok(options) };
    let mut problems = Vec::new();
    let Data::Table(table) = &item.data else {
        let d =
            Diagnostic::error("wrong-type", format!("`{section}` must be a table, not {}", item.data.kind()));
        let help = match format {
            Format::Urdf => "write [urdf] and base = \"free\"",
            Format::Mjcf => "write [mjcf] and snap = 0.001",
        };
        return Err(vec![d.at(Some(item.span), "expected a table").help(help)]);
    };
    let number = |item: &Item| match &item.data {
        Data::Number(n) => Ratio::parse_decimal(n).map(|r| r.to_f64()),
        _ => None,
    };
    for (key, item) in &table.0 {
        let expected = match (key.value.as_str(), &item.data) {
            ("base", Data::Text(word)) if format == Format::Urdf && (word == "fixed" || word == "free") => {
                options.base = if word == "free" { Base::Free } else { Base::Fixed };
                continue;
            }
            ("base", _) if format == Format::Urdf => "\"fixed\" or \"free\"",
            ("damping", Data::Flag(flag)) => {
                options.damping = *flag;
                continue;
            }
            ("damping", _) => "true or false",
            ("snap", _) => match number(item).filter(|x| (0.0..0.5).contains(x)) {
                Some(x) => {
                    options.snap = x;
                    continue;
                }
                None => "an angle from 0 to 0.5 rad",
            },
            ("dry_friction", _) => match number(item).filter(|x| *x > 0.0) {
                Some(x) => {
                    options.dry_friction = Some(x);
                    continue;
                }
                None => "a speed above zero",
            },
            (name, _) => {
                let known: Vec<&str> = keys.keys().map(|k| k.name).collect();
                let help = match did_you_mean(name, known.iter().copied()) {
                    Some(meant) => format!("write `{meant}`"),
                    None => format!("it has: {}", known.join(", ")),
                };
                let message = format!("[{section}] has no key `{name}`");
                problems.push(Diagnostic::error("unknown-key", message).at(key.span, "not a key").help(help));
                continue;
            }
        };
        let message = format!("`{}` must be {expected}", key.value);
        problems.push(
            Diagnostic::error("wrong-type", message)
                .at(Some(item.span), "not that")
                .help(format!("write {} = {expected}", key.value)),
        );
    }
    if problems.is_empty() { Ok(options) } else { Err(problems) }
}

/// Reports entries without a type whose names the robot does not have: they were meant to override
/// something in it.
pub(super) fn unknown(robot: &Table, over: &Table) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for (section, noun) in [("joints", "joint"), ("loads", "load"), ("constraints", "constraint")] {
        let Some((_, Item { data: Data::Table(entries), .. })) = over.get(section) else { continue };
        let known = match robot.get(section) {
            Some((_, Item { data: Data::Table(known), .. })) => known.0.as_slice(),
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
                    format!("a {noun} of your own needs a `type`; `dqdt import` shows those of the robot")
                }
            };
            let message = format!("the robot has no {noun} `{}`", name.value);
            problems
                .push(Diagnostic::error("unknown-name", message).at(name.span, "not in its file").help(help));
        }
    }
    problems
}
