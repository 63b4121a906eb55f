//! The command `dqdt`.

use std::process::ExitCode;

fn main() -> ExitCode {
    dqdt_command::cli::run(std::env::args_os())
}
