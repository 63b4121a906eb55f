//! `dqdt prove`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::Failure;

#[derive(Args)]
pub(super) struct Prove {
    /// The mechanism (TOML)
    spec: PathBuf,
}

impl Prove {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        Err(Failure::Symbolic(format!("cannot prove {}", self.spec.display())))
    }
}

pub(super) fn serve(_response: &Path) -> Result<ExitCode, Failure> {
    Ok(ExitCode::FAILURE)
}
