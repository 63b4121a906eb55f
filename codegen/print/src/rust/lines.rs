//! Joins lines of names, since prettyplease prints each name on a line of its own.

/// Maximum width of a joined line of names in columns.
const COLUMNS: usize = 96;

/// Joins consecutive lines of printed Rust that consist of one name each.
pub fn join_name_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Width of the line that is being joined, and its indentation.
    let mut open: Option<(usize, usize)> = None;
    for line in text.lines() {
        let item = trim_indentation(line);
        let indent = line.len() - item.len();
        match open {
            Some((columns, same))
                if same == indent && is_single_name(item) && columns + item.len() < COLUMNS =>
            {
                out.push(' ');
                out.push_str(item);
                open = Some((columns + item.len() + 1, indent));
                continue;
            }
            // The array whose first line has been joined ends here.
            Some((_, same)) if same == indent && item == "]," && out.ends_with(',') => {
                out.pop();
                out.push_str("],\n");
                open = None;
                continue;
            }
            Some(_) => out.push('\n'),
            None => {}
        }
        out.push_str(line);
        let first = item.strip_prefix('[').unwrap_or(item);
        open = (indent > 0 && is_single_name(first)).then_some((line.len(), indent));
        if open.is_none() {
            out.push('\n');
        }
    }
    if open.is_some() {
        out.push('\n');
    }
    out
}

/// The line without its leading spaces.
pub fn trim_indentation(line: &str) -> &str {
    let indent = line.as_bytes().iter().position(|b| *b != b' ').unwrap_or(line.len());
    &line[indent..]
}

/// Returns `true` for a line that is one name, possibly with its type or value, and a comma.
fn is_single_name(item: &str) -> bool {
    item.strip_suffix(',').is_some_and(|name| {
        !name.is_empty() && !name.starts_with("pub ") && name.as_bytes().iter().all(is_name_byte)
    })
}

/// Returns `true` for a byte of a name, or of a simple type or value, in printed Rust.
fn is_name_byte(byte: &u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b':' | b' ')
}

#[cfg(test)]
mod tests {
    use super::join_name_lines;

    #[test]
    fn names_share_lines_and_all_else_stays() {
        let text = "let Pose {\n    a,\n    b,\n    ..\n} = pose;\nf(\n    [s,\n    t,\n    ],\n    x + y,\n    z,\n);\n";
        let expected = "let Pose {\n    a, b,\n    ..\n} = pose;\nf(\n    [s, t],\n    x + y,\n    z,\n);\n";
        assert_eq!(join_name_lines(text), expected);
        let public = "struct A {\n    pub a: T,\n    pub b: T,\n}\n";
        assert_eq!(join_name_lines(public), public);
    }
}
