//! Forces and moments along a motion, as arrows of an animation.

use super::motion::Motion;
use super::signals::{SignalGroup, Signals, inputs};
use dqdt_algebra::Number;
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{Arguments, Program};
use dqdt_mechanics::formalism::{Arrow, constraint_arrows, load_arrows};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::Instant;

/// Kind of arrows in an animation.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowGroup {
    /// Forces and moments of loads, without gravity.
    Loads,
    /// Forces and moments of constraints, from their multipliers.
    Constraints,
}

/// Arrows at the given rows of a motion; each row has the same number.
///
/// `signals` must contain the multipliers if constraints are requested; an undetermined multiplier
/// counts as zero.
#[doc(hidden)]
pub fn arrows(
    loaded: &Assembled,
    program: &Program,
    arguments: &Arguments,
    (motion, signals): (&Motion, &Signals),
    groups: &[ArrowGroup],
    rows: &[usize],
) -> Vec<Vec<Arrow>> {
    let m = &loaded.mechanism;
    let number = |n: Number| n.to_f64();
    let acting = inputs(program, arguments, motion);
    let mut at = arguments.clone();
    let mut instant = Instant { p: kinematics::parameters(m, &number, &arguments.p), ..Instant::default() };
    let multipliers = || signals.columns.iter().filter(|s| s.group == SignalGroup::Multipliers);
    let in_row = |k: &usize| {
        at.set_state(&motion.states[*k]);
        instant.t = motion.times[*k];
        (instant.q, instant.v, instant.z) = (at.q.clone(), at.v.clone(), at.z.clone());
        instant.u = acting.iter().map(|input| input.values[*k]).collect();
        let env = instant.environment(&number);
        let mut out = Vec::new();
        if groups.contains(&ArrowGroup::Loads) {
            out.extend(load_arrows(m, &env));
        }
        if groups.contains(&ArrowGroup::Constraints) {
            let value = |row: &str| {
                let own = multipliers().find(|s| s.name.strip_prefix("lambda_") == Some(row));
                own.map_or(0.0, |s| s.values[*k])
            };
            out.extend(constraint_arrows(m, &env, &value));
        }
        out
    };
    rows.iter().map(in_row).collect()
}
