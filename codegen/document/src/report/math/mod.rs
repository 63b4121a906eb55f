//! Printable mathematics: one tree, and its printers for a terminal, LaTeX and MathML.
//!
//! Problem: closed forms, formulas in indices and symbols of the equations of motion must be shown
//!          in a terminal, in LaTeX and in HTML.
//! Method:  a formula is converted to a tree once. Each printer is one walk over the tree. Brackets
//!          are part of the tree: printers add none.

mod latex;
mod mathml;
mod text;
mod tree;

pub use tree::{Accent, Math, Spacing};

impl Math {
    /// The formula for a terminal: Unicode, one line.
    pub fn text(&self) -> String {
        let mut out = String::new();
        text::push_text(self, &mut out);
        out
    }

    /// The formula for LaTeX's math mode (amsmath for cases).
    pub fn latex(&self) -> String {
        latex::NameNotation::Plain.format_math(self)
    }

    /// LaTeX with a command for each name and each matrix, which the preamble of a LaTeX report
    /// defines.
    pub fn latex_with_commands(&self) -> String {
        latex::NameNotation::Commands.format_math(self)
    }

    /// Well-formed presentation MathML without the `<math>` element around it.
    pub fn mathml(&self) -> String {
        let mut out = String::new();
        mathml::push_mathml(self, &mut out);
        out
    }
}
