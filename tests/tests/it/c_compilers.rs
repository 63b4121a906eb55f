//! C compilers for tests: those installed, their flags, and parsing of driver output.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Warning flags for emitted C; every warning is an error.
pub(crate) const WARNINGS: [&str; 6] =
    ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"];

/// True if a program is installed.
pub(crate) fn is_installed(name: &str) -> bool {
    Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success())
}

/// The installed C compilers.
pub(crate) fn compilers() -> Vec<String> {
    let default_compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let all: Vec<String> =
        [default_compiler, "clang".to_owned()].into_iter().filter(|name| is_installed(name)).collect();
    assert!(!all.is_empty(), "a C compiler, as every linker of Rust programs has one");
    all
}

/// Sanitiser flags of a compiler; `None` if their libraries are missing (those of clang are a
/// separate package).
pub(crate) fn sanitisers(compiler: &str, folder: &Path) -> Option<[&'static str; 2]> {
    let all = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    std::fs::write(folder.join("nothing.c"), "int main(void) { return 0; }\n").unwrap();
    let linked = Command::new(compiler)
        .current_dir(folder)
        .args(all)
        .args(["nothing.c", "-o"])
        .arg(folder.join(format!("nothing-{compiler}")))
        .output()
        .is_ok_and(|o| o.status.success());
    linked.then_some(all)
}

/// Compiles a source with its driver. Panics on a warning. Returns the binary.
pub(crate) fn compile(compiler: &str, folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    let binary = folder.join(format!("{name}-{compiler}"));
    let compiled = Command::new(compiler)
        .current_dir(folder)
        .args(WARNINGS)
        .args(more)
        .args([&format!("{name}.c"), &format!("{name}_driver.c"), "-lm", "-o"])
        .arg(&binary)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{compiler}, {name}: {}", errors.get(..3000).unwrap_or(&errors));
    binary
}

fn parse_line(line: &str) -> (String, Vec<f64>) {
    let mut words = line.split(' ');
    let name = words.next().unwrap().to_owned();
    (name, words.map(|w| w.parse().unwrap_or_else(|_| panic!("{w}"))).collect())
}

/// Runs a driver. Returns its printed lines: function and point, and the values.
pub(crate) fn run_driver(binary: &Path) -> Vec<(String, Vec<f64>)> {
    let run = Command::new(binary).output().unwrap();
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && errors.is_empty(), "{}: {errors}", binary.display());
    let text = String::from_utf8(run.stdout).unwrap();
    text.lines().map(parse_line).collect()
}
