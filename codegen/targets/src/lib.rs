//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds the targets of emitted text: Rust, which is printed by `dqdt_print`, and a folder for each
//! other one.

use dqdt_print::rust;
use dqdt_print::target::Target;

/// The targets, from one line each: a module with its `TARGET`.
macro_rules! targets {
    ($($folder:ident,)*) => {
        $(mod $folder;)*

        /// All targets; the first is the default.
        pub static TARGETS: &[&Target] = &[&rust::TARGET, $(&$folder::TARGET),*];
    };
}

// The registry: one line a target.
targets! {
    c,
}

pub use c::{CFiles, COptions, CScalar, TARGET as C, c};

/// The target with this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}
