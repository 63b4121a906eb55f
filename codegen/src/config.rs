//! [`Config`], the builder for `build.rs`.

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
use dqdt_print::target::{Target, TargetError, TargetOptions};

/// Reason why [`Config::compile`] failed. `Display` and `Debug` print the rendered messages.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Specs have errors; contains the errors of all specs.
    #[error("{0}")]
    Spec(Errors),
    /// Two specs would become the same file. A Rust module has the file stem of the spec, C files
    /// have the name of the mechanism.
    #[error(
        "{first} and {second} would both become {module}: give one of them another {}",
        name_to_change(module)
    )]
    SameName {
        /// Path of the first spec.
        first: PathBuf,
        /// Path of the second spec.
        second: PathBuf,
        /// Name of the file that both specs would become.
        module: String,
    },
    /// An emitted file could not be stored.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Path of the file that could not be written.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The target language does not have this option, or not with this value.
    #[error("option `{option}` of the language: {message}")]
    Option {
        /// Name of the option.
        option: String,
        /// Reason why the option is refused, for the message.
        message: String,
    },
    /// Functions that cannot be combined to one call.
    #[error(transparent)]
    Joint(#[from] functions::JointError),
    /// No output folder: [`Config::out_dir`] was not called, and `OUT_DIR` is not set by a build
    /// script.
    #[error("no output folder: call `out_dir`, or run from a build script, where cargo sets OUT_DIR")]
    NoOutDir,
}

impl std::fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A `main` that returns this error prints it with `Debug`.
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
/// In the crate: `pub mod cart_pole { dqdt::include_mechanism!("cart_pole"); }`.
///
/// Build scripts run unoptimised unless the workspace sets
/// `[profile.dev.build-override] opt-level = 3`. A modified spec recompiles the crate that includes
/// it, so put mechanisms into a small crate of their own.
#[derive(Clone, Default, Debug)]
pub struct Config {
    /// Formalism, or strategy to choose it, that overrides the choice by size.
    formalism: Option<FormalismChoice>,
    /// Functions that override those that each spec requests.
    functions: Option<Vec<&'static Definition>>,
    reactions: bool,
    joint: Vec<Vec<&'static Definition>>,
    single_precision: bool,
    language: Option<&'static Target>,
    /// Names of options of the target language, each with its value.
    options: Vec<(String, String)>,
    out_dir: Option<PathBuf>,
    settings: Settings,
}

impl Config {
    /// Default configuration: the functions that each spec requests, output to `OUT_DIR`, formalism
    /// by [`FormalismChoice::BySize`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the formalism that derives the equations, or how it is chosen; by default, by the size
    /// of the mechanism.
    ///
    /// A [`Formalism`](crate::Formalism) such as `Formalism::Kane` is used as given.
    /// [`FormalismChoice::FewestOperations`] is for processors without instruction-level
    /// parallelism. [`FormalismChoice::Quick`] avoids any search: emission takes a fraction of the
    /// time, the emitted code is somewhat slower. [`FormalismChoice::LeastCost`] derives by every
    /// formalism and uses the cheapest. The header of each module names the formalism.
    pub fn formalism(&mut self, formalism: impl Into<FormalismChoice>) -> &mut Self {
        self.formalism = Some(formalism.into());
        self
    }

    /// Also emits the forces and moments in the joints.
    pub fn reactions(&mut self) -> &mut Self {
        self.reactions = true;
        self
    }

    /// Sets the functions to emit, overriding the key `functions` of the specs and the default.
    pub fn functions(&mut self, functions: impl IntoIterator<Item = &'static Definition>) -> &mut Self {
        self.functions = Some(functions.into_iter().collect());
        self
    }

    /// Also emits one function that computes several at once: `dqdt_and_outputs` for `dqdt` and
    /// `outputs`.
    ///
    /// Common subexpressions are computed once, so a call costs as much as the union of the graphs.
    /// Each result has its own argument, in this order; values equal those of the single calls. May
    /// be called repeatedly.
    pub fn joint(&mut self, functions: impl IntoIterator<Item = &'static Definition>) -> &mut Self {
        self.joint.push(functions.into_iter().collect());
        self
    }

    /// Sets the target language; by default [`languages::RUST`](crate::languages::RUST).
    ///
    /// In C each spec becomes a header and a source file in the output folder, named after the
    /// mechanism.
    pub fn language(&mut self, language: &'static Target) -> &mut Self {
        self.language = Some(language);
        self
    }

    /// Sets an option of the target language, as listed by `dqdt emit --help`, such as `scalar` to
    /// `float`. The value of a flag is `true`.
    pub fn option(&mut self, name: impl Into<String>, word: impl Into<String>) -> &mut Self {
        self.options.push((name.into(), word.into()));
        self
    }

    /// Emits code for computation in `f32`. In Rust, functions are compiled for `f32` in the crate
    /// that contains the module, and for other scalars where they are called. In C, `float`
    /// replaces `double`.
    ///
    /// Unless a formalism is set, one that is accurate in single precision is chosen, see
    /// [`FormalismChoice::ForSingles`].
    pub fn single_precision(&mut self) -> &mut Self {
        self.single_precision = true;
        self
    }

    /// Uses fused multiply-add for a product and a sum where the target supports it. This is the
    /// default in Rust; in C it makes the code harder to read.
    ///
    /// Where the compiler may assume fused multiply-add (`-C target-cpu=native`, AArch64), it is
    /// one instruction with one rounding, and large functions run up to twice as fast. Elsewhere it
    /// is two operations, bit for bit as without.
    pub fn fused(&mut self) -> &mut Self {
        self.option("fused", "true")
    }

    /// Rounds every product and every sum, so that targets with and without fused multiply-add give
    /// the same bits.
    pub fn unfused(&mut self) -> &mut Self {
        self.option("unfused", "true")
    }

    /// Overrides a size of `[repeat]`, such as `n`, in all specs.
    pub fn set(&mut self, size: impl Into<String>, value: i64) -> &mut Self {
        self.settings = std::mem::take(&mut self.settings).set(size, value);
        self
    }

    /// Sets the output folder. A Rust module is `<spec file stem>.rs`; C files are
    /// `<name of the mechanism>.h` and `.c`.
    pub fn out_dir(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.out_dir = Some(path.into());
        self
    }

    /// Reads, derives and writes each spec. In a build script it also prints
    /// `cargo::rerun-if-changed` for all files, and warnings as `cargo::warning`.
    ///
    /// A spec is not derived again if nothing changed since the last run: spec, generator, options
    /// and output.
    ///
    /// In a build script that writes Rust to `OUT_DIR`, a spec with errors does not fail the
    /// script, because cargo would then set no `OUT_DIR` for the crate, and an editor would lose
    /// all mechanisms for one mistake. Instead, the messages become a `compile_error!` in that
    /// module, followed by the code of its last valid state. The compiler shows them once, and the
    /// rest of the crate is still analysed.
    ///
    /// # Errors
    /// The errors of all specs, unless they are reported in the modules; or the first file that
    /// could not be written.
    pub fn compile(&self, specs: &[impl AsRef<Path>]) -> Result<(), ConfigError> {
        let scripts = env::var_os("OUT_DIR").map(PathBuf::from);
        let out_dir = self.out_dir.clone().or_else(|| scripts.clone()).ok_or(ConfigError::NoOutDir)?;
        let in_build_script = scripts.is_some();
        // Another output folder may be committed, so an existing module there is not touched. Other
        // languages have no `compile_error!`.
        let reports_in_module = scripts.is_some_and(|scripts| scripts == out_dir)
            && std::ptr::eq(self.target_language(), &rust::TARGET);
        let options = TargetOptions::new(self.target_language(), self.target_options())
            .map_err(target_error_to_config)?;
        self.check_file_stems(specs)?;
        let mut extra: Vec<&'static Definition> =
            self.reactions.then_some(functions::REACTIONS).into_iter().collect();
        for parts in &self.joint {
            let joint = functions::joint(parts)?;
            if !extra.contains(&joint) {
                extra.push(joint);
            }
        }
        let mut failed: Option<Errors> = None;
        let mut clash: Option<ConfigError> = None;
        let mut owners: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
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
            let task = SpecTask { spec, module: &module, options: &options, tell_cargo: in_build_script };
            match self.compile_spec(opened, &extra, &task, &mut owners) {
                Ok(()) => {}
                Err(error @ ConfigError::SameName { .. }) => clash = clash.or(Some(error)),
                Err(ConfigError::Spec(errors)) if reports_in_module => {
                    let last = std::fs::read_to_string(&module).unwrap_or_default();
                    write_file(&module, &module_with_errors(spec, &errors, &last))?;
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

    /// Refuses two specs with one file stem, if the target names files by it.
    fn check_file_stems(&self, specs: &[impl AsRef<Path>]) -> Result<(), ConfigError> {
        let by_stem =
            specs.iter().map(AsRef::as_ref).enumerate().filter(|_| !self.target_language().names_files);
        for (i, second) in by_stem {
            if let Some(first) =
                specs[..i].iter().map(AsRef::as_ref).find(|s| s.file_stem() == second.file_stem())
            {
                let stem = second.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
                return Err(ConfigError::SameName {
                    first: first.to_owned(),
                    second: second.to_owned(),
                    module: format!("{stem}.{}", self.target_language().endings[0]),
                });
            }
        }
        Ok(())
    }

    /// Derives one spec and writes its files. `extra`: functions that are always emitted; `owners`:
    /// files of this run so far, each with its spec.
    fn compile_spec(
        &self,
        spec: Opened,
        extra: &[&'static Definition],
        task: &SpecTask<'_>,
        owners: &mut BTreeMap<PathBuf, PathBuf>,
    ) -> Result<(), ConfigError> {
        let (module, stamp) = (task.module, self.stamp_path(task));
        let mut claim = |files: &[PathBuf]| {
            for file in files {
                if let Some(first) = owners.get(file) {
                    let module = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    let (first, second) = (first.clone(), task.spec.to_owned());
                    return Err(ConfigError::SameName { first, second, module });
                }
            }
            owners.extend(files.iter().map(|file| (file.clone(), task.spec.to_owned())));
            Ok(())
        };
        let key = self.cache_key(&spec, extra);
        if let Some(files) = key.as_deref().and_then(|key| self.unchanged_files(key, &stamp, module)) {
            return claim(&files);
        }
        let loaded = pipeline::load_opened(spec, &self.settings).map_err(ConfigError::Spec)?;
        if task.tell_cargo && !loaded.warnings.diagnostics.is_empty() {
            print_cargo_warning(&loaded.warnings.render(false));
        }
        let derivation = self.derive_functions(&loaded, extra).map_err(ConfigError::Spec)?;
        let printed = (self.target_language().print)(&derivation.program, task.options)
            .map_err(target_error_to_config)?;
        let stem = module.file_stem().unwrap_or_default().to_string_lossy();
        let name = printed.name.as_deref().unwrap_or(&stem);
        let names: Vec<String> =
            self.target_language().endings.iter().map(|ending| format!("{name}.{ending}")).collect();
        let files: Vec<PathBuf> = names.iter().map(|name| module.with_file_name(name)).collect();
        claim(&files)?;
        for (file, text) in files.iter().zip(&printed.texts) {
            write_file(file, text)?;
        }
        // Warnings must be printed again on the next run, so only a spec without warnings is
        // cached.
        if let Some(key) = key.filter(|_| loaded.warnings.diagnostics.is_empty()) {
            let lines = names.iter().zip(&printed.texts);
            let lines: String =
                lines.map(|(name, text)| format!("\n{} {name}", sha256_hex(text.as_bytes()))).collect();
            write_file(&stamp, &format!("{key}{lines}"))?;
        }
        Ok(())
    }

    /// Files of the last run; `None` if its cache key was another one or a file has changed since,
    /// so that the spec is derived again.
    fn unchanged_files(&self, key: &str, stamp: &Path, module: &Path) -> Option<Vec<PathBuf>> {
        let old = std::fs::read_to_string(stamp).ok()?;
        let (old_key, lines) = old.split_once('\n')?;
        let files = lines.lines().map(|line| {
            let (old_hash, name) = line.split_once(' ')?;
            let path = module.with_file_name(name);
            (sha256_hex(&std::fs::read(&path).ok()?) == old_hash).then_some(path)
        });
        let files = files.collect::<Option<Vec<PathBuf>>>()?;
        (old_key == key && files.len() == self.target_language().endings.len()).then_some(files)
    }

    /// Path of the stamp: a file with the cache key of the last run and hashes of its output. Its
    /// name has a hash of the path of the spec if the language does not name files after the spec.
    fn stamp_path(&self, task: &SpecTask<'_>) -> PathBuf {
        if !self.target_language().names_files {
            return task.module.with_extension("stamp");
        }
        let path = sha256_hex(task.spec.to_string_lossy().as_bytes());
        task.module.with_extension(format!("{}.{}.stamp", &path[..12], self.target_language().name))
    }

    fn derive_functions(&self, loaded: &Assembled, extra: &[&'static Definition]) -> Result<Derived, Errors> {
        let mut functions = match &self.functions {
            Some(functions) => functions.clone(),
            None => pipeline::functions_of(loaded)?,
        };
        for f in extra {
            if !functions.contains(f) {
                functions.push(f);
            }
        }
        pipeline::check_functions(loaded, &functions)?;
        pipeline::derive(loaded, self.formalism_choice(), &functions)
    }

    fn target_language(&self) -> &'static Target {
        self.language.unwrap_or(&rust::TARGET)
    }

    /// Options of the target language, each with its value; that of single precision comes first.
    fn target_options(&self) -> impl Iterator<Item = (&str, &str)> {
        let singles = self.target_language().singles.filter(|_| self.single_precision);
        singles.into_iter().chain(self.options.iter().map(|(name, word)| (name.as_str(), word.as_str())))
    }

    /// Formalism of this configuration, or the strategy to choose it.
    fn formalism_choice(&self) -> FormalismChoice {
        let default =
            if self.single_precision { FormalismChoice::ForSingles } else { FormalismChoice::BySize };
        self.formalism.unwrap_or(default)
    }

    /// Cache key of one spec: changes with everything that the emitted files depend on. `None` if a
    /// template cannot be read.
    fn cache_key(&self, spec: &Opened, extra: &[&'static Definition]) -> Option<String> {
        let mut text = spec.text().as_bytes().to_vec();
        // Templates are read later. If one changes in between, the next run has another key and
        // derives again.
        for file in spec.files().iter().skip(1) {
            text.extend(std::fs::read(file).ok()?);
        }
        let sizes: Vec<_> = self.settings.sizes().iter().map(|(n, v)| format!("{n}={v}")).collect();
        // Functions requested by the spec are part of its text.
        let functions: Vec<_> = self.functions.iter().flatten().chain(extra).map(|f| f.name).collect();
        let version = env!("CARGO_PKG_VERSION");
        Some(format!(
            "{version} {} {} {} {} {} {} {}",
            self.formalism_choice(),
            self.target_language().name,
            self.target_options().map(|(name, word)| format!("{name}={word}")).collect::<Vec<_>>().join(","),
            functions.join(","),
            sizes.join(","),
            sha256_hex(&text),
            program_build_time()
        ))
    }
}

/// Input and output of one spec in [`Config::compile`].
struct SpecTask<'a> {
    spec: &'a Path,
    /// Path of the Rust module to be emitted; other languages use only its folder.
    module: &'a Path,
    options: &'a TargetOptions,
    tell_cargo: bool,
}

/// Name that the user has to change to rename an emitted file, for messages.
fn name_to_change(file: &str) -> &'static str {
    if file.ends_with(".rs") { "file name" } else { "`name`, which determines the names of its files" }
}

/// Modification time of the running program as text, part of the cache key. During development the
/// version does not change with each build.
fn program_build_time() -> String {
    let modified = env::current_exe().and_then(|exe| exe.metadata()).and_then(|m| m.modified());
    let since = modified.ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or_else(String::new, |d| d.as_nanos().to_string())
}

fn target_error_to_config(error: TargetError) -> ConfigError {
    match error {
        TargetError::Option { name, message } => ConfigError::Option { option: name, message },
        TargetError::Internal(errors) => ConfigError::Spec(errors),
    }
}

fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write_file(path: &Path, text: &str) -> Result<(), ConfigError> {
    pipeline::write_if_changed(path, text)
        .map(|_| ())
        .map_err(|source| ConfigError::Write { path: path.to_owned(), source })
}

/// Line of a module with errors, between the `compile_error!` and the code of the last valid state.
const LAST_GOOD: &str = "// The code below was generated from the last version of the spec without errors.\n";

/// Text of a Rust module whose compilation fails with the errors of the spec, followed by the last
/// valid code in `old`, if any.
fn module_with_errors(spec: &Path, errors: &Errors, old: &str) -> String {
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

/// Prints a warning of several lines in a build script, with one cargo directive per line.
fn print_cargo_warning(text: &str) {
    for line in text.lines() {
        println!("cargo::warning={line}");
    }
}

/// Compiles specs with the default [`Config`]; for a one-line `build.rs`.
///
/// # Errors
/// The errors of [`Config::compile`].
pub fn compile(specs: &[impl AsRef<Path>]) -> Result<(), ConfigError> {
    Config::new().compile(specs)
}
