//! Text of a mechanism with the files that it names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline::{self, Assembled};
use dqdt_import::read::{self, FileSource, Settings};
use dqdt_spec::read::robots::format::{Format, detect_format, is_robot};
use dqdt_spec::read::robots::{Base, Options, Robot};
use serde::Deserialize;

/// Text of a mechanism, its name, and the files that it names.
#[derive(Deserialize)]
pub struct MechanismText {
    /// File name, which decides the format: `cart_pole.toml`, `arm.urdf`, `arm.xml`.
    pub name: String,
    /// Content of the file.
    pub text: String,
    /// Contents of templates, robots and included files by their paths, relative to the folder of
    /// the file.
    #[serde(default)]
    files: BTreeMap<PathBuf, String>,
    /// Connection of the root link of a URDF to the ground; fixed by default.
    #[serde(default)]
    base: RootConnection,
}

/// Connection of the root link of a URDF to the ground.
#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum RootConnection {
    #[default]
    Fixed,
    Free,
}

/// A mechanism, and the text of the spec to which a robot was converted.
pub struct ReadMechanism {
    pub assembled: Assembled,
    pub converted: Option<String>,
}

impl MechanismText {
    /// Reads and assembles the mechanism.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn read(&self) -> Result<ReadMechanism, Errors> {
        let files = self.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes()));
        let files = FileSource::from_memory(files);
        let settings = Settings::new().folder("").files(files.clone());
        if !is_robot(Path::new(&self.name)) {
            let spec = read::parse_with(&self.name, self.text.as_str(), &settings)?;
            let assembled = pipeline::build(&spec, self.name.as_str())?;
            return Ok(ReadMechanism { assembled, converted: None });
        }
        let path = Path::new(&self.name);
        let robot = Robot { format: detect_format(path, &self.text), text: self.text.clone() };
        let is_free = self.base == RootConnection::Free && robot.format == Format::Urdf;
        let base = if is_free { Base::Free } else { Base::Fixed };
        let options = Options { base, files, ..Options::default() };
        let imported = read::import_robot(path, &self.name, &robot, &options, &mut Vec::new())?;
        let name = format!("{} (imported)", self.name);
        let spec = read::parse_with(&name, imported.spec.as_str(), &settings)?;
        let mut assembled = pipeline::build(&spec, self.name.as_str())?;
        let mut warnings = imported.warnings;
        warnings.diagnostics.retain(|d| !assembled.accepted.iter().any(|code| code == d.code));
        assembled.warnings.merge(warnings);
        Ok(ReadMechanism { assembled, converted: Some(imported.spec) })
    }
}
