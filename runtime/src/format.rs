//! The format version of emitted code.

/// The format of emitted code that this version of the crate supports.
const FORMAT: u32 = 5;

/// Compile-time check that emitted code and this version of the crate belong together. `N` is the
/// format in which the code was emitted.
pub const fn format<const N: u32>() {
    assert!(
        N == FORMAT,
        "this module was emitted for another version of the crate `dqdt`: emit it again with the matching version of `dqdt-codegen`"
    );
}
