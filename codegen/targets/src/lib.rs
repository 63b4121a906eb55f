//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains the list of targets: Rust, whose printer is in `dqdt_print`, and one folder here for
//! each other language. `fmu` wraps emitted C as a functional mock-up unit.

use dqdt_print::rust;
use dqdt_print::target::Target;

/// Declares the module of each target, and the list [`TARGETS`].
macro_rules! targets {
    ($($folder:ident,)*) => {
        $(mod $folder;)*

        /// All targets (languages) of emitted code; the first is the default.
        pub static TARGETS: &[&Target] = &[&rust::TARGET, $(&$folder::TARGET),*];
    };
}

// The registry: one line for each target.
targets! {
    c,
    cuda,
}

pub mod fmu;

pub use c::{CFiles, COptions, CScalar, TARGET as C, c};
pub use cuda::{TARGET as CUDA, count_live_values};

/// Target language of this name, as in `--language`; `None` if there is none.
pub fn target_by_name(name: &str) -> Option<&'static Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}
