//! The format version of emitted code.

/// Format number of emitted modules that this version of the crate supports.
const FORMAT: u32 = 5;

/// Checks at compile time that an emitted module and this version of the crate belong together. `N`
/// is the format of the module.
pub const fn format<const N: u32>() {
    assert!(
        N == FORMAT,
        "this module was emitted for another version of the crate `dqdt`: emit it again with the matching version of `dqdt-codegen`"
    );
}
