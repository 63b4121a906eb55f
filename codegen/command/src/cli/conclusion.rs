//! The summary line of `dqdt prove`.

use std::process::ExitCode;
use std::time::Instant;

use super::output;
use super::source::Failure;
use dqdt_equations::symbolic::Status;

/// Prints the summary line of `dqdt prove` and returns the exit status. The verdict is the weakest
/// of all statuses.
pub(super) fn print_conclusion(
    name: &str,
    what: &str,
    all: &[Status],
    is_inexact: bool,
    start: Instant,
) -> Result<ExitCode, Failure> {
    let status = all.iter().copied().max().unwrap_or(Status::Proved);
    let word = if status == Status::Refuted { "refuted" } else { status.status_word() };
    let mut text = format!("{name}: {word} in {:.1} s", start.elapsed().as_secs_f64());
    if status != Status::Proved {
        let order = [Status::Proved, Status::Checked, Status::Undecided, Status::Refuted];
        let counts = order.into_iter().filter_map(|s| {
            let n = all.iter().filter(|v| **v == s).count();
            let noun = if n == 1 { what.to_owned() } else { format!("{what}s") };
            (n > 0).then(|| format!("{n} {noun} {}", s.status_word()))
        });
        let counts: Vec<String> = counts.collect();
        text.push_str(&format!(": {}", counts.join(", ")));
    }
    if is_inexact {
        text.push_str("; inexact constants are treated as exact");
    }
    output::print_to_stdout(&format!("{}\n", output::wrap_text(&text, 0)))?;
    Ok(ExitCode::from(match status {
        Status::Proved | Status::Checked => 0,
        Status::Refuted => 1,
        Status::Undecided => 2,
    }))
}
