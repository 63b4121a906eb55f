//! Times at which an input of a motion has a kink or a jump.
//!
//! Problem: an integration step across a kink loses its order, one across a jump is repeated with
//! ever smaller sizes, and a pulse between two steps is missed.
//! Method:  the formulas of inputs are searched for knots of tables with a change of slope, and for
//! zeros of the conditions of `if`, `min`, `max`, `clamp`, `abs` and `sign` that depend on time
//! alone. Zeros are bracketed on a grid and bisected. Integration steps end at these times.
//! Not handled: conditions that depend on the state. There the step size adapts to the error.

use dqdt_algebra::{Func, Func2, Number, PiecewiseCubic};
use dqdt_graph::ir::Arguments;
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Formula, Mechanism, Partition, Variable};

/// Intervals of the time grid on which zeros of switching conditions are bracketed.
const GRID: usize = 20_000;
/// Relative change of slope below which a knot of a table has no kink.
const KINK: f64 = 1e-9;
/// Maximum number of knots of a table at which kinks are searched if its argument is not the time
/// itself.
const KNOTS: usize = 100;

/// Number of distinct times of discontinuities; the two sides of a switch count once.
#[doc(hidden)]
pub fn count_distinct_times(times: &[f64]) -> usize {
    times.windows(2).filter(|w| w[1] - w[0] > 1e-9 * w[1].abs().max(1.0)).count()
        + usize::from(!times.is_empty())
}

/// Times of kinks and jumps of inputs, after the start and before `t_end`, in ascending order;
/// integration steps must end there.
#[doc(hidden)]
pub fn discontinuity_times(m: &Mechanism, arguments: &Arguments, t_end: f64) -> Vec<f64> {
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &arguments.p);
    let mut times = Vec::new();
    for law in m.inputs.iter().filter_map(|u| u.law.as_ref()) {
        visit_subformulas(law, &mut |f| add_switch_times(f, &p, [arguments.t, t_end], &mut times));
    }
    // Times at which an input that is a formula of time alone reaches its limits.
    for u in &m.inputs {
        let (Some(law), Some((low, high))) = (&u.law, &u.limits) else { continue };
        if depends_on_time_only(law) {
            for limit in [low, high] {
                add_zero_crossings(
                    &|t| formula_value_at(law, &p, t) - formula_value_at(limit, &p, t),
                    [arguments.t, t_end],
                    &mut times,
                );
            }
        }
    }
    times.retain(|t| *t > arguments.t && *t < t_end);
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Calls `visit` for a formula and all formulas in it.
fn visit_subformulas<'f>(f: &'f Formula, visit: &mut dyn FnMut(&'f Formula)) {
    visit(f);
    f.operands().into_iter().for_each(|a| visit_subformulas(a, visit));
}

/// True if a formula depends only on time and parameters, so that its jumps are known in advance.
fn depends_on_time_only(f: &Formula) -> bool {
    !f.any_variable(&|v| !matches!(v, Variable::Time | Variable::Parameter(_)))
}

/// Value at time `t` of a formula of time and parameters.
fn formula_value_at(f: &Formula, p: &[f64], t: f64) -> f64 {
    f.eval(&Environment {
        number: &Number::to_f64,
        t,
        q: &[],
        v: &[],
        z: &[],
        u: &[],
        p,
        named: &[],
        measures: &[],
        regrouped: &[],
        formulation: None,
        partition: Partition::ALL_ROWS,
    })
}

/// Adds the times at which one operation of an input law switches, such as an `if` or a `clamp`.
fn add_switch_times(f: &Formula, p: &[f64], span: [f64; 2], times: &mut Vec<f64>) {
    let add_zeros_of_difference = |a: &Formula, b: &Formula, times: &mut Vec<f64>| {
        if depends_on_time_only(a) && depends_on_time_only(b) {
            add_zero_crossings(&|t| formula_value_at(a, p, t) - formula_value_at(b, p, t), span, times);
        }
    };
    match f {
        Formula::Select(_, args) => add_zeros_of_difference(&args[0], &args[1], times),
        Formula::Func2(Func2::Min | Func2::Max, a, b) => add_zeros_of_difference(a, b, times),
        Formula::Func(Func::Abs | Func::Sign, a) => add_zeros_of_difference(a, &Formula::ZERO, times),
        Formula::Table(table, a) if **a == Formula::Variable(Variable::Time) => {
            times.extend(table_kinks(table))
        }
        Formula::Table(table, a) if depends_on_time_only(a) => {
            for knot in table_kinks(table).into_iter().take(KNOTS) {
                add_zero_crossings(&|t| formula_value_at(a, p, t) - knot, span, times);
            }
        }
        _ => {}
    }
}

/// Derivative of a cubic segment of a table at the distance `d` from its knot.
fn cubic_slope(c: &[f64; 4], d: f64) -> f64 {
    c[1] + d * (2.0 * c[2] + d * 3.0 * c[3])
}

/// Knots at which the slope of a table of an input law changes.
fn table_kinks(table: &PiecewiseCubic) -> Vec<f64> {
    let mut before = 0.0;
    let mut times = Vec::new();
    for (k, (x, c)) in table.knots.iter().zip(&table.coefficients).enumerate() {
        let after = cubic_slope(c, 0.0);
        if (after - before).abs() > KINK * after.abs().max(before.abs()) {
            times.push(*x);
        }
        before = table.knots.get(k + 1).map_or(0.0, |next| cubic_slope(c, next - x));
    }
    times
}

/// Sign of a number, as the statements (negative, positive).
fn sign_flags(x: f64) -> (bool, bool) {
    (x < 0.0, x > 0.0)
}

/// Adds the zeros of `g` to the times at which steps end: both ends of the bracket of each sign
/// change, so that a step ends before it and the next one begins after it.
fn add_zero_crossings(g: &dyn Fn(f64) -> f64, [start, end]: [f64; 2], times: &mut Vec<f64>) {
    let at = |k: usize| start + (end - start) * k as f64 / GRID as f64;
    let (mut t, mut before) = (start, g(start));
    for k in 1..=GRID {
        let (next, after) = (at(k), g(at(k)));
        // A zero on the grid is approached from its left.
        if (before < 0.0) != (after < 0.0) || (before > 0.0) != (after > 0.0) {
            let (mut a, mut b) = (t, next);
            while b - a > 1e-12 * b.abs().max(1.0) {
                let middle = a + (b - a) / 2.0;
                if sign_flags(g(middle)) == sign_flags(before) { a = middle } else { b = middle }
            }
            times.extend([a, b]);
        }
        (t, before) = (next, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_sign_are_enclosed_and_kinks_are_those_of_the_slope() {
        let mut times = Vec::new();
        add_zero_crossings(&|t| (t - 0.123_456_7) * (t - 2.0), [0.0, 4.0], &mut times);
        // The zero at 2 lies on the grid: the sign changes to zero, then from zero.
        assert!((times[0] - 0.123_456_7).abs() < 2e-12 && times[0] <= 0.123_456_7 && times[1] >= 0.123_456_7);
        assert!(times[2..].iter().any(|t| *t <= 2.0 && 2.0 - t < 1e-11), "{times:?}");
        assert!(times[2..].iter().any(|t| *t > 2.0 && t - 2.0 < 1e-11), "{times:?}");
        let table = PiecewiseCubic::linear(&[0.0, 1.0, 2.0, 3.0, 4.0], &[1.0, 1.0, 2.0, 3.0, 3.0]);
        assert_eq!(table_kinks(&table), [1.0, 3.0]);
    }
}
