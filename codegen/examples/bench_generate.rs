//! Time of each stage of the generator: `just bench-generate`.
//!
//! Specs of `examples/specs` and chains of rods of growing length. For the longest chain the emitted code is also
//! compiled in release, in a crate of its own under `target/bench_generate`. Build it in release: users run the
//! installed command, not a debug build.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use dqdt_codegen::formalism::Formalism;
use dqdt_codegen::ir::lower::Request;
use dqdt_codegen::pipeline::{self, Loaded};
use dqdt_codegen::spec::{Builder, Entries};

/// Limits of the requirement: `emit` of the two bodies, `emit` of the longest chain, compilation of the latter.
const LIMITS: [(&str, Duration); 3] = [
    ("emit kane_two_body", Duration::from_millis(50)),
    ("emit chain of 50", Duration::from_secs(5)),
    ("compile chain of 50", Duration::from_secs(20)),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:<34}{:>10}{:>12}{:>12}{:>12}{:>10}",
        "mechanism", "read", "derive", "print", "together", "lines"
    );
    let mut measured = Vec::new();
    let mut specs: Vec<PathBuf> = std::fs::read_dir(root("examples/specs"))?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    specs.sort();
    for spec in specs {
        let name = spec.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (time, _) = emit(&name, || Ok(pipeline::load(&spec)?))?;
        measured.push((format!("emit {name}"), time));
    }
    let mut longest = String::new();
    for n in [2, 10, 20, 50] {
        let name = format!("chain of {n}");
        let (time, text) = emit(&name, || Ok(pipeline::build(&chain(n).build()?, "")?))?;
        measured.push((format!("emit {name}"), time));
        longest = text;
    }
    let time = compile(&longest)?;
    println!("\ncompiling the code of the chain of 50 in release: {:.1} s", time.as_secs_f64());
    measured.push(("compile chain of 50".to_owned(), time));

    let mut slow = false;
    for (name, limit) in LIMITS {
        let time = measured.iter().find(|m| m.0 == name).map_or(Duration::MAX, |m| m.1);
        if time > limit {
            println!("{name} takes {time:.1?}; the limit is {limit:?}");
            slow = true;
        }
    }
    if slow { Err("too slow".into()) } else { Ok(()) }
}

/// Emits five times and prints the fastest time of each stage; returns the fastest whole time and the module.
fn emit(
    name: &str,
    load: impl Fn() -> Result<Loaded, Box<dyn Error>>,
) -> Result<(Duration, String), Box<dyn Error>> {
    let mut fastest = [Duration::MAX; 4];
    let mut text = String::new();
    for _ in 0..5 {
        let start = Instant::now();
        let loaded = load()?;
        let read = start.elapsed();
        let program = pipeline::program(&loaded, &Request::all(Formalism::Kane));
        let derived = start.elapsed();
        text = pipeline::rust(&program);
        let all = start.elapsed();
        for (fastest, time) in fastest.iter_mut().zip([read, derived - read, all - derived, all]) {
            *fastest = time.min(*fastest);
        }
    }
    let [read, derive, print, all] = fastest.map(milliseconds);
    println!("{name:<34}{read:>10}{derive:>12}{print:>12}{all:>12}{:>10}", text.lines().count());
    Ok((fastest[3], text))
}

fn milliseconds(d: Duration) -> String {
    format!("{:.1} ms", 1e3 * d.as_secs_f64())
}

/// A hanging chain of rods, relative angles.
fn chain(n: usize) -> Builder {
    let mut builder = Builder::new(format!("chain{n}")).gravity((0, "-9.81 m/s^2", 0));
    for name in ["m", "l"] {
        builder = builder.parameter(name, 1);
    }
    for i in 1..=n {
        let rod = Entries::new()
            .with("mass", "m")
            .with("center_of_mass", (0, "-l/2", 0))
            .with("inertia", ("m*l^2/12", 0, "m*l^2/12"))
            .with("points", Entries::new().with("end", (0, "-l", 0)));
        let parent: dqdt_codegen::spec::Item = match i {
            1 => "ground".into(),
            _ => Entries::at(format!("rod{}", i - 1), "end").into(),
        };
        let hinge = Entries::new().with("axis", "z").with("parent", parent).with("child", format!("rod{i}"));
        let hinge = hinge.with("coordinates", Entries::new().with("names", [format!("q{i}")]));
        builder = builder.body(format!("rod{i}"), rod).joint(format!("hinge{i}"), "revolute", hinge);
    }
    builder
}

/// Compiles a module in release, its dependencies first and apart, and returns the time of the module alone.
fn compile(module: &str) -> Result<Duration, Box<dyn Error>> {
    let folder = root("target/bench_generate");
    std::fs::create_dir_all(folder.join("src"))?;
    let runtime = root("runtime").canonicalize()?;
    let manifest = format!(
        "[workspace]\n[package]\nname = \"bench_generate_module\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\ndqdt = {{ path = {runtime:?} }}\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::copy(root("Cargo.lock"), folder.join("Cargo.lock"))?;
    build(&folder, "//! Empty.\n")?;
    build(&folder, module)
}

fn build(folder: &Path, text: &str) -> Result<Duration, Box<dyn Error>> {
    std::fs::write(folder.join("src/lib.rs"), text)?;
    let start = Instant::now();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let status = cargo.args(["build", "--release", "--offline", "--quiet"]).current_dir(folder).status()?;
    if !status.success() {
        return Err("the emitted module does not compile".into());
    }
    Ok(start.elapsed())
}

fn root(relative: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(relative)
}
