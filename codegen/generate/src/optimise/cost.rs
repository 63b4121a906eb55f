//! What a call costs.

use dqdt_graph::ir::{Function, Program, count, count_depth};
use dqdt_graph::plan;

/// Operations of a call of every function, all together.
pub fn total(program: &Program) -> u32 {
    program.functions.iter().map(|f| count(program, f).call.total()).sum()
}

/// What a call of every function costs, all together, in operations: a processor does several at once, so a chain of
/// operations of which each waits for the one before counts [`WAITING`] times its length where that is more.
///
/// Of equal parts that are computed side by side one counts.
pub fn cost(program: &Program) -> u32 {
    cost_by(program, WAITING)
}

/// As [`cost`], with another weight for waiting. Zero: operations alone, one after the other, also those of equal parts.
pub fn cost_by(program: &Program, waiting: u32) -> u32 {
    let of = |(f, saved): (&Function, u32)| {
        let all = count(program, f).call.total();
        if waiting == 0 { all } else { (all - saved).max(waiting * count_depth(program, f)) }
    };
    program.functions.iter().zip(plan::saved(program)).map(of).sum()
}

/// Operations that are done in the time in which one is waited for.
///
/// Times of chains of 10 and 20 rods and of a Panda fit max(operations / 2, 4 · depth) cycles.
pub const WAITING: u32 = 8;
