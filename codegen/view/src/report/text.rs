//! Prints a report for a terminal.

use super::entries::matrix_entries;
use super::{steps, wrap};
use dqdt_document::report::{Block, Cell, Math, Report, escape};

/// Use of colours when a report is printed to a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// Text without escape sequences, for files and pipes.
    Plain,
    /// Text with headings and captions in colour, by ANSI escape sequences.
    Colors,
}

impl Ink {
    const BOLD: &'static str = "1";
    const HEADING: &'static str = "1;36";
    const SOFT: &'static str = "2";
    const NOTE: &'static str = "33";

    fn colour_text(self, style: &str, text: &str) -> String {
        match self {
            Ink::Colors if !text.is_empty() => format!("\u{1b}[{style}m{text}\u{1b}[0m"),
            _ => text.to_owned(),
        }
    }
}

/// Prints a report as plain text in lines of at most `width` columns, as far as its formulas can be
/// broken.
pub fn print_text(report: &Report, width: usize) -> String {
    print_terminal(report, width, Ink::Plain)
}

/// Prints a report as text like [`print_text`], with colours if `ink` allows.
pub fn print_terminal(report: &Report, width: usize, ink: Ink) -> String {
    let width = width.max(40);
    let mut out = String::new();
    push_heading(&mut out, &report.title, '═', width, ink);
    if !report.subtitle.is_empty() {
        push_paragraph(&mut out, "", &report.subtitle, width);
    }
    for section in &report.sections {
        out.push('\n');
        push_heading(&mut out, &section.heading, '─', width, ink);
        for (i, block) in section.blocks.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            push_block(&mut out, block, width, ink);
        }
    }
    out
}

fn push_heading(out: &mut String, text: &str, rule: char, width: usize, ink: Ink) {
    let text = escape::terminal_line(text);
    let length = wrap::terminal_width(&text).clamp(1, width);
    let rule: String = std::iter::repeat_n(rule, length).collect();
    out.push_str(&format!(
        "{}\n{}\n",
        ink.colour_text(Ink::HEADING, &text),
        ink.colour_text(Ink::SOFT, &rule)
    ));
}

fn push_block(out: &mut String, block: &Block, width: usize, ink: Ink) {
    match block {
        Block::Paragraph(text) => push_paragraph(out, "", &text.text(), width),
        Block::Note(text) => {
            let mut note = String::new();
            push_paragraph(&mut note, "note: ", &text.text(), width);
            out.push_str(&note.replacen("note:", &ink.colour_text(Ink::NOTE, "note:"), 1));
        }
        Block::Figure { lines, .. } => {
            for line in lines {
                push_line(out, &format!("  {}", escape::terminal_line(line)));
            }
        }
        Block::Code(code) => {
            for line in code.lines() {
                push_line(out, &format!("    {}", escape::terminal_line(&line.replace('\t', "    "))));
            }
        }
        Block::Sources(list) => {
            for (key, what) in list {
                push_paragraph(out, "  ", &format!("[{key}] {what}"), width);
            }
        }
        Block::Table { caption, header, rows, numeric } => {
            if !caption.is_empty() {
                push_caption(out, &caption.text(), width, ink);
            }
            push_table(out, header, rows, numeric, width, ink);
        }
        Block::Equations(equations) => {
            for (left, right) in equations {
                push_equation(out, left, right, width);
            }
        }
        Block::Legend { lead, items } => {
            let items: Vec<String> =
                items.iter().map(|(math, meaning)| format!("{} {meaning}", math.text())).collect();
            push_paragraph(out, "", &format!("{}{}", steps::legend_lead(lead), items.join("; ")), width);
        }
        Block::Steps(all) => steps::push_steps_text(out, all, width),
        Block::Relations(relations) => {
            for (left, right) in relations {
                for (i, line) in
                    wrap::wrap_relation(&left.text(), &right.text(), 2, 6, width).iter().enumerate()
                {
                    push_line(out, &format!("{:indent$}{line}", "", indent = if i == 0 { 2 } else { 6 }));
                }
            }
        }
        Block::Matrix { name, rows, note } => {
            if !note.is_empty() {
                push_caption(out, &note.text(), width, ink);
            }
            push_matrix(out, name, rows, width);
        }
    }
}

/// Appends a line without trailing blanks to the text of a report.
fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

fn push_paragraph(out: &mut String, lead: &str, text: &str, width: usize) {
    let indent = wrap::terminal_width(lead);
    for (i, line) in wrap::wrap_words(&escape::terminal_line(text), width - indent).iter().enumerate() {
        let lead = if i == 0 { lead.to_owned() } else { " ".repeat(indent) };
        push_line(out, &format!("{lead}{line}"));
    }
}

/// Appends the caption of a table to the text of a report.
fn push_caption(out: &mut String, text: &str, width: usize, ink: Ink) {
    let mut lines = String::new();
    push_paragraph(&mut lines, "", text, width);
    for line in lines.lines() {
        push_line(out, &ink.colour_text(Ink::SOFT, line));
    }
}

fn push_equation(out: &mut String, left: &Math, right: &Math, width: usize) {
    let left = format!("  {} = ", left.text());
    let column = wrap::terminal_width(&left);
    let indent = column.min(8);
    for (i, line) in wrap::wrap_formula(&right.text(), column, indent, width).iter().enumerate() {
        push_line(out, &if i == 0 { format!("{left}{line}") } else { format!("{:indent$}{line}", "") });
    }
}

fn push_matrix(out: &mut String, name: &Math, rows: &[Vec<Math>], width: usize) {
    let cells: Vec<Vec<String>> = rows.iter().map(|r| r.iter().map(|c| c.text()).collect()).collect();
    let columns = column_widths(&cells, 0);
    let lead = wrap::terminal_width(&name.text()) + 5;
    if cells.is_empty() || columns.is_empty() {
        return push_line(out, &format!("  {} = [ ]", name.text()));
    }
    let room = width.saturating_sub(lead + 2);
    let sum = columns.iter().sum::<usize>();
    let gap = if sum + 2 * columns.len() <= room { 2 } else { 1 };
    if sum + gap * columns.len() > room {
        let (list, omitted) = matrix_entries(name, rows);
        for (left, right) in &list {
            push_equation(out, left, right, width);
        }
        if !omitted.is_empty() {
            push_paragraph(out, "  ", &omitted, width);
        }
        return;
    }
    let last = cells.len() - 1;
    for (i, row) in cells.iter().enumerate() {
        let (open, close) = match (i, last) {
            (0, 0) => ('[', ']'),
            (0, _) => ('⎡', '⎤'),
            (i, n) if i == n => ('⎣', '⎦'),
            _ => ('⎢', '⎥'),
        };
        let mut line =
            if i == last / 2 { format!("  {} = {open}", name.text()) } else { format!("{:lead$}{open}", "") };
        for (j, w) in columns.iter().enumerate() {
            let cell = row.get(j).map_or("", String::as_str);
            let free = w - wrap::terminal_width(cell) + gap;
            line.push_str(&format!("{:a$}{cell}{:b$}", "", "", a = free / 2, b = free - free / 2));
        }
        line.push(close);
        push_line(out, &line);
    }
}

fn column_widths(cells: &[Vec<String>], columns: usize) -> Vec<usize> {
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0).max(columns);
    (0..columns)
        .map(|j| cells.iter().filter_map(|r| r.get(j)).map(|c| wrap::terminal_width(c)).max().unwrap_or(0))
        .collect()
}

fn push_table(
    out: &mut String,
    header: &[String],
    rows: &[Vec<Cell>],
    numeric: &[usize],
    width: usize,
    ink: Ink,
) {
    let mut cells: Vec<Vec<String>> = vec![header.iter().map(|h| escape::terminal_line(h)).collect()];
    cells.extend(rows.iter().map(|row| {
        row.iter()
            .map(|cell| match cell {
                Cell::Text(text) => text.text(),
                Cell::Math(math) => math.text(),
            })
            .collect()
    }));
    let mut widths = column_widths(&cells, header.len());
    // Narrow the widest column until the table fits.
    while widths.iter().sum::<usize>() + 2 * widths.len() + 2 > width {
        match widths.iter_mut().max_by_key(|w| **w) {
            Some(w) if *w > 8 => *w -= 1,
            _ => break,
        }
    }
    for (i, row) in cells.iter().enumerate() {
        if i == 0 && header.is_empty() {
            continue;
        }
        let wrapped: Vec<Vec<String>> =
            row.iter().zip(&widths).map(|(c, w)| wrap::wrap_words(c, *w)).collect();
        for k in 0..wrapped.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::from("  ");
            for (j, w) in widths.iter().enumerate() {
                let part = wrapped.get(j).and_then(|c| c.get(k)).map_or("", String::as_str);
                let gap = w.saturating_sub(wrap::terminal_width(part));
                let (a, b) = if numeric.contains(&j) { (gap, 0) } else { (0, gap) };
                line.push_str(&format!("{:a$}{part}{:b$}  ", "", ""));
            }
            match i {
                0 => push_line(out, &ink.colour_text(Ink::BOLD, line.trim_end())),
                _ => push_line(out, &line),
            }
        }
        if i == 0 {
            let rules: Vec<String> = widths.iter().map(|w| "─".repeat(*w)).collect();
            push_line(out, &format!("  {}", rules.join("  ")));
        }
    }
}
