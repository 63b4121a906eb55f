//! One process at a time.
//!
//! Problem: without a licence key the engine aborts a process while another one runs it.
//! Method:  an advisory lock on a file of this user; a process that must wait says so after a second.
//! Limits:  other programs and other users do not know the lock: see `worker` for what happens then.
//!          The lock lasts until the process ends. It cannot be given back earlier, since the engine lives as long as
//!          the process does; who needs it released (before starting a child such as cargo) runs the work in a child.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::error::SymbolicError;

/// True if the user has a licence key: then neither the lock nor the limits of the engine apply.
pub fn licensed() -> bool {
    std::env::var_os("SYMBOLICA_LICENSE").is_some_and(|key| !key.is_empty())
}

/// The lock file of this user.
pub fn lock_path() -> PathBuf {
    let user = ["USER", "LOGNAME", "USERNAME"].iter().find_map(std::env::var_os);
    let mut name = OsString::from("dqdt-symbolica-");
    // A user name is one path component, whatever the environment says.
    let user = user.unwrap_or_default().to_string_lossy().replace(|c: char| !c.is_alphanumeric(), "_");
    name.push(user);
    name.push(".lock");
    std::env::temp_dir().join(name)
}

/// Waits for the lock; it lasts as long as the returned file.
pub(super) fn acquire() -> Result<File, SymbolicError> {
    let path = lock_path();
    let failed = |source| SymbolicError::Lock { path: path.clone(), source };
    let file =
        File::options().create(true).truncate(false).read(true).write(true).open(&path).map_err(failed)?;
    let start = Instant::now();
    let mut announce = Duration::from_secs(1);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        if start.elapsed() >= announce {
            eprintln!(
                "dqdt: waiting for another dqdt process to finish its symbolic work ({})",
                path.display()
            );
            announce += Duration::from_secs(60);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
