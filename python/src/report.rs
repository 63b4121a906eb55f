//! The class `Report`: tables and equations of a mechanism as text, LaTeX or HTML.

use dqdt_document::report::{Block, Math, Report};
use dqdt_view::report::{print_html, print_latex, print_text};
use pyo3::prelude::*;

use crate::errors::error;

/// A report of a mechanism: its tables and equations.
#[pyclass(frozen, module = "dqdt", name = "Report")]
pub struct PyReport {
    pub content: Report,
}

impl PyReport {
    /// Text of all equations of the report: `write` prints a formula, `join` the two sides of an
    /// equation, and `matrix` the rows of a matrix.
    fn equations(
        &self,
        write: fn(&Math) -> String,
        join: fn(&str, &str) -> String,
        matrix: fn(&[Vec<String>]) -> String,
    ) -> Vec<String> {
        let equation = |(left, right): &(Math, Math)| join(&write(left), &write(right));
        let blocks = self.content.sections.iter().flat_map(|s| &s.blocks);
        let equations = blocks.flat_map(|block| match block {
            Block::Equations(all) | Block::Relations(all) => all.iter().map(equation).collect::<Vec<_>>(),
            Block::Steps(steps) => steps.iter().flat_map(|s| &s.equations).map(equation).collect(),
            Block::Matrix { name, rows, .. } => {
                let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(write).collect()).collect();
                vec![join(&write(name), &matrix(&rows))]
            }
            _ => Vec::new(),
        });
        equations.collect()
    }
}

#[pymethods]
impl PyReport {
    /// The report as text, with lines of at most `width` columns.
    #[pyo3(signature = (width = 100))]
    fn text(&self, width: usize) -> PyResult<String> {
        if !(40..=400).contains(&width) {
            return Err(error(format!("`width` must be from 40 to 400 columns, not {width}")));
        }
        Ok(print_text(&self.content, width))
    }

    /// The report as a LaTeX document.
    fn latex(&self) -> String {
        print_latex(&self.content)
    }

    /// The report as one HTML page.
    fn html(&self) -> String {
        print_html(&self.content)
    }

    /// Equations as one `aligned` environment of LaTeX, for `MathJax`; empty without equations.
    fn aligned(&self) -> String {
        let lines = self.equations(Math::latex, join_aligned, latex_matrix);
        match lines.is_empty() {
            true => String::new(),
            false => format!("\\begin{{aligned}}\n{}\n\\end{{aligned}}", lines.join(" \\\\\n")),
        }
    }

    /// Equations as MathML, one text for each.
    fn mathml(&self) -> Vec<String> {
        self.equations(Math::mathml, join_mathml, mathml_matrix)
    }
}

/// An equation as a line of an `aligned` environment.
fn join_aligned(left: &str, right: &str) -> String {
    if left.is_empty() { format!("&{right}") } else { format!("{left} &= {right}") }
}

fn latex_matrix(rows: &[Vec<String>]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| row.join(" & ")).collect();
    format!("\\begin{{bmatrix}}{}\\end{{bmatrix}}", rows.join(" \\\\ "))
}

fn join_mathml(left: &str, right: &str) -> String {
    let equals = if left.is_empty() { "" } else { "<mo>=</mo>" };
    format!("<math><mrow>{left}{equals}{right}</mrow></math>")
}

fn mathml_matrix(rows: &[Vec<String>]) -> String {
    let rows: String = rows.iter().map(|row| mathml_row(row)).collect();
    format!("<mrow><mo>[</mo><mtable>{rows}</mtable><mo>]</mo></mrow>")
}

fn mathml_row(cells: &[String]) -> String {
    let cells: String = cells.iter().map(|cell| format!("<mtd>{cell}</mtd>")).collect();
    format!("<mtr>{cells}</mtr>")
}
