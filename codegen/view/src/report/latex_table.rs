//! Tables of a LaTeX article that fit the page.
//!
//! Problem: a longtable whose columns do not break runs into the margin.
//! Method:  the widths of columns are estimated. If they do not fit, the widest columns become
//!          paragraphs that share the remaining width, each at least as wide as its longest word.

use super::latex_pieces;
use dqdt_document::report::{Cell, Prose, escape};

/// Gap between two columns of a LaTeX table, in characters.
const GAP: usize = 3;

/// Widths of a column of a LaTeX table, in characters: of its widest cell, and of the longest word
/// in it.
#[derive(Clone, Copy, Default)]
struct Width {
    whole: usize,
    word: usize,
}

impl Width {
    /// Width of a column that has cells of both widths.
    fn max(self, other: Width) -> Width {
        Width { whole: self.whole.max(other.whole), word: self.word.max(other.word) }
    }
}

fn measure_cell(c: &Cell) -> Width {
    match c {
        Cell::Text(text) => measure_text(&text.text()),
        Cell::Math(math) => {
            let width = latex_pieces::latex_width(&math.latex_with_commands());
            Width { whole: width, word: width }
        }
    }
}

fn measure_text(text: &str) -> Width {
    let word = text.split_whitespace().map(|w| w.chars().count()).max().unwrap_or(0);
    Width { whole: text.chars().count(), word }
}

/// Widths of the columns of a LaTeX table in characters, so that it fits into a line; `None` for a
/// column with its natural width.
fn column_widths(widths: &[Width], line: usize) -> Vec<Option<usize>> {
    let room = line.saturating_sub(GAP * widths.len());
    if widths.iter().map(|w| w.whole).sum::<usize>() <= room {
        return vec![None; widths.len()];
    }
    // Narrow the widest column until all fit.
    let mut share: Vec<usize> = widths.iter().map(|w| w.whole).collect();
    while share.iter().sum::<usize>() > room {
        let widest =
            (0..share.len()).filter(|j| share[*j] > widths[*j].word.max(4)).max_by_key(|j| share[*j]);
        let Some(widest) = widest else { break };
        share[widest] -= 1;
    }
    share.iter().zip(widths).map(|(s, w)| (*s < w.whole).then_some(*s)).collect()
}

/// Appends a LaTeX table in font size `size`, at which a line has `line` characters.
pub(super) fn push_latex_table(
    out: &mut String,
    (size, line): (&str, usize),
    caption: &Prose,
    header: &[String],
    rows: &[Vec<Cell>],
    numeric: &[usize],
) {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0).max(header.len());
    if count == 0 {
        return;
    }
    let widths: Vec<Width> = (0..count)
        .map(|j| {
            let head = header.get(j).map_or_else(Width::default, |h| measure_text(h));
            rows.iter().filter_map(|r| r.get(j)).map(measure_cell).fold(head, Width::max)
        })
        .collect();
    let spec: String = (column_widths(&widths, line).into_iter().enumerate())
        .map(|(j, share)| match share {
            Some(n) => {
                let share = n.max(4) as f64 / (line + 4) as f64;
                format!(r">{{\raggedright\arraybackslash}}p{{{share:.3}\linewidth}}")
            }
            None if numeric.contains(&j) => "r".to_owned(),
            None => "l".to_owned(),
        })
        .collect();
    let row = |cells: Vec<String>| {
        let blank = count.saturating_sub(cells.len());
        format!("{}{} \\\\\n", cells.join(" & "), " &".repeat(blank))
    };
    push_caption(out, caption);
    out.push_str(&format!("{{{size}\n\\begin{{longtable}}[l]{{@{{}}{spec}@{{}}}}\n\\hline\n"));
    if header.iter().any(|h| !h.is_empty()) {
        out.push_str(&row(header
            .iter()
            .map(|h| format!(r"\textbf{{{}}}", escape::escape_latex(h)))
            .collect()));
        out.push_str("\\hline\n\\endhead\n");
    }
    for r in rows {
        out.push_str(&row(r.iter().map(cell_latex).collect()));
    }
    out.push_str("\\hline\n\\end{longtable}}\n");
}

/// Appends the caption of a LaTeX table, above it.
fn push_caption(out: &mut String, caption: &Prose) {
    if !caption.is_empty() {
        out.push_str(&format!("{}\n\n", caption.clone().capitalise_first().latex()));
    }
}

/// Content of a table cell in LaTeX.
fn cell_latex(c: &Cell) -> String {
    match c {
        Cell::Text(text) => text.latex(),
        Cell::Math(math) => format!("${}$", math.latex_with_commands()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(whole: usize, word: usize) -> Width {
        Width { whole, word }
    }

    #[test]
    fn columns_that_fit_are_as_wide_as_what_they_hold() {
        assert_eq!(column_widths(&[width(10, 10), width(20, 8)], 88), [None, None]);
        let wide = column_widths(&[width(10, 10), width(60, 8), width(70, 8)], 88);
        assert_eq!(wide[0], None);
        let shares: Vec<usize> = wide[1..].iter().map(|x| x.unwrap()).collect();
        assert!(shares.iter().sum::<usize>() + 10 + 3 * GAP <= 88 && shares.iter().all(|s| *s >= 30));
    }

    #[test]
    fn no_column_is_narrower_than_its_longest_word() {
        let got = column_widths(&[width(60, 40), width(60, 10)], 88);
        assert!(got[0].is_none_or(|s| s >= 40) && got[1].is_some_and(|s| s < 60), "{got:?}");
    }
}
