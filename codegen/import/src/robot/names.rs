//! Names that a spec can have.

use std::collections::{BTreeMap, BTreeSet};

use super::report::Report;
use dqdt_diagnostics::base::{Span, is_name, is_rust_word, shown};

/// Names that are taken.
#[derive(Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
    /// How often a name was asked for.
    asked: BTreeMap<String, usize>,
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
        self.unique_with(given, &|_| Vec::new())
    }

    /// A stem of which no name that is made of it is taken; itself it is no name.
    pub fn stem(&mut self, given: &str, made: &dyn Fn(&str) -> Vec<String>) -> String {
        let mended = mended(given);
        let numbered = (2..).map(|n: usize| format!("{mended}_{n}"));
        let mut stems = std::iter::once(mended.clone()).chain(numbered);
        let free = |stem: &String| made(stem).iter().all(|name| !self.taken.contains(name));
        let stem = stems.find(free).unwrap_or(mended);
        self.taken.extend(made(&stem));
        stem
    }

    /// A name that is not taken, nor any of those that are made of it.
    pub fn unique_with(&mut self, given: &str, made: &dyn Fn(&str) -> Vec<String>) -> String {
        let mended = mended(given);
        loop {
            let asked = self.asked.entry(mended.clone()).or_insert(0);
            *asked += 1;
            let name = if *asked == 1 { mended.clone() } else { format!("{mended}_{asked}") };
            let all: Vec<String> = std::iter::once(name.clone()).chain(made(&name)).collect();
            if all.iter().all(|n| !self.taken.contains(n)) {
                self.taken.extend(all);
                return name;
            }
        }
    }
}

/// The name with what a spec cannot have in names replaced.
pub(crate) fn mended(given: &str) -> String {
    const LONGEST: usize = 60;
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let text: String = given.trim().chars().take(LONGEST).map(letter).collect();
    if !is_name(&text) || is_rust_word(&text) || matches!(text.as_str(), "ground" | "com") {
        return format!("link_{text}");
    }
    text
}

/// A text on one line that TOML takes.
pub(crate) fn line(text: &str) -> String {
    shown(text).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_stem_may_have_the_name_of_something_else() {
        let mut names = Names::default();
        let made = |stem: &str| vec![format!("length_{stem}")];
        assert_eq!(names.unique("cable"), "cable");
        assert_eq!(names.stem("cable", &made), "cable");
        assert_eq!(names.stem("cable", &made), "cable_2");
        assert_eq!(names.unique("length_cable"), "length_cable_3");
    }
}
