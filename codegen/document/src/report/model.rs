//! A report as plain data: content without layout.
//!
//! Every `String` here is plain text; the printers escape it for their target. Running text is
//! [`Prose`], which may contain formulas. The only markup is in [`Math`], whose three forms come
//! from its constructors or from the printer of closed forms.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::math::Math;
use super::names::Name;
use super::prose::Prose;

/// A document, such as the output of `inspect`, as data.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Title of the document, usually the name of the mechanism.
    pub title: String,
    /// Line below the title; may be empty.
    pub subtitle: String,
    /// Sections of the document in reading order.
    pub sections: Vec<Section>,
}

/// A section of a report: a heading with blocks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Section {
    /// Heading of the section, as plain text.
    pub heading: String,
    /// Blocks of the section in reading order.
    pub blocks: Vec<Block>,
}

/// One element of a report, such as a paragraph or a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// A paragraph of running text.
    Paragraph(Prose),
    /// A table of text and formulas.
    Table {
        /// Caption of the table; may be empty.
        caption: Prose,
        /// One text for each column; empty for a table without a header.
        header: Vec<String>,
        /// Rows of cells. A row may be shorter than the header: the rest is blank.
        rows: Vec<Vec<Cell>>,
        /// Indices of the right-aligned columns of the table.
        numeric: Vec<usize>,
    },
    /// A matrix: `name = [rows]`.
    Matrix {
        /// The symbol of the matrix. Entries that are printed separately are `name[i, j]`, counted
        /// from 1.
        name: Math,
        /// Entries by rows. A row may be shorter than the longest: the rest is blank.
        rows: Vec<Vec<Math>>,
        /// Meaning and unit of the matrix; may be empty.
        note: Prose,
    },
    /// Equations `left = right`, one below the other.
    Equations(Vec<(Math, Math)>),
    /// Equations `left = right` in which both sides may be long.
    Relations(Vec<(Math, Math)>),
    /// Equations that are computed one after another, in blocks, as on a page of the recursive
    /// form.
    Steps(Vec<Steps>),
    /// Symbols with their meanings, in running text.
    Legend {
        /// Text before the symbols; may be empty.
        lead: String,
        /// Symbols with their meanings, in reading order.
        items: Vec<(Math, String)>,
    },
    /// A drawing, such as a sketch of the mechanism.
    Figure {
        /// A complete `<svg>` element, as `dqdt_view::figure` returns it.
        svg: String,
        /// Caption of the drawing; may be empty.
        caption: String,
        /// Lines of text that a terminal shows instead of the drawing.
        lines: Vec<String>,
    },
    /// An aside: an assumption, a warning, an omission.
    Note(Prose),
    /// Verbatim text, such as a command.
    Code(String),
    /// Publications: the citation key and the full reference.
    Sources(Vec<(String, String)>),
}

/// A block of equations that depend only on each other and on earlier blocks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Steps {
    /// Subject of the equations in words, such as a body; may be empty.
    pub heading: String,
    /// Emitted function that computes the equations, and the section comment there. `None` if the
    /// block before has the same.
    pub place: Option<(String, String)>,
    /// True if the equations are short and may share lines.
    pub flow: bool,
    /// The equations of the block, `left = right`.
    pub equations: Vec<(Math, Math)>,
}

/// The content of a cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// A cell with running text.
    Text(Prose),
    /// A cell with a formula.
    Math(Math),
}

impl Report {
    /// A report without sections.
    pub fn new(title: impl Into<String>, subtitle: impl Into<String>) -> Self {
        Report { title: title.into(), subtitle: subtitle.into(), sections: Vec::new() }
    }

    /// All names of the mechanism in the formulas of the report.
    pub fn formula_names(&self) -> std::collections::BTreeSet<super::Name> {
        let mut out = std::collections::BTreeSet::new();
        let mut add = |math: &Math| math.collect_names(&mut out);

        for block in self.sections.iter().flat_map(|s| &s.blocks) {
            match block {
                Block::Paragraph(text) | Block::Note(text) => text.formulas().for_each(&mut add),
                Block::Table { caption, rows, .. } => {
                    caption.formulas().for_each(&mut add);
                    for cell in rows.iter().flatten() {
                        match cell {
                            Cell::Text(text) => text.formulas().for_each(&mut add),
                            Cell::Math(math) => add(math),
                        }
                    }
                }
                Block::Matrix { name, rows, note } => {
                    note.formulas().for_each(&mut add);
                    add(name);
                    rows.iter().flatten().for_each(&mut add);
                }
                Block::Equations(pairs) | Block::Relations(pairs) => {
                    pairs.iter().flat_map(|(left, right)| [left, right]).for_each(&mut add);
                }
                Block::Steps(all) => {
                    let pairs = all.iter().flat_map(|s| &s.equations);
                    pairs.flat_map(|(left, right)| [left, right]).for_each(&mut add);
                }
                Block::Legend { items, .. } => items.iter().for_each(|(math, _)| add(math)),
                Block::Figure { .. } | Block::Code(_) | Block::Sources(_) => {}
            }
        }
        out
    }
}

impl Report {
    /// Makes matrices and names distinguishable: in a terminal a matrix and a name may have the
    /// same letter. A matrix whose letter is that of a name, according to `taken`, gets the bold
    /// letter 𝐌 of Unicode in a terminal. A name is replaced by the result of `named`, if that is
    /// `Some`.
    ///
    /// Returns the report, the letters that were replaced, and the index of the first section with
    /// one.
    #[must_use]
    pub fn disambiguate_letters(
        mut self,
        taken: &dyn Fn(&str) -> bool,
        named: &dyn Fn(&Name) -> Option<Math>,
    ) -> (Self, BTreeSet<String>, Option<usize>) {
        let letters = RefCell::new(BTreeSet::new());
        let mut first = None;
        for (at, section) in self.sections.iter_mut().enumerate() {
            for block in &mut section.blocks {
                let original = std::mem::replace(block, Block::Code(String::new()));
                *block = original.map_formulas(&|math| match math {
                    Math::Bold(letter) if taken(&letter) => {
                        letters.borrow_mut().insert(letter.clone());
                        Math::TerminalName(bold_letters(&letter), Box::new(Math::Bold(letter)))
                    }
                    Math::Name(name) => named(&name).unwrap_or(Math::Name(name)),
                    other => other,
                });
            }
            first = first.or_else(|| (!letters.borrow().is_empty()).then_some(at));
        }
        (self, letters.into_inner(), first)
    }
}

/// Text with its letters in the mathematical bold alphabet of Unicode, to mark matrices in a
/// terminal.
pub fn bold_letters(letters: &str) -> String {
    letters.chars().map(bold_letter).collect()
}

/// A Latin or Greek letter in the mathematical bold alphabet of Unicode; other characters are
/// unchanged.
fn bold_letter(c: char) -> char {
    let from = |first: u32, base: char| char::from_u32(first + u32::from(c) - u32::from(base));
    match c {
        'A'..='Z' => from(0x1d400, 'A').unwrap_or(c),
        'a'..='z' => from(0x1d41a, 'a').unwrap_or(c),
        'α'..='ω' => from(0x1d6c2, 'α').unwrap_or(c),
        _ => c,
    }
}

impl Section {
    /// A section without blocks.
    pub fn new(heading: impl Into<String>) -> Self {
        Section { heading: heading.into(), blocks: Vec::new() }
    }

    /// Appends a block to the section.
    pub fn with_block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}

impl Block {
    /// Applies `f` to all formulas of the block; see [`Math::map_subformulas`].
    fn map_formulas(self, f: &dyn Fn(Math) -> Math) -> Self {
        let pairs = |pairs: Vec<(Math, Math)>| -> Vec<(Math, Math)> {
            pairs
                .into_iter()
                .map(|(left, right)| (left.map_subformulas(f), right.map_subformulas(f)))
                .collect()
        };
        match self {
            Block::Paragraph(text) => Block::Paragraph(text.map_formulas(f)),
            Block::Note(text) => Block::Note(text.map_formulas(f)),
            Block::Table { caption, header, rows, numeric } => {
                let cell = |cell| match cell {
                    Cell::Text(text) => Cell::Text(text.map_formulas(f)),
                    Cell::Math(math) => Cell::Math(math.map_subformulas(f)),
                };
                let rows = rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect();
                Block::Table { caption: caption.map_formulas(f), header, rows, numeric }
            }
            Block::Matrix { name, rows, note } => {
                let row = |row: Vec<Math>| row.into_iter().map(|x| x.map_subformulas(f)).collect();
                let rows = rows.into_iter().map(row).collect();
                Block::Matrix { name: name.map_subformulas(f), rows, note: note.map_formulas(f) }
            }
            Block::Equations(list) => Block::Equations(pairs(list)),
            Block::Relations(list) => Block::Relations(pairs(list)),
            other => other,
        }
    }

    /// A block that is a paragraph of running text.
    pub fn paragraph(text: impl Into<Prose>) -> Self {
        Block::Paragraph(text.into())
    }

    /// A block that is an aside.
    pub fn note(text: impl Into<Prose>) -> Self {
        Block::Note(text.into())
    }
}

impl Cell {
    /// A table cell with running text.
    pub fn text(text: impl Into<Prose>) -> Self {
        Cell::Text(text.into())
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text.into())
    }
}

impl From<Prose> for Cell {
    fn from(text: Prose) -> Self {
        Cell::Text(text)
    }
}

impl From<Math> for Cell {
    fn from(math: Math) -> Self {
        Cell::Math(math)
    }
}
