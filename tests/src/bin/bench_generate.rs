//! Times the generator stage by stage: `just bench-generate`, or
//! `cargo run -p dqdt-tests --bin bench_generate`.
//!
//! Mechanisms: the two bodies of the lecture on Kane's method, and chains of 10 and 50 rods. Times
//! depend on the profile of this program; use the dev profile, as users do. The emitted chain of 50
//! rods is also compiled in release, in a crate of its own.
//! Targets: `kane_two_body` under 50 ms in total, the chain of 50 rods under 5 s, its compilation
//! under 20 s; also reading a repeat of 1000 rods under 20 s, refusing files of 20,000
//! mistakes under 60 s, inferring the formulas of each family under 60 s. A missed target
//! gives exit status 1.

use dqdt_codegen::pipeline::FormalismChoice;
use dqdt_codegen::pipeline::mechanism::Formulation;
use std::fmt::Write as _;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use dqdt_codegen::functions;
use dqdt_codegen::pipeline;
use dqdt_codegen::read::{self, Settings};
use dqdt_derivation::derive::{Request, derive};
use dqdt_families::indexed::{derive_member, find_formulas};
use dqdt_graph::simplify::simplify;
use dqdt_tests::root;

/// Number of runs of a small mechanism; the quickest counts.
const RUNS: usize = 5;

const STAGES: [&str; 6] = ["read", "build", "choose", "lower", "passes", "emit"];

/// Spec text of a planar chain of `n` equal rods, as in `examples/specs/chain10.toml`.
fn chain(n: usize) -> String {
    let mut text = format!(
        "name = \"chain{n}\"\ngravity = [0, \"-g\", 0]\n\n[parameters]\ng = {{ value = 9.81, unit = \"m/s^2\" }}\n\
         m = {{ value = 1, unit = \"kg\" }}\nl = {{ value = 0.1, unit = \"m\" }}\n\
         J = {{ value = \"m*l^2/12\", unit = \"kg*m^2\" }}\n"
    );
    for i in 1..=n {
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n[bodies.rod{i}]\nmass = \"m\"\ninertia = [0, \"J\", \"J\"]\n\
             points = {{ start = [\"-l/2\", 0, 0], end = [\"l/2\", 0, 0] }}\n"
        );
    }
    for i in 1..=n {
        let parent = match i {
            1 => "\"ground\"".to_owned(),
            _ => format!("{{ body = \"rod{}\", at = \"end\" }}", i - 1),
        };
        let _ = write!(
            text,
            "\n[joints.hinge{i}]\ntype = \"revolute\"\naxis = \"z\"\nparent = {parent}\n\
             child = {{ body = \"rod{i}\", at = \"start\" }}\ncoordinates = {{ names = [\"q{i}\"] }}\n"
        );
    }
    let _ = write!(
        text,
        "\n[outputs]\nenergy = {{ type = \"energy\" }}\n\
         tip = {{ type = \"position\", body = \"rod{n}\", at = \"end\" }}\n"
    );
    text
}

/// A timed run of the generator: time of each stage, and the emitted module.
struct GenerationRun {
    name: String,
    formalism: &'static str,
    times: [Duration; 6],
    module: String,
}

impl GenerationRun {
    fn total(&self) -> Duration {
        self.times.iter().sum()
    }
}

fn run(name: &str, text: &str) -> Result<GenerationRun, String> {
    let mut last = Instant::now();
    let mut lap = || {
        let now = Instant::now();
        now - std::mem::replace(&mut last, now)
    };
    let spec = read::parse(&format!("{name}.toml"), text).map_err(|e| e.to_string())?;
    let read = lap();
    let loaded = pipeline::build(&spec, format!("{name}.toml")).map_err(|e| e.to_string())?;
    let build = lap();
    let formalism = pipeline::choose(&loaded, FormalismChoice::BySize, &functions::defaults()).unwrap();
    let choose = lap();
    let lowered = derive(&loaded, &Formulation::default(), &Request::all(formalism));
    let lower = lap();
    let program = simplify(&lowered);
    let passes = lap();
    let module = pipeline::rust(&program).map_err(|e| e.to_string())?;
    let emit = lap();
    Ok(GenerationRun {
        name: name.to_owned(),
        formalism: formalism.name(),
        times: [read, build, choose, lower, passes, emit],
        module,
    })
}

/// Compiles a module in release, in a crate of its own. Returns the time without
/// that of the runtime.
fn compile(run: &GenerationRun) -> Result<Duration, String> {
    let folder = root("target/bench-generate");
    let write = |file: &str, text: &str| {
        let path = folder.join(file);
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|e| e.to_string())?;
        pipeline::write_if_changed(&path, text).map_err(|e| e.to_string())
    };
    let runtime = root("runtime").canonicalize().map_err(|e| e.to_string())?;
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"bench-generate\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\ndqdt = {{ path = {runtime:?} }}\n\n[workspace]\n"
        ),
    )?;
    let cargo = || {
        let output = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--offline", "--release", "--target-dir", "target"])
            .current_dir(&folder)
            .output()
            .map_err(|e| e.to_string())?;
        let errors = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(errors.into_owned()) }
    };
    write("src/lib.rs", "//! Nothing yet.\n")?;
    cargo()?;
    write("src/lib.rs", &run.module)?;
    let start = Instant::now();
    cargo()?;
    Ok(start.elapsed())
}

/// Time to read a repeat of 1000 rods.
fn read_repeat() -> Result<Duration, String> {
    let start = Instant::now();
    let path = root("examples/specs/families/chain.toml");
    pipeline::load_with(&path, &Settings::new().set("n", 1000)).map_err(|e| e.to_string())?;
    Ok(start.elapsed())
}

/// Time to refuse files with 20,000 mistakes each, and one with definitions
/// that grow without bound.
fn refuse_large_files() -> Result<Duration, String> {
    let mut many_names = String::from("name = \"a\"\n[outputs]\n");
    let mut many_bodies = String::from("name = \"a\"\n");
    for i in 0..20_000 {
        // Writing to a string does not fail.
        let _ = writeln!(many_names, "output_{i} = \"nowhere_{i} + 1\"");
        let _ = writeln!(many_bodies, "[bodies.body_{i}]\n[joints.joint_{i}]\ntype = \"fixed\"");
        let _ = writeln!(many_bodies, "parent = \"boddy_{i}\"\nchild = \"bodi_{i}\"");
    }
    let mut growing = String::from("name = \"a\"\n[definitions]\nd0 = \"t*t\"\n");
    for i in 1..13 {
        let _ = writeln!(growing, "d{i} = \"d{0} + d{0}\"", i - 1);
    }
    growing.push_str("[outputs]\n");
    for i in 0..20_000 {
        let _ = writeln!(growing, "output_{i} = \"d12\"");
    }
    let start = Instant::now();
    for text in [many_names, many_bodies, growing] {
        let built = read::parse("large.toml", text.as_str()).and_then(|s| pipeline::build(&s, "large.toml"));
        if built.is_ok() {
            return Err("a file of mistakes was accepted".to_owned());
        }
    }
    Ok(start.elapsed())
}

/// Time to infer the formulas of a family.
fn family(name: &str) -> Result<Duration, String> {
    let path = root(&format!("examples/specs/families/{name}.toml"));
    let start = Instant::now();
    let mut members = Vec::new();
    for n in 1..=6 {
        let loaded = pipeline::load_with(&path, &Settings::new().set("n", n)).map_err(|e| e.to_string())?;
        members.push(derive_member(&loaded.mechanism, &loaded.partition, n).map_err(|e| e.to_string())?);
    }
    if find_formulas(&members).iter().all(|a| a.formula.is_err()) {
        return Err(format!("no formula for the family {name}"));
    }
    Ok(start.elapsed())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

/// Prints a measurement against its target. Returns true if it is met.
fn target(what: &str, time: Duration, limit: Duration) -> bool {
    let met = time < limit;
    let verdict = if met { "met" } else { "MISSED" };
    println!("{what}: {} ms of {} ms, {verdict}", milliseconds(time), milliseconds(limit));
    met
}

fn measure() -> Result<bool, String> {
    let two_bodies =
        std::fs::read_to_string(root("examples/specs/kane_two_body.toml")).map_err(|e| e.to_string())?;
    let mechanisms = [
        ("kane_two_body".to_owned(), two_bodies),
        ("chain10".to_owned(), chain(10)),
        ("chain50".to_owned(), chain(50)),
    ];
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    println!("Milliseconds, {profile} profile, all functions, the formalism taken if none is named.\n");
    println!("| mechanism | formalism | {} | all | lines | KB |", STAGES.join(" | "));
    println!("|---|---|{}---|---|---|", "---|".repeat(STAGES.len()));
    let mut totals = Vec::new();
    let mut last = None;
    for (name, text) in &mechanisms {
        // The quickest of several runs: other programs on the machine only add time.
        let mut run = run(name, text)?;
        for _ in 1..if name == "chain50" { 1 } else { RUNS } {
            let again = self::run(name, text)?;
            run = if again.total() < run.total() { again } else { run };
        }
        let total = run.total();
        let times = run.times.map(milliseconds).join(" | ");
        let (lines, size) = (run.module.lines().count(), run.module.len() / 1000);
        println!(
            "| {} | {} | {times} | {} | {lines} | {size} |",
            run.name,
            run.formalism,
            milliseconds(total)
        );
        totals.push(total);
        last = Some(run);
    }
    println!();
    let mut met = true;
    if let ([two_bodies, .., fifty], Some(run)) = (&totals[..], &last) {
        met &= target("emit of kane_two_body", *two_bodies, Duration::from_millis(50));
        met &= target("emit of the chain of 50 rods", *fifty, Duration::from_secs(5));
        met &= target("its code compiled in release", compile(run)?, Duration::from_secs(20));
    }
    met &= target("read of a repeat of 1000 rods", read_repeat()?, Duration::from_secs(20));
    met &= target("files of 20,000 mistakes refused", refuse_large_files()?, Duration::from_secs(60));
    for name in ["chain", "cart_pendulums", "star"] {
        met &= target(&format!("formulas of the family {name}"), family(name)?, Duration::from_secs(60));
    }
    Ok(met)
}

fn main() -> ExitCode {
    match measure() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
