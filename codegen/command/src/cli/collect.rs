//! `dqdt collect`: joins the results of the shards of a sweep.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::output;
use super::source::Failure;
use dqdt_motion::sweep::collect_folder;

#[derive(Args)]
pub(super) struct Collect {
    /// Folder with the files of `dqdt simulate --points`
    folder: PathBuf,
    /// File for the joined results; by default they are printed
    #[arg(short = 'o', long, value_name = "FILE", value_parser = output::parse_table_path)]
    output: Option<PathBuf>,
    /// Join also if points are missing, which is an error otherwise
    #[arg(long)]
    partial: bool,
}

impl Collect {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let collection = collect_folder(&self.folder)?;
        if !collection.missing.is_empty() && !self.partial {
            let message = format!(
                "{}\n\nhelp: run the shards again with `--resume`, or use `--partial` to join what is there",
                collection.missing_text()
            );
            return Err(Failure::Input { place: self.folder.display().to_string(), message });
        }
        output::write_or_print(self.output.as_deref(), &collection.text)?;
        if !collection.missing.is_empty() {
            dqdt_diagnostics::tell!("warning: {}", collection.missing_text());
        }
        if let Some(path) = &self.output {
            let points = collection.count - collection.missing.len();
            let files = if collection.files == 1 { "file" } else { "files" };
            dqdt_diagnostics::tell!("{}: {points} points from {} {files}", path.display(), collection.files);
        }
        Ok(ExitCode::SUCCESS)
    }
}
