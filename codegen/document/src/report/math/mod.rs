//! Printable mathematics: one tree, and its printers for a terminal, LaTeX and MathML.
//!
//! Problem: closed forms, formulas in the indices and the letters of the equations of motion, for three readers.
//! Method:  whoever has a formula makes a tree of it, once; each printer is one walk over the tree. Brackets stand in the
//!          tree: printers add none.

mod latex;
mod mathml;
mod text;
mod tree;

pub use tree::{Accent, Math, Spacing};

impl Math {
    /// For a terminal: Unicode, one line.
    pub fn text(&self) -> String {
        let mut out = String::new();
        text::print(self, &mut out);
        out
    }

    /// For LaTeX's math mode (amsmath for cases).
    pub fn latex(&self) -> String {
        latex::Style::Plain.of(self)
    }

    /// The same with a command for each name and for matrices, which the preamble of an article defines.
    pub fn paper(&self) -> String {
        latex::Style::Commands.of(self)
    }

    /// Well-formed presentation MathML without the `<math>` element around it.
    pub fn mathml(&self) -> String {
        let mut out = String::new();
        mathml::print(self, &mut out);
        out
    }
}
