//! The lock of the engine: one process at a time.
//!
//! Problem: without a licence key the engine aborts a process while another one runs it.
//! Method:  an advisory lock on a file in a folder that all users of the machine share, where the system has one; a
//!          process that must wait says so after a second.
//! Limits:  other programs do not know the lock: see `worker` for what happens then.
//!          The lock lasts until the process ends. It cannot be given back earlier, since the engine lives as long as
//!          the process does; who needs it released (before starting a child such as cargo) runs the work in a child.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::SymbolicError;

/// True if the user has a licence key: then neither the lock nor the limits of the engine apply.
pub fn licensed() -> bool {
    std::env::var_os("SYMBOLICA_LICENSE").is_some_and(|key| !key.is_empty())
}

/// The lock file of this machine. `TMPDIR` and the user do not matter, since the engine's limit does not know them.
pub fn lock_path() -> PathBuf {
    let shared = Path::new(if cfg!(unix) { "/tmp" } else { "" });
    let folder = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
    folder.join("dqdt-symbolica.lock")
}

/// Opens the file, made by whichever user came first. To read is enough for a lock; the right to write into a file of
/// another user in a shared folder is what systems refuse.
fn open(path: &Path) -> io::Result<File> {
    loop {
        match File::open(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            found => return found,
        }
        match File::create_new(path) {
            Ok(file) => {
                everyone_reads(&file)?;
                return Ok(file);
            }
            // Another process was quicker.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
}

#[cfg(unix)]
fn everyone_reads(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn everyone_reads(_: &File) -> io::Result<()> {
    Ok(())
}

/// Waits for the lock; it lasts as long as the returned file.
pub(super) fn acquire() -> Result<File, SymbolicError> {
    let path = lock_path();
    let failed = |source| SymbolicError::Lock { path: path.clone(), source };
    let file = open(&path).map_err(failed)?;
    let start = Instant::now();
    let mut announce = Duration::from_secs(1);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        if start.elapsed() >= announce {
            dqdt_diagnostics::tell!(
                "dqdt: waiting for another dqdt process to finish its symbolic work ({})",
                path.display()
            );
            announce += Duration::from_secs(60);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
