//! The command `dqdt`.

use std::process::ExitCode;

fn main() -> ExitCode {
    dqdt_codegen::internal::cli::run(std::env::args_os())
}
