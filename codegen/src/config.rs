//! The builder for `build.rs`.

use crate::pipeline::Assembled;
use sha2::Digest;
use sha2::Sha256;
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline::{self, Derived, FormalismChoice};
use dqdt_import::read::{self, Opened, Settings};
use dqdt_print::rust;
use dqdt_print::target::{Options, Target, TargetError};

/// Why [`Config::compile`] failed. `Display` and `Debug` give the rendered messages.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A spec has errors; all of them are inside.
    #[error("{0}")]
    Spec(Errors),
    /// Two specs would be written to the same file: a module of Rust has the stem of the spec,
    /// files of C the name of the mechanism.
    #[error("{first} and {second} would both become {module}: give one another {}", named(module))]
    SameName {
        /// One spec.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// The file.
        module: String,
    },
    /// A module could not be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// An option that the language does not take, or not with this word.
    #[error("option `{option}` of the language: {message}")]
    Option {
        /// The option.
        option: String,
        /// Why not.
        message: String,
    },
    /// Functions that cannot be one call.
    #[error(transparent)]
    Joint(#[from] functions::JointError),
    /// No output folder: neither [`Config::out_dir`] nor the variable `OUT_DIR` of a build script.
    #[error("no output folder: call `out_dir`, or run from a build script, where cargo sets OUT_DIR")]
    NoOutDir,
}

impl std::fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A `main` that returns this error shows it by `Debug`.
        std::fmt::Display::fmt(self, f)
    }
}

/// Compiles mechanism specs to Rust modules, or to C, from `build.rs`.
///
/// # Example `build.rs`
/// ```no_run
/// fn main() -> Result<(), dqdt_codegen::ConfigError> {
///     dqdt_codegen::Config::new().compile(&["mechanisms/cart_pole.toml"])
/// }
/// ```
/// and in the crate: `pub mod cart_pole { dqdt::include_mechanism!("cart_pole"); }`.
///
/// Build scripts run unoptimised unless the workspace sets `[profile.dev.build-override] opt-level = 3`. A touched spec
/// recompiles the crate that includes it: give mechanisms a small crate of their own.
#[derive(Clone, Default, Debug)]
pub struct Config {
    /// Instead of the choice by size.
    formalism: Option<FormalismChoice>,
    /// Instead of those that each spec asks for.
    functions: Option<Vec<&'static Definition>>,
    reactions: bool,
    joint: Vec<Vec<&'static Definition>>,
    single_precision: bool,
    language: Option<&'static Target>,
    /// Options of the language with their words.
    options: Vec<(String, String)>,
    out_dir: Option<PathBuf>,
    settings: Settings,
}

impl Config {
    /// All functions, output to `OUT_DIR`; the formalism by [`FormalismChoice::BySize`].
    pub fn new() -> Self {
        Self::default()
    }

    /// The formalism that derives the equations, or how it is found; by the size of the mechanism else.
    ///
    /// `Formalism::Kane` is taken as it is. [`FormalismChoice::FewestOperations`] is for processors that do one operation after the
    /// other. [`FormalismChoice::Quick`] searches for nothing: emission takes a fraction of the time, calls of the emitted code
    /// somewhat longer. [`FormalismChoice::LeastCost`] derives by every formalism and takes the cheapest. The header of each module names
    /// the formalism.
    pub fn formalism(&mut self, formalism: impl Into<FormalismChoice>) -> &mut Self {
        self.formalism = Some(formalism.into());
        self
    }

    /// Also emits the forces and moments in the joints.
    pub fn reactions(&mut self) -> &mut Self {
        self.reactions = true;
        self
    }

    /// The functions to emit, instead of those that a spec asks for by its key `functions`, or the default ones.
    pub fn functions(&mut self, functions: impl IntoIterator<Item = &'static Definition>) -> &mut Self {
        self.functions = Some(functions.into_iter().collect());
        self
    }

    /// Also emits one function that computes what all of these do: `dqdt_and_outputs` of `dqdt` and `outputs`.
    ///
    /// A call costs what the union of their graphs costs: what more than one of them needs is computed once. The results of
    /// each go to an argument of its own, in this order; the values are those of the single calls. For each joint call once.
    pub fn joint(&mut self, functions: impl IntoIterator<Item = &'static Definition>) -> &mut Self {
        self.joint.push(functions.into_iter().collect());
        self
    }

    /// The language to emit: [`languages::RUST`](crate::languages::RUST) else.
    ///
    /// In C each spec becomes a header and a source file in the output folder, named after the
    /// mechanism.
    pub fn language(&mut self, language: &'static Target) -> &mut Self {
        self.language = Some(language);
        self
    }

    /// An option of the language with its word, as `dqdt emit --help` lists them: `scalar` with
    /// `float`; the word of a flag is `true`.
    pub fn option(&mut self, name: impl Into<String>, word: impl Into<String>) -> &mut Self {
        self.options.push((name.into(), word.into()));
        self
    }

    /// For computation in `f32`: in Rust the functions are compiled for `f32` in the crate that
    /// holds the module, and for other scalars where they are called; C has `float` in place of
    /// `double`.
    ///
    /// If no formalism is named, it is one that is accurate in single precision, see
    /// [`FormalismChoice::ForSingles`].
    pub fn single_precision(&mut self) -> &mut Self {
        self.single_precision = true;
        self
    }

    /// Computes a product and a sum in one operation where the target has it, as Rust does anyway;
    /// in C it reads worse.
    ///
    /// Where the compiler may assume fused multiply-add (`-C target-cpu=native`, AArch64) it is one
    /// instruction with one rounding, and large functions are up to twice as quick. Elsewhere it is
    /// two operations, bit for bit as without.
    pub fn fused(&mut self) -> &mut Self {
        self.option("fused", "true")
    }

    /// Rounds every product and every sum: the same bits on targets with and without fused
    /// multiply-add.
    pub fn unfused(&mut self) -> &mut Self {
        self.option("unfused", "true")
    }

    /// Gives a size of `[repeat]` another value, in every spec that is compiled.
    pub fn set(&mut self, size: impl Into<String>, value: i64) -> &mut Self {
        self.settings = std::mem::take(&mut self.settings).set(size, value);
        self
    }

    /// Where modules are written, as `<spec file stem>.rs`; C as `<name of the mechanism>.h` and
    /// `.c`.
    pub fn out_dir(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.out_dir = Some(path.into());
        self
    }

    /// Reads, derives and writes each spec. In a build script it also tells cargo what to watch and prints warnings as
    /// `cargo::warning`.
    ///
    /// A spec that did not change since the last run, under the same generator and options, is not derived again.
    ///
    /// In a build script that writes to `OUT_DIR` a spec with errors is no error of the script: cargo would then give the
    /// crate no `OUT_DIR` at all, and an editor would lose every mechanism for one mistake in one of them. The messages
    /// become a `compile_error!` in that module, before the code of its last good state, so that the compiler shows them
    /// once, and the rest of the crate is still understood.
    ///
    /// # Errors
    /// The errors of all specs at once, where they are not told in the module; or the first file that could not be written.
    pub fn compile(&self, specs: &[impl AsRef<Path>]) -> Result<(), ConfigError> {
        let scripts = env::var_os("OUT_DIR").map(PathBuf::from);
        let out_dir = self.out_dir.clone().or_else(|| scripts.clone()).ok_or(ConfigError::NoOutDir)?;
        let in_build_script = scripts.is_some();
        // A folder of the user's own may be committed: a module there stays as it is. No other
        // language has `compile_error!`.
        let told_in_module =
            scripts.is_some_and(|scripts| scripts == out_dir) && std::ptr::eq(self.target(), &rust::TARGET);
        let options = Options::new(self.target(), self.words()).map_err(refused)?;
        let by_stem = specs.iter().map(AsRef::as_ref).enumerate().filter(|_| !self.target().names_files);
        for (i, second) in by_stem {
            if let Some(first) =
                specs[..i].iter().map(AsRef::as_ref).find(|s| s.file_stem() == second.file_stem())
            {
                let stem = second.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
                return Err(ConfigError::SameName {
                    first: first.to_owned(),
                    second: second.to_owned(),
                    module: format!("{stem}.{}", self.target().endings[0]),
                });
            }
        }
        let mut besides: Vec<&'static Definition> =
            self.reactions.then_some(functions::REACTIONS).into_iter().collect();
        for parts in &self.joint {
            let joint = functions::joint(parts)?;
            if !besides.contains(&joint) {
                besides.push(joint);
            }
        }
        let mut failed: Option<Errors> = None;
        let mut clash: Option<ConfigError> = None;
        let mut written: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        for spec in specs {
            let spec = spec.as_ref();
            let opened = read::open(spec);
            if in_build_script {
                for file in opened.files() {
                    println!("cargo::rerun-if-changed={}", file.display());
                }
            }
            let stem = spec.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
            let module = out_dir.join(format!("{stem}.rs"));
            let place = Place { spec, module: &module, options: &options, tell_cargo: in_build_script };
            match self.compile_one(opened, &besides, &place, &mut written) {
                Ok(()) => {}
                Err(error @ ConfigError::SameName { .. }) => clash = clash.or(Some(error)),
                Err(ConfigError::Spec(errors)) if told_in_module => {
                    let last = std::fs::read_to_string(&module).unwrap_or_default();
                    write(&module, &with_errors(spec, &errors, &last))?;
                }
                Err(ConfigError::Spec(errors)) => match &mut failed {
                    None => failed = Some(errors),
                    Some(all) => all.merge(errors),
                },
                Err(other) => return Err(other),
            }
        }
        match failed.map(ConfigError::Spec).or(clash) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Writes the files of one spec. `besides`: functions that are emitted whatever else is;
    /// `written`: files with the specs that they are of.
    fn compile_one(
        &self,
        spec: Opened,
        besides: &[&'static Definition],
        place: &Place<'_>,
        written: &mut BTreeMap<PathBuf, PathBuf>,
    ) -> Result<(), ConfigError> {
        let (module, stamp) = (place.module, self.stamp(place));
        let mut claim = |files: &[PathBuf]| {
            for file in files {
                if let Some(first) = written.get(file) {
                    let module = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    let (first, second) = (first.clone(), place.spec.to_owned());
                    return Err(ConfigError::SameName { first, second, module });
                }
            }
            written.extend(files.iter().map(|file| (file.clone(), place.spec.to_owned())));
            Ok(())
        };
        let key = self.key(&spec, besides);
        let fresh = |key: &str| {
            let old = std::fs::read_to_string(&stamp).ok()?;
            let (old_key, files) = old.split_once('\n')?;
            let is_same = |line: &str| {
                let (old_hash, name) = line.split_once(' ')?;
                let path = module.with_file_name(name);
                (hash(&std::fs::read(&path).ok()?) == old_hash).then_some(path)
            };
            let files = files.lines().map(is_same).collect::<Option<Vec<PathBuf>>>()?;
            (old_key == key && files.len() == self.target().endings.len()).then_some(files)
        };
        if let Some(files) = key.as_deref().and_then(fresh) {
            return claim(&files);
        }
        let loaded = pipeline::load_opened(spec, &self.settings).map_err(ConfigError::Spec)?;
        if place.tell_cargo && !loaded.warnings.diagnostics.is_empty() {
            warn(&loaded.warnings.render(false));
        }
        let derived = self.derived(&loaded, besides).map_err(ConfigError::Spec)?;
        let printed = (self.target().print)(&derived.program, place.options).map_err(refused)?;
        let stem = module.file_stem().unwrap_or_default().to_string_lossy();
        let name = printed.name.as_deref().unwrap_or(&stem);
        let names: Vec<String> =
            self.target().endings.iter().map(|ending| format!("{name}.{ending}")).collect();
        let files: Vec<PathBuf> = names.iter().map(|name| module.with_file_name(name)).collect();
        claim(&files)?;
        for (file, text) in files.iter().zip(&printed.texts) {
            write(file, text)?;
        }
        // Warnings are shown again on the next run: only a clean spec is cached.
        if let Some(key) = key.filter(|_| loaded.warnings.diagnostics.is_empty()) {
            let line = |(name, text): (&String, &String)| format!("\n{} {name}", hash(text.as_bytes()));
            let lines: String = names.iter().zip(&printed.texts).map(line).collect();
            write(&stamp, &format!("{key}{lines}"))?;
        }
        Ok(())
    }

    /// The file that says what was written, and of what. Of languages whose files do not have the
    /// stem of the spec it has the path, too.
    fn stamp(&self, place: &Place<'_>) -> PathBuf {
        if !self.target().names_files {
            return place.module.with_extension("stamp");
        }
        let path = hash(place.spec.to_string_lossy().as_bytes());
        place.module.with_extension(format!("{}.{}.stamp", &path[..12], self.target().name))
    }

    fn derived(&self, loaded: &Assembled, besides: &[&'static Definition]) -> Result<Derived, Errors> {
        let mut functions = match &self.functions {
            Some(given) => given.clone(),
            None => pipeline::functions_of(loaded)?,
        };
        for f in besides {
            if !functions.contains(f) {
                functions.push(f);
            }
        }
        pipeline::check_functions(loaded, &functions)?;
        pipeline::derive(loaded, self.choice(), &functions)
    }

    fn target(&self) -> &'static Target {
        self.language.unwrap_or(&rust::TARGET)
    }

    /// The options of the language, that of single precision first.
    fn words(&self) -> impl Iterator<Item = (&str, &str)> {
        let singles = self.target().singles.filter(|_| self.single_precision);
        singles.into_iter().chain(self.options.iter().map(|(name, word)| (name.as_str(), word.as_str())))
    }

    /// How the formalism is found.
    fn choice(&self) -> FormalismChoice {
        let default =
            if self.single_precision { FormalismChoice::ForSingles } else { FormalismChoice::BySize };
        self.formalism.unwrap_or(default)
    }

    /// Everything that the module depends on.
    fn key(&self, spec: &Opened, besides: &[&'static Definition]) -> Option<String> {
        let mut text = spec.text().as_bytes().to_vec();
        // A template is read later: what is newer than this key is derived again.
        for file in spec.files().iter().skip(1) {
            text.extend(std::fs::read(file).ok()?);
        }
        let sizes: Vec<_> = self.settings.sizes().iter().map(|(n, v)| format!("{n}={v}")).collect();
        // Those that a spec asks for stand in its text.
        let functions: Vec<_> = self.functions.iter().flatten().chain(besides).map(|f| f.name).collect();
        let version = env!("CARGO_PKG_VERSION");
        Some(format!(
            "{version} {} {} {} {} {} {} {}",
            self.choice(),
            self.target().name,
            self.words().map(|(name, word)| format!("{name}={word}")).collect::<Vec<_>>().join(","),
            functions.join(","),
            sizes.join(","),
            hash(&text),
            generator()
        ))
    }
}

/// A spec, and where it goes.
struct Place<'a> {
    spec: &'a Path,
    /// Path of a module with its stem; other languages take the folder.
    module: &'a Path,
    options: &'a Options,
    tell_cargo: bool,
}

/// The name that a file has.
fn named(file: &str) -> &'static str {
    if file.ends_with(".rs") { "file name" } else { "`name`, after which these files are called" }
}

/// Changes whenever the program that runs is rebuilt: in development the version alone does not tell.
fn generator() -> String {
    let modified = env::current_exe().and_then(|exe| exe.metadata()).and_then(|m| m.modified());
    let since = modified.ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or_else(String::new, |d| d.as_nanos().to_string())
}

fn refused(error: TargetError) -> ConfigError {
    match error {
        TargetError::Option { name, message } => ConfigError::Option { option: name, message },
        TargetError::Internal(errors) => ConfigError::Spec(errors),
    }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write(path: &Path, text: &str) -> Result<(), ConfigError> {
    pipeline::write_if_changed(path, text)
        .map(|_| ())
        .map_err(|source| ConfigError::Write { path: path.to_owned(), source })
}

/// Between the messages and the code of the last good state.
const LAST_GOOD: &str = "// What follows is the code of the last spec without errors.\n";

/// A module that does not compile, for the reason that the spec has; then the last good code in `old`, if there is any.
fn with_errors(spec: &Path, errors: &Errors, old: &str) -> String {
    let good = old.split_once(LAST_GOOD).map_or(old, |(_, good)| good);
    let n = errors.count();
    let text = format!(
        "{} has {n} error{}; nothing was derived\n\n{}",
        spec.display(),
        if n == 1 { "" } else { "s" },
        errors.render(false).trim_end()
    );
    let message = proc_macro2::Literal::string(&text);
    format!("::core::compile_error!({message});\n{LAST_GOOD}{good}")
}

/// A warning of several lines to cargo: one directive a line.
fn warn(text: &str) {
    for line in text.lines() {
        println!("cargo::warning={line}");
    }
}

/// Compiles specs with the default [`Config`]; for a one-line `build.rs`.
///
/// # Errors
/// As [`Config::compile`].
pub fn compile(specs: &[impl AsRef<Path>]) -> Result<(), ConfigError> {
    Config::new().compile(specs)
}
