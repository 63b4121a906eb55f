//! Source of a mechanism: its text with all options, from which it can be read again.

use std::path::{Path, PathBuf};

use dqdt_algebra::si_unit_text;
use dqdt_codegen::error::Errors;
use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_import::{read, urdf};
use dqdt_spec::read::robots::format::{Format, detect_format, is_robot};
use dqdt_spec::read::robots::{Base, Options, Robot};
use dqdt_spec::read::{Settings, overrides};
use dqdt_spec::spec::Spec;

/// Value of a parameter or an input, as a caller of `load` or `simulate` writes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A number in SI units.
    Number(f64),
    /// A text as in a spec: `20 cm`, or a formula.
    Text(String),
    /// Set by the caller along a motion, so that a law given to `load` does not apply.
    Computed,
}

/// Text of a mechanism with the options that `load` received.
#[derive(Clone, Debug, Default)]
pub struct MechanismSource {
    /// Text of the file, or the text passed instead of a path.
    pub text: String,
    /// Path as the caller wrote it; `None` for a text.
    pub path: Option<String>,
    /// Folder to which paths in the text are relative.
    pub folder: PathBuf,
    /// Name and text of a file of closed loops, for a URDF.
    pub loops: Option<(String, String)>,
    /// True if the root of a URDF moves freely; `None` for the default, or for other files.
    pub free_base: Option<bool>,
    /// Sizes of repeats.
    pub sizes: Vec<(String, i64)>,
    /// Accepted omissions of a robot, and accepted warnings.
    pub accept: Vec<String>,
    /// Overrides of parameters.
    pub parameters: Vec<(String, Setting)>,
    /// Laws of inputs.
    pub inputs: Vec<(String, Setting)>,
}

impl MechanismSource {
    /// Reads the file at the path, if there is one, into `text`.
    ///
    /// # Errors
    /// If the file is missing, too long, not UTF-8, empty, or not a spec.
    pub fn read_file(&mut self) -> Result<(), Errors> {
        let Some(shown) = &self.path else { return Ok(()) };
        let path = Path::new(shown);
        if is_robot(path) {
            self.text = read::read_robot_file(path, shown)?.text;
        } else {
            let opened = read::open(path);
            if opened.text().is_empty() {
                opened.read(&Settings::new())?;
                return Ok(());
            }
            self.text = opened.text().to_owned();
        }
        Ok(())
    }

    /// Name of the source in messages.
    fn shown_name(&self) -> &str {
        self.path.as_deref().unwrap_or("text")
    }

    /// Text of the spec and its name in messages; a robot is converted, with warnings.
    fn spec_text(&self) -> Result<(String, String, Errors), Errors> {
        let name = self.shown_name();
        let place = self.folder.join(Path::new(name).file_name().unwrap_or_default());
        let is_xml = self.path.is_none() && self.text.trim_start().starts_with('<');
        if !is_xml && !self.path.as_ref().is_some_and(|p| is_robot(Path::new(p))) {
            return Ok((self.text.clone(), name.to_owned(), Errors::default()));
        }
        let robot = Robot { format: detect_format(&place, &self.text), text: self.text.clone() };
        let base = if self.free_base == Some(true) { Base::Free } else { Base::Fixed };
        let options = Options { base, accept: self.accept.clone(), ..Options::default() };
        let imported = match &self.loops {
            Some((shown, loops)) => urdf::import_with_loops(name, &robot.text, (shown, loops), &options)?,
            None => read::import_robot(&place, name, &robot, &options, &mut Vec::new())?,
        };
        Ok((imported.spec, format!("{name} (imported)"), imported.warnings))
    }

    /// True for a URDF, to which the options `base` and `loops` apply.
    pub fn is_urdf(&self) -> bool {
        let is_xml = match &self.path {
            Some(path) => is_robot(Path::new(path)),
            None => self.text.trim_start().starts_with('<'),
        };
        let path = Path::new(self.path.as_deref().unwrap_or_default());
        is_xml && detect_format(path, &self.text) == Format::Urdf
    }

    /// Reads the spec, with the overrides of `load` and these; also warnings of the conversion.
    fn read_spec(
        &self,
        parameters: &[(String, Setting)],
        inputs: &[(String, Setting)],
    ) -> Result<(Spec, Errors), Errors> {
        let (text, name, warnings) = self.spec_text()?;
        let settings = self.sizes.iter().fold(Settings::new(), |s, (size, n)| s.set(size, *n));
        let settings = self.accept.iter().fold(settings, |s, part| s.accept(part));
        let mut spec = read::parse_with(&name, text, &settings.folder(&self.folder))?;
        let mut all: Vec<(String, Setting)> = self.parameters.clone();
        all.retain(|(name, _)| parameters.iter().all(|(other, _)| other != name));
        all.extend(parameters.iter().cloned());
        let texts = assignments(&all, &spec, parameter_unit);
        overrides::override_parameters(&mut spec, "parameters", &texts);
        let mut all: Vec<(String, Setting)> = self.inputs.clone();
        all.retain(|(name, _)| inputs.iter().all(|(other, _)| other != name));
        all.extend(inputs.iter().filter(|(_, setting)| *setting != Setting::Computed).cloned());
        let texts = assignments(&all, &spec, input_unit);
        overrides::set_input_laws(&mut spec, "inputs", &texts, false);
        Ok((spec, warnings))
    }

    /// Reads the spec, with the overrides of `load`.
    ///
    /// # Errors
    /// If the text is no spec.
    pub fn spec(&self) -> Result<Spec, Errors> {
        self.read_spec(&[], &[]).map(|(spec, _)| spec)
    }

    /// Reads and assembles the mechanism, with these overrides in addition to those of `load`.
    ///
    /// # Errors
    /// All faults of the spec and of the overrides.
    pub fn assemble(
        &self,
        parameters: &[(String, Setting)],
        inputs: &[(String, Setting)],
    ) -> Result<Assembled, Errors> {
        let file = self.path.as_deref().and_then(|p| Path::new(p).file_name());
        let file = file.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (spec, mut warnings) = self.read_spec(parameters, inputs)?;
        let mut loaded = pipeline::build(&spec, file)?;
        warnings.diagnostics.retain(|d| !loaded.accepted.iter().any(|code| code == d.code));
        loaded.warnings.merge(warnings);
        Ok(loaded)
    }
}

/// Unit of a parameter as its spec declares it.
fn parameter_unit<'s>(spec: &'s Spec, name: &str) -> Option<&'s str> {
    let parameter = spec.parameters.iter().find(|p| p.name.value == name)?;
    parameter.unit.as_ref().map(|u| u.text.value.as_str())
}

/// Unit of an input as its spec declares it.
fn input_unit<'s>(spec: &'s Spec, name: &str) -> Option<&'s str> {
    let input = spec.inputs.iter().find(|u| u.name.value == name)?;
    input.unit.as_ref().map(|u| u.text.value.as_str())
}

/// Texts `NAME=VALUE` of overrides; a number gets the SI unit of the quantity.
fn assignments(
    all: &[(String, Setting)],
    spec: &Spec,
    unit: for<'s> fn(&'s Spec, &str) -> Option<&'s str>,
) -> Vec<String> {
    let text = |(name, value): &(String, Setting)| match value {
        Setting::Text(text) => format!("{name}={text}"),
        Setting::Number(x) => match unit(spec, name).map(si_unit_text).as_deref() {
            None | Some("" | "1") => format!("{name}={x:?}"),
            Some(si) => format!("{name}={x:?} {si}"),
        },
        Setting::Computed => name.clone(),
    };
    all.iter().map(text).collect()
}
