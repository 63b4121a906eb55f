//! Where files are read from: the disk, or texts in memory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use dqdt_diagnostics::base::read_file_at_most;

/// Maximum length in bytes of the text of a spec or a robot description; longer files are rejected.
pub const MAX_BYTES: usize = 4 << 20;

/// Source of the files that a spec or a robot names: templates, robots, included files.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum FileSource {
    /// The file system.
    #[default]
    Disk,
    /// Contents by path, without `.` and `..`, for callers without a file system.
    Memory(Arc<BTreeMap<PathBuf, Vec<u8>>>),
}

impl FileSource {
    /// Files in memory. Paths are relative to one folder, such as `robots/arm.urdf`.
    pub fn from_memory(files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (normalise(&path), bytes));
        FileSource::Memory(Arc::new(files.collect()))
    }

    /// True if there is a file of this path.
    pub fn contains(&self, path: &Path) -> bool {
        match self {
            FileSource::Disk => path.exists(),
            FileSource::Memory(files) => files.contains_key(&normalise(path)),
        }
    }

    /// The bytes of a file; `None` if it is longer than [`MAX_BYTES`], the limit of a spec.
    ///
    /// # Errors
    /// Errors of the file system, and an error if there is no such file.
    pub fn read_within_limit(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        match self {
            FileSource::Disk => read_file_at_most(path, MAX_BYTES),
            FileSource::Memory(files) => match files.get(&normalise(path)) {
                Some(bytes) if bytes.len() > MAX_BYTES => Ok(None),
                Some(bytes) => Ok(Some(bytes.clone())),
                None => Err(io::Error::new(io::ErrorKind::NotFound, "no such file was given")),
            },
        }
    }
}

/// A path without `.` and, where a folder precedes it, without `..`.
fn normalise(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory_are_found_by_their_plain_paths() {
        let files = FileSource::from_memory([(PathBuf::from("./a/../robot.xml"), b"<mujoco/>".to_vec())]);
        assert!(files.contains(Path::new("parts/../robot.xml")) && !files.contains(Path::new("other.xml")));
        let read = files.read_within_limit(Path::new("robot.xml")).unwrap();
        assert_eq!(read.as_deref(), Some(&b"<mujoco/>"[..]));
        let missing = files.read_within_limit(Path::new("other.xml")).unwrap_err();
        assert_eq!(missing.to_string(), "no such file was given");
    }
}
