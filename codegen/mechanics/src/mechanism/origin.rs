//! Origin of a mechanism: the spec that it was read from.

/// File name and SHA-256 of a spec, for the header of emitted code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// File name without folders; empty if there is no file.
    pub file: String,
    /// SHA-256 of the text, hexadecimal; empty if there is no spec.
    pub hash: String,
}
