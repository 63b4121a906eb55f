//! The stage `read`: a file or a text becomes a [`Spec`].
//!
//! Problem: all values with their source spans; templates and repeats expanded; all problems
//!          reported at once.
//! Method:  `text` and `document` (TOML as a tree), `repeat` (templates, sizes, indices), then one
//!          file for each section of the format, driven by the keys in `spec`. Reading continues
//!          after an error. A part that cannot be read is omitted or becomes a broken value, and
//!          the spec records that something is missing.

mod bodies;
mod constant;
mod constraints;
mod document;
mod fields;
mod file_source;
mod formulas;
mod joints;
pub mod overrides;
mod parameters;
mod repeat;
pub mod robots;
mod series;
mod settings;
mod text;
mod typed;
mod values;

use std::path::{Path, PathBuf};

use crate::spec::{Broken, Spec, keys};
use dqdt_diagnostics::base::{SourceId, Sources, Span, Spanned, is_name};
use dqdt_diagnostics::error::Errors;
use fields::{Fields, SpecReader};
use robots::format::is_robot;
use robots::{NoRobots, Options, Robot, Robots};
use text::{SPEC, add_and_parse_source, read_file_bytes};

pub use file_source::{FileSource, MAX_BYTES};
pub use formulas::parse_formulas;
pub use series::{Series, content_lines, split_fields};
pub use settings::Settings;

/// Reads the CSV table of a recorded motion that the option `--motion` names; inputs follow its
/// columns.
pub fn read_motion_table(path: &Path) -> Result<Series, Errors> {
    let mut sources = Sources::default();
    let shown = path.display().to_string();
    let span = Span::new(sources.add("--motion".to_owned(), shown.as_str()), 0, shown.len());
    series::read_csv(&mut sources, path, span).map_err(|d| Errors { diagnostics: vec![*d], sources })
}

/// Reads the file of a robot description (URDF or MJCF); `name` is shown in messages.
///
/// # Errors
/// If the file is missing, too long, or not UTF-8.
pub fn read_robot_file(path: &Path, name: &str) -> Result<Robot, Errors> {
    text::read_robot_file(path, name, &FileSource::Disk)
}

/// Reads a spec file, which may also be a robot description.
///
/// # Errors
/// If the file is missing, too long, not UTF-8, empty, or not TOML. Other errors are stored in the
/// spec and reported by `resolve::resolve`.
pub fn read(path: impl AsRef<Path>, robots: &'static dyn Robots) -> Result<Spec, Errors> {
    read_with(path, &Settings::default(), robots)
}

/// Reads a spec file, with settings for the sizes of its repeats.
///
/// # Errors
/// The errors of [`read`], and an error for an unknown size.
pub fn read_with(
    path: impl AsRef<Path>,
    settings: &Settings,
    robots: &'static dyn Robots,
) -> Result<Spec, Errors> {
    open(path, robots).read(settings)
}

/// All files that a spec is read from: itself, its template, and files included by a robot.
pub fn files(path: impl AsRef<Path>, robots: &'static dyn Robots) -> Vec<PathBuf> {
    open(path, robots).files()
}

/// A spec file that was read and parsed, but whose keys and repeats are not interpreted yet;
/// [`Opened::read`] does that.
#[derive(Debug)]
pub struct Opened {
    path: PathBuf,
    sources: Sources,
    content: Result<Content, Errors>,
    robots: &'static dyn Robots,
}

/// Content of an opened file before settings are applied: a spec, or a robot description.
#[derive(Debug)]
enum Content {
    Spec(document::TomlTable),
    /// A robot description, and its file name in messages.
    Robot(Robot, String),
}

/// Opens a spec file. Problems are reported by [`Opened::read`].
///
/// A file whose name ends with `.urdf`, `.xml` or `.mjcf` is a robot description; it is read as the
/// spec that `dqdt import` would write for it.
pub fn open(path: impl AsRef<Path>, robots: &'static dyn Robots) -> Opened {
    let path = path.as_ref().to_owned();
    let name = path.display().to_string();
    let mut sources = Sources::new();
    let content = if is_robot(&path) {
        read_robot_file(&path, &name).map(|robot| Content::Robot(robot, name))
    } else {
        let table = read_file_bytes(&path, &name, &FileSource::Disk)
            .and_then(|bytes| add_and_parse_source(&mut sources, &name, bytes, &SPEC));
        table.map(|(table, _)| Content::Spec(table))
    };
    Opened { path, sources, content, robots }
}

impl Opened {
    /// Path of the opened spec file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text of the opened file; empty if it could not be read.
    pub fn text(&self) -> &str {
        match &self.content {
            Ok(Content::Robot(robot, _)) => &robot.text,
            _ => self.sources.files().next().map_or("", |(_, text)| text),
        }
    }

    /// All files read: the file itself, its template, and files included by a robot.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = vec![self.path.clone()];
        // Problems of a robot are reported by `read`.
        match &self.content {
            Ok(Content::Robot(robot, name)) => {
                let _ = self.robots.import_robot(&self.path, name, robot, &Options::default(), &mut files);
            }
            Ok(Content::Spec(table)) => {
                let Some(template) = repeat::template_path(&self.path, table) else { return files };
                let name = template.display().to_string();
                let robot = is_robot(&template).then(|| read_robot_file(&template, &name).ok()).flatten();
                let mut included = Vec::new();
                if let Some(robot) = robot {
                    let _ = self.robots.import_robot(
                        &template,
                        &name,
                        &robot,
                        &Options::default(),
                        &mut included,
                    );
                }
                files.push(template);
                files.append(&mut included);
            }
            Err(_) => {}
        }
        files
    }

    /// Interprets the file as a spec, with settings for the sizes of its repeats.
    ///
    /// # Errors
    /// The errors of [`read_with`].
    pub fn read(mut self, settings: &Settings) -> Result<Spec, Errors> {
        let settings = &Settings { folder: Some(repeat::parent_folder(&self.path)), ..settings.clone() };
        let (robot, name) = match self.content? {
            Content::Spec(table) => return expand_and_interpret(self.sources, table, settings, self.robots),
            Content::Robot(robot, name) => (robot, name),
        };
        let options = Options { accept: settings.accept.clone(), ..Options::default() };
        let imported = self.robots.import_robot(&self.path, &name, &robot, &options, &mut Vec::new())?;
        let text = imported.text.into_bytes();
        let (table, _) = add_and_parse_source(&mut self.sources, &format!("{name} (imported)"), text, &SPEC)?;
        let mut said = Errors { sources: self.sources, diagnostics: Vec::new() };
        said.merge(imported.warnings);
        let mut spec = expand_and_interpret(said.sources, table, settings, self.robots)?;
        spec.problems.append(&mut said.diagnostics);
        Ok(spec)
    }
}

/// Parses the text of a spec; `name` is shown in messages.
///
/// # Errors
/// The errors of [`read`].
pub fn parse(name: &str, text: impl Into<Vec<u8>>) -> Result<Spec, Errors> {
    parse_with(name, text, &Settings::default(), &NoRobots)
}

/// Parses the text of a spec, with settings for the sizes of its repeats.
///
/// # Errors
/// The errors of [`read_with`].
pub fn parse_with(
    name: &str,
    text: impl Into<Vec<u8>>,
    settings: &Settings,
    robots: &dyn Robots,
) -> Result<Spec, Errors> {
    let mut sources = Sources::new();
    let (table, _) = add_and_parse_source(&mut sources, name, text.into(), &SPEC)?;
    expand_and_interpret(sources, table, settings, robots)
}

/// Expands the repeats of a parsed text and interprets its keys and values as a spec.
fn expand_and_interpret(
    mut sources: Sources,
    table: document::TomlTable,
    settings: &Settings,
    robots: &dyn Robots,
) -> Result<Spec, Errors> {
    let name = default_name(&table, sources.name(SourceId(0)));
    let expanded = repeat::expand_spec(table, &mut sources, settings, robots);
    let mut expanded = match expanded {
        Ok(expanded) => expanded,
        Err(mut diagnostics) => {
            diagnostics.sort_by_key(|d| sources.position(d.primary.as_ref().map(|p| p.span)));
            return Err(Errors { sources, diagnostics });
        }
    };
    let mut reader = SpecReader::new(&sources);
    let mut spec = interpret_spec(&mut reader, &expanded.table);
    if let Some(name) = name {
        spec.name = Spanned::without_span(name);
    }
    spec.problems = reader.problems;
    spec.problems.append(&mut expanded.problems);
    spec.accept.extend(settings.accept.iter().map(|name| Spanned { value: name.clone(), span: None }));
    spec.accept.retain(|name| !expanded.accepted.contains(&name.value));
    spec.problems.sort_by_key(|d| sources.position(d.primary.as_ref().map(|p| p.span)));
    spec.broken.names.append(&mut reader.unreadable_names);
    spec.broken.names.append(&mut expanded.missing);
    spec.sources = sources;
    spec.sizes = expanded.sizes;
    spec.overridden_sizes = settings.sizes.clone();
    Ok(spec)
}

/// Default name of a spec that has a template and no name of its own: its file name, so that two
/// such specs are two mechanisms.
fn default_name(table: &document::TomlTable, file: &str) -> Option<String> {
    let stem = Path::new(file).file_stem()?.to_str()?;
    let name = stem.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let is_over_template = table.get("template").is_some() && table.get("name").is_none();
    (is_over_template && is_name(&name)).then_some(name)
}

/// Reads all sections of an expanded spec.
fn interpret_spec(reader: &mut SpecReader<'_>, table: &document::TomlTable) -> Spec {
    let start = Span::new(SourceId(0), 0, 0);
    let top = Fields::new(table, start, "the spec".to_owned(), &keys::SPEC);
    reader.check_keys(&top, &keys::SPEC, None);
    let sections = reader.problems.iter().any(|d| d.code == "unknown-key");
    let parameters = parameters::read_parameters(reader, &top);
    reader.constants = constant::evaluate_constants(&parameters);
    let mut spec = Spec {
        sources: Sources::new(),
        name: reader.read_mechanism_name(&top).unwrap_or_else(|| Spanned::without_span("unnamed".to_owned())),
        description: reader.read_text(&top, "description"),
        gravity: reader.read_triple(&top, "gravity"),
        parameters,
        tables: parameters::read_tables(reader, &top),
        definitions: parameters::read_definitions(reader, &top),
        ground: bodies::read_ground(reader, &top),
        bodies: bodies::read_bodies(reader, &top),
        joints: Vec::new(),
        inputs: parameters::read_inputs(reader, &top),
        states: parameters::read_states(reader, &top),
        loads: typed::read_loads(reader, &top),
        constraints: constraints::read_constraints(reader, &top),
        driven: reader.read_names(&top, "driven").map(|names| names.value).unwrap_or_default(),
        functions: reader.read_names(&top, "functions").map(|names| names.value).unwrap_or_default(),
        accept: reader.read_codes(&top, "accept"),
        events: typed::read_events(reader, &top),
        outputs: typed::read_outputs(reader, &top),
        sizes: Vec::new(),
        overridden_sizes: Vec::new(),
        problems: Vec::new(),
        axis_names: Vec::new(),
        broken: Broken { sections, joints: false, names: Vec::new() },
    };
    let joints = joints::read_joints(reader, &top);
    spec.broken.joints = joints.len() < top.count_entries("joints");
    spec.joints = joints;
    spec.axis_names = std::mem::take(&mut reader.axis_names);
    spec.broken.sections |= reader.lost_section;
    spec
}
