//! The stage `read` with the readers of robots: a file or a text becomes a spec.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::builder::SpecBuilder;
use crate::robot::Imported;
use crate::{mjcf, urdf};
use dqdt_diagnostics::error::Errors;
use dqdt_spec::read::robots::{Format, Options, Robot, RobotSpec, Robots};
use dqdt_spec::read::{self, limited};
use dqdt_spec::spec::Spec;

pub use dqdt_spec::read::{MAX_BYTES, Opened, Settings, motion, robot};

/// Readers of URDF and MJCF.
#[derive(Debug)]
pub struct Readers;

impl Robots for Readers {
    fn import(
        &self,
        path: &Path,
        name: &str,
        robot: &Robot,
        options: &Options,
        included: &mut Vec<PathBuf>,
    ) -> Result<RobotSpec, Errors> {
        let Imported { spec, report, warnings } = import(path, name, robot, options, included)?;
        Ok(RobotSpec { text: spec, accepted: report.accepted, warnings })
    }
}

/// Reads a spec file.
///
/// # Errors
/// If there is no such file, or it is too long, not UTF-8, empty, or not TOML. Other errors are carried by the spec
/// and reported by `resolve::resolve`.
pub fn read(path: impl AsRef<Path>) -> Result<Spec, Errors> {
    read::read(path, &Readers)
}

/// Reads a spec file, with sizes of its repeats.
///
/// # Errors
/// As for [`read`](fn@read), and if there is no such size.
pub fn read_with(path: impl AsRef<Path>, settings: &Settings) -> Result<Spec, Errors> {
    read::read_with(path, settings, &Readers)
}

/// The files that a spec is read from: itself, its template, and what a robot includes.
pub fn files(path: impl AsRef<Path>) -> Vec<PathBuf> {
    read::files(path, &Readers)
}

/// Opens a spec file. What is wrong with it is said by [`Opened::read`].
///
/// A file whose name ends with `.urdf`, `.xml` or `.mjcf` is a robot; it is read as the spec that `dqdt import` writes of it.
pub fn open(path: impl AsRef<Path>) -> Opened {
    read::open(path, &Readers)
}

/// Reads the text of a spec; `name` is shown in messages.
///
/// # Errors
/// As for [`read`](fn@read).
pub fn parse(name: &str, text: impl Into<Vec<u8>>) -> Result<Spec, Errors> {
    parse_with(name, text, &Settings::default())
}

/// Reads the text of a spec, with sizes of its repeats.
///
/// # Errors
/// As for [`read_with`].
pub fn parse_with(name: &str, text: impl Into<Vec<u8>>, settings: &Settings) -> Result<Spec, Errors> {
    read::parse_with(name, text, settings, &Readers)
}

impl SpecBuilder {
    /// Reads the spec.
    ///
    /// # Errors
    /// As for [`parse`]; all else that is wrong is reported by `resolve::resolve`.
    pub fn build(&self) -> Result<Spec, Errors> {
        self.build_with(&Settings::default())
    }

    /// Reads the spec, with sizes of its repeats.
    ///
    /// # Errors
    /// As for [`SpecBuilder::build`], and if there is no such size.
    pub fn build_with(&self, settings: &Settings) -> Result<Spec, Errors> {
        parse_with(&format!("{} (built in Rust)", self.name()), self.to_toml(), settings)
    }
}

/// The spec of a robot. Files that it includes are added to `included`.
///
/// # Errors
/// All that makes no tree of bodies, at once.
pub fn import(
    path: &Path,
    name: &str,
    robot: &Robot,
    options: &Options,
    included: &mut Vec<PathBuf>,
) -> Result<Imported, Errors> {
    if robot.format == Format::Urdf {
        return urdf::import(name, &robot.text, options);
    }
    // Files by the names that messages show.
    let mut known = BTreeMap::from([(name.to_owned(), path.to_owned())]);
    let mut load = |from: &str, file: &str| {
        let here = known.get(from).cloned().unwrap_or_default();
        // As MuJoCo looks: beside the robot's own file, then beside the one that includes.
        let candidates = [(path, name), (here.as_path(), from)].map(|(file_of, shown_of)| {
            let beside = |p: &Path| p.parent().unwrap_or(Path::new("")).join(file);
            (beside(file_of), beside(Path::new(shown_of)).display().to_string())
        });
        let [first, second] = candidates;
        let (real, shown) = if !first.0.exists() && second.0.exists() { second } else { first };
        included.push(real.clone());
        let bytes = limited(&real).map_err(|e| e.to_string())?;
        let bytes = bytes.ok_or_else(|| format!("it is longer than {} MiB", MAX_BYTES >> 20))?;
        let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
        known.insert(shown.clone(), real);
        Ok((shown, text))
    };
    mjcf::import(name, &robot.text, options, &mut load)
}
