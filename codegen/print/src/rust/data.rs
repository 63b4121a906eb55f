//! Data of a module as calls of the runtime's macros, one line for each entry, in columns.
//!
//! prettyplease would print such a call like a paragraph, so its text is written here.

use std::fmt::Write as _;

use proc_macro2::{Literal, Span};
use syn::{Expr, Item};

use super::prose::single_line_text;
use super::syntax::ident;

/// Piece of an emitted Rust module, in the order of the text.
pub enum ModulePart {
    /// Syntax tree of an item that is not printed yet.
    Item(Box<Item>),
    /// Text of an item that has been printed, to save memory.
    Printed(String),
    /// Call of a macro of the runtime, with data of the module such as names and units.
    Data {
        /// Text of the macro call without a final line end.
        text: String,
        /// Names of the constants that the macro call defines.
        constants: Vec<String>,
    },
}

impl From<Item> for ModulePart {
    fn from(item: Item) -> Self {
        ModulePart::Item(Box::new(item))
    }
}

impl ModulePart {
    /// Converts the item of this part to text at once: the syntax tree of a function needs ten
    /// times the memory of its text.
    pub fn into_printed(self) -> Self {
        match self {
            ModulePart::Item(item) => ModulePart::Printed(unparse(vec![*item])),
            other => other,
        }
    }

    /// Names of the constants and statics in a module part. No local may have such a name: a
    /// pattern with it would compare, not bind.
    pub fn constant_names(&self) -> Vec<String> {
        match self {
            ModulePart::Item(item) => match &**item {
                Item::Const(c) => vec![c.ident.to_string()],
                Item::Static(s) => vec![s.ident.to_string()],
                _ => Vec::new(),
            },
            // Functions are printed last, after all names have been chosen.
            ModulePart::Printed(_) => Vec::new(),
            ModulePart::Data { constants, .. } => constants.clone(),
        }
    }
}

/// Maximum width in columns of a line of a macro call. A longer row is broken before its last
/// column.
const WIDTH: usize = 108;

/// Maximum width of an aligned column in a macro call. Longer entries do not widen it.
const COLUMN: usize = 48;

/// Builder for the text of a call of a runtime macro with data of the module, line by line.
pub struct MacroCall {
    text: String,
    constants: Vec<String>,
}

impl MacroCall {
    /// Begins the call of the runtime macro `name`: `::dqdt::name! {`.
    pub fn new(name: &str) -> Self {
        MacroCall { text: format!("::dqdt::{name}! {{\n"), constants: Vec::new() }
    }

    /// Records the names of constants that the macro call defines, so that no local gets them.
    pub fn define_constants<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.constants.extend(names.into_iter().map(Into::into));
        self
    }

    /// Appends a line with `depth` levels of indentation to the macro call.
    pub fn push_line(mut self, depth: usize, text: &str) -> Self {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth));
        self
    }

    /// Appends documentation as `///` lines to the macro call.
    pub fn push_doc_lines<'a>(self, depth: usize, lines: impl IntoIterator<Item = &'a String>) -> Self {
        lines.into_iter().fold(self, |call, line| {
            let line = if line.is_empty() { "///".to_owned() } else { format!("/// {line}") };
            call.push_line(depth, &line)
        })
    }

    /// Appends a braced section of rows in columns to the macro call, or nothing if there are no
    /// rows.
    pub fn push_section(self, depth: usize, name: &str, rows: &[Vec<String>]) -> Self {
        if rows.is_empty() {
            return self;
        }
        self.push_line(depth, &format!("{name} {{")).push_rows(depth + 1, rows).push_line(depth, "}")
    }

    /// Appends rows to the macro call, aligned in columns.
    pub fn push_rows(self, depth: usize, rows: &[Vec<String>]) -> Self {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(|c| column_width(rows, c)).collect();
        rows.iter().fold(self, |call, row| {
            let last = row.len().saturating_sub(1);
            let cell = |(c, text): (usize, &String)| {
                let padding = if c == last { 0 } else { widths[c].saturating_sub(text.chars().count()) };
                format!("{text}{}", " ".repeat(padding))
            };
            let line = row.iter().enumerate().map(cell).collect::<Vec<_>>().join(" ");
            if 4 * depth + line.chars().count() <= WIDTH || last == 0 {
                return call.push_line(depth, &line);
            }
            let first = row[..last].iter().enumerate().map(cell).collect::<Vec<_>>().join(" ");
            call.push_line(depth, first.trim_end()).push_line(depth + 1, &row[last])
        })
    }

    /// Appends words, separated by commas, to the macro call in lines of up to `WIDTH` columns.
    pub fn push_filled_words(self, depth: usize, words: &[String]) -> Self {
        let mut lines: Vec<String> = Vec::new();
        for word in words {
            match lines.last_mut() {
                Some(line) if 4 * depth + line.chars().count() + word.chars().count() + 2 <= WIDTH => {
                    let _ = write!(line, " {word},");
                }
                _ => lines.push(format!("{word},")),
            }
        }
        lines.iter().fold(self, |call, line| call.push_line(depth, line))
    }

    /// Returns `true` if the macro call has no lines yet.
    pub fn is_empty(&self) -> bool {
        self.text.ends_with("{\n") && self.text.lines().count() == 1
    }

    /// Appends the closing brace and returns the finished macro call.
    pub fn finish_call(mut self) -> ModulePart {
        self.text.push('}');
        ModulePart::Data { text: self.text, constants: self.constants }
    }
}

/// Width of an aligned column of a macro call, in characters. One long entry does not widen the
/// lines of all others.
fn column_width(rows: &[Vec<String>], column: usize) -> usize {
    let widths = rows.iter().filter_map(|r| r.get(column)).map(|t| t.chars().count());
    widths.clone().filter(|n| *n <= COLUMN).max().or(widths.max()).unwrap_or(0)
}

/// Formats text as a Rust string literal.
pub fn string_literal(text: &str) -> String {
    Literal::string(&single_line_text(text)).to_string()
}

/// Formats a numeric Rust expression as text.
pub fn number_text(e: &Expr) -> String {
    let name = syn::Ident::new("N", Span::call_site());
    let item: Item = syn::parse_quote!(const #name: f64 = #e;);
    let text = unparse(vec![item]);
    let text = text.trim().trim_start_matches("const N: f64 =").trim_end_matches(';');
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Formats a name as the text of a Rust identifier, raw if it is a keyword.
pub fn identifier_text(text: &str) -> String {
    ident(text).to_string()
}

/// Formats Rust items as text, by prettyplease.
pub fn unparse(items: Vec<Item>) -> String {
    prettyplease::unparse(&syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items })
}

/// Prints all parts of a module, separated by empty lines; `spaced` inserts empty lines between
/// printed items.
pub fn print_parts(parts: Vec<ModulePart>, spaced: impl Fn(&str) -> String) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut items = String::new();
    let flush = |items: &mut String, out: &mut Vec<String>| {
        if !items.is_empty() {
            out.push(spaced(&std::mem::take(items)));
        }
    };
    for part in parts {
        match part {
            ModulePart::Item(item) => items.push_str(&unparse(vec![*item])),
            ModulePart::Printed(text) => items.push_str(&text),
            ModulePart::Data { text, .. } => {
                flush(&mut items, &mut out);
                out.push(text + "\n");
            }
        }
    }
    flush(&mut items, &mut out);
    out.join("\n")
}
