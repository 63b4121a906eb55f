//! A page, and pieces of Markdown.

/// A page of the reference.
#[derive(Clone, Debug)]
pub struct Page {
    /// Name of its file, in `docs/reference` or `docs/gallery`.
    pub file: String,
    /// Markdown, or a picture as SVG.
    pub text: String,
}

/// A note at the head, no blanks at the ends of lines, no empty lines in a row.
pub(super) fn finished(text: &str) -> String {
    const NOTE: &str = "<!-- Written by `cargo run -p dqdt-tests --features cli --bin book` from the tables of the program. -->";
    let mut out = format!("{NOTE}\n\n");
    let mut blank = true;
    for line in text.lines().map(str::trim_end) {
        if !(line.is_empty() && blank) {
            out.push_str(line);
            out.push('\n');
        }
        blank = line.is_empty();
    }
    format!("{}\n", out.trim_end())
}

/// Text in a cell of a table.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ").replace('<', "&lt;")
}

/// Code in a cell of a table.
pub(super) fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{}`", text.replace('|', "\\|").replace('\n', " ")) }
}

/// A table of Markdown.
pub(super) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = format!("\n| {} |\n|{}\n", header.join(" | "), "---|".repeat(header.len()));
    for row in rows {
        out.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    out.push('\n');
    out
}
