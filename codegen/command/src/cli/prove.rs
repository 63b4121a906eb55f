//! `dqdt prove`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::engine;
use super::source::{Failure, Source};

#[derive(Args)]
pub(super) struct Prove {
    #[command(flatten)]
    source: Source,
    /// File of formulas that are to be equal to what is derived: elements of M, c, Q, equations of motion
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
}

impl Prove {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        engine::prove(&self.source, self.against.as_deref())
    }
}
