//! Atomic writes of files, and reads with a size limit.
//!
//! Problem: a process killed during a write must leave either the old file or the new one, and the
//!          path that a user names may be a symbolic link, a device or a pipe.
//! Method:  a missing or plain file is replaced by renaming a new file over it. The new file gets
//!          the mode of the old one and, where the system permits it, its owner. Links are
//!          followed. Anything else is opened and written in place, as a shell would do.
//! Limits:  other hard links to a replaced file keep the old content.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Maximum number of symbolic links that a write follows before it assumes a cycle; the limit of
/// Linux.
const LINK_LIMIT: usize = 40;
/// Maximum time that a read waits for the end of a pipe or a device.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Number of names tried for the temporary file of an atomic write.
const NAME_LIMIT: usize = 100;

/// Writes a file atomically, and only if its content changes. Returns true if the file was written.
///
/// # Errors
/// Errors of the file system; the old file is then unchanged. A read-only file is not replaced.
pub fn write_if_changed(path: &Path, content: impl AsRef<[u8]>) -> io::Result<bool> {
    let content = content.as_ref();
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if old.is_file() => {
            // A link may lead to a deleted file that is still open, such as `/proc/self/fd/1`.
            let Ok(place) = fs::canonicalize(path) else { return write_in_place(path, content) };
            if fs::read(&place).is_ok_and(|old| old == content) {
                return Ok(false);
            }
            if old.permissions().readonly() {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            replace_by_rename(&place, Some(&old), content)
        }
        Ok(_) => write_in_place(path, content),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            replace_by_rename(&resolve_links(path)?, None, content)
        }
        Err(e) => Err(e),
    }
}

/// Reads all bytes of a reader; `None` if there are more than `limit`. This also works for devices
/// and pipes, whose length is not known in advance.
///
/// # Errors
/// Errors of the reader.
pub fn read_at_most(reader: impl Read, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= limit).then_some(bytes))
}

/// Reads all bytes of a file; `None` if there are more than `limit`. Waits at most a minute for a
/// pipe or a device.
///
/// # Errors
/// Errors of the file system, and an error if a pipe or a device does not end within a minute.
pub fn read_file_at_most(path: &Path, limit: usize) -> io::Result<Option<Vec<u8>>> {
    read_file_with_timeout(path, limit, LONGEST_WAIT)
}

/// Reads at most `limit` bytes of a file; a pipe or a device that does not end within `wait` is an
/// error.
fn read_file_with_timeout(path: &Path, limit: usize, wait: Duration) -> io::Result<Option<Vec<u8>>> {
    let kind = fs::metadata(path)?;
    if kind.is_file() || kind.is_dir() {
        return read_at_most(File::open(path)?, limit);
    }
    // Opening a pipe blocks until it has a writer, and a blocked read cannot be cancelled: the
    // thread stays until the process ends.
    let (sender, receiver) = mpsc::channel();
    let owned = path.to_owned();
    thread::spawn(move || {
        let read = File::open(owned).and_then(|file| read_at_most(file, limit));
        // After a timeout the receiver is gone.
        let _ = sender.send(read);
    });
    receiver.recv_timeout(wait).unwrap_or_else(|_| {
        let text = format!("the file is a pipe or a device that did not end within {} s", wait.as_secs());
        Err(io::Error::new(io::ErrorKind::TimedOut, text))
    })
}

/// Reads a text file under the rules of [`read_file_at_most`].
///
/// # Errors
/// Errors of the file system, and an error if the file is longer than `limit` or not UTF-8.
pub fn read_text_file_at_most(path: &Path, limit: usize) -> io::Result<String> {
    decode_utf8(read_file_at_most(path, limit)?, limit)
}

/// Reads all text of a reader.
///
/// # Errors
/// Errors of the reader, and an error if the text is longer than `limit` bytes or not UTF-8.
pub fn read_text_at_most(reader: impl Read, limit: usize) -> io::Result<String> {
    decode_utf8(read_at_most(reader, limit)?, limit)
}

/// Decodes bytes as UTF-8; an error if they are not, or are `None` because the file is too long.
fn decode_utf8(bytes: Option<Vec<u8>>, limit: usize) -> io::Result<String> {
    let bytes = bytes.ok_or_else(|| invalid_data(format!("the file is longer than {} MiB", limit >> 20)))?;
    String::from_utf8(bytes).map_err(|_| invalid_data("the file is not UTF-8 text".to_owned()))
}

/// An I/O error of the kind `InvalidData` with this explanation.
fn invalid_data(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// True if both paths lead to one existing file, through links too.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    if let (Ok(a), Ok(b)) = (fs::canonicalize(a), fs::canonicalize(b)) {
        return a == b || same_inode(&a, &b);
    }
    false
}

#[cfg(unix)]
fn same_inode(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(a), Ok(b)) = (fs::metadata(a), fs::metadata(b)) else { return false };
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same_inode(_: &Path, _: &Path) -> bool {
    false
}

/// Writes to a device or a pipe, which must not be replaced by a plain file.
fn write_in_place(path: &Path, content: &[u8]) -> io::Result<bool> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(content).and_then(|()| file.flush()).map(|()| true)
}

/// The path at the end of a chain of symbolic links whose target does not exist yet.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..LINK_LIMIT {
        match fs::read_link(&place) {
            Ok(next) => place = place.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("the path contains a cycle of symbolic links"))
}

/// Writes a temporary file and renames it over `place`, with the mode and owner of the old file.
fn replace_by_rename(place: &Path, old: Option<&Metadata>, content: &[u8]) -> io::Result<bool> {
    let (temporary, mut file) = create_temporary(place)?;
    let result = file
        .write_all(content)
        .and_then(|()| file.flush())
        .and_then(|()| old.map_or(Ok(()), |old| copy_mode(&temporary, old)))
        .and_then(|()| fs::rename(&temporary, place));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result.map(|()| true)
}

/// Creates a temporary file in the folder of `place`, so that renaming it is atomic.
fn create_temporary(place: &Path) -> io::Result<(PathBuf, File)> {
    let name = place.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut last = io::ErrorKind::AlreadyExists.into();
    for attempt in 0..NAME_LIMIT {
        // The suffix must fit into the longest file name that the system permits.
        let name: String = name.to_string_lossy().chars().take(40).collect();
        let temporary = place.with_file_name(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
        match File::create_new(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => last = e,
            Err(e) => return Err(e),
        }
    }
    Err(last)
}

#[cfg(unix)]
fn copy_mode(temporary: &Path, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, chown};
    // Only root may change an owner. The mode is set afterwards, because a change of owner clears
    // mode bits.
    let _ = chown(temporary, Some(old.uid()), Some(old.gid()));
    fs::set_permissions(temporary, old.permissions())
}

#[cfg(not(unix))]
fn copy_mode(temporary: &Path, old: &Metadata) -> io::Result<()> {
    fs::set_permissions(temporary, old.permissions())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn assert_contents(folder: &tempfile::TempDir, names: &[&str]) {
        let mut files: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        assert_eq!(files, names);
    }

    #[test]
    fn a_file_keeps_its_mode_and_equal_content_is_not_written() {
        let folder = folder();
        let path = folder.path().join("a.rs");
        assert!(write_if_changed(&path, "one").unwrap());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(write_if_changed(&path, "two").unwrap());
        assert!(!write_if_changed(&path, "two").unwrap());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_contents(&folder, &["a.rs"]);
    }

    #[test]
    fn a_link_stays_a_link_also_where_it_leads_to_nothing_yet() {
        let folder = folder();
        let link = folder.path().join("link");
        symlink("real", &link).unwrap();
        for text in ["one", "two"] {
            assert!(write_if_changed(&link, text).unwrap());
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(folder.path().join("real")).unwrap(), text);
        }
        assert_contents(&folder, &["link", "real"]);
        symlink("round", folder.path().join("round")).unwrap();
        assert!(write_if_changed(&folder.path().join("round"), "x").is_err());
    }

    #[test]
    fn a_device_stays_a_device() {
        let folder = folder();
        let link = folder.path().join("null");
        symlink("/dev/null", &link).unwrap();
        for path in [Path::new("/dev/null"), &link] {
            assert!(write_if_changed(path, "text").unwrap());
            assert!(fs::metadata(path).unwrap().file_type().is_char_device());
        }
        assert!(write_if_changed(Path::new("/dev/full"), "text").is_err());
        assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_pipe_is_written_to() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        assert!(write_if_changed(&pipe, "text").unwrap());
        assert_eq!(reader.join().unwrap(), "text");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_contents(&folder, &["pipe"]);
    }

    #[test]
    fn pipes_and_devices_are_read_within_bounds() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let unwritten = read_file_with_timeout(&pipe, 10, Duration::from_millis(50)).unwrap_err();
        assert_eq!(unwritten.kind(), io::ErrorKind::TimedOut);
        assert!(unwritten.to_string().contains("a pipe or a device"), "{unwritten}");
        assert_eq!(read_file_at_most(Path::new("/dev/zero"), 1000).unwrap(), None);
        assert_eq!(read_file_at_most(Path::new("/dev/null"), 1000).unwrap(), Some(Vec::new()));
    }

    #[test]
    fn what_nobody_may_write_and_folders_are_left_alone() {
        let folder = folder();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        assert_eq!(write_if_changed(&path, "new").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(write_if_changed(folder.path(), "x").unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_contents(&folder, &["a"]);
    }

    #[test]
    fn one_file_under_several_names_is_recognised() {
        let folder = folder();
        let (a, b, c) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
        fs::write(&a, "").unwrap();
        symlink(&a, &b).unwrap();
        fs::hard_link(&a, &c).unwrap();
        assert!(is_same_file(&a, &b) && is_same_file(&a, &c) && is_same_file(&a, &folder.path().join("./a")));
        assert!(!is_same_file(&a, &folder.path().join("d")));
    }
}
