//! The builder for `build.rs`.

use crate::pipeline::Assembled;
use sha2::Digest;
use sha2::Sha256;
use std::env;
use std::path::{Path, PathBuf};

use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_import::read::{self, Opened, Settings};

/// Why [`Config::compile`] failed. `Display` and `Debug` give the rendered messages.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A spec has errors; all of them are inside.
    #[error("{0}")]
    Spec(Errors),
    /// Two specs have the same file stem, and so the same module.
    #[error("{first} and {second} would both become {module}.rs: rename one")]
    SameName {
        /// One spec.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// Their common stem.
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

/// Compiles mechanism specs to Rust modules, from `build.rs`.
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
    fused: bool,
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

    /// `Model<f32>` has the functions as methods too, compiled in the crate that holds the module.
    ///
    /// If no formalism is named, it is one that is accurate in single precision, see [`FormalismChoice::ForSingles`].
    pub fn single_precision(&mut self) -> &mut Self {
        self.single_precision = true;
        self
    }

    /// Writes a product and a sum as one `mul_add`, which reads worse.
    ///
    /// Where the target is known to have fused multiply-add (`-C target-cpu=native`, a Cortex-A) it is one instruction with one
    /// rounding, and large functions are up to twice as quick. Elsewhere it is the same two operations as without, bit for bit.
    pub fn fused(&mut self) -> &mut Self {
        self.fused = true;
        self
    }

    /// Gives a size of `[repeat]` another value, in every spec that is compiled.
    pub fn set(&mut self, size: impl Into<String>, value: i64) -> &mut Self {
        self.settings = std::mem::take(&mut self.settings).set(size, value);
        self
    }

    /// Where modules are written, as `<spec file stem>.rs`.
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
        // A folder of the user's own may be committed: a module there stays as it is.
        let told_in_module = scripts.is_some_and(|scripts| scripts == out_dir);
        for (i, second) in specs.iter().map(AsRef::as_ref).enumerate() {
            if let Some(first) =
                specs[..i].iter().map(AsRef::as_ref).find(|s| s.file_stem() == second.file_stem())
            {
                let module = second.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
                return Err(ConfigError::SameName {
                    first: first.to_owned(),
                    second: second.to_owned(),
                    module,
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
            match self.compile_one(opened, &besides, &module, in_build_script) {
                Err(ConfigError::Spec(errors)) if told_in_module => {
                    let last = std::fs::read_to_string(&module).unwrap_or_default();
                    write(&module, &with_errors(spec, &errors, &last))?;
                }
                Err(ConfigError::Spec(errors)) => match &mut failed {
                    None => failed = Some(errors),
                    Some(all) => all.merge(errors),
                },
                other => other?,
            }
        }
        failed.map_or(Ok(()), |errors| Err(ConfigError::Spec(errors)))
    }

    /// `besides`: functions that are emitted whatever else is.
    fn compile_one(
        &self,
        spec: Opened,
        besides: &[&'static Definition],
        module: &Path,
        tell_cargo: bool,
    ) -> Result<(), ConfigError> {
        let stamp = module.with_extension("stamp");
        let key = self.key(&spec, besides);
        let fresh = |key: &str| {
            let old = std::fs::read_to_string(&stamp).ok()?;
            let (old_key, old_hash) = old.split_once('\n')?;
            let text = std::fs::read(module).ok()?;
            (old_key == key && old_hash == hash(&text)).then_some(())
        };
        if key.as_deref().and_then(fresh).is_some() {
            return Ok(());
        }
        let loaded = pipeline::load_opened(spec, &self.settings).map_err(ConfigError::Spec)?;
        if tell_cargo && !loaded.warnings.diagnostics.is_empty() {
            warn(&loaded.warnings.render(false));
        }
        let text = self.module(&loaded, besides).map_err(ConfigError::Spec)?;
        write(module, &text)?;
        // Warnings are shown again on the next run: only a clean spec is cached.
        if let Some(key) = key.filter(|_| loaded.warnings.diagnostics.is_empty()) {
            write(&stamp, &format!("{key}\n{}", hash(text.as_bytes())))?;
        }
        Ok(())
    }

    /// The text of a module.
    fn module(&self, loaded: &Assembled, besides: &[&'static Definition]) -> Result<String, Errors> {
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
        let derived = pipeline::derive(loaded, self.choice(), &functions)?;
        let methods = if self.single_precision { vec!["f64", "f32"] } else { vec!["f64"] };
        let options = pipeline::RustOptions { methods, fused: self.fused };
        pipeline::rust_with(&derived.program, &options)
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
            if self.single_precision { "f64,f32" } else { "f64" },
            if self.fused { "fused" } else { "plain" },
            functions.join(","),
            sizes.join(","),
            hash(&text),
            generator()
        ))
    }
}

/// Changes whenever the program that runs is rebuilt: in development the version alone does not tell.
fn generator() -> String {
    let modified = env::current_exe().and_then(|exe| exe.metadata()).and_then(|m| m.modified());
    let since = modified.ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or_else(String::new, |d| d.as_nanos().to_string())
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
