//! Compiles emitted modules by cargo, as a user's crate would, and runs them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dqdt_codegen::pipeline;
use dqdt_tests::root;

/// Number of crates for the modules: the front end of the compiler uses one core per crate.
const PARTS: usize = 2;

/// An emitted module, and a function body that calls it as `m` and passes named values to `show`;
/// empty if nothing is run.
pub struct Module {
    pub name: String,
    pub source: String,
    pub calls: String,
}

/// Printed results of compiled functions, by module and function name.
pub type ShownValues = BTreeMap<(String, String), Vec<f64>>;

/// Distributes modules over crates of about the same length.
fn parts(modules: &[Module]) -> [Vec<&Module>; PARTS] {
    let mut sorted: Vec<&Module> = modules.iter().collect();
    sorted.sort_by_key(|m| std::cmp::Reverse(m.source.len()));
    let mut parts: [Vec<&Module>; PARTS] = std::array::from_fn(|_| Vec::new());
    let mut lengths = [0; PARTS];
    for module in sorted {
        let least = (0..PARTS).min_by_key(|i| lengths[*i]).unwrap_or(0);
        lengths[least] += module.source.len();
        parts[least].push(module);
    }
    parts
}

fn write_part(source: &Path, part: usize, modules: &[&Module]) {
    let mut main =
        String::from("//! Prints what the emitted functions return.\n#![deny(warnings)]\n\nmod modules {\n");
    for Module { name, .. } in modules {
        let _ = writeln!(main, "pub mod {name};");
    }
    main.push_str("}\n\n");
    if modules.iter().all(|m| m.calls.is_empty()) {
        main.push_str("fn main() {}\n");
        pipeline::write_if_changed(&source.join(format!("part{part}.rs")), &main).unwrap();
        return;
    }
    main.push_str(
        "fn show(module: &str, function: &str, values: &[f64]) {\n\
         println!(\"{module} {function} {values:?}\");\n}\n\n\
         /// A function that cannot fail of one mechanism can of another.\n\
         #[allow(dead_code)]\ntrait Done {\nfn done(self);\n}\n\
         impl Done for () {\nfn done(self) {}\n}\n\
         impl<E: core::fmt::Debug> Done for Result<(), E> {\nfn done(self) {\nself.unwrap();\n}\n}\n\n\
         /// The verdict as C has it.\n#[allow(dead_code)]\ntrait Code {\nfn code(self, names: &[&str]) -> i16;\n}\n\
         impl Code for () {\nfn code(self, _: &[&str]) -> i16 {\n0\n}\n}\n\
         impl Code for Result<(), dqdt::Singular> {\nfn code(self, names: &[&str]) -> i16 {\nmatch self.map_err(|e| e.cause) {\n\
         Ok(()) => 0,\n\
         Err(dqdt::Cause::Pivot(p)) => names.iter().position(|n| *n == p.name).map_or(-2, |i| i as i16 + 1),\n\
         Err(_) => -1,\n}\n}\n}\n\n",
    );
    for Module { name, calls, .. } in modules.iter().filter(|m| !m.calls.is_empty()) {
        let _ = write!(
            main,
            "/// Calls every function.\nfn {name}() {{\nuse modules::{name} as m;\n\
             let show = |function: &str, values: &[f64]| show({name:?}, function, values);\n{calls}}}\n\n"
        );
    }
    main.push_str("fn main() {\n");
    let called = modules.iter().filter(|m| !m.calls.is_empty());
    called.for_each(|m| main.push_str(&format!("{}();\n", m.name)));
    main.push_str("}\n");
    pipeline::write_if_changed(&source.join(format!("part{part}.rs")), &main).unwrap();
}

fn bin_table(part: usize) -> String {
    format!("[[bin]]\nname = \"part{part}\"\npath = \"src/part{part}.rs\"\n\n")
}

/// Writes a crate with the modules. Returns its folder.
fn write(name: &str, modules: &[Module]) -> PathBuf {
    let folder = root("target").join(name);
    let source = folder.join("src");
    fs::create_dir_all(source.join("modules")).unwrap();
    let bins: String = (0..PARTS).map(bin_table).collect();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\nautobins = false\n\n{bins}\
         [dependencies]\ndqdt = {{ path = {:?} }}\n\n\
         [workspace]\n\n[profile.dev]\nopt-level = 0\ndebug = false\nincremental = false\n",
        root("runtime").canonicalize().unwrap()
    );
    pipeline::write_if_changed(&folder.join("Cargo.toml"), &manifest).unwrap();
    for module in modules {
        let path = source.join(format!("modules/{}.rs", module.name));
        pipeline::write_if_changed(&path, &module.source).unwrap();
    }
    for (part, modules) in parts(modules).iter().enumerate() {
        write_part(&source, part, modules);
    }
    // The lock file of the workspace has every required crate, so nothing is downloaded.
    fs::copy(root("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

/// Runs cargo on such a crate with the given compiler flags. Returns its output, or its messages if
/// it failed or printed any.
fn cargo(folder: &Path, arguments: &[&str], flags: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--quiet", "--offline"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("RUSTFLAGS", flags)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && errors.is_empty() {
        return Ok(String::from_utf8(output.stdout).unwrap());
    }
    Err(errors.into_owned())
}

/// Writes a crate and runs `cargo check`, which skips code generation. Returns
/// messages as an error.
#[allow(dead_code, reason = "not every test that compiles needs only this")]
pub fn check(name: &str, modules: &[Module]) -> Result<(), String> {
    cargo(&write(name, modules), &["check", "--keep-going"], "").map(drop)
}

/// Writes a crate, builds and runs it. Returns the printed values with all digits.
#[allow(dead_code, reason = "not every test that compiles runs")]
pub fn run(name: &str, modules: &[Module]) -> ShownValues {
    run_with(name, modules, "")
}

fn parse_line(line: &str) -> ((String, String), Vec<f64>) {
    let mut words = line.splitn(3, ' ');
    let mut word = || words.next().unwrap();
    let key = (word().to_owned(), word().to_owned());
    let list = word().trim_start_matches('[').trim_end_matches(']');
    let numbers = list.split(", ").filter(|n| !n.is_empty()).map(|n| n.parse().unwrap());
    (key, numbers.collect())
}

/// Like [`run`], with compiler flags.
#[allow(dead_code, reason = "not every test that compiles needs flags")]
pub fn run_with(name: &str, modules: &[Module], flags: &str) -> ShownValues {
    let folder = write(name, modules);
    let cargo = |arguments: &[&str]| match cargo(&folder, arguments, flags) {
        Ok(printed) => printed,
        Err(errors) => panic!("{}", errors.get(..4000).unwrap_or(&errors)),
    };
    cargo(&["build"]);
    let printed: String = (0..PARTS).map(|part| cargo(&["run", "--bin", &format!("part{part}")])).collect();
    printed.lines().map(parse_line).collect()
}

fn absolute_difference((x, y): (&f64, &f64)) -> f64 {
    if x.is_nan() { f64::INFINITY } else { (x - y).abs() }
}

/// Relative error as in the conventions, "Agreement and proof"; infinite if a value is NaN.
#[allow(dead_code, reason = "not every test that compiles runs")]
pub fn relative(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).map(absolute_difference).fold(0.0, f64::max) / scale
}
