//! Command-line overrides of a spec: values of parameters and formulas of inputs.

use std::path::Path;

use clap::Args;
use serde_json::{Map, Value};

use super::at::At;
use super::source::{Failure, Source, settings, tell_loaded};
use dqdt_derivation::assemble::Assembled;
use dqdt_generate::pipeline;
use dqdt_graph::ir::Slot;
use dqdt_import::read;
use dqdt_spec::read::overrides;
use dqdt_spec::spec::Spec;

/// Other values of parameters.
#[derive(Args, Clone, Default)]
pub(super) struct Parameters {
    /// Another value of a parameter, as the spec would have it: -p m_pole=0.3, -p "l=20 cm", -p "m_pole=2*m_cart"; may be given
    /// several times. What is computed from it follows, and all checks of specs hold
    #[arg(short = 'p', long = "parameter", value_name = "NAME=VALUE")]
    pub(super) parameters: Vec<String>,
}

/// What inputs are along a motion.
#[derive(Args, Clone, Default)]
pub(super) struct Inputs {
    /// What an input is: a constant, a formula of time and state as in loads (docs/formulas.md), or a column of a table of CSV,
    /// NAME=@FILE.csv; @FILE.csv takes all columns that are inputs. May be given several times; limits act as ever
    #[arg(long = "input", value_name = "NAME=WHAT")]
    pub(super) inputs: Vec<String>,
    /// Values of tables stay until the next time, as those of a digital controller, instead of going straight to the next
    #[arg(long, requires = "inputs")]
    pub(super) hold: bool,
}

impl Inputs {
    /// Paths of the tables that the inputs name.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let table = |text| {
            let text: &str = String::as_str(text);
            let what = if text.starts_with('@') { text } else { text.split_once('=')?.1.trim() };
            what.strip_prefix('@').map(|path| Path::new(path.trim()))
        };
        self.inputs.iter().filter_map(table)
    }
}

/// Reads a spec and applies the overrides of the command line.
pub(super) fn spec(source: &Source, parameters: &Parameters, inputs: &Inputs) -> Result<Spec, Failure> {
    let mut spec = read::open(&source.spec).read(&settings(source)).map_err(Failure::Spec)?;
    overrides::override_parameters(&mut spec, "-p", &parameters.parameters);
    overrides::set_inputs(&mut spec, "--input", &inputs.inputs, inputs.hold);
    Ok(spec)
}

/// Assembles a spec; warnings go to standard error.
pub(super) fn build(source: &Source, spec: &Spec) -> Result<Assembled, Failure> {
    let loaded = pipeline::build(spec, file_name(source)).map_err(Failure::Spec)?;
    tell_loaded(&loaded);
    Ok(loaded)
}

fn file_name(source: &Source) -> String {
    source.spec.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Reads a spec with overrides of parameters and assembles it.
pub(super) fn load(source: &Source, parameters: &Parameters) -> Result<Assembled, Failure> {
    build(source, &spec(source, parameters, &Inputs::default())?)
}

/// Same as [`load`], but assembly starts from the coordinates of the file of `--at`, if there is
/// one.
pub(super) fn load_near(
    source: &Source,
    parameters: &Parameters,
    at: Option<&At>,
) -> Result<Assembled, Failure> {
    let Some(at) = at else { return load(source, parameters) };
    let spec = spec(source, parameters, &Inputs::default())?;
    let loaded = pipeline::build_near(&spec, file_name(source), &at.coordinates()).map_err(Failure::Spec)?;
    tell_loaded(&loaded);
    Ok(loaded)
}

/// Resolves conflicts between the file of `--at` and the command line.
///
/// A parameter in both is an error, except in a file that a command wrote: there the command line
/// wins. An input in both is taken from the command line, so that a simulation can start from a
/// trimmed state and replace its constant inputs by a controller.
pub(super) fn apart(at: Option<At>, parameters: &[String], inputs: &[String]) -> Result<Option<At>, Failure> {
    let Some(at) = at else { return Ok(None) };
    // Invalid JSON is reported later, by `eval::read_arguments`.
    let file: Value = serde_json::from_str(&at.text).unwrap_or_default();
    let place = at.place.display().to_string();
    let twice = |key: &str, texts: &[String]| -> Vec<String> {
        let names = texts.iter().filter_map(|text| name(text));
        names.filter(|n| file[key].get(n).is_some()).collect()
    };
    let both = twice("p", parameters);
    if let Some(name) = both.first().filter(|_| !at.is_written) {
        let message = format!("`p.{name}` is given by `-p` too: leave one of them out");
        return Err(Failure::Input { place, message });
    }
    for name in &both {
        dqdt_diagnostics::tell!("note: {place}: `p.{name}` is left aside, since `-p` gives it");
    }
    if let Some(name) = twice("u", inputs).first() {
        dqdt_diagnostics::tell!("note: {place}: `u.{name}` is left aside, since `--input` gives it");
    }
    Ok(Some(if both.is_empty() { at } else { at.without(&both) }))
}

/// The name in `NAME=VALUE`.
fn name(text: &str) -> Option<String> {
    text.split_once('=').map(|(n, _)| n.trim().to_owned())
}

/// Values, by name, of the free parameters that the command line or the file of `--at` sets.
/// Written together with a state, so that a later command evaluates it with the same parameters.
pub(super) fn given_parameters(
    at: Option<&At>,
    parameters: &[String],
    slots: &[Slot],
    values: &[f64],
) -> Map<String, Value> {
    let mut names: Vec<String> = parameters.iter().filter_map(|text| name(text)).collect();
    names.extend(at.map(At::parameters).unwrap_or_default());
    let given = slots.iter().zip(values).filter(|(s, _)| names.contains(&s.name));
    given.map(|(s, x)| (s.name.clone(), Value::from(*x))).collect()
}
