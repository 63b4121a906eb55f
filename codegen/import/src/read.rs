//! The stage `read` with support for robots: a file or a text becomes a spec.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::builder::SpecBuilder;
use crate::robot::Imported;
use crate::{mjcf, urdf};
use dqdt_diagnostics::error::Errors;
use dqdt_spec::read;
use dqdt_spec::read::robots::{Format, Options, Robot, RobotSpec, Robots};
use dqdt_spec::spec::Spec;

pub use dqdt_spec::read::{FileSource, MAX_BYTES, Opened, Settings, read_motion_table, read_robot_file};

/// The readers of URDF and MJCF, which the stage `read` receives as an argument.
#[derive(Debug)]
pub struct Readers;

impl Robots for Readers {
    fn import_robot(
        &self,
        path: &Path,
        name: &str,
        robot: &Robot,
        options: &Options,
        included: &mut Vec<PathBuf>,
    ) -> Result<RobotSpec, Errors> {
        let Imported { spec, report, warnings } = import_robot(path, name, robot, options, included)?;
        Ok(RobotSpec { text: spec, accepted: report.accepted, warnings })
    }
}

/// Reads a spec file, which may also be a URDF or an MJCF.
///
/// # Errors
/// If the file is missing, too long, not UTF-8, empty, or not TOML. Other errors are stored in the
/// spec and reported by `resolve::resolve`.
pub fn read(path: impl AsRef<Path>) -> Result<Spec, Errors> {
    read::read(path, &Readers)
}

/// Reads a spec file, with settings for the sizes of its repeats.
///
/// # Errors
/// The errors of [`read`](fn@read), and an error for an unknown size.
pub fn read_with(path: impl AsRef<Path>, settings: &Settings) -> Result<Spec, Errors> {
    read::read_with(path, settings, &Readers)
}

/// All files that a spec is read from: itself, its template, and files included by a robot.
pub fn files(path: impl AsRef<Path>) -> Vec<PathBuf> {
    read::files(path, &Readers)
}

/// Opens a spec file. Problems are reported by [`Opened::read`].
///
/// A file whose name ends with `.urdf`, `.xml` or `.mjcf` is a robot description; it is read as the
/// spec that `dqdt import` would write for it.
pub fn open(path: impl AsRef<Path>) -> Opened {
    read::open(path, &Readers)
}

/// Parses the text of a spec; `name` is shown in messages.
///
/// # Errors
/// The errors of [`read`](fn@read).
pub fn parse(name: &str, text: impl Into<Vec<u8>>) -> Result<Spec, Errors> {
    parse_with(name, text, &Settings::default())
}

/// Parses the text of a spec, with settings for the sizes of its repeats.
///
/// # Errors
/// The errors of [`read_with`].
pub fn parse_with(name: &str, text: impl Into<Vec<u8>>, settings: &Settings) -> Result<Spec, Errors> {
    read::parse_with(name, text, settings, &Readers)
}

impl SpecBuilder {
    /// Builds the spec: parses the generated TOML text.
    ///
    /// # Errors
    /// The errors of [`parse`]; other problems are reported by `resolve::resolve`.
    pub fn build(&self) -> Result<Spec, Errors> {
        self.build_with(&Settings::default())
    }

    /// Builds the spec, with settings for the sizes of its repeats.
    ///
    /// # Errors
    /// The errors of [`SpecBuilder::build`], and an error for an unknown size.
    pub fn build_with(&self, settings: &Settings) -> Result<Spec, Errors> {
        parse_with(&format!("{} (built in Rust)", self.name()), self.to_toml(), settings)
    }
}

/// Converts a robot in URDF or MJCF to a spec. Paths of files that it includes are appended to
/// `included`.
///
/// # Errors
/// All parts that cannot be converted to a tree of bodies, reported together.
pub fn import_robot(
    path: &Path,
    name: &str,
    robot: &Robot,
    options: &Options,
    included: &mut Vec<PathBuf>,
) -> Result<Imported, Errors> {
    if robot.format == Format::Urdf {
        return urdf::import_urdf(name, &robot.text, options);
    }
    // Paths of files by their names in messages.
    let mut known = BTreeMap::from([(name.to_owned(), path.to_owned())]);
    mjcf::import_mjcf(name, &robot.text, options, &mut |from: &str, file: &str| {
        let here = known.get(from).cloned().unwrap_or_default();
        // The search order of MuJoCo: the folder of the main file, then that of the including file.
        let candidates = [(path, name), (here.as_path(), from)].map(|(file_of, shown_of)| {
            (sibling_path(file_of, file), sibling_path(Path::new(shown_of), file).display().to_string())
        });
        let [first, second] = candidates;
        let (real, shown) = if !options.files.contains(&first.0) && options.files.contains(&second.0) {
            second
        } else {
            first
        };
        included.push(real.clone());
        let bytes = options.files.read_within_limit(&real).map_err(|e| e.to_string())?;
        let bytes = bytes.ok_or_else(|| format!("the file is longer than {} MiB", MAX_BYTES >> 20))?;
        let text = String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text".to_owned())?;
        known.insert(shown.clone(), real);
        Ok((shown, text))
    })
}

/// Path of an included file, given relative to the folder of the including file.
fn sibling_path(path: &Path, file: &str) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(file)
}
