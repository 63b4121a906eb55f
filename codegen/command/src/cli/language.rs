//! `--language` of `dqdt emit`, and the options that each language declares.

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use super::source::Failure;
use dqdt_graph::ir::Program;
use dqdt_print::target::{Printed, Target, TargetError, TargetOption, TargetOptions};
use dqdt_targets::{TARGETS, target_by_name};

/// Target language of `dqdt emit`, with the options of that language from the command line.
pub(super) struct Language {
    target: &'static Target,
    choices: Vec<(&'static str, String)>,
}

/// Options of all target languages, without repetition, which `dqdt emit` accepts.
fn all_target_options() -> Vec<&'static TargetOption> {
    let mut out: Vec<&TargetOption> = Vec::new();
    for option in TARGETS.iter().flat_map(|target| target.options) {
        if !out.iter().any(|o| o.name == option.name) {
            out.push(option);
        }
    }
    out
}

/// True if `word` is the default value of the target option `name`.
fn is_default_word(name: &str, word: &str) -> bool {
    all_target_options().iter().any(|o| o.name == name && o.words.first() == Some(&word))
}

fn has_option(target: &Target, name: &str) -> bool {
    target.options.iter().any(|o| o.name == name)
}

fn failure_from_target(error: TargetError) -> Failure {
    match error {
        TargetError::Option { name, message } => Failure::Language { option: name, message },
        TargetError::Internal(errors) => Failure::Spec(errors),
    }
}

fn clap_argument(option: &'static TargetOption) -> Arg {
    let argument = Arg::new(option.name).long(option.name).help(option.about).conflicts_with("family");
    match option.words {
        [] => argument.action(ArgAction::SetTrue),
        [first, ..] => argument.value_parser(PossibleValuesParser::new(option.words)).default_value(*first),
    }
}

impl Args for Language {
    fn augment_args(command: Command) -> Command {
        let titles: Vec<&str> = TARGETS.iter().map(|target| target.title).collect();
        let language = Arg::new("language")
            .long("language")
            .help(format!("Language of the emitted code: {}", titles.join(", ")))
            .value_parser(PossibleValuesParser::new(TARGETS.iter().map(|target| target.name)))
            .default_value(TARGETS[0].name)
            .conflicts_with("family");
        all_target_options()
            .into_iter()
            .fold(command.arg(language), |command, option| command.arg(clap_argument(option)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Language {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let name = matches.get_one::<String>("language").map_or("", String::as_str);
        let words = all_target_options()
            .into_iter()
            .filter(|o| matches.value_source(o.name) == Some(ValueSource::CommandLine))
            .map(|option| match option.words {
                [] => (option.name, "true".to_owned()),
                _ => (option.name, matches.get_one::<String>(option.name).cloned().unwrap_or_default()),
            });
        // An explicit default value counts as absent, so that it is allowed for every language.
        let choices: Vec<_> = words.filter(|(name, word)| !is_default_word(name, word)).collect();
        let target = target_by_name(name).ok_or_else(|| {
            Error::raw(clap::error::ErrorKind::InvalidValue, format!("unknown language `{name}`"))
        })?;
        Ok(Language { target, choices })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Language {
    /// Target language that the command line names.
    pub(super) fn target(&self) -> &'static Target {
        self.target
    }

    /// True if the emitted code uses single precision.
    pub(super) fn is_single_precision(&self) -> bool {
        let word = self.target.singles;
        self.choices.iter().any(|(name, value)| word == Some((*name, value.as_str())))
    }

    /// Refuses an option of the command line that belongs to another target language.
    pub(super) fn check_option_language(&self) -> Result<(), Failure> {
        let Some((name, _)) = self.choices.iter().find(|(name, _)| !has_option(self.target, name)) else {
            return Ok(());
        };
        let takers = || TARGETS.iter().filter(|target| has_option(target, name));
        let titles: Vec<&str> = takers().map(|target| target.title).collect();
        let words: Vec<String> = takers().map(|target| format!("`--language {}`", target.name)).collect();
        let message =
            format!("this option applies only to {}: add {}", titles.join(" and "), words.join(" or "));
        Err(Failure::Language { option: (*name).to_owned(), message })
    }

    /// Prints a program in the target language.
    pub(super) fn print_program(&self, program: &Program) -> Result<Printed, Failure> {
        let choices = self.choices.iter().map(|(name, word)| (*name, word.as_str()));
        let options = TargetOptions::new(self.target, choices).map_err(failure_from_target)?;
        (self.target.print)(program, &options).map_err(failure_from_target)
    }
}
