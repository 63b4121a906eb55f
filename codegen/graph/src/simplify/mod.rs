//! The stage `simplify`: computes the same values with fewer operations. Lists the passes in order.

mod cluster;
mod constants;
mod factor;
mod mirrors;
mod opposites;
mod regroup;
mod trig;
pub mod zeros;

pub use constants::absorb_constants;
pub use factor::extract_common_factors;
pub use mirrors::merge_opposite_values;
pub use opposites::reverse_negated_differences;
pub use regroup::regroup_by_dependency;
pub use trig::apply_addition_formulas;

use crate::ir::{Program, drop_unneeded_nodes};

/// A simplification pass: from a program to one with the same values by other operations.
pub type Pass = fn(&Program) -> Program;

/// All simplification passes with their names, in the order in which [`simplify`] runs them.
pub const PASSES: &[(&str, Pass)] = &[
    ("trig", apply_addition_formulas),
    ("regroup", regroup_by_dependency),
    ("factor", extract_common_factors),
    ("regroup again", regroup_by_dependency),
    ("factor again", extract_common_factors),
    ("clean", drop_unneeded_nodes),
    ("constants", absorb_constants),
    ("mirrors", merge_opposite_values),
    ("opposites", reverse_negated_differences),
];

/// Runs all passes on a program, without the zero entries of its outputs, which it restores.
pub fn simplify(program: &Program) -> Program {
    let mut result = drop_unneeded_nodes(program);
    let zeros = zeros::remove_zero_entries(&mut result);
    for (_, pass) in PASSES {
        result = pass(&result);
    }
    zeros::restore_zero_entries(&mut result, &zeros);
    result
}
