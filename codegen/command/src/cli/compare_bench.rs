//! `dqdt compare --bench`: run time of the formalisms, in nanoseconds per call.
//!
//! Problem: operation counts do not determine run time.
//! Method:  a temporary crate has one emitted module per formalism and a program that calls them in
//! turn, in many short rounds over the same states. The minimum over the rounds counts, since
//! disturbances only add time. Compiled in release mode for the baseline CPU of this machine. With
//! `--evaluate`, this process calls the functions itself, without cargo.
//! Not handled: other machines; caches shared with other processes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::evaluation::EvaluatedBy;
use super::output;
use super::source::Failure;
use crate::compare::FormalismResult;
use dqdt_derivation::derive::start_at_defaults;
use dqdt_derivation::functions;
use dqdt_graph::ir::{Arguments, Evaluation, Machine};
use dqdt_mechanics::mechanism::Mechanism;

/// Number of timing rounds per formalism of `dqdt compare --bench`; the fastest counts.
const ROUNDS: usize = 40;
/// Number of states at which each timing round of `dqdt compare --bench` calls the function.
const STATES: usize = 256;

/// The code that is measured.
pub(super) enum Bench {
    /// Emitted Rust, compiled by cargo.
    Emitted(BenchmarkFolder),
    /// The functions as this process evaluates them.
    InProcess(Evaluation),
}

/// Temporary folder of the benchmark crate, deleted on drop. Later runs reuse the compiled runtime.
pub(super) struct BenchmarkFolder(PathBuf);

impl Bench {
    /// Prepares a measurement: of emitted Rust, or of the evaluation in this process.
    ///
    /// # Errors
    /// If the temporary folder cannot be created, or this command cannot evaluate in that way.
    pub(super) fn new(evaluate: Option<EvaluatedBy>) -> Result<Self, Failure> {
        if let Some(evaluate) = evaluate {
            return Ok(Bench::InProcess(evaluate.evaluation()?));
        }
        let folder = std::env::temp_dir().join(format!("dqdt-compare-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| Failure::from_file_error("create", &folder, e))?;
        Ok(Bench::Emitted(BenchmarkFolder(folder)))
    }

    /// Nanoseconds per call of each formalism, in the order of `forms`.
    pub(super) fn run(&self, m: &Mechanism, forms: &[FormalismResult]) -> Result<Vec<f64>, Failure> {
        match self {
            Bench::Emitted(BenchmarkFolder(folder)) => measure_call_times(folder, m, forms),
            Bench::InProcess(evaluation) => Ok(measure_in_process(*evaluation, forms)),
        }
    }
}

impl Drop for BenchmarkFolder {
    fn drop(&mut self) {
        // A folder left behind only takes space; the measurement is still valid.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Nanoseconds per call in this process, by the same rounds as the emitted benchmark.
fn measure_in_process(evaluation: Evaluation, forms: &[FormalismResult]) -> Vec<f64> {
    let mut timed: Vec<(Machine, Vec<Arguments>, f64)> = (forms.iter())
        .filter_map(|form| {
            let function = form.program.function(functions::DQDT)?;
            let machine = Machine::from_function_evaluated(&form.program, function, evaluation);
            Some((machine, benchmark_states(&Arguments::defaults(&form.program)), f64::INFINITY))
        })
        .collect();
    for _ in 0..ROUNDS {
        for (machine, states, best) in &mut timed {
            let clock = std::time::Instant::now();
            for state in states.iter() {
                // At a singular state the call takes as long.
                let _ = std::hint::black_box(machine.call(std::hint::black_box(state)));
            }
            *best = best.min(clock.elapsed().as_secs_f64());
        }
    }
    timed.into_iter().map(|(_, _, best)| best * 1e9 / STATES as f64).collect()
}

/// States around the start, as in the emitted benchmark.
fn benchmark_states(start: &Arguments) -> Vec<Arguments> {
    (0..STATES)
        .map(|k| {
            let mut x = start.state();
            for (i, x) in x.iter_mut().enumerate() {
                *x += 0.1 * ((k * 31 + i * 17) as f64).sin();
            }
            let mut at = start.clone();
            at.set_state(&x);
            at
        })
        .collect()
}

fn measure_call_times(folder: &Path, m: &Mechanism, forms: &[FormalismResult]) -> Result<Vec<f64>, Failure> {
    let source = folder.join("src");
    std::fs::create_dir_all(&source).map_err(|e| Failure::from_file_error("create", &source, e))?;
    output::write_file(&folder.join("Cargo.toml"), &benchmark_manifest())?;
    let names: Vec<String> = (0..forms.len()).map(|i| format!("form{i}")).collect();
    for (name, form) in names.iter().zip(forms) {
        output::write_file(&source.join(format!("{name}.rs")), &form.module)?;
    }
    output::write_file(&source.join("main.rs"), &benchmark_program(m, &names))?;
    let manifest = folder.join("Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = Command::new(&cargo)
        .args(["run", "--quiet", "--release", "--manifest-path"])
        .arg(&manifest)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .map_err(|e| Failure::from_file_error("run", Path::new(&cargo), e))?;
    let text = String::from_utf8_lossy(&run.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|x| x.parse().ok()).collect();
    if run.status.success() && numbers.len() == forms.len() {
        return Ok(numbers);
    }
    let message = String::from_utf8_lossy(&run.stderr).trim().to_owned();
    Err(Failure::Option { option: "--bench", message: format!("the benchmark program failed:\n{message}") })
}

/// Manifest of the benchmark crate. The runtime is a path dependency inside the repository,
/// elsewhere the published crate.
fn benchmark_manifest() -> String {
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

fn benchmark_program(m: &Mechanism, names: &[String]) -> String {
    let start = start_at_defaults(m);
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
