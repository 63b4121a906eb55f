//! Command-line overrides of a spec: values of parameters and formulas of inputs.

use std::path::Path;

use clap::Args;
use serde_json::{Map, Value};

use super::source::{Failure, SpecSource, print_spec_warnings, read_settings};
use super::state_file::StateFile;
use dqdt_derivation::assemble::Assembled;
use dqdt_generate::pipeline;
use dqdt_graph::ir::Slot;
use dqdt_import::read;
use dqdt_spec::read::overrides;
use dqdt_spec::spec::Spec;

/// Overrides of parameters.
#[derive(Args, Clone, Default)]
pub(super) struct Parameters {
    /// Override of a parameter, written as in the spec: -p m_pole=0.3, -p "l=20 cm", -p
    /// "m_pole=2*m_cart"; repeatable. Values computed from it change too, and all checks of the
    /// spec apply
    #[arg(short = 'p', long = "parameter", value_name = "NAME=VALUE")]
    pub(super) parameters: Vec<String>,
}

/// Inputs along a motion.
#[derive(Args, Clone, Default)]
pub(super) struct Inputs {
    /// Value of an input along the motion: a constant, a formula of time and state as in loads
    /// (docs/formulas.md), or a column of a CSV table, NAME=@FILE.csv; @FILE.csv reads all columns
    /// that are inputs. Repeatable; limits still apply
    #[arg(long = "input", value_name = "NAME=WHAT")]
    pub(super) inputs: Vec<String>,
    /// Hold the values of tables until the next time, as a digital controller does, instead of
    /// interpolating linearly
    #[arg(long, requires = "inputs")]
    pub(super) hold: bool,
}

impl Inputs {
    /// Paths of the CSV tables that the options `--input` name.
    pub(super) fn table_files(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().filter_map(|text| csv_table_path(text))
    }
}

/// Path of the CSV table in an option `NAME=@FILE.csv` or `@FILE.csv`; `None` for any other option.
fn csv_table_path(text: &str) -> Option<&Path> {
    let what = if text.starts_with('@') { text } else { text.split_once('=')?.1.trim() };
    what.strip_prefix('@').map(|path| Path::new(path.trim()))
}

/// Reads a spec and applies the overrides of the command line (parameters, inputs), without
/// assembly.
pub(super) fn read_spec(
    source: &SpecSource,
    parameters: &Parameters,
    inputs: &Inputs,
) -> Result<Spec, Failure> {
    let mut spec = read::open(&source.spec).read(&read_settings(source)).map_err(Failure::Spec)?;
    overrides::override_parameters(&mut spec, "-p", &parameters.parameters);
    overrides::set_input_laws(&mut spec, "--input", &inputs.inputs, inputs.hold);
    Ok(spec)
}

/// Assembles a spec; its warnings go to standard error.
pub(super) fn assemble_spec(source: &SpecSource, spec: &Spec) -> Result<Assembled, Failure> {
    let loaded = pipeline::build(spec, spec_file_name(source)).map_err(Failure::Spec)?;
    print_spec_warnings(&loaded);
    Ok(loaded)
}

fn spec_file_name(source: &SpecSource) -> String {
    source.spec.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Reads a spec with the parameter overrides of the command line and assembles it.
pub(super) fn load_with_overrides(
    source: &SpecSource,
    parameters: &Parameters,
) -> Result<Assembled, Failure> {
    assemble_spec(source, &read_spec(source, parameters, &Inputs::default())?)
}

/// Same as [`load_with_overrides`], but assembly starts from the coordinates of the file of `--at`,
/// if there is one.
pub(super) fn load_near_state(
    source: &SpecSource,
    parameters: &Parameters,
    at: Option<&StateFile>,
) -> Result<Assembled, Failure> {
    let Some(at) = at else { return load_with_overrides(source, parameters) };
    let spec = read_spec(source, parameters, &Inputs::default())?;
    let loaded = pipeline::build_near(&spec, spec_file_name(source), &at.coordinate_lookup())
        .map_err(Failure::Spec)?;
    print_spec_warnings(&loaded);
    Ok(loaded)
}

/// Resolves conflicts between the state file of `--at` and the command line (`-p`, `--input`).
///
/// A parameter in both is an error, except in a file that a command wrote: there the command line
/// wins. An input in both is taken from the command line, so that a simulation can start from a
/// trimmed state and replace its constant inputs by a controller.
pub(super) fn resolve_conflicts(
    at: Option<StateFile>,
    parameters: &[String],
    inputs: &[String],
) -> Result<Option<StateFile>, Failure> {
    let Some(at) = at else { return Ok(None) };
    // Invalid JSON is reported later, by `eval::read_arguments`.
    let file: Value = serde_json::from_str(&at.text).unwrap_or_default();
    let place = at.place.display().to_string();
    let names_in_both = |key: &str, texts: &[String]| -> Vec<String> {
        let names = texts.iter().filter_map(|text| assigned_name(text));
        names.filter(|n| file[key].get(n).is_some()).collect()
    };
    let both = names_in_both("p", parameters);
    if let Some(name) = both.first().filter(|_| !at.is_command_output) {
        let message = format!("both this file and `-p` set `p.{name}`: remove one of the two values");
        return Err(Failure::Input { place, message });
    }
    for name in &both {
        dqdt_diagnostics::tell!("note: {place}: `p.{name}` is ignored, because `-p` sets it");
    }
    if let Some(name) = names_in_both("u", inputs).first() {
        dqdt_diagnostics::tell!("note: {place}: `u.{name}` is ignored, because `--input` sets it");
    }
    Ok(Some(if both.is_empty() { at } else { at.without_parameters(&both) }))
}

/// The name in an option `NAME=VALUE`.
fn assigned_name(text: &str) -> Option<String> {
    text.split_once('=').map(|(n, _)| n.trim().to_owned())
}

/// Values, by name, of the free parameters that the command line or the file of `--at` sets.
/// Printed together with a state, so that a later command evaluates it with the same parameters.
pub(super) fn overridden_parameters(
    at: Option<&StateFile>,
    parameters: &[String],
    slots: &[Slot],
    values: &[f64],
) -> Map<String, Value> {
    let mut names: Vec<String> = parameters.iter().filter_map(|text| assigned_name(text)).collect();
    names.extend(at.map(StateFile::parameter_names).unwrap_or_default());
    let overridden = slots.iter().zip(values).filter(|(s, _)| names.contains(&s.name));
    overridden.map(|(s, x)| (s.name.clone(), Value::from(*x))).collect()
}
