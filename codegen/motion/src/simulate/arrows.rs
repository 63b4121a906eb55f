//! Forces along a motion, for pictures.

use super::motion::Motion;
use super::signals::{SignalGroup, Signals, inputs};
use dqdt_algebra::Number;
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{Arguments, Program};
use dqdt_mechanics::formalism::{Arrow, constraint_arrows, load_arrows};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::Instant;

/// What an animation may show as arrows.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowGroup {
    /// Forces and moments of loads; gravity is none
    Loads,
    /// Forces and moments of constraints, by their multipliers
    Constraints,
}

/// The arrows in some rows of a motion, as many in each. `signals` have the multipliers, where
/// constraints are asked for; one that is not determined counts as zero.
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
