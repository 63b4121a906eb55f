//! The passes, in their order.

use super::program::Program;
use super::{factor, rebuild, regroup, trig};

/// A pass: the same values by other operations.
pub type Pass = fn(&Program) -> Program;

/// All passes in the order in which [`simplify`] runs them, with their names.
pub const PASSES: [(&str, Pass); 6] = [
    ("trig", trig::trig),
    ("regroup", regroup::regroup),
    ("factor", factor::factor),
    ("regroup again", regroup::regroup),
    ("factor again", factor::factor),
    ("clean", rebuild::clean),
];

/// Runs all passes.
pub fn simplify(program: &Program) -> Program {
    let mut result = rebuild::clean(program);
    for (_, pass) in PASSES {
        result = pass(&result);
    }
    result
}
