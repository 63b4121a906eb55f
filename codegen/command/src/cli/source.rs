//! The start of every command: the spec, the formalism, and why it ended without its product.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::codes;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::size;
use dqdt_diagnostics::base::shown;
use dqdt_equations::symbolic::SymbolicError;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_mechanics::formalism::Formalism;
use dqdt_motion::linearize::LinearizeError;
use dqdt_spec::read::Settings;
use dqdt_spec::spec::did_you_mean;

/// What `--formalism` takes.
pub(super) fn formalisms() -> impl TypedValueParser<Value = FormalismChoice> {
    let value = |c: FormalismChoice| PossibleValue::new(c.name()).help(c.description());
    PossibleValuesParser::new(FormalismChoice::named().map(value))
        .try_map(|name| name.parse::<FormalismChoice>())
}
/// Why a command ended without its product. The text is complete; nothing is added but `error:`.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// Messages about a spec.
    #[error("{0}")]
    Spec(#[from] dqdt_diagnostics::error::Errors),
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
    Start(dqdt_motion::simulate::NoStart),
    /// A simulation ended before its time.
    #[error("{0}")]
    Stopped(dqdt_motion::simulate::Stop),
    /// A symbolic query that could not be carried out.
    #[error("the symbolic engine: {0}")]
    Symbolic(#[from] SymbolicError),
    /// An option has a value that makes no sense.
    #[error("{option}: {message}")]
    Option { option: &'static str, message: String },
    /// An option of a language has a value that makes no sense.
    #[error("--{option}: {message}")]
    Language { option: String, message: String },
}

impl Failure {
    /// Why there is no linearisation; a name that there is not is told with the one that was meant perhaps.
    pub(super) fn of_linearisation(e: &LinearizeError, place: &Path) -> Self {
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

    pub(super) fn file(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Failure::File { action, path: path.display().to_string(), source }
    }
}

/// The spec that a command is about.
#[derive(Args, Clone)]
pub(super) struct Source {
    /// The mechanism (TOML)
    pub(super) spec: PathBuf,
    /// A size of the spec's [repeat], such as n=10; may be given several times
    #[arg(long, value_name = "SIZE=NUMBER", value_parser = size)]
    pub(super) set: Vec<(String, i64)>,
    /// A part of a robot that is left out although it changes the equations, such as `tendon`; may be given several times
    #[arg(long, value_name = "PART")]
    pub(super) accept: Vec<String>,
}

pub(super) fn size(text: &str) -> Result<(String, i64), String> {
    let parts = text.split_once('=').map(|(n, v)| (n.trim().to_owned(), v.trim().parse()));
    match parts {
        Some((name, Ok(value))) if !name.is_empty() => Ok((name, value)),
        _ => Err("a size is a name and a whole number: n=10".to_owned()),
    }
}

pub(super) fn settings(source: &Source) -> Settings {
    let sizes = source.set.iter().fold(Settings::new(), |s, (n, v)| s.set(n, *v));
    source.accept.iter().fold(sizes, |s, part| s.accept(part))
}

/// Refuses what would outgrow memory.
pub(super) fn check_size(loaded: &Assembled, forms: &[Formalism]) -> Result<(), Failure> {
    size::check(&loaded.mechanism, forms).map_err(Failure::Spec)
}

/// Reads and builds a spec; warnings go to standard error.
pub(super) fn load(source: &Source) -> Result<Assembled, Failure> {
    let settings = settings(source);
    let loaded = pipeline::load_with(&source.spec, &settings).map_err(Failure::Spec)?;
    tell_loaded(&loaded);
    Ok(loaded)
}

/// Warns of names that are accepted although nothing has them.
pub(super) fn tell_unused(accepted: &[String]) {
    for name in accepted.iter().filter(|name| codes::all().all(|c| c.code != **name)) {
        let near = did_you_mean(name, codes::all().map(|c| c.code));
        let help = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        let name = shown(name);
        dqdt_diagnostics::tell!(
            "warning: `{name}` is accepted, but no message and no part of a robot that is left out has this name{help}"
        );
    }
}

/// Warnings of a spec that was built, on standard error.
pub(super) fn tell_loaded(loaded: &Assembled) {
    tell_unused(&loaded.accepted);
    if !loaded.warnings.diagnostics.is_empty() {
        dqdt_diagnostics::tell_on!("{}", loaded.warnings.render(std::io::stderr().is_terminal()));
    }
}
