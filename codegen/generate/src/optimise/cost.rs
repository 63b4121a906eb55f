//! Cost of a call, by operation counts and dependency chains.

use dqdt_graph::ir::{Function, Program, count, count_depth};
use dqdt_graph::plan;

/// Operations of one call of every function, in total.
pub fn total(program: &Program) -> u32 {
    program.functions.iter().map(|f| count(program, f).call.total()).sum()
}

/// Cost of one call of every function, in operations. A processor does several operations at once,
/// so a function costs at least [`WAITING`] times the length of its longest dependency chain.
///
/// Operations of vectorised limbs count once for all lanes.
pub fn cost(program: &Program) -> u32 {
    cost_by(program, WAITING)
}

/// Same as [`cost`], with another weight of the longest chain. Zero: only operations count, each
/// lane separately.
pub fn cost_by(program: &Program, waiting: u32) -> u32 {
    let of = |(f, saved): (&Function, u32)| {
        let all = count(program, f).call.total();
        if waiting == 0 { all } else { (all - saved).max(waiting * count_depth(program, f)) }
    };
    program.functions.iter().zip(plan::saved(program)).map(of).sum()
}

/// Number of operations that a processor completes during the latency of one.
///
/// Fits measured times of chains of 10 and 20 rods and of a Panda: max(operations / 2, 4 · depth)
/// cycles.
pub const WAITING: u32 = 8;
