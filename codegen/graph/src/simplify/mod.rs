//! The stage `simplify`: computes the same values with fewer operations. Lists the passes in order.

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

/// A simplification pass: from a program to one with the same values by other operations.
pub type Pass = fn(&Program) -> Program;

/// All simplification passes with their names, in the order in which [`simplify`] runs them.
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

/// Runs all passes on a program, without the zero entries of its outputs, which it restores.
pub fn simplify(program: &Program) -> Program {
    let mut result = clean(program);
    let zeros = zeros::take_out(&mut result);
    for (_, pass) in PASSES {
        result = pass(&result);
    }
    zeros::put_back(&mut result, &zeros);
    result
}
