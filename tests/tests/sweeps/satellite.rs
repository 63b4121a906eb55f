//! Separate workspaces under `target/satellites`, compiled by cargo, offline, with the versions of
//! our Cargo.lock. They share one target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use dqdt_tests::root;

/// A workspace under `target/satellites`.
pub struct Satellite {
    pub folder: PathBuf,
    target: PathBuf,
}

impl Satellite {
    /// Creates a folder with a copy of our Cargo.lock; cargo removes the packages
    /// that are not needed.
    pub fn new(name: &str) -> Self {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("satellites");
        let (folder, target) = (home.join(name), home.join("target"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::copy(root("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        Satellite { folder, target }
    }

    /// Copies the files below `origin` to the subfolder `place`. `edit` maps the path from `origin`
    /// and the text of a file to the text of the copy; binary files are copied unchanged. Returns
    /// the paths of the copies from the root of the workspace.
    pub fn copy(&self, origin: &Path, place: &Path, edit: impl Fn(&Path, String) -> String) -> Vec<PathBuf> {
        let copy = |file: PathBuf| {
            let relative = file.strip_prefix(origin).unwrap();
            let bytes = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            let copy = place.join(relative);
            // Fonts are binary.
            let content = match String::from_utf8(bytes) {
                Ok(text) => edit(relative, text).into_bytes(),
                Err(binary) => binary.into_bytes(),
            };
            write(&self.folder.join(&copy), &content);
            copy
        };
        files(origin).into_iter().map(copy).collect()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).args(["--offline", "--color=never"]);
        command.arg("--target-dir").arg(&self.target).current_dir(&self.folder);
        command
    }
}

/// All files below a folder, except those of cargo and git.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.file_name().unwrap().to_str().unwrap() {
            "target" | "Cargo.lock" | ".gitignore" => {}
            _ if path.is_dir() => paths.extend(files(&path)),
            _ => paths.push(path),
        }
    }
    paths
}

/// Writes a file unless its content is the same, which keeps its modification time.
pub fn write(path: &Path, content: impl AsRef<[u8]>) {
    let content = content.as_ref();
    if std::fs::read(path).is_ok_and(|old| old == content) {
        return;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}
