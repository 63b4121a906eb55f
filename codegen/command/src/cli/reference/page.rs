//! Type of a reference page, and helpers for Markdown.

/// Generated file of the book: a page of the reference or the gallery, or a picture.
#[derive(Clone, Debug)]
pub struct ReferencePage {
    /// File name, in `docs/reference` or `docs/gallery`.
    pub file: String,
    /// Content of the file: Markdown, or an SVG picture.
    pub text: String,
}

/// Adds the note about the generator to a Markdown page, strips trailing blanks and merges empty
/// lines.
pub(super) fn finish_page(text: &str) -> String {
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

/// Escapes text for a cell of a Markdown table. In code between backticks, `<` stays, because
/// Markdown prints entities in code literally.
pub(super) fn escape_cell(text: &str) -> String {
    let text = text.replace('|', "\\|").replace('\n', " ");
    let pieces = text.split('`').enumerate();
    let escaped = pieces.map(|(i, piece)| match i % 2 {
        0 => piece.replace('<', "&lt;"),
        _ => piece.to_owned(),
    });
    escaped.collect::<Vec<_>>().join("`")
}

/// Formats code for a cell of a Markdown table.
pub(super) fn code_cell(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{}`", text.replace('|', "\\|").replace('\n', " ")) }
}

/// Markdown table with this header and these rows of escaped cells.
pub(super) fn markdown_table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = format!("\n| {} |\n|{}\n", header.join(" | "), "---|".repeat(header.len()));
    for row in rows {
        out.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    out.push('\n');
    out
}
