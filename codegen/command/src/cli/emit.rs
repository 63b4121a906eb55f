//! `dqdt emit`: writes the code of a mechanism.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::language::Language;
use super::source::{Failure, SpecSource, formalism_parser, load_source};
use super::{family, output};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::base::InternalError;
use dqdt_document::report::{self, Block, Cell, Report, Section};
use dqdt_families::indexed;
use dqdt_generate::explain::{self, Explanation};
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_print::target::Printed;
use dqdt_spec::spec::did_you_mean;
use dqdt_targets::TARGETS;

/// Help text that lists the names of all functions: first those emitted by default, then the
/// others.
fn function_help() -> String {
    format!(
        "Functions emitted by default, if they are defined for the mechanism: {}.\n\nFunctions emitted on \
         request: {}.\n\ndocs/functions.md describes the functions for robots.",
        list_functions(true),
        list_functions(false)
    )
}

fn list_functions(by_default: bool) -> String {
    let all = functions::ALL.iter().filter(|f| f.by_default == by_default).map(|f| f.name);
    all.collect::<Vec<_>>().join(", ")
}

#[derive(Args)]
#[command(after_help = function_help())]
pub(super) struct Emit {
    #[command(flatten)]
    source: SpecSource,
    /// Output file; standard output by default. For C, which is a header and a source file, a
    /// folder
    #[arg(short, long)]
    output: Option<PathBuf>,
    #[command(flatten)]
    language: Language,
    /// Formalism that derives the equations; by default kane up to 12 speeds, and above that the
    /// one with the lowest cost that solves in every pose; with `--scalar float` one that is
    /// accurate in single precision
    #[arg(long, value_parser = formalism_parser())]
    formalism: Option<FormalismChoice>,
    /// Functions to emit, by name, separated by commas, instead of the default ones, which the name
    /// `default` includes: `default,closure`; see the list below
    #[arg(long, value_delimiter = ',', value_parser = parse_function_choice)]
    functions: Vec<FunctionChoice>,
    /// Also emit these functions as one call, which computes shared terms once: `dqdt+outputs`;
    /// repeatable
    #[arg(long, value_name = "A+B", value_parser = parse_joint_functions)]
    joint: Vec<&'static Definition>,
    /// Emit a module that is generic over this size of the spec's [repeat]
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["formalism", "functions", "joint", "reactions"])]
    family: Option<String>,
    /// Print the savings of each choice and each pass, instead of the module
    #[arg(long, conflicts_with_all = ["output", "family"])]
    explain: bool,
    /// Also emit the forces and moments in the joints
    #[arg(long)]
    reactions: bool,
    /// Write nothing; fail if the output file is not up to date
    #[arg(long, requires = "output")]
    check: bool,
}

/// One element of the option `--functions` of `dqdt emit`.
#[derive(Clone, Copy)]
enum FunctionChoice {
    /// The word `default`: all functions that are emitted by default.
    Defaults,
    One(&'static Definition),
}

impl FunctionChoice {
    fn expand_choice(self, loaded: &Assembled) -> Vec<&'static Definition> {
        match self {
            FunctionChoice::Defaults => {
                dqdt_generate::inertia::split_defined_functions(loaded, &functions::defaults()).0
            }
            FunctionChoice::One(function) => vec![function],
        }
    }
}

fn parse_function_choice(name: &str) -> Result<FunctionChoice, String> {
    match name.trim() {
        "default" => Ok(FunctionChoice::Defaults),
        name => parse_function(name).map(FunctionChoice::One),
    }
}

pub(super) fn parse_function(name: &str) -> Result<&'static Definition, String> {
    let name = name.trim();
    if name.is_empty() {
        return Err("a function name is missing: separate names with commas, or with `+` in the value of \
                    `--joint`"
            .to_owned());
    }
    functions::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = functions::ALL.iter().map(|f| f.name).collect();
        if name == "default" {
            return "`default` stands for several functions; name a single function instead".to_owned();
        }
        match did_you_mean(name, names.iter().copied().chain(["default"])) {
            Some(meant) => {
                format!("unknown function; did you mean `{meant}`? `dqdt emit --help` lists all functions")
            }
            None => {
                format!(
                    "unknown function; the available functions are\n{}",
                    super::output::wrap_text(&names.join(", "), 0)
                )
            }
        }
    })
}

fn parse_joint_functions(names: &str) -> Result<&'static Definition, String> {
    let functions =
        names.split('+').map(|name| parse_function(name.trim())).collect::<Result<Vec<_>, _>>()?;
    functions::joint(&functions).map_err(|e| e.to_string())
}

/// Relative change of an operation count as text, such as `−12.3 %`.
fn relative_change(before: u32, after: u32) -> String {
    let share = 100.0 * (f64::from(after) - f64::from(before)) / f64::from(before.max(1));
    format!("{share:+.1} %").replace('-', "−")
}

fn number_table(header: &[&str], rows: Vec<Vec<String>>) -> Block {
    Block::Table {
        caption: report::Prose::default(),
        header: header.iter().map(|h| (*h).to_owned()).collect(),
        rows: rows.into_iter().map(|row| row.into_iter().map(Cell::from).collect()).collect(),
        numeric: (1..header.len()).collect(),
    }
}

fn explanation_report(name: &str, e: &Explanation) -> Report {
    let taken = e.candidates.iter().find(|c| c.formalism == e.taken);
    let forms = e.candidates.iter().map(|c| {
        let other = taken.filter(|taken| taken.formalism != c.formalism);
        let change = other.map_or_else(|| "chosen".to_owned(), |taken| relative_change(taken.cost, c.cost));
        vec![c.formalism.name().to_owned(), c.operations.to_string(), c.cost.to_string(), change]
    });
    let forms = Section::new("forms")
        .with_block(number_table(&["formalism", "operations", "cost", "change"], forms.collect()))
        .with_block(Block::paragraph(format!(
            "Totals for one call of each requested function, after all passes. The cost is the number of \
             operations, or {} times the longest chain of dependent operations, whichever is larger.",
            pipeline::WAITING
        )));
    let inertia = Section::new("inertial parameters").with_block(number_table(
        &["parameters", "operations", "saved"],
        vec![
            vec!["parameters of the bodies".to_owned(), e.of_bodies.to_string(), String::new()],
            vec!["base parameters".to_owned(), e.base.to_string(), relative_change(e.of_bodies, e.base)],
        ],
    ));
    let first = e.choices.first();
    let choices = e.choices.iter().map(|c| {
        let other = first.filter(|first| first.which != c.which);
        let change = other.map_or_else(String::new, |first| relative_change(first.cost, c.cost));
        vec![c.which.clone(), c.operations.to_string(), c.cost.to_string(), change]
    });
    let choices = number_table(&["choice", "operations", "cost", "change"], choices.collect());
    let choices = (!e.choices.is_empty()).then(|| Section::new("choices").with_block(choices));
    let mut before = None;
    let passes = e.passes.iter().map(|(pass, n)| {
        let change = before.replace(*n).map_or_else(String::new, |before| relative_change(before, *n));
        vec![(*pass).to_owned(), n.to_string(), change]
    });
    let passes =
        Section::new("passes").with_block(number_table(&["pass", "operations", "saved"], passes.collect()));
    let mut report = Report::new(format!("{name}: operations saved by each choice"), "");
    report.sections.push(forms);
    report.sections.extend(choices);
    report.sections.extend([inertia, passes]);
    report
}

fn live_values_section(live: &[(&'static str, usize)]) -> Section {
    let rows = live.iter().map(|(function, live)| vec![(*function).to_owned(), live.to_string()]);
    Section::new("values alive at the same time, in emitted CUDA")
        .with_block(number_table(&["function", "live values"], rows.collect()))
        .with_block(Block::paragraph(
            "CUDA has an order of statements of its own: values beyond the registers of a thread are stored in memory.",
        ))
}

impl Emit {
    /// Runs `dqdt emit`. `command` is the command line, which the message of `--check` repeats.
    pub(super) fn run(self, command: &str) -> Result<ExitCode, Failure> {
        output::check_distinct_files(&self.source, &[], &[("--output", self.output.as_deref())])?;
        self.language.check_option_language()?;
        let printed = match self.print_code()? {
            Some(printed) => printed,
            None => return Ok(ExitCode::SUCCESS),
        };
        self.write_code(printed, command)
    }

    /// Emitted text of the requested language; `None` if `--explain` printed a report instead.
    fn print_code(&self) -> Result<Option<Printed>, Failure> {
        let loaded = match &self.family {
            Some(size) => return self.print_family(size).map(Some),
            None => load_source(&self.source)?,
        };
        let mut functions = match self.functions.is_empty() {
            true => pipeline::functions_of(&loaded).map_err(Failure::Spec)?,
            false => self.requested_functions(&loaded),
        };
        let (_, undefined) = dqdt_generate::inertia::split_defined_functions(&loaded, &functions::defaults());
        if !undefined.is_empty() && self.functions.is_empty() {
            dqdt_diagnostics::tell!(
                "note: a motion of the mechanism has no inertia, so these functions are omitted: {}",
                undefined.join(", ")
            );
        }
        if self.reactions {
            functions.push(functions::REACTIONS);
        }
        for joint in &self.joint {
            if !functions.contains(joint) {
                functions.push(joint);
            }
        }
        pipeline::check_functions(&loaded, &functions).map_err(Failure::Spec)?;
        let default = if self.language.is_single_precision() {
            FormalismChoice::ForSingles
        } else {
            FormalismChoice::default()
        };
        let choice = self.formalism.unwrap_or(default);
        if self.explain {
            let explanation = explain::explain_choices(&loaded, choice, &functions).map_err(Failure::Spec)?;
            let program = pipeline::derive(&loaded, choice, &functions).map_err(Failure::Spec)?.program;
            let live = dqdt_targets::count_live_values(&program).map_err(|e| Failure::Spec(e.into()))?;
            let mut report = explanation_report(&loaded.mechanism.name, &explanation);
            report.sections.push(live_values_section(&live));
            output::print_to_stdout(&dqdt_view::report::print_text(&report, 100))?;
            return Ok(None);
        }
        let derivation = pipeline::derive(&loaded, choice, &functions).map_err(Failure::Spec)?;
        let named = self.functions.iter().filter_map(|w| match w {
            FunctionChoice::One(function) => Some(*function),
            FunctionChoice::Defaults => None,
        });
        for absent in named.filter(|f| derivation.program.function(f).is_none()) {
            dqdt_diagnostics::tell!(
                "warning: `{}` has nothing to compute for {}, so it is omitted",
                absent.name,
                loaded.mechanism.name
            );
        }
        self.language.print_program(&derivation.program).map(Some)
    }

    /// Stores the emitted texts: one text on standard output or in a file, several texts in a
    /// folder.
    fn write_code(&self, printed: Printed, command: &str) -> Result<ExitCode, Failure> {
        let all: Vec<(PathBuf, &String)> = match (&printed.texts[..], &printed.name) {
            ([text], _) => match &self.output {
                Some(path) if path.as_os_str() == "-" && self.check => {
                    let message = "`--check` cannot compare with standard output: specify a file".to_owned();
                    return Err(Failure::Option { option: "--output", message });
                }
                Some(path) if path.as_os_str() != "-" => {
                    self.check_extension(path)?;
                    vec![(path.clone(), text)]
                }
                _ => return output::write_or_print(None, text).map(|()| ExitCode::SUCCESS),
            },
            (texts, name) => {
                let target = self.language.target();
                let Some(name) = name.as_ref().filter(|_| texts.len() == target.endings.len()) else {
                    let what = format!(
                        "the printer for {} returned {} texts, which do not match its file names",
                        target.title,
                        texts.len()
                    );
                    return Err(Failure::Spec(InternalError::new(what).into()));
                };
                let folder = self.output_folder()?;
                let endings = self.language.target().endings.iter();
                endings
                    .zip(texts)
                    .map(|(ending, text)| (folder.join(format!("{name}.{ending}")), text))
                    .collect()
            }
        };
        if all.len() > 1 {
            let paths: Vec<_> = all.iter().map(|(path, _)| ("--output", Some(path.as_path()))).collect();
            output::check_distinct_files(&self.source, &[], &paths)?;
            if let (Some(folder), false) = (&self.output, self.check) {
                std::fs::create_dir_all(folder).map_err(|e| Failure::from_file_error("create", folder, e))?;
            }
        }
        for (path, text) in &all {
            match self.check {
                true => check_up_to_date(path, text, command)?,
                false => output::write_or_print(Some(path), text)?,
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses an output file of `dqdt emit` whose extension belongs to another language.
    fn check_extension(&self, path: &Path) -> Result<(), Failure> {
        let target = self.language.target();
        let Some(ending) = path.extension().and_then(|e| e.to_str()) else { return Ok(()) };
        let other = TARGETS.iter().find(|other| other.endings.contains(&ending));
        let Some(other) = other.filter(|_| !target.endings.contains(&ending)) else { return Ok(()) };
        let message = format!(
            "{} has the extension of {}, but the output is {}: use `--language {}`, or another file name",
            path.display(),
            other.title,
            target.title,
            other.name
        );
        Err(Failure::Option { option: "--output", message })
    }

    /// Output folder of `dqdt emit`, for a language with several files; an error if `--output` is
    /// no folder.
    fn output_folder(&self) -> Result<&Path, Failure> {
        let target = self.language.target();
        let (title, files) = (target.title, target.files);
        let Some(folder) = &self.output else {
            return refuse_output(format!("{title} output consists of {files}: specify a folder for them"));
        };
        if folder.as_os_str() == "-" {
            return refuse_output(format!(
                "{title} output consists of {files}, which cannot be written to standard output: specify a \
                 folder"
            ));
        }
        let ending = folder.extension().and_then(|e| e.to_str());
        let is_of_file = ending.is_some_and(|e| TARGETS.iter().any(|target| target.endings.contains(&e)));
        if is_of_file && !folder.is_dir() {
            return refuse_output(format!(
                "{} looks like a file: {title} output requires a folder for {files}, which are named after \
                 the mechanism",
                folder.display()
            ));
        }
        if folder.is_file() {
            return refuse_output(format!(
                "{} is a file: {title} output requires a folder for {files}",
                folder.display()
            ));
        }
        Ok(folder)
    }

    fn print_family(&self, size: &str) -> Result<Printed, Failure> {
        let (first, members) = family::load_family_members(&self.source, size)?;
        let answers = indexed::find_formulas(&members);
        let origin = (first.origin.file.clone(), first.origin.hash.clone());
        let program = indexed::build_family_program(&first.mechanism.name, size, origin, &members, answers)
            .map_err(|e| Failure::Option { option: "--family", message: e.to_string() })?;
        let text = dqdt_families::emit_rust_family(&program).map_err(|e| Failure::Spec(e.into()))?;
        Ok(Printed { name: None, texts: vec![text] })
    }

    /// The functions that `--functions` names, without repetition.
    fn requested_functions(&self, loaded: &Assembled) -> Vec<&'static Definition> {
        let mut out = Vec::new();
        for function in self.functions.iter().flat_map(|w| w.expand_choice(loaded)) {
            if !out.contains(&function) {
                out.push(function);
            }
        }
        out
    }
}

fn refuse_output<T>(message: String) -> Result<T, Failure> {
    Err(Failure::Option { option: "--output", message })
}

fn check_up_to_date(path: &Path, text: &str, command: &str) -> Result<(), Failure> {
    let old = std::fs::read_to_string(path);
    if old.is_ok_and(|old| old == text) {
        return Ok(());
    }
    Err(Failure::Stale { path: path.display().to_string(), command: command.to_owned() })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use dqdt_derivation::derive::Request;
    use dqdt_mechanics::formalism::Formalism;

    #[derive(Parser)]
    struct TestCommand {
        #[command(flatten)]
        emit: Emit,
    }

    #[test]
    fn an_internal_error_writes_no_file() {
        let spec = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs/cart_pole.toml");
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("c");
        let words = ["emit", spec, "--language", "c", "-o", output.to_str().unwrap()];
        let emit = TestCommand::try_parse_from(words).unwrap().emit;
        let loaded = load_source(&emit.source).unwrap_or_else(|e| panic!("{e}"));
        let request = Request::new(Formalism::Kane, vec![functions::DQDT]);
        let mut program = pipeline::program(&loaded, &request);
        program.layout.u.clear();
        let Err(Failure::Spec(errors)) = emit.language.print_program(&program) else {
            panic!("it is no error")
        };
        assert!(errors.to_string().contains("internal error, please report: "), "{errors}");
        assert!(!output.exists());
    }
}
