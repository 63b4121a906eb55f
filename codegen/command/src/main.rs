//! The binary `dqdt`.

use std::process::ExitCode;

/// Stack size in bytes of the thread that runs the command, reserved but not committed. The search
/// for closed forms recurses deeper than the main thread's stack allows on some systems.
const STACK: usize = 256 << 20;

fn run_command_line() -> ExitCode {
    dqdt_command::cli::run(std::env::args_os())
}

fn main() -> ExitCode {
    match std::thread::Builder::new().stack_size(STACK).spawn(run_command_line) {
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        Err(_) => run_command_line(),
    }
}
