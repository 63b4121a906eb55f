//! What a name is.

/// True for letters a to z and A to Z, digits and `_`, no digit first.
pub fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The name, or `name_2`, `name_3`…: the first that is not taken.
pub fn numbered(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let others = (2usize..).map(|n| format!("{name}_{n}"));
    std::iter::once(name.to_owned()).chain(others).find(|n| !taken(n)).unwrap_or_else(|| name.to_owned())
}

/// Longest name; tables and emitted code are made of them.
pub const MAX_NAME: usize = 120;

/// Words that generated Rust cannot use as names.
const RUST_WORDS: [&str; 46] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "type", "unsafe", "use", "while",
];

/// True for words that generated Rust cannot use as names.
pub fn is_rust_word(text: &str) -> bool {
    RUST_WORDS.contains(&text)
}
