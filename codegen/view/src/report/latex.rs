//! Prints a report as a LaTeX article that needs only amsmath and other common packages.
//!
//! Problem: authors want to copy equations into a paper.
//! Method:  each name of the mechanism is a command that the preamble defines, so that a letter is
//!          changed in one place. Displayed equations are numbered and have labels made of their
//!          left sides. Long equations are broken, and tables fit the page.

use std::collections::BTreeMap;

use super::entries::matrix_entries;
use super::{heading_slug, latex_pieces, latex_table, steps, tikz, wrap};
use dqdt_document::report::{Block, Math, Report, escape};

const PREAMBLE: &str = r"\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,array,graphicx,longtable}
\setcounter{MaxMatrixCols}{64}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.5em}
\setlength{\emergencystretch}{3em}
";

const PAGE: &str = r"\documentclass[10pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage[margin=14mm,includefoot,footskip=7mm]{geometry}
\usepackage{amsmath,amssymb,array,graphicx,longtable}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0pt}
\setlength{\emergencystretch}{3em}
\setlength{\LTpre}{2pt}
\setlength{\LTpost}{2pt}
\setcounter{MaxMatrixCols}{64}
\allowdisplaybreaks
";

/// Prints a report as a complete LaTeX document; as a dense article if its equations are steps.
pub fn print_latex(report: &Report) -> String {
    if steps::has_only_steps(report) {
        return article(report);
    }
    let mut out = format!(
        "{PREAMBLE}{}{}{}",
        tikz::tikz_package(report),
        steps::step_macros(report),
        symbol_commands(report)
    );
    out.push_str("\\begin{document}\n");
    out.push_str(&format!("{{\\LARGE\\bfseries {}\\par}}\n", escape::escape_latex(&report.title)));
    if !report.subtitle.is_empty() {
        out.push_str(&format!("\\medskip\n{{\\large {}\\par}}\n", escape::escape_latex(&report.subtitle)));
    }
    let mut page = LatexPage::new(84, (r"\small", 88));
    for section in &report.sections {
        out.push_str(&format!("\n\\section{{{}}}\n", escape::escape_latex(&section.heading)));
        page.begin_section(&section.heading);
        for block in &section.blocks {
            out.push('\n');
            push_block(&mut out, block, &mut page);
        }
    }
    out.push_str("\n\\end{document}\n");
    out
}

/// Prints a report as a LaTeX article with small print, in columns on full pages.
fn article(report: &Report) -> String {
    const COLUMNS: usize = 3;
    let mut out = format!("{PAGE}{}{}{}", tikz::tikz_package(report), steps::MACROS, symbol_commands(report));
    out.push_str("\\begin{document}\n\\footnotesize\n");
    out.push_str(&format!("{{\\Large {}}}", escape::escape_latex(&report.title)));
    if !report.subtitle.is_empty() {
        out.push_str(&format!(r" \quad {}", escape::escape_latex(&report.subtitle)));
    }
    out.push_str("\\par\\medskip\n");
    let mut page = LatexPage::new(104, (r"\footnotesize", 124));
    for section in &report.sections {
        out.push_str(&format!(
            "\n\\par\\addvspace{{1ex}}{{\\normalsize\\textbf{{{}}}\\par}}\\nopagebreak\n",
            escape::escape_latex(&section.heading)
        ));
        page.begin_section(&section.heading);
        for block in &section.blocks {
            out.push('\n');
            match block {
                Block::Steps(all) => steps::push_steps_latex(&mut out, all, COLUMNS),
                block => push_block(&mut out, block, &mut page),
            }
            out.push_str("\\par\n");
        }
    }
    out.push_str("\n\\end{document}\n");
    out
}

/// LaTeX definitions of the commands that [`Math::latex_with_commands`] uses, one for each name of
/// the mechanism.
fn symbol_commands(report: &Report) -> String {
    let mut out = String::from(
        r"% Symbols, by their names in the spec: change letters here.
\newcommand{\sym}[1]{\csname sym:#1\endcsname}
\newcommand{\setsymbol}[2]{\expandafter\newcommand\csname sym:#1\endcsname{#2}}
\newcommand{\matr}[1]{\mathbf{#1}}
",
    );
    for name in report.formula_names().iter().filter(|n| n.has_latex_command()) {
        out.push_str(&format!("\\setsymbol{{{}}}{{{}}}\n", name.source(), name.latex()));
    }
    out
}

/// Layout of the LaTeX page, and the labels in use so far, so that each is unique in the document.
struct LatexPage {
    /// Width of a line of the page, in the unit of [`latex_pieces::width`].
    line: usize,
    /// LaTeX command for the font size of tables, and characters per line at that size.
    small: (&'static str, usize),
    section: String,
    count: usize,
    uses: BTreeMap<String, usize>,
}

impl LatexPage {
    fn new(line: usize, small: (&'static str, usize)) -> Self {
        LatexPage { line, small, section: String::new(), count: 0, uses: BTreeMap::new() }
    }

    /// Begins a section of the document; its heading becomes a prefix of labels.
    fn begin_section(&mut self, heading: &str) {
        self.section = heading_slug(heading, 4);
        self.count = 0;
    }

    /// Label of an equation whose left side is a single symbol: the name of the symbol.
    fn symbol_label(&mut self, left: &Math) -> String {
        match left.label_slug() {
            slug if slug.is_empty() => self.numbered_label(),
            slug => self.unique_label(slug),
        }
    }

    /// Label of an equation by its number within the section.
    fn numbered_label(&mut self) -> String {
        self.count += 1;
        self.unique_label(format!("{}-{}", self.section, self.count))
    }

    fn unique_label(&mut self, slug: String) -> String {
        let n = self.uses.entry(slug.clone()).or_default();
        *n += 1;
        if *n == 1 { format!(r"\label{{eq:{slug}}}") } else { format!(r"\label{{eq:{slug}:{n}}}") }
    }
}

fn push_block(out: &mut String, block: &Block, page: &mut LatexPage) {
    match block {
        Block::Paragraph(text) => out.push_str(&format!("{}\n", text.latex())),
        Block::Note(text) => out.push_str(&format!("\\emph{{Note.}} {}\n", text.latex())),
        Block::Figure { svg, caption, lines } => match tikz::tikz_picture(svg) {
            Some(picture) => {
                out.push_str(&format!("\\begin{{center}}\n{picture}"));
                if !caption.is_empty() {
                    out.push_str(&format!("\n\n\\small {}\n", escape::escape_latex(caption)));
                }
                out.push_str("\\end{center}\n");
            }
            None => push_monospaced_lines(out, lines.iter().map(String::as_str)),
        },
        Block::Code(code) => push_monospaced_lines(out, code.lines()),
        Block::Sources(list) => push_bibliography(out, list),
        Block::Equations(equations) => push_equations(out, equations, page),
        Block::Relations(relations) => push_relations(out, relations, page),
        Block::Legend { lead, items } => {
            let items: Vec<String> = (items.iter())
                .map(|(math, meaning)| format!("${}$~{}", math.latex(), escape::escape_latex(meaning)))
                .collect();
            out.push_str(&format!(
                "{}{}\n",
                escape::escape_latex(&steps::legend_lead(lead)),
                items.join(";\n")
            ));
        }
        Block::Steps(all) => steps::push_steps_latex(out, all, 2),
        Block::Table { caption, header, rows, numeric } => {
            latex_table::push_latex_table(out, page.small, caption, header, rows, numeric);
        }
        Block::Matrix { name, rows, note } => {
            if !note.is_empty() {
                out.push_str(&format!("{}\n", note.clone().capitalise_first().latex()));
            }
            push_matrix(out, name, rows, page);
        }
    }
}

/// Appends lines in a monospaced font, escaped, with each space kept.
fn push_monospaced_lines<'a>(out: &mut String, lines: impl Iterator<Item = &'a str>) {
    for line in lines {
        let shown = escape::escape_latex(&line.replace('\t', "    ")).replace(' ', "~");
        out.push_str(&format!("\\texttt{{\\small {shown}}}\\\\\n"));
    }
}

/// Appends the LaTeX bibliography, with keys for `\cite`. The section already has a heading.
fn push_bibliography(out: &mut String, list: &[(String, String)]) {
    out.push_str("\\begingroup\n\\renewcommand{\\section}[2]{}\n\\begin{thebibliography}{99}\n");
    for (key, what) in list {
        out.push_str(&format!("\\bibitem{{{key}}} {}\n", escape::escape_latex(what)));
    }
    out.push_str("\\end{thebibliography}\n\\endgroup\n");
}

/// Joins the LaTeX lines of one equation, with the equation number on the last.
fn join_numbered_lines(lines: Vec<String>, label: &str) -> String {
    let last = lines.len().saturating_sub(1);
    let lines: Vec<String> = (lines.into_iter().enumerate())
        .map(|(i, line)| format!("{line} {}", if i == last { label } else { r"\notag" }))
        .collect();
    lines.join(" \\\\\n  ")
}

fn push_align_environment(out: &mut String, equations: Vec<String>) {
    out.push_str(&format!("\\begin{{align}}\n  {}\n\\end{{align}}\n", equations.join(" \\\\\n  ")));
}

/// Appends equations below each other in LaTeX, with long ones broken.
fn push_equations(out: &mut String, equations: &[(Math, Math)], page: &mut LatexPage) {
    if equations.is_empty() {
        return;
    }
    push_align_environment(
        out,
        equations.iter().map(|(left, right)| equation_lines(left, right, page)).collect(),
    );
}

/// LaTeX lines of one equation `left = right`, aligned at the equals sign.
fn equation_lines(left: &Math, right: &Math, page: &mut LatexPage) -> String {
    let label = page.symbol_label(left);
    let (left, right) = (left.latex_with_commands(), latex_with_breakable_fractions(right, page.line));
    let room = page.line.saturating_sub(latex_pieces::latex_width(&left) + 3).max(20);
    if latex_pieces::latex_width(&right) <= room {
        return format!("{left} &= {right} {label}");
    }
    let pieces = latex_pieces::split_latex(&right);
    let lines = arrange_in_lines(page.line, &pieces, room, room.saturating_sub(4)).into_iter().enumerate();
    let lines = lines.map(|(i, line)| {
        let lead = if i == 0 { format!("{left} ={{}}&") } else { String::from("&\\quad {}") };
        format!("{lead} {line}")
    });
    join_numbered_lines(lines.collect(), &label)
}

/// Appends equations below each other in LaTeX, with both sides broken if they are long.
fn push_relations(out: &mut String, relations: &[(Math, Math)], page: &mut LatexPage) {
    if relations.is_empty() {
        return;
    }
    push_align_environment(
        out,
        relations.iter().map(|(left, right)| relation_lines(left, right, page)).collect(),
    );
}

/// LaTeX lines of one equation with two long sides.
fn relation_lines(left: &Math, right: &Math, page: &mut LatexPage) -> String {
    let label = page.numbered_label();
    let (left, right) =
        (latex_with_breakable_fractions(left, page.line), latex_with_breakable_fractions(right, page.line));
    if latex_pieces::latex_width(&left) + latex_pieces::latex_width(&right) + 3 <= page.line {
        return format!("& {left} = {right} {label}");
    }
    let pieces =
        wrap::join_sides(latex_pieces::split_latex(&left), latex_pieces::split_latex(&right), "= ", 3);
    let lines = arrange_in_lines(page.line, &pieces, page.line, page.line - 4).into_iter().enumerate();
    let lines = lines.map(|(i, line)| format!("{} {line}", if i == 0 { "&" } else { r"& \quad {}" }));
    join_numbered_lines(lines.collect(), &label)
}

/// LaTeX of a formula. A fraction wider than a line, which cannot be broken, becomes a quotient of
/// brackets.
fn latex_with_breakable_fractions(math: &Math, line: usize) -> String {
    let is_wide = |latex: &str| latex_pieces::latex_width(latex) + 8 > line;
    let plain = math.latex_with_commands();
    if !is_wide(&plain) {
        return plain;
    }
    let broken = math.clone().map_subformulas(&|piece| match piece {
        Math::Fraction(above, below)
            if is_wide(&above.latex_with_commands()) || is_wide(&below.latex_with_commands()) =>
        {
            Math::row([above.bracketed(), Math::operator("/", " / "), below.bracketed()])
        }
        other => other,
    });
    broken.latex_with_commands()
}

/// Arranges the pieces of a formula in LaTeX lines. A piece that is too wide is scaled to its line.
fn arrange_in_lines(whole: usize, pieces: &[wrap::FormulaPiece], first: usize, rest: usize) -> Vec<String> {
    let line = |(i, range): (usize, std::ops::Range<usize>)| {
        let room = if i == 0 { first } else { rest };
        let width: usize = pieces[range.clone()].iter().map(|p| p.width).sum();
        let line: String = pieces[range].iter().map(|p| p.text.as_str()).collect();
        if width > room {
            scale_to_line(line.trim(), room as f64 / whole as f64)
        } else {
            line.trim().to_owned()
        }
    };
    wrap::choose_lines(pieces, first, rest).into_iter().enumerate().map(line).collect()
}

/// Scales an unbreakable LaTeX formula to a share of the line width.
fn scale_to_line(line: &str, share: f64) -> String {
    let share = 0.95 * share;
    format!(r"\resizebox{{{share:.2}\linewidth}}{{!}}{{$\displaystyle {line}$}}")
}

fn push_matrix(out: &mut String, name: &Math, rows: &[Vec<Math>], page: &mut LatexPage) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |j: usize| {
        rows.iter()
            .filter_map(|r| r.get(j))
            .map(|e| latex_pieces::latex_width(&e.latex_with_commands()))
            .max()
            .unwrap_or(0)
            + 3
    };
    let total: usize = (0..columns).map(width).sum();
    let all = latex_pieces::latex_width(&name.latex_with_commands()) + 8 + total;
    // A wide matrix of short entries is scaled.
    let scaled = all > page.line && all <= 3 * page.line && (0..columns).all(|j| width(j) <= 8);
    if all > page.line && !scaled {
        let (list, omitted) = matrix_entries(name, rows);
        push_equations(out, &list, page);
        if !omitted.is_empty() {
            out.push_str(&format!("{omitted}\n"));
        }
        return;
    }
    let mut body = format!("{} = \\begin{{bmatrix}}\n", name.latex_with_commands());
    for row in rows {
        let entries: Vec<String> = row.iter().map(Math::latex_with_commands).collect();
        body.push_str(&format!("    {} \\\\\n", entries.join(" & ")));
    }
    body.push_str("  \\end{bmatrix}");
    let body =
        if scaled { format!(r"\resizebox{{0.9\linewidth}}{{!}}{{$\displaystyle {body}$}}") } else { body };
    let label = page.symbol_label(name);
    out.push_str(&format!("\\begin{{equation}}{label}\n  {body}\n\\end{{equation}}\n"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_document::report::Prose;
    use dqdt_document::report::Section;

    #[test]
    fn a_fraction_wider_than_a_line_is_broken_and_not_shrunk() {
        let sum = plus_separated((0..60).map(|i| Math::identifier(&format!("x{i}"))));
        let equation = (Math::identifier("x0"), sum.quotient(Math::identifier("x1")));
        let section = Section::new("s").with_block(Block::Equations(vec![equation]));
        let text = print_latex(&Report { sections: vec![section], ..Report::new("", "") });
        assert!(
            !text.contains("resizebox") && !text.contains(r"\frac{\sym") && text.contains(" / "),
            "{text}"
        );
    }

    /// A row of terms with plus signs between them.
    fn plus_separated(terms: impl Iterator<Item = Math>) -> Math {
        Math::row(terms.flat_map(|term| [Math::operator(" + ", " + "), term]).skip(1))
    }

    fn article(blocks: Vec<Block>) -> String {
        let sections = vec![Section { heading: "Equations of motion".to_owned(), blocks }];
        print_latex(&Report { sections, ..Report::new("title", "") })
    }

    #[test]
    fn equations_are_numbered_and_have_labels_that_say_what_they_are() {
        let x = Math::identifier("x_ddot");
        let equations = vec![
            (Math::identifier("c").with_number_indices(&[2]), x.clone()),
            (Math::identifier("T"), x.clone()),
        ];
        let page = article(vec![
            Block::Relations(vec![(x.clone(), Math::integer(0))]),
            Block::Equations(equations),
            Block::Matrix { name: Math::bold("M"), rows: vec![vec![x.clone()]], note: "mass matrix".into() },
            Block::Matrix { name: Math::bold("M"), rows: vec![vec![x]], note: "again".into() },
        ]);
        for label in ["eq:equations-of-motion-1", "eq:c-2", "eq:T", "eq:M", "eq:M:2"] {
            assert_eq!(page.matches(&format!("\\label{{{label}}}")).count(), 1, "{label}: {page}");
        }
        assert!(!page.contains("align*") && !page.contains(r"\["), "{page}");
    }

    #[test]
    fn of_a_broken_equation_the_last_line_has_the_number() {
        let sum = plus_separated((1..40).map(|i| Math::identifier(&format!("m_{i}_long"))));
        let page = article(vec![Block::Equations(vec![(Math::identifier("T"), sum)])]);
        let lines = page.lines().filter(|l| l.contains("\\sym{m_")).count();
        assert!(lines > 2, "{page}");
        assert_eq!(page.matches("\\notag").count(), page.matches("\\quad {}").count(), "{page}");
        assert_eq!(page.matches("\\label").count(), 1);
    }

    #[test]
    fn each_name_that_is_used_has_its_command_once() {
        let prose = Prose::from("with ") + Math::identifier("theta_dot");
        let page = article(vec![
            Block::Paragraph(prose),
            Block::Relations(vec![(
                Math::identifier("m_cart"),
                Math::identifier("m_cart").to_power(Math::integer(2)),
            )]),
        ]);
        for name in ["theta_dot", "m_cart"] {
            assert_eq!(page.matches(&format!("\\setsymbol{{{name}}}")).count(), 1, "{page}");
        }
        assert!(page.contains(r"\sym{m_cart} = \sym{m_cart}^{2}"), "{page}");
        assert!(page.contains(r"$\sym{theta_dot}$"), "{page}");
    }
}
