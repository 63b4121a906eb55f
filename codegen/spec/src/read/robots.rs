//! Robot descriptions as templates. The readers of their formats are injected: see [`Robots`].

pub mod format;
mod options;

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors};

pub use format::Format;
pub use options::{Base, Options, SNAP};

/// The text of a robot description (URDF or MJCF), and its format.
#[derive(Debug)]
pub struct Robot {
    /// Format of the text of the robot description.
    pub format: Format,
    /// Content of the file of the robot description.
    pub text: String,
}

/// A robot description converted to the text of a spec.
#[derive(Clone, Debug)]
pub struct RobotSpec {
    /// Text of the spec (TOML) for the robot.
    pub text: String,
    /// Names of the structural parts of the robot that were dropped because the user accepted it.
    pub accepted: Vec<String>,
    /// Warnings of the import, with the texts that their spans point into.
    pub warnings: Errors,
}

/// Importer of robot descriptions, implemented by the crate `import` and passed to the readers of
/// specs.
pub trait Robots: Debug + Sync {
    /// Converts the robot in the file `path` to a spec; `name` is shown in messages. Paths of files
    /// that the robot includes are appended to `included`.
    ///
    /// # Errors
    /// All parts that cannot be converted to a tree of bodies, reported together.
    fn import_robot(
        &self,
        path: &Path,
        name: &str,
        robot: &Robot,
        options: &Options,
        included: &mut Vec<PathBuf>,
    ) -> Result<RobotSpec, Errors>;
}

/// An importer that rejects every robot, for callers without readers of robot formats.
#[derive(Debug)]
pub struct NoRobots;

impl Robots for NoRobots {
    fn import_robot(
        &self,
        _: &Path,
        name: &str,
        _: &Robot,
        _: &Options,
        _: &mut Vec<PathBuf>,
    ) -> Result<RobotSpec, Errors> {
        let d = Diagnostic::error(
            "unreadable-template",
            format!("cannot read the robot `{name}`: this caller does not support robot files"),
        );
        Err(Errors { sources: Sources::new(), diagnostics: vec![d] })
    }
}
