//! Origin of a mechanism: the spec that it was read from.

/// File name and SHA-256 of the spec that a mechanism was read from, for the header of emitted
/// code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// Name of the spec's file without folders; empty if there is no file.
    pub file: String,
    /// SHA-256 of the spec's text, hexadecimal; empty if there is no spec.
    pub hash: String,
}
