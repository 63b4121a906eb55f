//! The stage `simplify`: the same values by fewer operations. The passes, in their order.

mod cluster;
mod constants;
mod factor;
mod mirrors;
mod opposites;
mod regroup;
mod trig;
pub mod zeros;

pub use constants::constants;
pub use factor::factor;
pub use mirrors::mirrors;
pub use opposites::opposites;
pub use regroup::regroup;
pub use trig::trig;

use crate::ir::{Program, clean};

/// A pass: the same values by other operations.
pub type Pass = fn(&Program) -> Program;

/// All passes in the order in which [`simplify`] runs them, with their names.
pub const PASSES: &[(&str, Pass)] = &[
    ("trig", trig),
    ("regroup", regroup),
    ("factor", factor),
    ("regroup again", regroup),
    ("factor again", factor),
    ("clean", clean),
    ("constants", constants),
    ("mirrors", mirrors),
    ("opposites", opposites),
];

/// Runs all passes.
pub fn simplify(program: &Program) -> Program {
    let mut result = clean(program);
    let zeros = zeros::take_out(&mut result);
    for (_, pass) in PASSES {
        result = pass(&result);
    }
    zeros::put_back(&mut result, &zeros);
    result
}
