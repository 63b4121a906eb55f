//! The command line.
//!
//! Invariants: standard output holds the asked-for product and nothing else; messages go to standard error; exit status
//! 0 for success, 1 for a negative answer or bad input, 2 for "undecided" and for wrong use.

mod assemble;
mod compare;
mod compare_bench;
mod compare_sweep;
mod emit;
mod eval;
mod family;
mod inspect;
mod new;
mod output;
mod prove;
mod senseless;
mod simulate;
mod start;
mod symbolic;

#[cfg(test)]
pub(crate) use eval::evaluate;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::formalism::Formalism;
use crate::functions::Definition;
use crate::pipeline::{self, Choice, Loaded};
use crate::spec::Settings;
#[cfg(feature = "symbolica")]
use crate::spec::Spec;

/// Equations of motion: derived symbolically, printed as Rust, shown to people.
#[derive(Parser)]
#[command(name = "dqdt", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the Rust module of a mechanism
    Emit(emit::Emit),
    /// Show what was understood and the derived equations
    Inspect(inspect::Inspect),
    /// Evaluate the equations at one state; JSON in, JSON out, `null` for what the motion does not determine
    Eval(eval::Eval),
    /// Find a state that fulfils the constraints, and count degrees of freedom
    Assemble(assemble::Assemble),
    /// Integrate the motion and write it as table, plot or animation
    Simulate(simulate::Simulate),
    /// Count, measure and compare all formalisms on a mechanism
    Compare(compare::Compare),
    /// Prove that the formalisms and the emitted program say the same
    Prove(prove::Prove),
    /// Write a commented spec to start from
    New(new::New),
    /// Print the JSON schema of the spec format, for editors
    Schema,
    /// The symbolic engine in a process of its own; not for people
    #[command(name = "__symbolic", hide = true)]
    Symbolic,
}

/// A formalism by name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormalismName {
    Given(Formalism),
    /// The one with the fewest operations.
    Auto,
}

impl FormalismName {
    const VARIANTS: [FormalismName; Formalism::ALL.len() + 1] = {
        let mut variants = [FormalismName::Auto; Formalism::ALL.len() + 1];
        let mut i = 0;
        while i < Formalism::ALL.len() {
            variants[i] = FormalismName::Given(Formalism::ALL[i]);
            i += 1;
        }
        variants
    };

    fn name(self) -> &'static str {
        match self {
            FormalismName::Given(f) => f.name(),
            FormalismName::Auto => "auto",
        }
    }

    /// How the formalism is found; by the size of the mechanism where there is no name.
    fn choice(name: Option<Self>) -> Choice {
        match name {
            Some(FormalismName::Given(f)) => Choice::Given(f),
            Some(FormalismName::Auto) => Choice::FewestOperations,
            None => Choice::BySize,
        }
    }

    /// The formalism for a mechanism and the functions asked for, if it can be derived by it.
    fn choose(
        name: Option<Self>,
        loaded: &Loaded,
        functions: &[&'static Definition],
    ) -> Result<Formalism, Failure> {
        pipeline::choose(loaded, Self::choice(name), functions).map_err(Failure::Spec)
    }
}

impl ValueEnum for FormalismName {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::VARIANTS
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let help = match self {
            FormalismName::Given(f) => f.description(),
            FormalismName::Auto => "the one with the fewest operations for the functions asked for",
        };
        Some(clap::builder::PossibleValue::new(self.name()).help(help))
    }
}

/// Why a command ended without its product. The text is complete; nothing is added but `error:`.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// Messages about a spec.
    #[error("{0}")]
    Spec(crate::error::Errors),
    /// A file could not be read or written.
    #[error("cannot {action} {path}: {source}")]
    File { action: &'static str, path: String, source: std::io::Error },
    /// `--check` found a stale file.
    #[error("{path} is stale\n\nhelp: `{command}` writes it anew")]
    Stale { path: String, command: String },
    /// The input of `eval` is not as it should be.
    #[error("{place}: {message}")]
    Input { place: String, message: String },
    /// Nothing fulfils the constraints.
    #[error("{0}")]
    Start(crate::simulate::NoStart),
    /// A simulation ended before its time.
    #[error("{0}")]
    Stopped(crate::simulate::Stop),
    /// The symbolic engine did not answer.
    #[cfg(feature = "symbolica")]
    #[error("the symbolic engine: {0}")]
    Symbolic(#[from] crate::symbolic::SymbolicError),
    /// Built without the engine.
    #[cfg(not(feature = "symbolica"))]
    #[error("this `dqdt` was built without the symbolic engine: build with the feature `symbolica`")]
    NoEngine,
    /// An option has a value that makes no sense.
    #[error("{option}: {message}")]
    Option { option: &'static str, message: String },
}

impl Failure {
    fn file(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Failure::File { action, path: path.display().to_string(), source }
    }
}

/// Runs the command and returns its exit status.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(args) {
        Ok(a) => a,
        Err(e) => {
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() { 2 } else { 0 });
        }
    };
    let result = match arguments.command {
        Command::Emit(c) => c.run(),
        Command::Inspect(c) => c.run(),
        Command::Eval(c) => c.run(),
        Command::Assemble(c) => c.run(),
        Command::Simulate(c) => c.run(),
        Command::Compare(c) => c.run(),
        Command::Prove(c) => c.run(),
        Command::New(c) => c.run(),
        Command::Schema => {
            output::print(&format!("{:#}\n", crate::spec::schema())).map(|()| ExitCode::SUCCESS)
        }
        Command::Symbolic => symbolic::serve(),
    };
    match result {
        Ok(code) => code,
        Err(Failure::Spec(e)) => {
            eprint!("{}", e.render(std::io::stderr().is_terminal()));
            let n = e.count();
            eprintln!("error: {n} error{} in the spec; nothing was derived", if n == 1 { "" } else { "s" });
            ExitCode::from(1)
        }
        // The reader of a pipe went away: nobody is left to tell.
        Err(Failure::File { source, .. }) if source.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::from(1)
        }
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(1)
        }
    }
}

/// The spec that a command is about.
#[derive(Args, Clone)]
struct Source {
    /// The mechanism (TOML)
    spec: PathBuf,
    /// A size of the spec's [repeat], such as n=10; may be given several times
    #[arg(long, value_name = "SIZE=NUMBER", value_parser = size)]
    set: Vec<(String, i64)>,
}

fn size(text: &str) -> Result<(String, i64), String> {
    let parts = text.split_once('=').map(|(n, v)| (n.trim().to_owned(), v.trim().parse()));
    match parts {
        Some((name, Ok(value))) if !name.is_empty() => Ok((name, value)),
        _ => Err("a size is a name and a whole number: n=10".to_owned()),
    }
}

impl Source {
    /// As words of a command.
    fn words(&self) -> Vec<String> {
        let path = self.spec.display().to_string();
        std::iter::once(path).chain(self.set.iter().map(|(n, v)| format!("--set {n}={v}"))).collect()
    }
}

fn settings(source: &Source) -> Settings {
    source.set.iter().fold(Settings::new(), |s, (n, v)| s.set(n, *v))
}

/// Reads a spec.
#[cfg(feature = "symbolica")]
fn read(source: &Source) -> Result<Spec, Failure> {
    crate::spec::read_with(&source.spec, &settings(source)).map_err(Failure::Spec)
}

/// Refuses what would outgrow memory.
fn check_size(loaded: &Loaded, forms: &[Formalism]) -> Result<(), Failure> {
    pipeline::check_size(loaded, forms).map_err(Failure::Spec)
}

/// Reads and builds a spec; warnings go to standard error.
fn load(source: &Source) -> Result<Loaded, Failure> {
    let settings = settings(source);
    let loaded = pipeline::load_with(&source.spec, &settings).map_err(Failure::Spec)?;
    if !loaded.warnings.diagnostics.is_empty() {
        eprint!("{}", loaded.warnings.render(std::io::stderr().is_terminal()));
    }
    Ok(loaded)
}
