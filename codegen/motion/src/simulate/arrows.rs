//! Forces and moments along a motion, as arrows of an animation.

use super::motion::Motion;
use super::runnable::RunnableProgram;
use super::signals::{Along, SignalGroup, Signals};
use dqdt_algebra::Number;
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{Arguments, Program};
use dqdt_mechanics::formalism::{Arrow, constraint_arrows, load_arrows};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::Instant;

/// Kind of forces that an animation shows as arrows.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowGroup {
    /// Forces and moments of the loads of the spec, without gravity.
    Loads,
    /// Forces and moments of constraints, from their multipliers.
    Constraints,
}

/// Forces and moments as arrows of an animation, at the given rows of a motion; each row has the
/// same number of arrows.
///
/// `signals` must contain the multipliers if constraints are requested; an undetermined multiplier
/// counts as zero.
#[doc(hidden)]
pub fn motion_arrows(
    loaded: &Assembled,
    program: &Program,
    arguments: &Arguments,
    (motion, signals): (&Motion, &Signals),
    groups: &[ArrowGroup],
    rows: &[usize],
) -> Vec<Vec<Arrow>> {
    let m = &loaded.mechanism;
    let effective =
        Along::without_stops(&RunnableProgram::new(program), arguments, motion).effective_inputs();
    let mut at = arguments.clone();
    let mut instant = Instant {
        p: kinematics::evaluate_parameters(m, &Number::to_f64, &arguments.p),
        ..Instant::default()
    };
    rows.iter()
        .map(|k| {
            at.set_state(&motion.states[*k]);
            instant.t = motion.times[*k];
            (instant.q, instant.v, instant.z) = (at.q.clone(), at.v.clone(), at.z.clone());
            instant.u = effective.iter().map(|input| input.values[*k]).collect();
            let env = instant.as_environment(&Number::to_f64);
            let mut out = Vec::new();
            if groups.contains(&ArrowGroup::Loads) {
                out.extend(load_arrows(m, &env));
            }
            if groups.contains(&ArrowGroup::Constraints) {
                out.extend(constraint_arrows(m, &env, &|row| multiplier_at_row(signals, row, *k)));
            }
            out
        })
        .collect()
}

/// Multiplier of a constraint row at the row `k` of a motion; zero if it is not determined.
fn multiplier_at_row(signals: &Signals, row: &str, k: usize) -> f64 {
    let mut multipliers = signals.columns.iter().filter(|s| s.group == SignalGroup::Multipliers);
    multipliers.find(|s| s.name.strip_prefix("lambda_") == Some(row)).map_or(0.0, |s| s.values[k])
}
