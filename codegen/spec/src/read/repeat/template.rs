//! Merges the files of a spec into one tree of keys and values: the template, its sizes, and the
//! entries of the spec itself.
//!
//! A file with `template = "families/chain.toml"` starts from that template, with the sizes in its
//! key `set` and without the entries in its key `remove`. Its other entries replace those of the
//! same name in the template, or are appended.

use std::path::{Path, PathBuf};

use super::scope::{RepeatScope, SizeSetting};
use super::{Bound, Expander, OWN_KEYS, remove, robot};
use crate::read::document::{Data, TomlItem, TomlTable};
use crate::read::file_source::{FileSource, MAX_BYTES};
use crate::read::robots::Robots;
use crate::read::settings::Settings;
use crate::read::text::{SPEC, parse_toml_as_kind};
use dqdt_algebra::Ratio;
use dqdt_diagnostics::base::{SourceId, Sources};
use dqdt_diagnostics::error::{Diagnostic, Severity};

/// Tree of keys and values of a spec after the expansion of its template and repeats.
pub(in crate::read) struct Expanded {
    pub table: TomlTable,
    pub problems: Vec<Diagnostic>,
    /// Names missing from repeats that have already been reported, so that they are not reported as
    /// unknown.
    pub missing: Vec<String>,
    /// Names of the parts of a robot template that the user permits to be dropped.
    pub accepted: Vec<String>,
    /// The sizes of `[repeat]` with their values.
    pub sizes: Vec<(String, i64)>,
}

/// The template of a spec, before its expansion.
struct Template {
    table: TomlTable,
    /// True if the template was converted from a robot file.
    is_robot: bool,
    notes: robot::ImportNotes,
}

/// Loads the template of a spec, if it has one. Keys that the template must not contain are added
/// to `problems`.
fn load_template(
    main: &TomlTable,
    sources: &mut Sources,
    settings: &Settings,
    robots: &dyn Robots,
    problems: &mut Vec<Diagnostic>,
) -> Result<Option<Template>, Vec<Diagnostic>> {
    let item = main.get("template").map(|(_, item)| item);
    let robot_path = item.and_then(robot::robot_path);
    if robot_path.is_none()
        && let Some((key, _)) = main.get("urdf").or_else(|| main.get("mjcf"))
    {
        let d = Diagnostic::error(
            "urdf-without-robot",
            format!("[{}] is allowed only if `template` is a robot file", key.value),
        )
        .at(key.span, "import options without a robot file")
        .help("name the robot file: template = \"robot.urdf\", or template = \"robot.xml\" for MJCF");
        return Err(vec![d]);
    }
    let Some(item) = item else { return Ok(None) };
    if let Some(path) = robot_path {
        let (table, notes) = robot::load_robot_template(main, item, path, sources, settings, robots)?;
        return Ok(Some(Template { table, is_robot: true, notes }));
    }
    let (source, text) = read_template(item, sources, settings).map_err(|d| vec![*d])?;
    let table = parse_toml_as_kind(&text, source, sources.name(source), &SPEC)?;
    for key in ["template", "set", "remove"] {
        if let Some((k, _)) = table.get(key) {
            problems.push(
                Diagnostic::error("nested-template", format!("a template cannot contain the key `{key}`"))
                    .at(k.span, "this file is used as a template")
                    .help("templates cannot be nested: use only one template, or copy its entries into this file"),
            );
        }
    }
    Ok(Some(Template { table, is_robot: false, notes: robot::ImportNotes::default() }))
}

/// Expands the template and the repeats of a spec into one tree of keys and values.
///
/// # Errors
/// Problems with the repeats, the template or the sizes.
pub(in crate::read) fn expand_spec(
    main: TomlTable,
    sources: &mut Sources,
    settings: &Settings,
    robots: &dyn Robots,
) -> Result<Expanded, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let template = load_template(&main, sources, settings, robots, &mut problems)?;
    if let (Some((key, _)), None) = (main.get("remove"), &template) {
        problems.push(
            Diagnostic::error("remove-without-template", "`remove` requires `template`")
                .at(key.span, "no template")
                .help("delete the unwanted entries, or name the file that contains them: template = \"robot.urdf\""),
        );
    }
    let size_settings = size_settings(&main, template.is_some(), settings, &mut problems);
    let base = template.as_ref().map_or(&main, |t| &t.table);
    let mut scope = match base.get("repeat") {
        Some((_, item)) => RepeatScope::read_repeat_section(item, &settings.known, &mut problems),
        None => RepeatScope::from_sizes(&settings.known),
    };
    if let (Some(_), Some((k, _))) = (&template, main.get("repeat")) {
        problems.push(
            Diagnostic::error("conflict", "a spec with a template cannot have its own [repeat]")
                .at(k.span, "this section is not allowed with a template")
                .help("set the sizes of the template with set = { n = 3 }"),
        );
    }
    scope.override_sizes(&size_settings, &mut problems);
    if problems.iter().any(|d| d.severity == Severity::Error) {
        return Err(problems);
    }
    let repeats = base.get("repeat").is_some() || !settings.known.is_empty();
    let mut e = Expander::new(&scope, sources);
    let mut part = |table: &TomlTable| {
        let rest = table.0.iter().filter(|(k, _)| !OWN_KEYS.contains(&k.value.as_str())).cloned();
        let rest = TomlTable(rest.collect());
        if repeats { e.expand_table(&rest, &Bound::default()) } else { rest }
    };
    let table = match &template {
        None => part(&main),
        Some(template) => {
            let mut table = part(&template.table);
            let over = part(&main);
            if let Some((_, item)) = main.get("remove") {
                problems.extend(remove::remove_entries(&mut table, item));
            }
            if template.is_robot {
                problems.extend(robot::report_unmatched_entries(&table, &over));
            }
            overlay_entries(&mut table, over, template.is_robot);
            table
        }
    };
    if !problems.is_empty() || !e.problems.is_empty() {
        problems.append(&mut e.problems);
        return Err(problems);
    }
    let missing = e.check_indexed_references();
    let mut problems = e.problems;
    let mut notes = template.map(|t| t.notes).unwrap_or_default();
    problems.append(&mut notes.warnings);
    let accepted = notes.accepted;
    Ok(Expanded { table, problems, missing, accepted, sizes: scope.size_values() })
}

/// Settings of sizes: those of the key `set`, then those of the caller, which take precedence.
fn size_settings<'s>(
    main: &'s TomlTable,
    has_template: bool,
    settings: &'s Settings,
    problems: &mut Vec<Diagnostic>,
) -> Vec<SizeSetting<'s>> {
    let mut out = Vec::new();
    if let Some((key, item)) = main.get("set") {
        if !has_template {
            problems.push(
                Diagnostic::error("set-without-template", "`set` requires `template`")
                    .at(key.span, "no template")
                    .help("without a template, define sizes in [repeat]: n = 3"),
            );
        }
        match &item.data {
            Data::Table(t) => {
                for (name, item) in &t.0 {
                    let value = match &item.data {
                        Data::Number(n) => Ratio::parse_decimal(n).filter(|r| r.is_integer()),
                        _ => None,
                    };
                    match value {
                        Some(r) => {
                            out.push(SizeSetting { name: &name.value, value: r.num(), span: name.span })
                        }
                        None => problems.push(
                            Diagnostic::error(
                                "wrong-type",
                                format!("the size `{}` must be a whole number", name.value),
                            )
                            .at(Some(item.span), "this size is not a whole number")
                            .help("write set = { n = 3 }"),
                        ),
                    }
                }
            }
            other => problems.push(
                Diagnostic::error("wrong-type", format!("`set` must be a table, not {}", other.type_name()))
                    .at(Some(item.span), "expected a table")
                    .help("write set = { n = 3 }"),
            ),
        }
    }
    out.extend(settings.sizes.iter().map(|(name, value)| SizeSetting { name, value: *value, span: None }));
    out
}

/// Reads the text of the file that the key `template` names. Its path is relative to the file of
/// the spec.
fn read_template(
    item: &TomlItem,
    sources: &mut Sources,
    settings: &Settings,
) -> Result<(SourceId, String), Box<Diagnostic>> {
    let Data::Text(path_text) = &item.data else {
        return Err(Box::new(
            Diagnostic::error(
                "wrong-type",
                format!("`template` must be a path, not {}", item.data.type_name()),
            )
            .at(Some(item.span), "expected a path in quotes"),
        ));
    };
    let error = |message: String, help: &str| {
        Box::new(
            Diagnostic::error("unreadable-template", message).at(Some(item.span), "this template").help(help),
        )
    };
    let Some(folder) = &settings.folder else {
        return Err(error(
            format!(
                "cannot locate the template `{path_text}`: the spec was not read from a file, so its folder is unknown"
            ),
            "read the spec from a file, or set `Settings::folder` to the folder of its templates",
        ));
    };
    let path = folder.join(path_text);
    let text = read_template_file(&path, &settings.files).map_err(|e| {
        error(
            format!("cannot read the template `{path_text}`: {e}"),
            "`template` is a path relative to the folder of the spec",
        )
    })?;
    let shown = Path::new(sources.name(item.span.source)).parent().unwrap_or(Path::new("")).join(path_text);
    let id = sources.add(shown.display().to_string(), text.clone());
    Ok((id, text))
}

fn read_template_file(path: &Path, files: &FileSource) -> Result<String, String> {
    let bytes = files.read_within_limit(path).map_err(|e| e.to_string())?;
    let bytes = bytes.ok_or_else(|| format!("the file is longer than {} MiB", MAX_BYTES >> 20))?;
    String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned())
}

/// Merges the entries of a spec into those of its template. Entries of a section are replaced as a
/// whole, or key by key (`by_key`) if the template is a robot, whose entries the user has never
/// seen as text.
fn overlay_entries(base: &mut TomlTable, over: TomlTable, by_key: bool) {
    for (key, item) in over.0 {
        match base.0.iter_mut().find(|(k, _)| k.value == key.value) {
            None => base.0.push((key, item)),
            Some((_, TomlItem { data: Data::Table(old), .. })) if matches!(item.data, Data::Table(_)) => {
                let Data::Table(new) = item.data else { continue };
                if by_key {
                    merge_tables(old, new);
                } else {
                    replace_entries(old, new);
                }
            }
            Some(entry) => *entry = (key, item),
        }
    }
}

/// Replaces entries of a section of the template by those of the same name; new ones are appended.
fn replace_entries(old: &mut TomlTable, new: TomlTable) {
    for (name, item) in new.0 {
        match old.0.iter_mut().find(|(k, _)| k.value == name.value) {
            Some(entry) => *entry = (name, item),
            None => old.0.push((name, item)),
        }
    }
}

/// Merges the entries of a section into those of the template, key by key. A value replaces the old
/// one as a whole, except `points`, which are merged by name.
fn merge_tables(old: &mut TomlTable, new: TomlTable) {
    for (name, item) in new.0 {
        match (old.0.iter_mut().find(|(k, _)| k.value == name.value), item) {
            (Some((_, TomlItem { data: Data::Table(old), .. })), TomlItem { data: Data::Table(new), .. }) => {
                for (key, item) in new.0 {
                    match (old.0.iter_mut().find(|(k, _)| k.value == key.value), item) {
                        (
                            Some((_, TomlItem { data: Data::Table(old), .. })),
                            TomlItem { data: Data::Table(new), .. },
                        ) if key.value == "points" => {
                            replace_entries(old, new);
                        }
                        (Some(entry), item) => *entry = (key, item),
                        (None, item) => old.0.push((key, item)),
                    }
                }
            }
            (Some(entry), item) => *entry = (name, item),
            (None, item) => old.0.push((name, item)),
        }
    }
}

/// Path of the template that a spec file names under `template`, if any.
pub(in crate::read) fn template_path(path: &Path, table: &TomlTable) -> Option<PathBuf> {
    match table.get("template") {
        Some((_, TomlItem { data: Data::Text(path_text), .. })) => Some(parent_folder(path).join(path_text)),
        _ => None,
    }
}

/// Folder that the paths of templates in a spec file are relative to: that of the file.
pub(in crate::read) fn parent_folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}
