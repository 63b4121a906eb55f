//! `dqdt new`: writes a commented spec, and next to it the JSON schema that its first line names.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::output;
use super::source::Failure;

#[derive(Args)]
pub(super) struct New {
    /// Name of the mechanism: lower-case letters, digits and `_`
    name: String,
    /// Output file; by default `NAME.toml`
    #[arg(short, long)]
    output: Option<PathBuf>,
}

impl New {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let mut letters = self.name.chars();
        let good = letters.next().is_some_and(|c| c.is_ascii_lowercase())
            && letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !good {
            let message =
                "a name must start with a lower-case letter and contain only lower-case letters, digits \
                 and `_`"
                    .to_owned();
            return Err(Failure::Option { option: "NAME", message });
        }
        let path = self.output.unwrap_or_else(|| PathBuf::from(format!("{}.toml", self.name)));
        if path.exists() {
            let message = format!("{} already exists; choose another file with -o", path.display());
            return Err(Failure::Option { option: "NAME", message });
        }
        output::write_file(&path, &dqdt_spec::spec::template(&self.name))?;
        dqdt_diagnostics::tell!("wrote {}", path.display());
        // An existing schema file is not overwritten.
        let schema = path.with_file_name(dqdt_spec::spec::SCHEMA_FILE);
        if !schema.exists() {
            output::write_file(&schema, &dqdt_spec::spec::schema_text())?;
            dqdt_diagnostics::tell!(
                "wrote {}, the schema that editors use to complete keys",
                schema.display()
            );
        }
        dqdt_diagnostics::tell!("next: dqdt inspect {}", path.display());
        Ok(ExitCode::SUCCESS)
    }
}
