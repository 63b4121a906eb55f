//! Identifiers: valid names, and names that are unique in a scope.

use rustc_hash::{FxHashMap, FxHashSet};

use super::node::NodeId;

/// Words that are no identifiers in emitted code: keywords of Rust, and names that a pattern would
/// match instead of bind.
const RESERVED: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self",
    "static", "struct", "super", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized",
    "use", "virtual", "where", "while", "yield", "None", "Some", "Ok", "Err", "T",
];

/// Greek letters with their English names, by which identifiers spell them.
const GREEK: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "epsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('µ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('φ', "phi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
];

/// The English name of a Greek letter, such as `theta`; `None` for other characters.
pub fn greek_letter_name(c: char) -> Option<&'static str> {
    GREEK.iter().find(|(letter, _)| *letter == c).map(|(_, name)| *name)
}

/// A valid identifier that resembles `text`, in emitted Rust and C. Greek letters are spelt out,
/// since rustc warns of look-alikes.
pub fn to_identifier(text: &str) -> String {
    if is_plain_identifier(text) {
        return if is_reserved(text) { format!("{text}_") } else { text.to_owned() };
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match greek_letter_name(c) {
            Some(name) => out.push_str(name),
            None if c.is_ascii_alphanumeric() => out.push(c),
            None => out.push('_'),
        }
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, 'n');
    }
    if out.chars().all(|c| c == '_') {
        out.push('0');
    }
    // A leading underscore would mark the name as unused.
    let out = out.trim_start_matches('_').to_owned();
    let out = if out.starts_with(|c: char| c.is_ascii_digit()) { format!("n{out}") } else { out };
    if is_reserved(&out) { out + "_" } else { out }
}

/// True for a word that cannot be an identifier in emitted code.
fn is_reserved(text: &str) -> bool {
    // No reserved word is longer. Most names of values are, so that they skip the search.
    text.len() <= 8 && RESERVED.contains(&text)
}

/// True for an identifier of letters, digits and underscores that begins with a letter.
fn is_plain_identifier(text: &str) -> bool {
    let bytes = text.as_bytes();
    for b in bytes {
        if !matches!(b, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') {
            return false;
        }
    }
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
}

/// The identifiers in use in one scope of emitted code; makes new ones unique.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    reserved: FxHashSet<String>,
    used: FxHashSet<String>,
    next: FxHashMap<String, u32>,
}

impl Taken {
    /// A scope in which `names` are reserved, such as arguments and helper functions.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let reserved: FxHashSet<String> = names.into_iter().map(str::to_owned).collect();
        Taken { used: reserved.clone(), reserved, next: FxHashMap::default() }
    }

    /// A scope of identifiers without used names, with the same reserved names.
    pub fn copy_reserved(&self) -> Self {
        Taken { used: self.reserved.clone(), reserved: self.reserved.clone(), next: FxHashMap::default() }
    }

    /// Marks all names of another scope as used, so that new names differ from them.
    pub fn add_used_names(&mut self, other: &Taken) {
        self.used.extend(other.used.iter().cloned());
    }

    /// True if no name of this scope becomes the same identifier as `text`.
    pub fn is_name_free(&self, text: &str) -> bool {
        !self.used.contains(&to_identifier(text))
    }

    /// Makes `text` a unique identifier and marks it as used: `x_` if it is reserved; `_2`, `_3`…
    /// appended if it is in use.
    pub fn make_unique(&mut self, text: &str) -> String {
        let mut base = to_identifier(text);
        if self.reserved.contains(&base) {
            base.push('_');
        }
        if self.used.insert(base.clone()) {
            return base;
        }
        loop {
            let n = self.next.entry(base.clone()).or_insert(1);
            *n += 1;
            // Two underscores would not be snake case.
            let between = if base.ends_with('_') { "" } else { "_" };
            let name = format!("{base}{between}{n}");
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Names of the values that have a statement or a field in emitted code.
#[derive(Clone, Debug, Default)]
pub struct ValueNames {
    by_node: FxHashMap<NodeId, String>,
}

impl ValueNames {
    /// Sets the name of the value of a node.
    pub fn set_name(&mut self, id: NodeId, name: String) {
        self.by_node.insert(id, name);
    }

    /// The name of the value of a node, if it has one.
    pub fn node_name(&self, id: NodeId) -> Option<&str> {
        self.by_node.get(&id).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_becomes_a_usable_identifier() {
        for (text, expected) in [
            ("theta1", "theta1"),
            ("type", "type_"),
            ("1st", "n1st"),
            ("θ", "theta"),
            ("a b", "a_b"),
            ("", "n"),
            ("_", "n0"),
            ("_x", "x"),
            ("Self", "Self_"),
            ("é", "n0"),
        ] {
            assert_eq!(to_identifier(text), expected, "{text}");
        }
        for text in ["é", "__", "_1", "ß1", "日本"] {
            assert!(
                syn::parse_str::<syn::Ident>(&to_identifier(text)).is_ok(),
                "{text}: {}",
                to_identifier(text)
            );
        }
    }

    #[test]
    fn names_are_unique_and_counted() {
        let mut taken = Taken::new(["x"]);
        let names: Vec<String> = ["x", "y", "x", "y", "x_2"].iter().map(|n| taken.make_unique(n)).collect();
        assert_eq!(names, ["x_", "y", "x_2", "y_2", "x_2_2"]);
    }
}
