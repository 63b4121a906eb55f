//! `dqdt emit`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::source::{Failure, Source, formalisms, load};
use super::{family, output};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions::{self, Definition, Derive};
use dqdt_document::report::{self, Block, Cell, Report, Section};
use dqdt_families::indexed;
use dqdt_generate::explain::{self, Explanation};
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::Program;
use dqdt_spec::spec::did_you_mean;

/// The names of the functions, those that are emitted unless others are asked for, then the others.
fn names() -> String {
    let list = |by_default: bool| {
        let all = functions::ALL.iter().filter(|f| f.by_default == by_default).map(|f| f.name);
        all.collect::<Vec<_>>().join(", ")
    };
    format!(
        "Functions by default, as far as the mechanism has them: {}.\n\nOn request: {}.\n\nWhat robots ask for is told in \
         docs/functions.md.",
        list(true),
        list(false)
    )
}

#[derive(Args)]
#[command(after_help = names())]
pub(super) struct Emit {
    #[command(flatten)]
    source: Source,
    /// Where to write; standard output if absent. For C a folder, which gets a header and a source file
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// What to write: a Rust module, or C99
    #[arg(long, value_enum, default_value = "rust")]
    language: Language,
    /// The numbers of C; emitted Rust is generic
    #[arg(long, value_enum, default_value = "double")]
    scalar: Scalar,
    /// Also write the entry points with which CasADi loads the C, for a build with `-DDQDT_CASADI`
    #[arg(long)]
    casadi: bool,
    /// Also write steps of fixed length into the C, with derivatives where `dqdt_derivatives` is among the functions, and what adds
    /// and subtracts states
    #[arg(long)]
    steps: bool,
    /// Formalism that derives the equations; if absent, kane up to 12 speeds, above it the one of the least cost that solves in every pose
    #[arg(long, value_parser = formalisms())]
    formalism: Option<FormalismChoice>,
    /// Functions to emit, by name, separated by commas, instead of the default ones, for which `default` stands: `default,closure`;
    /// see below
    #[arg(long, value_delimiter = ',', value_parser = wanted)]
    functions: Vec<Wanted>,
    /// Also emit these functions as one call, which computes once what they share: `dqdt+outputs`; repeatable
    #[arg(long, value_name = "A+B", value_parser = joint)]
    joint: Vec<&'static Definition>,
    /// A module for any value of this size of the spec's [repeat], generic over it
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["formalism", "functions", "joint", "reactions", "fused", "language", "casadi", "steps"])]
    family: Option<String>,
    /// Write a product and a sum as one `mul_add`: quicker where the target has fused multiply-add, the same bits elsewhere;
    /// it reads worse
    #[arg(long)]
    fused: bool,
    /// Print what each choice and each pass saved, instead of the module
    #[arg(long, conflicts_with_all = ["output", "family"])]
    explain: bool,
    /// Also emit the forces and moments in the joints
    #[arg(long)]
    reactions: bool,
    /// Write nothing; fail if the output file is not what would be written
    #[arg(long, requires = "output")]
    check: bool,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    Rust,
    C,
}

/// The numbers of C.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scalar {
    Double,
    Float,
}

/// A word of `--functions`.
#[derive(Clone, Copy)]
enum Wanted {
    /// All default ones.
    Defaults,
    One(&'static Definition),
}

impl Wanted {
    fn name(self) -> &'static str {
        match self {
            Wanted::Defaults => "default",
            Wanted::One(function) => function.name,
        }
    }

    fn functions(self, loaded: &Assembled) -> Vec<&'static Definition> {
        match self {
            Wanted::Defaults => dqdt_generate::inertia::defined(loaded, &functions::defaults()).0,
            Wanted::One(function) => vec![function],
        }
    }
}

fn wanted(name: &str) -> Result<Wanted, String> {
    match name.trim() {
        "default" => Ok(Wanted::Defaults),
        name => function(name).map(Wanted::One),
    }
}

pub(super) fn function(name: &str) -> Result<&'static Definition, String> {
    let name = name.trim();
    if name.is_empty() {
        return Err(
            "a name is missing: names stand one after another, with commas between them, in a joint call with `+`".to_owned()
        );
    }
    functions::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = functions::ALL.iter().map(|f| f.name).collect();
        if name == "default" {
            return "`default` stands for several functions; here name one".to_owned();
        }
        match did_you_mean(name, names.iter().copied().chain(["default"])) {
            Some(meant) => format!("no such function; did you mean `{meant}`? `dqdt emit --help` lists all"),
            None => format!("no such function; there are\n{}", super::output::wrapped(&names.join(", "), 0)),
        }
    })
}

fn joint(names: &str) -> Result<&'static Definition, String> {
    let functions = names.split('+').map(|name| function(name.trim())).collect::<Result<Vec<_>, _>>()?;
    functions::joint(&functions).map_err(|e| e.to_string())
}

/// `−12.3 %`, of what was there before.
fn saved(before: u32, after: u32) -> String {
    let share = 100.0 * (f64::from(after) - f64::from(before)) / f64::from(before.max(1));
    format!("{share:+.1} %").replace('-', "−")
}

fn numbers_in(header: &[&str], rows: Vec<Vec<String>>) -> Block {
    Block::Table {
        caption: report::Prose::default(),
        header: header.iter().map(|h| (*h).to_owned()).collect(),
        rows: rows.into_iter().map(|row| row.into_iter().map(Cell::from).collect()).collect(),
        numeric: (1..header.len()).collect(),
    }
}

fn explanation(name: &str, e: &Explanation) -> Report {
    let own = e.candidates.iter().find(|c| c.formalism == e.taken);
    let forms = e.candidates.iter().map(|c| {
        let beside = own.filter(|own| own.formalism != c.formalism);
        let beside = beside.map_or_else(|| "taken".to_owned(), |own| saved(own.cost, c.cost));
        vec![c.formalism.name().to_owned(), c.operations.to_string(), c.cost.to_string(), beside]
    });
    let forms = Section::new("forms")
        .with(numbers_in(&["formalism", "operations", "cost", "beside"], forms.collect()))
        .with(Block::paragraph(format!(
            "Of one call of every function asked for, all together, after every pass. cost: operations, or {} times the \
             longest chain of operations that wait for each other where that is more.",
            pipeline::WAITING
        )));
    let inertia = Section::new("inertial parameters").with(numbers_in(
        &["parameters", "operations", "saved"],
        vec![
            vec!["of the bodies".to_owned(), e.of_bodies.to_string(), String::new()],
            vec!["base parameters".to_owned(), e.base.to_string(), saved(e.of_bodies, e.base)],
        ],
    ));
    let first = e.choices.first();
    let choices = e.choices.iter().map(|c| {
        let beside = first.filter(|first| first.which != c.which);
        let beside = beside.map_or_else(String::new, |first| saved(first.cost, c.cost));
        vec![c.which.clone(), c.operations.to_string(), c.cost.to_string(), beside]
    });
    let choices = numbers_in(&["choice", "operations", "cost", "beside"], choices.collect());
    let choices = (!e.choices.is_empty()).then(|| Section::new("choices").with(choices));
    let mut before = None;
    let passes = e.passes.iter().map(|(pass, n)| {
        let change = before.replace(*n).map_or_else(String::new, |before| saved(before, *n));
        vec![(*pass).to_owned(), n.to_string(), change]
    });
    let passes = Section::new("passes").with(numbers_in(&["pass", "operations", "saved"], passes.collect()));
    let mut report = Report::new(format!("{name}: what was chosen, and what it saved"), "");
    report.sections.push(forms);
    report.sections.extend(choices);
    report.sections.extend([inertia, passes]);
    report
}

impl Emit {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        output::apart(&self.source, &[], &[("--output", self.output.as_deref())])?;
        let of_c =
            [("--scalar", self.scalar != Scalar::Double), ("--casadi", self.casadi), ("--steps", self.steps)];
        if let Some((option, _)) = of_c.into_iter().find(|(_, given)| *given && self.language != Language::C)
        {
            let message = "is for C: say `--language c` too".to_owned();
            return Err(Failure::Option { option, message });
        }
        let text = match &self.family {
            Some(size) => self.of_family(size)?,
            None => {
                let loaded = load(&self.source)?;
                let mut functions = match self.functions.is_empty() {
                    true => pipeline::functions_of(&loaded).map_err(Failure::Spec)?,
                    false => self.wanted(&loaded),
                };
                let (_, undefined) = dqdt_generate::inertia::defined(&loaded, &functions::defaults());
                if !undefined.is_empty() && self.functions.is_empty() {
                    dqdt_diagnostics::tell!(
                        "note: some motion has no inertia, so these are left out: {}",
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
                let choice = self.formalism.unwrap_or_default();
                if self.explain {
                    let explained = explain::explain(&loaded, choice, &functions).map_err(Failure::Spec)?;
                    output::print(&dqdt_view::report::text(
                        &explanation(&loaded.mechanism.name, &explained),
                        100,
                    ))?;
                    return Ok(ExitCode::SUCCESS);
                }
                let derived = pipeline::derive(&loaded, choice, &functions).map_err(Failure::Spec)?;
                let named = self.functions.iter().filter_map(|w| match w {
                    Wanted::One(function) => Some(*function),
                    Wanted::Defaults => None,
                });
                for absent in named.filter(|f| derived.program.function(f).is_none()) {
                    dqdt_diagnostics::tell!(
                        "warning: {} has nothing for `{}` to say: it is left out",
                        loaded.mechanism.name,
                        absent.name
                    );
                }
                if self.language == Language::C {
                    return self.of_c(&derived.program);
                }
                let options = pipeline::RustOptions { fused: self.fused, ..Default::default() };
                pipeline::rust_with(&derived.program, &options).map_err(Failure::Spec)?
            }
        };
        match &self.output {
            Some(path) if self.check => self.is_fresh(path, &text).map(|()| ExitCode::SUCCESS),
            path => output::product(path.as_deref(), &text).map(|()| ExitCode::SUCCESS),
        }
    }

    fn is_fresh(&self, path: &Path, text: &str) -> Result<(), Failure> {
        let old = std::fs::read_to_string(path);
        if old.is_ok_and(|old| old == text) {
            return Ok(());
        }
        Err(Failure::Stale { path: path.display().to_string(), command: self.command() })
    }

    /// Two files into a folder.
    fn of_c(&self, program: &Program) -> Result<ExitCode, Failure> {
        let scalar = match self.scalar {
            Scalar::Double => dqdt_c::CScalar::Double,
            Scalar::Float => dqdt_c::CScalar::Float,
        };
        if self.casadi && self.scalar == Scalar::Float {
            let message = "CasADi knows `double` alone: leave `--scalar float` out".to_owned();
            return Err(Failure::Option { option: "--casadi", message });
        }
        let Some(folder) = &self.output else {
            let message = "C is a header and a source file: say the folder that gets them".to_owned();
            return Err(Failure::Option { option: "--output", message });
        };
        let options = dqdt_c::COptions { scalar, fused: self.fused, casadi: self.casadi, steps: self.steps };
        let files = dqdt_c::c(program, &options).map_err(Failure::Spec)?;
        if !files.beyond.is_empty() {
            let list: Vec<String> = files.beyond.iter().take(4).map(|x| format!("{x:?}")).collect();
            let message = format!(
                "{} is beyond what `float` holds: leave the option out, or use other units",
                list.join(", ")
            );
            return Err(Failure::Option { option: "--scalar", message });
        }
        let all = [(".h", &files.header), (".c", &files.source)]
            .map(|(ending, text)| (folder.join(format!("{}{ending}", files.name)), text));
        if folder.as_os_str() == "-" {
            let message = "standard output is no folder: C is a header and a source file".to_owned();
            return Err(Failure::Option { option: "--output", message });
        }
        if folder.extension().is_some_and(|e| e == "c" || e == "h") && !folder.is_dir() {
            let message = format!(
                "{} looks like a file: C gets a folder for a header and a source file, which are named after the mechanism",
                folder.display()
            );
            return Err(Failure::Option { option: "--output", message });
        }
        if folder.is_file() {
            let message =
                format!("{} is a file: C needs a folder for a header and a source file", folder.display());
            return Err(Failure::Option { option: "--output", message });
        }
        let paths = all.each_ref().map(|(path, _)| ("--output", Some(path.as_path())));
        output::apart(&self.source, &[], &paths)?;
        if !self.check {
            std::fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, e))?;
        }
        for (path, text) in &all {
            if self.check { self.is_fresh(path, text)? } else { output::write(path, text)? }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn of_family(&self, size: &str) -> Result<String, Failure> {
        let (first, members) = family::members(&self.source, size)?;
        let answers = indexed::formulas(&members);
        let origin = (first.origin.file.clone(), first.origin.hash.clone());
        let program = indexed::program(&first.mechanism.name, size, origin, &members, answers)
            .map_err(|e| Failure::Option { option: "--family", message: e.to_string() })?;
        dqdt_families::rust_family(&program).map_err(|e| Failure::Spec(e.into()))
    }

    /// What `--functions` names, each once.
    fn wanted(&self, loaded: &Assembled) -> Vec<&'static Definition> {
        let mut out = Vec::new();
        for function in self.functions.iter().flat_map(|w| w.functions(loaded)) {
            if !out.contains(&function) {
                out.push(function);
            }
        }
        out
    }

    /// The command that mends a stale file.
    fn command(&self) -> String {
        let mut words = vec!["dqdt emit".to_owned()];
        words.extend(self.source.words());
        if let Some(path) = &self.output {
            words.push(format!("-o {}", path.display()));
        }
        if let Some(size) = &self.family {
            words.push(format!("--family {size}"));
        }
        if let Some(formalism) = self.formalism {
            words.push(format!("--formalism {}", formalism.name()));
        }
        if !self.functions.is_empty() {
            let names: Vec<_> = self.functions.iter().map(|w| w.name()).collect();
            words.push(format!("--functions {}", names.join(",")));
        }
        for joint in &self.joint {
            if let Derive::Joint(parts) = joint.derive {
                let names: Vec<_> = parts.iter().map(|f| f.name).collect();
                words.push(format!("--joint {}", names.join("+")));
            }
        }
        if self.language == Language::C {
            words.push("--language c".to_owned());
        }
        if self.casadi {
            words.push("--casadi".to_owned());
        }
        if self.steps {
            words.push("--steps".to_owned());
        }
        if self.scalar == Scalar::Float {
            words.push("--scalar float".to_owned());
        }
        if self.fused {
            words.push("--fused".to_owned());
        }
        if self.reactions {
            words.push("--reactions".to_owned());
        }
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use dqdt_derivation::derive::Request;
    use dqdt_mechanics::formalism::Formalism;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        emit: Emit,
    }

    #[test]
    fn an_internal_error_writes_no_file() {
        let spec = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs/cart_pole.toml");
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("c");
        let words = ["emit", spec, "--language", "c", "-o", output.to_str().unwrap()];
        let emit = Words::try_parse_from(words).unwrap().emit;
        let loaded = load(&emit.source).unwrap_or_else(|e| panic!("{e}"));
        let request = Request::new(Formalism::Kane, vec![functions::DQDT]);
        let mut program = pipeline::program(&loaded, &request);
        program.layout.u.clear();
        let Err(Failure::Spec(errors)) = emit.of_c(&program) else { panic!("it is no error") };
        assert!(errors.to_string().contains("internal error, please report: "), "{errors}");
        assert!(!output.exists());
    }
}
