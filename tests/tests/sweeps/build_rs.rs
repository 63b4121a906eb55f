//! Build scripts as users write them: the workspace `tests/satellites`, compiled by cargo.
//!
//! Each test has its own copy of that workspace, which it may change. All share one target folder,
//! so that the generator is compiled once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use dqdt_tests::root;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::satellite::{Satellite, write};

/// Lints of clippy's pedantic group that find mistakes rather than matters of taste.
const PEDANTIC: [&str; 12] = [
    "cast_lossless",
    "cast_possible_truncation",
    "cast_possible_wrap",
    "cast_precision_loss",
    "cast_sign_loss",
    "copy_iterator",
    "float_cmp",
    "invalid_upcast_comparisons",
    "mismatching_type_param_order",
    "no_effect_underscore_binding",
    "used_underscore_binding",
    "used_underscore_items",
];

/// Result of a run of cargo.
struct CargoRun {
    success: bool,
    stderr: String,
    /// `OUT_DIR` of each package.
    out_dirs: BTreeMap<String, PathBuf>,
}

/// A copy of the workspace `tests/satellites`.
struct Satellites(Satellite);

fn absolute_path(path: &str) -> String {
    root(path).canonicalize().unwrap().display().to_string()
}

impl Satellites {
    fn new(name: &str) -> Self {
        let satellite = Satellite::new(name);
        satellite.copy(&root("tests/satellites"), Path::new(""), |_, text| {
            text.replace("../../runtime", &absolute_path("runtime"))
                .replace("../../codegen", &absolute_path("codegen"))
                // In a shared target folder, cargo distinguishes packages by version and by path
                // from the workspace root; the paths are the same in all copies.
                .replace("version = \"0.0.0\"", &format!("version = \"0.0.0-{name}\""))
        });
        Satellites(satellite)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        self.0.command(arguments)
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.0.folder.join(relative)
    }

    fn build(&self, package: &str) -> CargoRun {
        let mut command = self.command(&["build", "--message-format=json-render-diagnostics", "-p", package]);
        let output = command.output().unwrap();
        let mut out_dirs = BTreeMap::new();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let message: Value = serde_json::from_str(line).unwrap();
            if message["reason"] == "build-script-executed" {
                let id = message["package_id"].as_str().unwrap();
                let package_name =
                    ["satellite-arm", "satellite-firmware"].into_iter().find(|p| id.contains(p));
                let folder = PathBuf::from(message["out_dir"].as_str().unwrap());
                out_dirs.extend(package_name.map(|p| (p.to_owned(), folder)));
            }
        }
        let stderr = String::from_utf8(output.stderr).unwrap();
        CargoRun { success: output.status.success(), stderr, out_dirs }
    }

    /// Runs cargo, which must succeed. Returns its standard error.
    fn run(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "cargo {}:\n{text}", arguments.join(" "));
        text
    }

    /// Builds a package, which must succeed. Returns its `OUT_DIR`.
    fn expect_build(&self, package: &str) -> PathBuf {
        let run = self.build(package);
        assert!(run.success, "{}", run.stderr);
        run.out_dirs[package].clone()
    }

    fn spec(&self) -> PathBuf {
        self.path("arm/mechanisms/arm.toml")
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn modification_time(path: &Path) -> SystemTime {
    path.metadata().unwrap().modified().unwrap()
}

/// Makes a file newer than the last build, by a difference that every file system can represent.
fn touch(path: &Path) {
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::File::options().append(true).open(path).unwrap().set_modified(SystemTime::now()).unwrap();
}

/// Time at which cargo last ran the build script.
fn build_script_time(out_dir: &Path) -> SystemTime {
    modification_time(&out_dir.parent().unwrap().join("output"))
}

#[test]
fn two_build_scripts_run_side_by_side_and_nothing_warns() {
    let satellites = Satellites::new("parallel");
    // Two cargos at once; one waits for the lock of the target folder.
    let children = ["satellite-arm", "satellite-firmware"].map(|package| {
        let mut command = satellites.command(&["build", "-p", package]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    });
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    // One cargo, two build scripts at once: both specs are newer than the last build.
    touch(&satellites.spec());
    touch(&satellites.path("firmware/mechanisms/slider.toml"));
    // The satellites deny warnings.
    satellites.run(&["build", "--workspace"]);
    satellites.run(&["test", "--workspace"]);
}

#[test]
fn clippy_has_nothing_to_say() {
    let satellites = Satellites::new("clippy");
    let lints: Vec<String> = PEDANTIC.iter().map(|lint| format!("-Dclippy::{lint}")).collect();
    let mut command = satellites.command(&["clippy", "--workspace", "--no-deps"]);
    command.args(["--", "-Dwarnings", "-Dclippy::all"]).args(lints);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A user who enables all pedantic lints gets no warnings about generated code.
#[test]
fn a_pedantic_user_hears_nothing_of_emitted_code() {
    let satellites = Satellites::new("pedantic");
    let said = || {
        let mut command = satellites.command(&["clippy", "-p", "satellite-arm", "--no-deps"]);
        let output =
            command.args(["--", "-Dwarnings", "-Dclippy::all", "-Dclippy::pedantic"]).output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        // Without clippy nothing would be tested.
        assert!(!messages.contains("no such command"), "cargo has no clippy here:\n{messages}");
        (output.status.success(), messages)
    };
    let (silent, messages) = said();
    assert!(silent, "{messages}");
    // The lints are on: they report code of the user.
    let library = satellites.path("arm/src/lib.rs");
    let user_code = "\n/// Rounds.\n#[must_use]\npub fn single(x: f64) -> f32 {\n    x as f32\n}\n";
    write(&library, &(read(&library) + user_code));
    let (silent, messages) = said();
    assert!(!silent && messages.contains("possible_truncation"), "{messages}");
}

#[test]
fn an_unchanged_spec_is_not_derived_again() {
    let satellites = Satellites::new("unchanged");
    let out = satellites.expect_build("satellite-arm");
    let (module, stamp) = (out.join("arm.rs"), out.join("arm.stamp"));

    // Nothing changed: cargo does not even run the script.
    let before = build_script_time(&out);
    satellites.expect_build("satellite-arm");
    assert_eq!(build_script_time(&out), before);

    // The spec is touched: the script runs. A mark in the module, with the hash of the marked
    // module in the stamp, would not survive a new derivation.
    let (text, old_stamp) = (read(&module), read(&stamp));
    let marked = format!("{text}// mark\n");
    let (key, _) = old_stamp.split_once('\n').unwrap();
    std::fs::write(&module, &marked).unwrap();
    std::fs::write(&stamp, format!("{key}\n{} arm.rs", hash(marked.as_bytes()))).unwrap();
    touch(&satellites.spec());
    satellites.expect_build("satellite-arm");
    assert!(build_script_time(&out) > before, "the script did not run");
    assert_eq!(read(&module), marked, "the equations were derived again");

    // A module that does not match its stamp is rewritten.
    std::fs::write(&module, "// spoilt\n").unwrap();
    touch(&satellites.spec());
    satellites.expect_build("satellite-arm");
    assert!(read(&module) == text && read(&stamp) == old_stamp);
}

#[test]
fn an_equal_module_is_not_written_again() {
    let satellites = Satellites::new("equal");
    let out = satellites.expect_build("satellite-arm");
    let (module, stamp) = (out.join("arm.rs"), out.join("arm.stamp"));
    let (before, text) = (modification_time(&module), read(&module));
    // Without its stamp it is derived again.
    std::fs::remove_file(&stamp).unwrap();
    touch(&satellites.spec());
    satellites.expect_build("satellite-arm");
    assert!(stamp.exists(), "the script did not run");
    assert!(modification_time(&module) == before && read(&module) == text);
}

#[test]
fn a_bad_spec_is_an_error_of_the_compiler_and_the_last_good_code_stays() {
    let satellites = Satellites::new("bad");
    let good = read(&satellites.spec());
    let out = satellites.expect_build("satellite-arm");
    let module = out.join("arm.rs");
    let text = read(&module);

    let bad = good.replacen("mass = \"m\"", "mas = \"m\"", 1).replacen("l/2", "l/", 1);
    let line = 1 + bad.lines().position(|l| l.starts_with("mas =")).unwrap();
    std::fs::write(satellites.spec(), &bad).unwrap();
    let run = satellites.build("satellite-arm");
    assert!(!run.success);
    let place = format!("mechanisms/arm.toml:{line}:1");
    for wanted in ["has 2 errors; nothing was derived", &place, "did you mean `mass`?"] {
        assert!(run.stderr.contains(wanted), "`{wanted}` is missing in\n{}", run.stderr);
    }
    // Both errors, once, and no other: the crate is compiled against the last good code.
    assert_eq!(run.stderr.matches("did you mean").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains(&format!("mechanisms/arm.toml:{}:", line + 1)), "{}", run.stderr);
    assert!(run.stderr.contains("due to 1 previous error"), "{}", run.stderr);
    // The script succeeded, so that cargo sets OUT_DIR, and an editor finds this
    // module and all others.
    assert_eq!(run.out_dirs["satellite-arm"], out);
    assert!(read(&module).ends_with(&text), "the last good code stays");

    // New errors replace the previous ones.
    std::fs::write(satellites.spec(), bad.replacen("mas =", "ma =", 1)).unwrap();
    touch(&satellites.spec());
    assert!(!satellites.build("satellite-arm").success);
    assert!(read(&module).ends_with(&text));
    assert_eq!(read(&module).matches("compile_error!").count(), 1);

    // A corrected spec restores the module.
    std::fs::write(satellites.spec(), &good).unwrap();
    satellites.expect_build("satellite-arm");
    assert_eq!(read(&module), text);

    // A bad spec gives a module even without earlier code.
    for file in [&module, &out.join("arm.stamp")] {
        std::fs::remove_file(file).unwrap();
    }
    std::fs::write(satellites.spec(), "name = 1\n").unwrap();
    assert!(!satellites.build("satellite-arm").success);
    assert!(read(&module).starts_with("::core::compile_error!("), "{}", read(&module));

    // A missing spec is an error.
    std::fs::remove_file(satellites.spec()).unwrap();
    let run = satellites.build("satellite-arm");
    assert!(!run.success && run.stderr.contains("mechanisms/arm.toml"), "{}", run.stderr);
}

#[test]
fn options_choose_functions_and_formalism() {
    let satellites = Satellites::new("options");
    let out = satellites.expect_build("satellite-firmware");
    for name in ["pendulum", "slider"] {
        let text = read(&out.join(name).with_extension("rs"));
        assert!(text.lines().next().unwrap().contains("formalism: lagrange"), "{text}");
        let functions: Vec<&str> =
            (text.lines()).filter_map(|l| l.strip_prefix("pub fn ")?.split(['<', '(']).next()).collect();
        assert_eq!(functions, ["dqdt", "mass_matrix"], "{name}");
    }
    let all = read(&satellites.expect_build("satellite-arm").join("arm.rs"));
    assert!(all.lines().next().unwrap().contains("formalism: kane"));
    for function in ["dqdt", "bias", "inverse_dynamics", "energy", "outputs", "positions"] {
        assert!(all.contains(&format!("pub fn {function}<")), "{function}");
    }

    // A changed build script gives another module: options are part of the cache key.
    let script = satellites.path("firmware/build.rs");
    let changed = read(&script).replace("functions::MASS_MATRIX", "functions::ENERGY");
    std::fs::write(&script, changed).unwrap();
    satellites.expect_build("satellite-firmware");
    let text = read(&out.join("pendulum.rs"));
    assert!(text.contains("pub fn energy<") && !text.contains("pub fn mass_matrix<"));
}

/// The hash of a module as in the generator's stamp.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
