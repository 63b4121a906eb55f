//! Compilation of the sources of a functional mock-up unit for the platform of the command.

use std::env::consts::{ARCH, OS};
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use super::Failure;
use dqdt_targets::fmu::FmuFiles;

/// Compiled sources of a unit.
pub(super) struct Binary {
    /// Path within the unit: `binaries/x86_64-linux/cart_pole.so`.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

/// Name of the platform of this command in FMI, and the extension of its shared libraries. `None`
/// if FMI names it otherwise or the compiler needs other options.
fn platform() -> Option<(String, &'static str)> {
    let (system, ending) = match OS {
        "linux" => ("linux", "so"),
        "macos" => ("darwin", "dylib"),
        _ => return None,
    };
    matches!(ARCH, "x86_64" | "aarch64").then(|| (format!("{ARCH}-{system}"), ending))
}

/// Compiles a unit by `$CC`, or by `cc` if there is one. `None` without a compiler, which a note
/// says.
///
/// # Errors
/// The messages of the compiler, or the failure to start the one that `$CC` names.
pub(super) fn compile_unit(unit: &FmuFiles) -> Result<Option<Binary>, Failure> {
    let Some((platform, ending)) = platform() else {
        dqdt_diagnostics::tell!(
            "note: the unit contains sources only: `dqdt fmu` compiles none on {ARCH}-{OS}"
        );
        return Ok(None);
    };
    let named = std::env::var("CC").ok().filter(|text| !text.trim().is_empty());
    let text = named.clone().unwrap_or_else(|| "cc".to_owned());
    let mut words = text.split_whitespace();
    let compiler = words.next().unwrap_or("cc");
    let failure = |action, source| Failure::from_file_error(action, Path::new(compiler), source);
    let folder = tempfile::tempdir().map_err(|e| failure("create a temporary folder for", e))?;
    for file in &unit.files {
        let Some(name) = file.path.strip_prefix("sources/") else { continue };
        let path = folder.path().join(name);
        let parent = path.parent().unwrap_or(folder.path());
        std::fs::create_dir_all(parent).map_err(|e| Failure::from_file_error("create", parent, e))?;
        std::fs::write(&path, &file.text).map_err(|e| Failure::from_file_error("write", &path, e))?;
    }
    let library = format!("{}.{ending}", unit.name);
    let output = Command::new(compiler)
        .args(words)
        .args([
            "-std=c99",
            "-O2",
            "-fPIC",
            "-shared",
            "-fvisibility=hidden",
            "-ffp-contract=off",
            "-o",
            &library,
        ])
        .args(&unit.sources)
        .arg("-lm")
        .current_dir(folder.path())
        .output();
    let output = match output {
        Ok(output) => output,
        Err(e) if named.is_none() && e.kind() == ErrorKind::NotFound => {
            dqdt_diagnostics::tell!(
                "note: the unit contains sources only: there is no C compiler `cc`; name one in the \
                 environment variable CC"
            );
            return Ok(None);
        }
        Err(e) => return Err(failure("start the C compiler", e)),
    };
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first: Vec<&str> = message.lines().filter(|line| line.contains("error")).take(3).collect();
        return Err(Failure::Input {
            place: format!("the C compiler `{compiler}`"),
            message: format!(
                "cannot compile the unit ({}): {}; correct CC, or use `--no-binary`",
                output.status,
                first.join("; ")
            ),
        });
    }
    let bytes = std::fs::read(folder.path().join(&library))
        .map_err(|e| Failure::from_file_error("read", Path::new(&library), e))?;
    Ok(Some(Binary { path: format!("binaries/{platform}/{library}"), bytes }))
}
