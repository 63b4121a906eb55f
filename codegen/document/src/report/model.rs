//! A report as plain data: content without layout.
//!
//! Every `String` here is plain text; the printers escape it for their target. Running text is [`Prose`], which may hold
//! formulas. The only markup is in [`Math`], whose three forms are made by its constructors or by the printer of closed forms.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::math::Math;
use super::names::Name;
use super::prose::Prose;

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
    Paragraph(Prose),
    /// Rows under a header.
    Table {
        /// May be empty.
        caption: Prose,
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
        note: Prose,
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
        /// A whole `<svg>` element, as `dqdt_view::figure` makes it.
        svg: String,
        /// May be empty.
        caption: String,
        /// What a terminal shows instead, line by line.
        lines: Vec<String>,
    },
    /// An aside: an assumption, a warning, something that was left out.
    Note(Prose),
    /// Verbatim text.
    Code(String),
    /// Publications: the key that each is cited by, and what it is.
    Sources(Vec<(String, String)>),
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
    /// Running text.
    Text(Prose),
    /// A formula.
    Math(Math),
}

impl Report {
    /// A report without sections.
    pub fn new(title: impl Into<String>, subtitle: impl Into<String>) -> Self {
        Report { title: title.into(), subtitle: subtitle.into(), sections: Vec::new() }
    }

    /// All names of the mechanism in its formulas.
    pub fn names(&self) -> std::collections::BTreeSet<super::Name> {
        let mut out = std::collections::BTreeSet::new();
        let mut add = |math: &Math| math.names(&mut out);
        let prose = |text: &Prose, add: &mut dyn FnMut(&Math)| text.formulas().for_each(add);
        for block in self.sections.iter().flat_map(|s| &s.blocks) {
            match block {
                Block::Paragraph(text) | Block::Note(text) => prose(text, &mut add),
                Block::Table { caption, rows, .. } => {
                    prose(caption, &mut add);
                    for cell in rows.iter().flatten() {
                        match cell {
                            Cell::Text(text) => prose(text, &mut add),
                            Cell::Math(math) => add(math),
                        }
                    }
                }
                Block::Matrix { name, rows, note } => {
                    prose(note, &mut add);
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
    /// The report with matrices apart from names, and names apart from each other. In a terminal a matrix and a name have one letter;
    /// where `taken` says that a letter is one of the mechanism, the matrix is 𝐌, in the bold letters of mathematics. A name is what
    /// `named` gives for it, if it gives something. With the letters that were set apart, and the first section that has one.
    #[must_use]
    pub fn set_apart(
        mut self,
        taken: &dyn Fn(&str) -> bool,
        named: &dyn Fn(&Name) -> Option<Math>,
    ) -> (Self, BTreeSet<String>, Option<usize>) {
        let found = RefCell::new(BTreeSet::new());
        let apart = |math: Math| match math {
            Math::Bold(letter) if taken(&letter) => {
                found.borrow_mut().insert(letter.clone());
                Math::Read(bold_letters(&letter), Box::new(Math::Bold(letter)))
            }
            Math::Name(name) => named(&name).unwrap_or(Math::Name(name)),
            other => other,
        };
        let mut first = None;
        for (at, section) in self.sections.iter_mut().enumerate() {
            for block in &mut section.blocks {
                let own = std::mem::replace(block, Block::Code(String::new()));
                *block = own.mapped(&apart);
            }
            first = first.or_else(|| (!found.borrow().is_empty()).then_some(at));
        }
        (self, found.into_inner(), first)
    }
}

/// Letters in the bold alphabet of mathematics.
pub fn bold_letters(letters: &str) -> String {
    letters.chars().map(bold).collect()
}

/// A Latin or Greek letter in the bold alphabet of mathematics.
fn bold(c: char) -> char {
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

    /// The section with one more block.
    pub fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}

impl Block {
    /// The same with what `f` puts for its formulas.
    fn mapped(self, f: &dyn Fn(Math) -> Math) -> Self {
        let pairs = |pairs: Vec<(Math, Math)>| -> Vec<(Math, Math)> {
            pairs.into_iter().map(|(left, right)| (left.mapped(f), right.mapped(f))).collect()
        };
        match self {
            Block::Paragraph(text) => Block::Paragraph(text.mapped(f)),
            Block::Note(text) => Block::Note(text.mapped(f)),
            Block::Table { caption, header, rows, numeric } => {
                let cell = |cell| match cell {
                    Cell::Text(text) => Cell::Text(text.mapped(f)),
                    Cell::Math(math) => Cell::Math(math.mapped(f)),
                };
                let rows = rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect();
                Block::Table { caption: caption.mapped(f), header, rows, numeric }
            }
            Block::Matrix { name, rows, note } => {
                let row = |row: Vec<Math>| row.into_iter().map(|x| x.mapped(f)).collect();
                let rows = rows.into_iter().map(row).collect();
                Block::Matrix { name: name.mapped(f), rows, note: note.mapped(f) }
            }
            Block::Equations(list) => Block::Equations(pairs(list)),
            Block::Relations(list) => Block::Relations(pairs(list)),
            other => other,
        }
    }

    /// Running text.
    pub fn paragraph(text: impl Into<Prose>) -> Self {
        Block::Paragraph(text.into())
    }

    /// An aside.
    pub fn note(text: impl Into<Prose>) -> Self {
        Block::Note(text.into())
    }
}

impl Cell {
    /// Running text.
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
