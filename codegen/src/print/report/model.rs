//! A report as plain data: content without layout.
//!
//! Every `String` here is plain text; the printers escape it for their target. The only markup is in [`Math`], whose
//! three forms are made by its constructors or by the printer of closed forms.

use super::math::Math;

/// A document.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Name of the mechanism, usually.
    pub title: String,
    /// One line below it; may be empty.
    pub subtitle: String,
    /// In order of reading.
    pub sections: Vec<Section>,
}

/// A heading and what stands under it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Section {
    /// Plain text.
    pub heading: String,
    /// In order of reading.
    pub blocks: Vec<Block>,
}

/// One thing of a report.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// Running text.
    Paragraph(String),
    /// Rows under a header.
    Table {
        /// May be empty.
        caption: String,
        /// One text a column; empty for a table without a header.
        header: Vec<String>,
        /// A row may be shorter than the header: the rest is blank.
        rows: Vec<Vec<Cell>>,
        /// Indices of the columns that are set flush right.
        numeric: Vec<usize>,
    },
    /// `name = [rows]`.
    Matrix {
        /// What it is called; entries that are printed on their own are `name[i, j]`, counted from 1.
        name: Math,
        /// By rows; a row may be shorter than the longest: the rest is blank.
        rows: Vec<Vec<Math>>,
        /// Meaning, unit; may be empty.
        note: String,
    },
    /// `left = right`, below each other.
    Equations(Vec<(Math, Math)>),
    /// `left = right`, where both sides may be long.
    Relations(Vec<(Math, Math)>),
    /// Equations that are computed one after another, in blocks.
    Steps(Vec<Steps>),
    /// Symbols, each with what it means, in running text.
    Legend {
        /// What they are; may be empty.
        lead: String,
        /// In order of reading.
        items: Vec<(Math, String)>,
    },
    /// A drawing.
    Figure {
        /// A whole `<svg>` element, as [`crate::print::figure`] makes it.
        svg: String,
        /// May be empty.
        caption: String,
    },
    /// An aside: an assumption, a warning, something that was left out.
    Note(String),
    /// Verbatim text.
    Code(String),
}

/// A block of equations, each made of those before it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Steps {
    /// What they are of; may be empty.
    pub heading: String,
    /// The function of emitted code that computes them and the comment that stands there; `None` where that is said already.
    pub place: Option<(String, String)>,
    /// They are short and stand side by side.
    pub flow: bool,
    /// `left = right`
    pub equations: Vec<(Math, Math)>,
}

/// What stands in a cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Plain text.
    Text(String),
    /// A formula.
    Math(Math),
}

impl Report {
    /// A report without sections.
    pub fn new(title: impl Into<String>, subtitle: impl Into<String>) -> Self {
        Report { title: title.into(), subtitle: subtitle.into(), sections: Vec::new() }
    }
}

impl Section {
    /// A section without blocks.
    pub fn new(heading: impl Into<String>) -> Self {
        Section { heading: heading.into(), blocks: Vec::new() }
    }

    /// The section with one more block.
    pub fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}

impl Cell {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Cell::Text(text.into())
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text)
    }
}

impl From<Math> for Cell {
    fn from(math: Math) -> Self {
        Cell::Math(math)
    }
}
