//! Prints equations with intermediate variables as densely as is readable, for a terminal and in
//! columns of a LaTeX page.
//!
//! TeX breaks formulas in a paragraph after their operators, and fills columns better than
//! estimated widths would. So each equation is a paragraph with a hanging indent, and delimiters
//! have a fixed size, since growing ones cannot be broken.

use super::wrap;
use dqdt_document::report::{Block, Math, Report, Steps, escape};

/// Separator of short equations on one line of a terminal.
const SEPARATOR: &str = ";  ";

/// Text before the symbols of a legend, such as `bodies: `; empty if there is none.
pub(super) fn lead(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}: ") }
}

/// Appends blocks of equations as text for a terminal, at most `width` columns wide.
pub(super) fn text(out: &mut String, all: &[Steps], width: usize) {
    let mut line = |text: &str| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    for (i, steps) in all.iter().enumerate() {
        if i > 0 {
            line("");
        }
        if let Some((function, section)) = &steps.place {
            line(format!("[{}] {}", escape::line(function), escape::line(section)).trim_end());
        }
        if !steps.heading.is_empty() {
            for words in wrap::words(&escape::line(&steps.heading), width.saturating_sub(2)) {
                line(&format!("  {words}"));
            }
        }
        if steps.flow {
            fill_lines(&mut line, &steps.equations, width);
            continue;
        }
        for (left, right) in &steps.equations {
            let left = format!("    {} = ", left.text());
            let column = wrap::width(&left);
            for (i, text) in wrap::formula(&right.text(), column, 8, width).iter().enumerate() {
                line(&if i == 0 { format!("{left}{text}") } else { format!("{:8}{text}", "") });
            }
        }
    }
}

fn fill_lines(line: &mut impl FnMut(&str), equations: &[(Math, Math)], width: usize) {
    let mut open = String::new();
    for (left, right) in equations {
        let text = format!("{} = {}", left.text(), right.text());
        if open.is_empty() {
            open = format!("    {text}");
        } else if wrap::width(&open) + SEPARATOR.len() + wrap::width(&text) <= width {
            open.push_str(SEPARATOR);
            open.push_str(&text);
        } else {
            line(&open);
            open = format!("    {text}");
        }
    }
    line(&open);
}

/// Returns `true` if the only equations of a report are steps: then LaTeX sets it in small print,
/// on full pages.
pub(super) fn is_dense(report: &Report) -> bool {
    let blocks = || report.sections.iter().flat_map(|s| &s.blocks);
    blocks().any(|b| matches!(b, Block::Steps(_))) && !blocks().any(|b| matches!(b, Block::Relations(_)))
}

/// LaTeX macros with which blocks of equations (steps) are printed.
pub(super) const MACROS: &str = r"\usepackage{multicol}
\setlength{\columnsep}{5mm}
\setlength{\columnseprule}{0.2pt}
\newcommand{\equationline}[1]{{\relpenalty=10000\binoppenalty=200\emergencystretch=3em%
  \hangindent=1em\hangafter=1\raggedright$#1$\par}}
\newcommand{\place}[2]{\par\addvspace{0.5ex}{\raggedright\textbf{\texttt{#1}} \textit{#2}\par}\nopagebreak}
\newcommand{\about}[1]{\par\addvspace{0.3ex}{\raggedright\textbf{#1}\par}\nopagebreak}
";

/// LaTeX macros for blocks of equations (steps); empty if a report has none.
pub(super) fn macros(report: &Report) -> &'static str {
    let mut blocks = report.sections.iter().flat_map(|s| &s.blocks);
    if blocks.any(|b| matches!(b, Block::Steps(_))) { MACROS } else { "" }
}

/// Appends blocks of equations in columns of a LaTeX page.
pub(super) fn latex(out: &mut String, all: &[Steps], columns: usize) {
    out.push_str(&format!("\\begin{{multicols}}{{{columns}}}\\footnotesize\n"));
    for steps in all {
        if let Some((function, section)) = &steps.place {
            out.push_str(&format!("\\place{{{}}}{{{}}}\n", escape::latex(function), escape::latex(section)));
        }
        if !steps.heading.is_empty() {
            out.push_str(&format!("\\about{{{}}}\n", escape::latex(&steps.heading)));
        }
        let equations = steps.equations.iter().map(|(left, right)| equation(left, right));
        if steps.flow {
            let all: Vec<String> = equations.map(|e| format!("${e}$")).collect();
            out.push_str(&format!("{{\\raggedright {}\\par}}\n", all.join(";\n")));
            continue;
        }
        for equation in equations {
            out.push_str(&format!("\\equationline{{{equation}}}\n"));
        }
    }
    out.push_str("\\end{multicols}\n");
}

/// An equation in LaTeX within a paragraph, with delimiters of fixed size.
fn equation(left: &Math, right: &Math) -> String {
    let formula = format!("{} = {}", left.latex(), right.latex());
    formula.replace(r"\left(", "(").replace(r"\right)", ")").replace(r"\left|", "|").replace(r"\right|", "|")
}
