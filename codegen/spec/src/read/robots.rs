//! Robots as templates. Readers of their formats are handed in: see [`Robots`].

pub mod format;
mod options;

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use dqdt_diagnostics::base::Sources;
use dqdt_diagnostics::error::{Diagnostic, Errors};

pub use format::Format;
pub use options::{Base, Options, SNAP};

/// The text of a robot, and its format.
#[derive(Debug)]
pub struct Robot {
    /// The format of the text.
    pub format: Format,
    /// The text of the file.
    pub text: String,
}

/// A robot as the text of a spec.
#[derive(Clone, Debug)]
pub struct RobotSpec {
    /// The text of the spec (TOML).
    pub text: String,
    /// Names by which structural parts were accepted.
    pub accepted: Vec<String>,
    /// Warnings with the texts that they point into.
    pub warnings: Errors,
}

/// Readers of robots.
pub trait Robots: Debug + Sync {
    /// The spec of the robot in the file `path`; `name` is shown in messages. Files that it includes are added to `included`.
    ///
    /// # Errors
    /// All that makes no tree of bodies, at once.
    fn import(
        &self,
        path: &Path,
        name: &str,
        robot: &Robot,
        options: &Options,
        included: &mut Vec<PathBuf>,
    ) -> Result<RobotSpec, Errors>;
}

/// No reader of robots, where no file can name one.
#[derive(Debug)]
pub struct NoRobots;

impl Robots for NoRobots {
    fn import(
        &self,
        _: &Path,
        name: &str,
        _: &Robot,
        _: &Options,
        _: &mut Vec<PathBuf>,
    ) -> Result<RobotSpec, Errors> {
        let d = Diagnostic::error("unreadable-template", format!("the robot `{name}` cannot be read here"));
        Err(Errors { sources: Sources::new(), diagnostics: vec![d] })
    }
}
