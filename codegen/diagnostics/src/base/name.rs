//! Rules for names in specs.

/// True if a text can be a name: ASCII letters, digits and `_`, without a digit at the front.
pub fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The first of `name`, `name_2`, `name_3`… for which `taken` is false.
pub fn first_free_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let others = (2usize..).map(|n| format!("{name}_{n}"));
    std::iter::once(name.to_owned()).chain(others).find(|n| !taken(n)).unwrap_or_else(|| name.to_owned())
}

/// Maximum number of characters of a name in a spec; the width of tables and of emitted code
/// depends on names.
pub const MAX_NAME: usize = 120;

/// Reserved words of Rust, which emitted code cannot use as names.
const RUST_WORDS: [&str; 46] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "type", "unsafe", "use", "while",
];

/// True for words that are reserved in Rust, so emitted code cannot use them as names.
pub fn is_rust_word(text: &str) -> bool {
    RUST_WORDS.contains(&text)
}
