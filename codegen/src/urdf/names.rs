//! Names that a spec can have.

use std::collections::BTreeSet;

use super::report::Report;
use crate::base::{Span, is_name, is_rust_word};

/// Names that are taken.
#[derive(Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name that is not taken yet, as near to the given one as can be. A change is reported.
    pub fn new_name(&mut self, given: &str, noun: &str, span: Option<Span>, report: &mut Report) -> String {
        let name = self.unique(given);
        if name != given {
            report.renamed(format!("{noun} `{given}` is `{name}`"), span);
        }
        name
    }

    /// The same without a report, for names that are put together.
    pub fn unique(&mut self, given: &str) -> String {
        let mended = mended(given);
        let mut name = mended.clone();
        let mut n = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{mended}_{n}");
            n += 1;
        }
        name
    }
}

/// The name with what a spec cannot have in names replaced.
pub(super) fn mended(given: &str) -> String {
    const LONGEST: usize = 60;
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let text: String = given.trim().chars().take(LONGEST).map(letter).collect();
    if !is_name(&text) || is_rust_word(&text) || matches!(text.as_str(), "ground" | "com") {
        return format!("link_{text}");
    }
    text
}
