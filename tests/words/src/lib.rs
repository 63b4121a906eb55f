//! Findings against the rules of language for names and comments, file by file.
//!
//! Problem: names and comments that read as translated come back with every change unless something
//!          counts them.
//! Method:  comments are read line by line ([`comments`]); names, types and closures from the
//!          syntax tree ([`names`], [`closures`]). Each finding is one line of a report.
//! Limits:  text inside `macro_rules!` and `quote!` is not parsed. Fields of types are not checked.

pub mod closures;
pub mod comments;
pub mod drawing;
pub mod names;
pub mod sentences;
pub mod sources;

/// A rule that a finding breaks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// A paragraph of a comment opens with a word such as *What* or *Whether*.
    Opening,
    /// A comment has a word to strike.
    Strike,
    /// A line of a comment is wider than 100 columns.
    Width,
    /// A function or a binding is called by a participle, an adverb or a pronoun.
    Name,
    /// A file is.
    File,
    /// A closure has a name, and captures nothing or is used once.
    Closure,
}

impl Rule {
    /// All rules, in the order of reports.
    pub const ALL: [Rule; 6] =
        [Rule::Opening, Rule::Strike, Rule::Width, Rule::Name, Rule::File, Rule::Closure];

    /// Key of the rule in `counts.toml`.
    pub fn key(self) -> &'static str {
        match self {
            Rule::Opening => "openings",
            Rule::Strike => "words",
            Rule::Width => "wide",
            Rule::Name => "names",
            Rule::File => "files",
            Rule::Closure => "closures",
        }
    }
}

/// One place that breaks a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// The broken rule.
    pub rule: Rule,
    /// Path from the root of the repository.
    pub file: String,
    /// Line, from 1; 0 for a file name and where only a function is known.
    pub line: usize,
    /// The name, or the comment.
    pub text: String,
}

/// All findings in files with their texts, sorted by rule, file and line.
///
/// # Errors
/// The path of a file that does not parse, with the parser's message.
pub fn findings(files: &[(String, String)]) -> Result<Vec<Finding>, String> {
    let mut all = Vec::new();
    for (file, text) in files {
        let tree = syn::parse_file(text).map_err(|e| format!("{file}: {e}"))?;
        all.extend(comments::findings(file, text));
        all.extend(names::findings(file, text, &tree));
        all.extend(closures::findings(file, &tree));
    }
    all.sort();
    Ok(all)
}
