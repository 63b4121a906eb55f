//! A report as a LaTeX article that needs amsmath and nothing unusual.

use super::entries::entries;
use super::model::{Block, Cell, Report};
use super::{Math, escape, latex_pieces, steps, wrap};

/// What a line of the page holds, in the unit of [`latex_pieces::width`].
const LINE: usize = 92;

const PREAMBLE: &str = r"\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,array,graphicx,longtable}
\setcounter{MaxMatrixCols}{64}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.6em}
";

/// Prints a report as a whole document.
pub fn latex(report: &Report) -> String {
    if steps::is_only(report) {
        return steps::article(report, print);
    }
    let mut out = format!("{PREAMBLE}{}", steps::macros(report));
    let subtitle = match report.subtitle.as_str() {
        "" => String::new(),
        s => format!(r"\\[0.5ex] \large {}", escape::latex(s)),
    };
    out.push_str(&format!("\\title{{{}{subtitle}}}\n\\date{{}}\n", escape::latex(&report.title)));
    out.push_str("\\begin{document}\n\\maketitle\n");
    for section in &report.sections {
        out.push_str(&format!("\n\\section{{{}}}\n", escape::latex(&section.heading)));
        for block in &section.blocks {
            out.push('\n');
            print(&mut out, block);
        }
    }
    out.push_str("\n\\end{document}\n");
    out
}

fn print(out: &mut String, block: &Block) {
    match block {
        Block::Paragraph(text) => out.push_str(&format!("{}\n", escape::latex(text))),
        Block::Note(text) => out.push_str(&format!("\\emph{{Note.}} {}\n", escape::latex(text))),
        Block::Figure { caption, .. } => {
            out.push_str(&format!("\\emph{{Figure (in the HTML report).}} {}\n", escape::latex(caption)));
        }
        Block::Code(code) => {
            for line in code.lines() {
                let shown = escape::latex(&line.replace('\t', "    ")).replace(' ', "~");
                out.push_str(&format!("\\texttt{{\\small {shown}}}\\\\\n"));
            }
        }
        Block::Equations(equations) => display(out, equations),
        Block::Relations(relations) => related(out, relations),
        Block::Legend { lead, items } => {
            let item =
                |(math, meaning): &(Math, String)| format!("${}$~{}", math.latex(), escape::latex(meaning));
            let items: Vec<String> = items.iter().map(item).collect();
            out.push_str(&format!("{}{}\n", escape::latex(&steps::lead(lead)), items.join(";\n")));
        }
        Block::Steps(all) => steps::latex(out, all, 2),
        Block::Table { caption, header, rows, numeric } => table(out, caption, header, rows, numeric),
        Block::Matrix { name, rows, note } => {
            if !note.is_empty() {
                out.push_str(&format!("{}\n", escape::latex(note)));
            }
            matrix(out, name, rows);
        }
    }
}

/// Equations below each other, long ones broken.
fn display(out: &mut String, equations: &[(Math, Math)]) {
    if equations.is_empty() {
        return;
    }
    let mut lines = Vec::new();
    for (left, right) in equations {
        let room = LINE.saturating_sub(latex_pieces::width(&left.latex()) + 3).max(20);
        if latex_pieces::width(&right.latex()) <= room {
            lines.push(format!("{} &= {}", left.latex(), right.latex()));
            continue;
        }
        let pieces = latex_pieces::pieces(&right.latex());
        for (i, range) in wrap::lines(&pieces, room, room.saturating_sub(4)).into_iter().enumerate() {
            let width: usize = pieces[range.clone()].iter().map(|p| p.width).sum();
            let line: String = pieces[range].iter().map(|p| p.text.as_str()).collect();
            let line =
                if width > room + room / 8 { shrunk(line.trim(), room) } else { line.trim().to_owned() };
            let lead = if i == 0 { format!("{} ={{}}&", left.latex()) } else { String::from("&\\quad {}") };
            lines.push(format!("{lead} {line}"));
        }
    }
    out.push_str(&format!("\\begin{{align*}}\n  {}\n\\end{{align*}}\n", lines.join(" \\\\\n  ")));
}

/// Equations below each other, both sides broken where they are long.
fn related(out: &mut String, relations: &[(Math, Math)]) {
    if relations.is_empty() {
        return;
    }
    let mut lines = Vec::new();
    for (left, right) in relations {
        let whole = latex_pieces::width(&left.latex()) + latex_pieces::width(&right.latex()) + 3;
        if whole <= LINE {
            lines.push(format!("& {} = {}", left.latex(), right.latex()));
            continue;
        }
        let (left, right) = (latex_pieces::pieces(&left.latex()), latex_pieces::pieces(&right.latex()));
        let pieces = wrap::joined(left, right, "= ", 3);
        for (i, range) in wrap::lines(&pieces, LINE, LINE - 4).into_iter().enumerate() {
            let width: usize = pieces[range.clone()].iter().map(|p| p.width).sum();
            let line: String = pieces[range].iter().map(|p| p.text.as_str()).collect();
            let line = if width > LINE { shrunk(line.trim(), LINE) } else { line.trim().to_owned() };
            lines.push(format!("{} {line}", if i == 0 { "&" } else { r"& \quad {}" }));
        }
    }
    out.push_str(&format!("\\begin{{align*}}\n  {}\n\\end{{align*}}\n", lines.join(" \\\\\n  ")));
}

/// What cannot be broken is scaled to the line.
fn shrunk(line: &str, room: usize) -> String {
    let share = room as f64 / LINE as f64;
    format!(r"\resizebox{{{share:.2}\linewidth}}{{!}}{{$\displaystyle {line}$}}")
}

fn matrix(out: &mut String, name: &Math, rows: &[Vec<Math>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |j: usize| {
        rows.iter().filter_map(|r| r.get(j)).map(|e| latex_pieces::width(&e.latex())).max().unwrap_or(0) + 3
    };
    let total: usize = (0..columns).map(width).sum();
    let all = latex_pieces::width(&name.latex()) + 5 + total;
    // A matrix of numbers that is a little too wide is scaled.
    let scaled = all > LINE && all <= 3 * LINE && (0..columns).all(|j| width(j) <= 8);
    if all > LINE && !scaled {
        let (list, omitted) = entries(name, rows);
        display(out, &list);
        if !omitted.is_empty() {
            out.push_str(&format!("{omitted}\n"));
        }
        return;
    }
    let mut body = format!("{} = \\begin{{bmatrix}}\n", name.latex());
    for row in rows {
        let entries: Vec<String> = row.iter().map(Math::latex).collect();
        body.push_str(&format!("    {} \\\\\n", entries.join(" & ")));
    }
    body.push_str("  \\end{bmatrix}");
    let body =
        if scaled { format!(r"\resizebox{{\linewidth}}{{!}}{{$\displaystyle {body}$}}") } else { body };
    out.push_str(&format!("\\[\n  {body}\n\\]\n"));
}

fn table(out: &mut String, caption: &str, header: &[String], rows: &[Vec<Cell>], numeric: &[usize]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(header.len());
    if columns == 0 {
        return;
    }
    let cell = |c: &Cell| match c {
        Cell::Text(text) => escape::latex(text),
        Cell::Math(math) => format!("${}$", math.latex()),
    };
    let size = |c: &Cell| match c {
        Cell::Text(text) => text.chars().count(),
        Cell::Math(math) => latex_pieces::width(&math.latex()),
    };
    // A column of long texts is set as paragraphs; such columns share what the others leave of the line.
    let named = |j: usize| header.get(j).map_or(0, |h| h.chars().count());
    let widest: Vec<usize> = (0..columns)
        .map(|j| rows.iter().filter_map(|r| r.get(j)).map(size).max().unwrap_or(0).max(named(j)))
        .collect();
    let long = widest.iter().filter(|w| **w > 28).count();
    let short: usize = widest.iter().filter(|w| **w <= 28).map(|w| w + 3).sum();
    let share = (88.0 - short as f64).max(24.0) / 100.0 / long.max(1) as f64;
    let spec: String = (0..columns)
        .map(|j| match widest[j] > 28 {
            true => format!(r">{{\raggedright\arraybackslash}}p{{{share:.2}\linewidth}}"),
            false => if numeric.contains(&j) { "r" } else { "l" }.to_owned(),
        })
        .collect();
    let row = |cells: Vec<String>| {
        let blank = columns.saturating_sub(cells.len());
        format!("{}{} \\\\\n", cells.join(" & "), " &".repeat(blank))
    };
    if !caption.is_empty() {
        out.push_str(&format!("{}\n\n", escape::latex(caption)));
    }
    out.push_str(&format!("{{\\small\n\\begin{{longtable}}[l]{{{spec}}}\n\\hline\n"));
    if !header.is_empty() {
        out.push_str(&row(header.iter().map(|h| format!(r"\textbf{{{}}}", escape::latex(h))).collect()));
        out.push_str("\\hline\n\\endhead\n");
    }
    for r in rows {
        out.push_str(&row(r.iter().map(cell).collect()));
    }
    out.push_str("\\hline\n\\end{longtable}}\n");
}
