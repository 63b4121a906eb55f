//! Nanoseconds a call of compiled forms, side by side in one program.
//!
//! Problem: operations are not time.
//! Method:  a crate of its own in the system's folder for temporary files holds one module a form and a program that
//! calls them in turn, in many short rounds over the same states; the fastest round of each counts, since nothing makes
//! a call faster than it is. Compiled in release for this machine's baseline.
//! Not handled: other machines; caches that something else shares.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::output;
use super::source::Failure;
use crate::compare::Form;
use dqdt_derivation::derive::start;
use dqdt_mechanics::mechanism::Mechanism;

/// Rounds of each form.
const ROUNDS: usize = 40;
/// States of one round.
const STATES: usize = 256;

/// A folder for the crate. It goes when this is dropped; until then the runtime in it is compiled once.
pub(super) struct Bench {
    folder: PathBuf,
}

impl Bench {
    /// Makes the folder.
    pub(super) fn new() -> Result<Self, Failure> {
        let folder = std::env::temp_dir().join(format!("dqdt-compare-{}", std::process::id()));
        let bench = Bench { folder };
        std::fs::create_dir_all(&bench.folder).map_err(|e| Failure::file("create", &bench.folder, e))?;
        Ok(bench)
    }

    /// Compiles the forms and runs them; nanoseconds a call, in their order.
    pub(super) fn run(&self, m: &Mechanism, forms: &[Form]) -> Result<Vec<f64>, Failure> {
        measure(&self.folder, m, forms)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // What is left behind would only take space; the measurement stands.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn measure(folder: &Path, m: &Mechanism, forms: &[Form]) -> Result<Vec<f64>, Failure> {
    let source = folder.join("src");
    std::fs::create_dir_all(&source).map_err(|e| Failure::file("create", &source, e))?;
    output::write(&folder.join("Cargo.toml"), &manifest())?;
    let names: Vec<String> = (0..forms.len()).map(|i| format!("form{i}")).collect();
    for (name, form) in names.iter().zip(forms) {
        output::write(&source.join(format!("{name}.rs")), &form.module)?;
    }
    output::write(&source.join("main.rs"), &program(m, &names))?;
    let manifest = folder.join("Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = Command::new(&cargo)
        .args(["run", "--quiet", "--release", "--manifest-path"])
        .arg(&manifest)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .map_err(|e| Failure::file("run", Path::new(&cargo), e))?;
    let text = String::from_utf8_lossy(&run.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|x| x.parse().ok()).collect();
    if run.status.success() && numbers.len() == forms.len() {
        return Ok(numbers);
    }
    let message = String::from_utf8_lossy(&run.stderr).trim().to_owned();
    Err(Failure::Option { option: "--bench", message: format!("the compiled forms did not run\n{message}") })
}

/// In the repository the runtime stands beside the generator; elsewhere it is a published crate.
fn manifest() -> String {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let dependency = match runtime.canonicalize() {
        Ok(path) => format!("{{ path = {:?} }}", path.display().to_string()),
        Err(_) => format!("{:?}", env!("CARGO_PKG_VERSION")),
    };
    format!(
        "[package]\nname = \"dqdt-compare\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\ndqdt = \
         {dependency}\n\n[workspace]\n"
    )
}

fn program(m: &Mechanism, names: &[String]) -> String {
    let start = start(m);
    let x: Vec<f64> = [&start.q[..], &start.v, &start.z].concat();
    let mut text = String::from("//! Times the forms.\n");
    for name in names {
        let _ = writeln!(text, "#[allow(warnings)]\nmod {name};");
    }
    let _ = write!(
        text,
        "\nconst START: [f64; {nx}] = {x:?};\nconst INPUT: [f64; {nu}] = {u:?};\n\nfn main() {{\n    let states: \
         Vec<[f64; {nx}]> = (0..{STATES})\n        .map(|k| {{\n            let mut x = START;\n            for (i, x) \
         in x.iter_mut().enumerate() {{\n                *x += 0.1 * ((k * 31 + i * 17) as f64).sin();\n            \
         }}\n            x\n        }})\n        .collect();\n    let mut best = [f64::INFINITY; {forms}];\n    let mut \
         dx = [0.0; {nx}];\n",
        nx = x.len(),
        nu = start.u.len(),
        u = start.u,
        forms = names.len(),
    );
    for (i, name) in names.iter().enumerate() {
        let _ = writeln!(text, "    let model{i} = {name}::Model::<f64>::default();");
    }
    let _ = writeln!(text, "    for _ in 0..{ROUNDS} {{");
    for i in 0..names.len() {
        let _ = write!(
            text,
            "        let clock = std::time::Instant::now();\n        for x in &states {{\n            let _ = \
             std::hint::black_box(model{i}.dqdt(0.0, std::hint::black_box(x), &INPUT, &mut dx));\n        \
             }}\n        best[{i}] = best[{i}].min(clock.elapsed().as_secs_f64());\n"
        );
    }
    let _ = write!(
        text,
        "    }}\n    std::hint::black_box(&dx);\n    for time in best {{\n        println!(\"{{}}\", time * 1e9 / \
         {STATES} as f64);\n    }}\n}}\n"
    );
    text
}
