//! The format of emitted code.

/// What this version of the crate offers to emitted code.
const FORMAT: u32 = 5;

/// Emitted code calls this where it is compiled: that it was emitted for this version of the crate is then no matter of
/// luck. `N` is the format that it was emitted in.
pub const fn format<const N: u32>() {
    assert!(
        N == FORMAT,
        "this module was emitted for another version of the crate `dqdt`: emit it again with the `dqdt-codegen` of this one"
    );
}
