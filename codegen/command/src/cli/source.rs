//! Shared parts of all commands: the spec as an argument, the choice of formalism, and failures.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::codes;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::size;
use dqdt_diagnostics::base::sanitise;
use dqdt_equations::symbolic::SymbolicError;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_mechanics::formalism::Formalism;
use dqdt_motion::linearize::LinearizeError;
use dqdt_spec::read::Settings;
use dqdt_spec::spec::did_you_mean;

/// Clap parser of the values of `--formalism`.
pub(super) fn formalism_parser() -> impl TypedValueParser<Value = FormalismChoice> {
    let values = FormalismChoice::named().map(|c| PossibleValue::new(c.name()).help(c.description()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<FormalismChoice>())
}

/// Reason why a command of `dqdt` failed. The display text is the whole message except for the
/// prefix `error:`.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// Errors in a spec, each with its place.
    #[error("{0}")]
    Spec(#[from] dqdt_diagnostics::error::Errors),
    /// A file could not be read or stored; `action` is the verb of the message.
    #[error("cannot {action} {path}: {source}")]
    File { action: &'static str, path: String, source: std::io::Error },
    /// `--check` of `dqdt emit` found an output file that differs from the text to be emitted;
    /// `command` rewrites it.
    #[error("{path} is stale\n\nhelp: run `{command}` to update it")]
    Stale { path: String, command: String },
    /// A problem with an input file of the command, or with the state in it; `place` names the
    /// file.
    #[error("{place}: {message}")]
    Input { place: String, message: String },
    /// Assembly found no state that fulfils the constraints.
    #[error("{0}")]
    Start(dqdt_motion::simulate::NoStart),
    /// A simulation stopped before its end time, such as at a singular pose.
    #[error("{0}")]
    Stopped(dqdt_motion::simulate::Stop),
    /// A file of a sweep cannot be read, written or continued.
    #[error("{0}")]
    Sweep(#[from] dqdt_motion::sweep::SweepError),
    /// A query to the symbolic engine failed.
    #[error("the symbolic engine: {0}")]
    Symbolic(#[from] SymbolicError),
    /// An option of the command line has an invalid value.
    #[error("{option}: {message}")]
    Option { option: &'static str, message: String },
    /// An option of a target language of `dqdt emit` has an invalid value.
    #[error("--{option}: {message}")]
    Language { option: String, message: String },
}

impl Failure {
    /// Failure of a command by a linearisation error. For an unknown name, the message suggests a
    /// similar one.
    pub(super) fn from_linearisation_error(e: &LinearizeError, place: &Path) -> Self {
        if let LinearizeError::Spec(errors) = e {
            return Failure::Spec(errors.clone());
        }
        let LinearizeError::Unknown { name, known, purpose } = e else {
            return Failure::Input { place: place.display().to_string(), message: e.to_string() };
        };
        let near = did_you_mean(name, known.split(", "));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let option = if *purpose == "free" { "--trim" } else { "--independent" };
        Failure::Option { option, message: format!("{e}{near}") }
    }

    pub(super) fn from_file_error(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Failure::File { action, path: path.display().to_string(), source }
    }
}

/// The spec that a command reads: path, sizes of repeats and accepted omissions.
#[derive(Args, Clone)]
pub(super) struct SpecSource {
    /// File of the mechanism: a spec (TOML), or a robot (URDF or MJCF)
    pub(super) spec: PathBuf,
    /// Value of a size of the spec's [repeat], such as n=10; repeatable
    #[arg(long, value_name = "SIZE=NUMBER", value_parser = parse_size)]
    pub(super) set: Vec<(String, i64)>,
    /// Accept that this part of a robot is omitted although it changes the equations, such as
    /// `tendon`; repeatable
    #[arg(long, value_name = "PART")]
    pub(super) accept: Vec<String>,
}

fn parse_size(text: &str) -> Result<(String, i64), String> {
    let parts = text.split_once('=').map(|(n, v)| (n.trim().to_owned(), v.trim().parse()));
    match parts {
        Some((name, Ok(value))) if !name.is_empty() => Ok((name, value)),
        _ => Err("expected the name of a size and a whole number, such as n=10".to_owned()),
    }
}

pub(super) fn read_settings(source: &SpecSource) -> Settings {
    let sizes = source.set.iter().fold(Settings::new(), |s, (n, v)| s.set(n, *v));
    source.accept.iter().fold(sizes, |s, part| s.accept(part))
}

/// Refuses formalisms whose equations of this mechanism would exceed the memory.
pub(super) fn check_memory_size(loaded: &Assembled, forms: &[Formalism]) -> Result<(), Failure> {
    size::check_formalism_sizes(&loaded.mechanism, forms).map_err(Failure::Spec)
}

/// Reads and assembles the spec of a command; warnings go to standard error.
pub(super) fn load_source(source: &SpecSource) -> Result<Assembled, Failure> {
    let settings = read_settings(source);
    let loaded = pipeline::load_with(&source.spec, &settings).map_err(Failure::Spec)?;
    print_spec_warnings(&loaded);
    Ok(loaded)
}

/// Warns about names in `accept` that match no message code and no omitted part of a robot.
pub(super) fn warn_unused_accepts(accepted: &[String]) {
    for name in accepted.iter().filter(|name| codes::all_codes().all(|c| c.code != **name)) {
        let near = did_you_mean(name, codes::all_codes().map(|c| c.code));
        let help = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        let name = sanitise(name);
        dqdt_diagnostics::tell!(
            "warning: `accept` lists `{name}`, which is neither the code of a message nor an omitted part \
             of a robot{help}"
        );
    }
}

/// Prints the warnings of an assembled spec, and of unused names in `accept`, to standard error.
pub(super) fn print_spec_warnings(loaded: &Assembled) {
    warn_unused_accepts(&loaded.accepted);
    if !loaded.warnings.diagnostics.is_empty() {
        dqdt_diagnostics::tell_on!("{}", loaded.warnings.render(std::io::stderr().is_terminal()));
    }
}
