//! Choice of valid and unique names for a spec.

use std::collections::{BTreeMap, BTreeSet};

use super::report::Report;
use dqdt_diagnostics::base::{Span, is_name, is_rust_word, sanitise};

/// Names in use in a spec, to choose unique ones for the items of a robot.
#[derive(Default)]
pub(crate) struct UniqueNames {
    taken: BTreeSet<String>,
    /// Number of requests for each name, from which the next numbered suffix follows.
    requests: BTreeMap<String, usize>,
}

impl UniqueNames {
    /// A free name, as close as possible to that in the file. `noun` is the kind of item in the
    /// report of a change.
    pub fn choose_name(
        &mut self,
        original: &str,
        noun: &str,
        span: Option<Span>,
        report: &mut Report,
    ) -> String {
        let name = self.unique_name(original);
        if name != original {
            report.record_renaming(format!("{noun} `{original}` is named `{name}` in the spec"), span);
        }
        name
    }

    /// A free name, without a report of a change; for names that the import composes.
    pub fn unique_name(&mut self, original: &str) -> String {
        self.unique_name_with(original, &|_| Vec::new())
    }

    /// A free stem: no name that `compose` makes from it is in use. The stem itself does not become
    /// a name.
    pub fn unique_stem(&mut self, original: &str, compose: &dyn Fn(&str) -> Vec<String>) -> String {
        let valid = make_valid_name(original);
        let numbered = (2..).map(|n: usize| format!("{valid}_{n}"));
        let mut stems = std::iter::once(valid.clone()).chain(numbered);
        let stem =
            stems.find(|stem| compose(stem).iter().all(|name| !self.taken.contains(name))).unwrap_or(valid);
        self.taken.extend(compose(&stem));
        stem
    }

    /// A free name such that the names that `compose` makes from it are free too.
    pub fn unique_name_with(&mut self, original: &str, compose: &dyn Fn(&str) -> Vec<String>) -> String {
        let valid = make_valid_name(original);
        loop {
            let requests = self.requests.entry(valid.clone()).or_insert(0);
            *requests += 1;
            let name = if *requests == 1 { valid.clone() } else { format!("{valid}_{requests}") };
            let all: Vec<String> = std::iter::once(name.clone()).chain(compose(&name)).collect();
            if all.iter().all(|n| !self.taken.contains(n)) {
                self.taken.extend(all);
                return name;
            }
        }
    }
}

/// A text made a valid name of the spec: invalid characters replaced, length limited, reserved
/// names prefixed.
pub(crate) fn make_valid_name(original: &str) -> String {
    const LONGEST: usize = 60;
    let letters = original.trim().chars().take(LONGEST);
    let text: String = letters.map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
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

    fn length_name(stem: &str) -> Vec<String> {
        vec![format!("length_{stem}")]
    }

    #[test]
    fn a_stem_may_have_the_name_of_something_else() {
        let mut names = UniqueNames::default();

        assert_eq!(names.unique_name("cable"), "cable");
        assert_eq!(names.unique_stem("cable", &length_name), "cable");
        assert_eq!(names.unique_stem("cable", &length_name), "cable_2");
        assert_eq!(names.unique_name("length_cable"), "length_cable_3");
    }
}
