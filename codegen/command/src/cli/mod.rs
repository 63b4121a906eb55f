//! The command line: parsing of arguments, the subcommands, and exit status.
//!
//! Invariants: standard output has only the requested product; messages go to standard error. Exit
//! status is 0 for success, 1 for a negative answer or bad input, 2 for "undecided" and for wrong
//! use.

mod assemble;
mod codes;
mod collect;
mod compare;
mod compare_bench;
mod compare_sweep;
mod conclusion;
mod emit;
mod eval;
mod eval_names;
mod evaluation;
mod explain;
mod family;
mod fixed_step;
mod fmu;
mod import;
mod inspect;
mod inspect_watch;
mod json;
mod language;
mod linearize;
mod linearize_over;
mod new;
mod output;
mod overrides;
mod progress;
mod prove;
pub mod reference;
mod second_opinion;
mod simulate;
mod source;
mod start;
mod state_file;
mod words;

pub use eval::evaluate_as_json;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use source::Failure;

/// Equations of motion: derived symbolically, emitted as code, printed to read.
#[derive(Parser)]
#[command(name = "dqdt", version, about, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Emit the code of a mechanism: a Rust module, or another language
    Emit(emit::Emit),
    /// Write a functional mock-up unit (FMI 3.0), for tools such as Simulink, Dymola and
    /// OpenModelica
    Fmu(fmu::Fmu),
    /// Print a report of the spec and the derived equations
    Inspect(inspect::Inspect),
    /// Evaluate the equations at one state; JSON in, JSON out, `null` for results that the motion
    /// does not determine
    Eval(eval::Eval),
    /// Find a state that satisfies the constraints, and count degrees of freedom
    Assemble(assemble::Assemble),
    /// Integrate the motion and write it as a table, a plot or an animation
    Simulate(Box<simulate::Simulate>),
    /// Join the results of the shards of a sweep
    Collect(collect::Collect),
    /// Linearise around a state, an equilibrium or a steady motion: A, B, C, D and eigenvalues
    Linearize(linearize::Linearize),
    /// Compare all formalisms for a mechanism: operation counts, code size and run time
    Compare(compare::Compare),
    /// Prove that the formalisms and the emitted program are equivalent
    Prove(prove::Prove),
    /// Write a commented spec as a starting point
    New(new::New),
    /// Write the spec of a robot from its URDF or MJCF
    Import(import::Import),
    /// Explain a message by its code: cause, remedy, example
    Explain(explain::Explain),
    /// Print the JSON schema of the spec format, for editors
    Schema,
}

impl Command {
    /// Description of the slow part of the command, for the progress message on the terminal.
    fn activity_message(&self) -> &'static str {
        match self {
            Command::Emit(_) => {
                "searching for the cheapest formalism, deriving the equations and printing the code"
            }
            Command::Fmu(_) => "deriving the equations and compiling the unit",
            Command::Inspect(c) if c.watch => "watching the spec",
            Command::Inspect(_) => "deriving the equations and their closed forms",
            Command::Eval(_) => "deriving the equations",
            Command::Assemble(_) => "searching for a state that satisfies the constraints",
            Command::Simulate(_) => "deriving and integrating the motion",
            Command::Linearize(_) => "deriving the linearised equations",
            Command::Compare(_) => "deriving the equations with every formalism",
            Command::Prove(_) => "deriving the equations with every formalism and proving that they agree",
            Command::Import(_) => "reading the robot file",
            Command::Collect(_) => "joining results",
            Command::New(_) | Command::Explain(_) | Command::Schema => "working",
        }
    }
}

/// The `clap` command with all options, for the reference pages.
fn clap_command() -> clap::Command {
    CommandLine::command()
}

/// The command line without `--check`, quoted for a shell: the remedy when `--check` fails.
fn command_line_without_check(args: &[OsString]) -> String {
    let words = args.iter().skip(1).map(|word| word.to_string_lossy()).filter(|word| word != "--check");
    std::iter::once("dqdt".to_owned())
        .chain(words.map(|word| quote_for_shell(&word)))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quote_for_shell(word: &str) -> String {
    match !word.is_empty() && word.chars().all(is_plain_shell_character) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// True if a shell takes the character literally, so that the word needs no quotes.
fn is_plain_shell_character(c: char) -> bool {
    c.is_alphanumeric() || "_-./:=,+@%".contains(c)
}

/// Runs the command `dqdt` with these arguments and returns its exit status.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let arguments = match CommandLine::try_parse_from(&args) {
        Ok(a) => a,
        Err(e) => {
            let printed = e.print();
            return ExitCode::from(if e.use_stderr() { 2 } else { u8::from(printed.is_err()) });
        }
    };
    let timer = progress::ProgressTimer::begin_timer(arguments.command.activity_message());
    let result = match arguments.command {
        Command::Emit(c) => c.run(&command_line_without_check(&args)),
        Command::Fmu(c) => c.run(),
        Command::Inspect(c) => c.run(),
        Command::Eval(c) => c.run(),
        Command::Assemble(c) => c.run(),
        Command::Simulate(c) => c.run(),
        Command::Collect(c) => c.run(),
        Command::Linearize(c) => c.run(),
        Command::Compare(c) => c.run(),
        Command::Prove(c) => c.run(),
        Command::New(c) => c.run(),
        Command::Import(c) => c.run(),
        Command::Explain(c) => c.run(),
        Command::Schema => {
            output::print_to_stdout(&dqdt_spec::spec::schema_text()).map(|()| ExitCode::SUCCESS)
        }
    };
    drop(timer);
    match result {
        Ok(code) => code,
        Err(Failure::Spec(e)) => {
            dqdt_diagnostics::tell_on!("{}", e.render(std::io::stderr().is_terminal()));
            let n = e.count();
            dqdt_diagnostics::tell!("error: {n} error{}; nothing was derived", if n == 1 { "" } else { "s" });
            ExitCode::from(1)
        }
        // The reader of the pipe has gone, so a message would have no reader either.
        Err(Failure::File { source, .. }) if source.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::from(1)
        }
        Err(e) => {
            dqdt_diagnostics::tell!("error: {e}");
            ExitCode::from(1)
        }
    }
}
