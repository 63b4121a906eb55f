//! Cost of a call, by operation counts and dependency chains.

use dqdt_graph::ir::{Program, count, function_longest_chain};
use dqdt_graph::plan;

/// Operations of one call of every function of the program, in total.
pub fn total_operations(program: &Program) -> u32 {
    program.functions.iter().map(|f| count(program, f).call.total()).sum()
}

/// Cost of one call of every function, in operations. A processor does several operations at once,
/// so a function costs at least [`WAITING`] times the length of its longest dependency chain.
///
/// Operations of vectorised limbs count once for all lanes.
pub fn cost(program: &Program) -> u32 {
    cost_with_weight(program, WAITING)
}

/// Same as [`cost`], with another weight of the longest dependency chain. Zero: only operations
/// count, each lane separately.
pub fn cost_with_weight(program: &Program, latency_weight: u32) -> u32 {
    let mut cost = 0;
    for (f, saved) in program.functions.iter().zip(plan::saved_by_lanes(program)) {
        let all = count(program, f).call.total();
        cost += match latency_weight {
            0 => all,
            weight => (all - saved).max(weight * function_longest_chain(program, f)),
        };
    }
    cost
}

/// Number of operations that a processor completes during the latency of one; weight of the longest
/// dependency chain in [`cost`].
///
/// Fits measured times of chains of 10 and 20 rods and of a Panda: max(operations / 2, 4 · depth)
/// cycles.
pub const WAITING: u32 = 8;
