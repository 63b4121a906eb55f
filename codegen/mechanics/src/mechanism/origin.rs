//! Where a mechanism came from.

/// Where a spec came from: file name without folders, and SHA-256 of its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// File name without folders; empty if there is no file.
    pub file: String,
    /// SHA-256 of the text, hexadecimal; empty if there is no spec.
    pub hash: String,
}
