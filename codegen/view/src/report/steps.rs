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
pub(super) fn legend_lead(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}: ") }
}

/// Appends blocks of equations as text for a terminal, at most `width` columns wide.
pub(super) fn push_steps_text(out: &mut String, all: &[Steps], width: usize) {
    let mut line = |text: &str| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    for (i, steps) in all.iter().enumerate() {
        if i > 0 {
            line("");
        }
        if let Some((function, section)) = &steps.place {
            line(
                format!("[{}] {}", escape::terminal_line(function), escape::terminal_line(section))
                    .trim_end(),
            );
        }
        if !steps.heading.is_empty() {
            for words in wrap::wrap_words(&escape::terminal_line(&steps.heading), width.saturating_sub(2)) {
                line(&format!("  {words}"));
            }
        }
        if steps.flow {
            push_filled_lines(&mut line, &steps.equations, width);
            continue;
        }
        for (left, right) in &steps.equations {
            let left = format!("    {} = ", left.text());
            let column = wrap::terminal_width(&left);
            for (i, text) in wrap::wrap_formula(&right.text(), column, 8, width).iter().enumerate() {
                line(&if i == 0 { format!("{left}{text}") } else { format!("{:8}{text}", "") });
            }
        }
    }
}

fn push_filled_lines(line: &mut impl FnMut(&str), equations: &[(Math, Math)], width: usize) {
    let mut open = String::new();
    for (left, right) in equations {
        let text = format!("{} = {}", left.text(), right.text());
        if open.is_empty() {
            open = format!("    {text}");
        } else if wrap::terminal_width(&open) + SEPARATOR.len() + wrap::terminal_width(&text) <= width {
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
pub(super) fn has_only_steps(report: &Report) -> bool {
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
pub(super) fn step_macros(report: &Report) -> &'static str {
    let mut blocks = report.sections.iter().flat_map(|s| &s.blocks);
    if blocks.any(|b| matches!(b, Block::Steps(_))) { MACROS } else { "" }
}

/// Appends blocks of equations in columns of a LaTeX page.
pub(super) fn push_steps_latex(out: &mut String, all: &[Steps], columns: usize) {
    out.push_str(&format!("\\begin{{multicols}}{{{columns}}}\\footnotesize\n"));
    for steps in all {
        if let Some((function, section)) = &steps.place {
            out.push_str(&format!(
                "\\place{{{}}}{{{}}}\n",
                escape::escape_latex(function),
                escape::escape_latex(section)
            ));
        }
        if !steps.heading.is_empty() {
            out.push_str(&format!("\\about{{{}}}\n", escape::escape_latex(&steps.heading)));
        }
        let equations = steps.equations.iter().map(|(left, right)| inline_equation(left, right));
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
fn inline_equation(left: &Math, right: &Math) -> String {
    let formula = format!("{} = {}", left.latex(), right.latex());
    formula.replace(r"\left(", "(").replace(r"\right)", ")").replace(r"\left|", "|").replace(r"\right|", "|")
}
