//! Reference page of message codes, from the table that `dqdt explain` prints.

use super::page::escape_cell;
use crate::cli::codes::{Code, Example};

/// Renders the reference page of message codes as Markdown.
pub(super) fn codes_page<'c>(all: impl Iterator<Item = &'c Code>) -> String {
    let mut out = String::from(
        "# Messages\n\n\
         Each message has a code in brackets, as in `error[unknown-key]`. `dqdt explain CODE` prints the text of this page about a code; `dqdt explain` lists \
         all codes. A test checks that each example produces its message.\n\n",
    );
    for c in all {
        out.push_str(&format!(
            "## `{}`\n\n{}\n\n{}\n\n",
            c.code,
            escape_cell(c.cause),
            escape_cell(c.remedy)
        ));
        match c.example {
            Example::Pendulum(text) | Example::Spec(text) => {
                out.push_str(&format!("```toml\n{}\n```\n\n", text.trim()));
            }
            Example::Robot(text) => out.push_str(&format!("```xml\n{}\n```\n\n", text.trim())),
            Example::Described(text) => out.push_str(&format!("{text}\n\n")),
        }
    }
    out
}
