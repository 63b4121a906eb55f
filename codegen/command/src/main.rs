//! The command `dqdt`.

use std::process::ExitCode;

/// Stack in bytes; only what is used is taken. Closed forms are searched by recursion over their
/// terms, which the main thread has too little room for on some systems.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let run = || dqdt_command::cli::run(std::env::args_os());
    match std::thread::Builder::new().stack_size(STACK).spawn(run) {
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        Err(_) => run(),
    }
}
