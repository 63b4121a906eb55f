//! Choice of valid and unique names for a spec.

use std::collections::{BTreeMap, BTreeSet};

use super::report::Report;
use dqdt_diagnostics::base::{Span, is_name, is_rust_word, sanitise};

/// Names in use, to choose unique ones for a spec.
#[derive(Default)]
pub(crate) struct UniqueNames {
    taken: BTreeSet<String>,
    /// Number of requests for each name, so that the search for a free suffix is fast.
    asked: BTreeMap<String, usize>,
}

impl UniqueNames {
    /// A free name, as close as possible to the given one. A change is reported.
    pub fn new_name(&mut self, given: &str, noun: &str, span: Option<Span>, report: &mut Report) -> String {
        let name = self.unique(given);
        if name != given {
            report.record_renaming(format!("{noun} `{given}` is `{name}`"), span);
        }
        name
    }

    /// A free name without a report, for names composed by the program.
    pub fn unique(&mut self, given: &str) -> String {
        self.unique_with(given, &|_| Vec::new())
    }

    /// A free stem: no name made from it is in use. The stem itself does not become a name.
    pub fn stem(&mut self, given: &str, made: &dyn Fn(&str) -> Vec<String>) -> String {
        let mended = make_valid(given);
        let numbered = (2..).map(|n: usize| format!("{mended}_{n}"));
        let mut stems = std::iter::once(mended.clone()).chain(numbered);
        let free = |stem: &String| made(stem).iter().all(|name| !self.taken.contains(name));
        let stem = stems.find(free).unwrap_or(mended);
        self.taken.extend(made(&stem));
        stem
    }

    /// A free name, such that the names made from it are free too.
    pub fn unique_with(&mut self, given: &str, made: &dyn Fn(&str) -> Vec<String>) -> String {
        let mended = make_valid(given);
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

/// A valid name: invalid characters replaced, length limited, reserved names prefixed.
pub(crate) fn make_valid(given: &str) -> String {
    const LONGEST: usize = 60;
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let text: String = given.trim().chars().take(LONGEST).map(letter).collect();
    if !is_name(&text) || is_rust_word(&text) || matches!(text.as_str(), "ground" | "com") {
        return format!("link_{text}");
    }
    text
}

/// A text without line breaks and control characters, for comments of the spec.
pub(crate) fn to_single_line(text: &str) -> String {
    sanitise(text).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::UniqueNames;

    #[test]
    fn a_stem_may_have_the_name_of_something_else() {
        let mut names = UniqueNames::default();
        let made = |stem: &str| vec![format!("length_{stem}")];
        assert_eq!(names.unique("cable"), "cable");
        assert_eq!(names.stem("cable", &made), "cable");
        assert_eq!(names.stem("cable", &made), "cable_2");
        assert_eq!(names.unique("length_cable"), "length_cable_3");
    }
}
