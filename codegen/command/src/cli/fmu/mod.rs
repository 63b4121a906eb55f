//! `dqdt fmu`: writes a mechanism as a functional mock-up unit (FMI 3.0).

mod archive;
mod binary;
mod independent;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::output;
use super::overrides::{self, Parameters};
use super::source::{Failure, SpecSource, formalism_parser};
use dqdt_diagnostics::base::InternalError;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_targets::fmu::{FmuFiles, FmuOptions, fmu, unit_functions};

#[derive(Args)]
pub(super) struct Fmu {
    #[command(flatten)]
    source: SpecSource,
    /// Output file of the unit, whose name ends with .fmu
    #[arg(short, long, value_parser = parse_unit_path)]
    output: PathBuf,
    #[command(flatten)]
    parameters: Parameters,
    /// Formalism that derives the equations, as for `emit`
    #[arg(long, value_parser = formalism_parser())]
    formalism: Option<FormalismChoice>,
    /// Further variables of the unit besides the outputs of the spec, separated by commas
    #[arg(long = "with", value_delimiter = ',', value_enum, value_name = "GROUPS")]
    groups: Vec<VariableGroup>,
    /// Coordinates that an importer integrates, separated by commas, for model exchange of a
    /// mechanism with constraints; the others follow from them. Speeds are those named after the
    /// coordinates, unless speeds are listed too
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    independent: Vec<String>,
    /// Take the steps of co-simulation by the implicit midpoint rule, for stiff mechanisms
    #[arg(long)]
    stiff: bool,
    /// Omit directional and adjoint derivatives, which shortens the sources
    #[arg(long)]
    no_derivatives: bool,
    /// Do not compile the sources, even if there is a C compiler
    #[arg(long)]
    no_binary: bool,
}

/// Group of variables that a unit has on request.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VariableGroup {
    /// Kinetic and potential energy
    Energies,
    /// Forces and moments of joints on their children
    Reactions,
    /// Multipliers of constraints
    Multipliers,
}

fn parse_unit_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("fmu")) {
        true => Ok(path),
        false => Err("use a file name that ends with .fmu".to_owned()),
    }
}

impl Fmu {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        output::check_distinct_files(&self.source, &[], &[("--output", Some(&self.output))])?;
        let unit = self.print_unit()?;
        let binary = match self.no_binary {
            true => None,
            false => binary::compile_unit(&unit)?,
        };
        let bytes = archive::pack_unit(&unit, binary.as_ref())
            .map_err(|e| Failure::Spec(InternalError::new(format!("cannot pack the unit: {e}")).into()))?;
        pipeline::write_if_changed(&self.output, bytes)
            .map_err(|e| Failure::from_file_error("write", &self.output, e))?;
        if !unit.offers_model_exchange {
            dqdt_diagnostics::tell!(
                "note: {} offers co-simulation only, because constraints make its states depend on each \
                 other; for model exchange, name independent coordinates with `--independent`",
                self.output.display()
            );
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Derives the equations and prints all text files of the unit.
    fn print_unit(&self) -> Result<FmuFiles, Failure> {
        let loaded = overrides::load_with_overrides(&self.source, &self.parameters)?;
        // The tables and adapters of a unit begin with this word.
        if loaded.mechanism.name == "unit" {
            return Err(Failure::Input {
                place: self.source.spec.display().to_string(),
                message: "a functional mock-up unit cannot have the name `unit`: change `name`".to_owned(),
            });
        }
        let has = |group| self.groups.contains(&group);
        let is_reduced = !self.independent.is_empty();
        let mut options = FmuOptions {
            energies: has(VariableGroup::Energies),
            reactions: has(VariableGroup::Reactions),
            multipliers: has(VariableGroup::Multipliers),
            derivatives: !self.no_derivatives && !is_reduced,
            stiff: self.stiff,
            independent: Vec::new(),
        };
        let functions = unit_functions(&options);
        pipeline::check_functions(&loaded, &functions).map_err(Failure::Spec)?;
        let choice = self.formalism.unwrap_or_default();
        let program = pipeline::derive(&loaded, choice, &functions).map_err(Failure::Spec)?.program;
        if is_reduced {
            options.independent = independent::find_independent_states(&program, &self.independent)?;
            if !self.no_derivatives {
                dqdt_diagnostics::tell!(
                    "note: a unit in independent states offers no directional and adjoint derivatives"
                );
            }
        }
        fmu(&program, &options).map_err(Failure::Spec)
    }
}
