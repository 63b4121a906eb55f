//! `dqdt explain`: prints cause, remedy and an example of a message code.

use std::process::ExitCode;

use clap::Args;

use super::codes::{self, Code, Example};
use super::output;
use super::source::Failure;
use dqdt_spec::spec::did_you_mean;

#[derive(Args)]
pub(super) struct Explain {
    /// Code of a message, such as `unknown-key`; by default all codes are listed
    code: Option<String>,
}

impl Explain {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let Some(code) = self.code else {
            return output::print_to_stdout(&list_codes()).map(|()| ExitCode::SUCCESS);
        };
        // Accepts a code as copied from a message, such as `error[unknown-key]`.
        let bare = code.trim_end_matches(']').rsplit('[').next().unwrap_or_default();
        let Some(entry) = codes::all_codes().find(|c| c.code == bare) else {
            let near = did_you_mean(bare, codes::all_codes().map(|c| c.code));
            let help = near.map_or_else(
                || "`dqdt explain` lists all codes".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(Failure::Option {
                option: "CODE",
                message: format!("no message has the code `{bare}`; {help}"),
            });
        };
        output::print_to_stdout(&explain_code(entry)).map(|()| ExitCode::SUCCESS)
    }
}

/// Text of `dqdt explain` without a code: one line per code, with the first sentence of its cause.
fn list_codes() -> String {
    let width = codes::all_codes().map(|c| c.code.len()).max().unwrap_or(0);
    let lines = codes::all_codes().map(|c| {
        let cause = c.cause.find(". ").map_or(c.cause, |i| &c.cause[..=i]);
        format!("{:width$}  {}\n", c.code, output::wrap_text(cause, width + 2))
    });
    lines.collect()
}

fn explain_code(c: &Code) -> String {
    let example = match c.example {
        Example::Pendulum(text) => {
            format!(
                "Added to the spec of the pendulum in the README, these entries produce the message:\n\n{}",
                indent_lines(text)
            )
        }
        Example::Spec("") => "An empty file.\n".to_owned(),
        Example::Spec(text) | Example::Robot(text) => {
            format!("The following file produces the message:\n\n{}", indent_lines(text))
        }
        Example::Described(text) => format!("{}\n", output::wrap_text(&format!("For example: {text}"), 0)),
    };
    format!(
        "{}\n\n{}\n\n{}\n\n{example}",
        c.code,
        output::wrap_text(c.cause, 0),
        output::wrap_text(c.remedy, 0)
    )
}

fn indent_lines(text: &str) -> String {
    text.trim().lines().map(|l| format!("    {l}\n")).collect()
}
