//! Errors for poses in which the equations cannot be solved.
//!
//! Problem: an emitted function must never return NaN for a finite state, and must not branch on
//!          lanes.
//! Method:  it collects its pivots (of the factored mass or constraint matrix), each with the
//!          largest term of the sum that forms it, and its denominators (of the kinematic map),
//!          computes one [`Verdict`] of all, and finishes: where singular, the derivative becomes
//!          zero and the caller gets [`Singular`]. In regular poses the cost is one comparison for
//!          each pivot. Each pivot is compared with terms of its own sum, so that units do not
//!          matter and a light body next to a heavy one is not singular.

use core::fmt;

use crate::emitted::Entries;
use crate::mask::Mask;
use crate::real::Real;

/// Error of emitted functions: the equations cannot be solved in this pose. The result of the
/// function is zero then.
///
/// `M` is `bool` for one state, [`LaneMask`](crate::LaneMask) for lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Singular<M = bool> {
    /// The lanes in which the equations cannot be solved and the result was set to zero; `true` for
    /// one state.
    pub lanes: M,
    /// Cause of the failure in any of the lanes: the first pivot that vanishes, in the order of the
    /// function's list of pivots.
    pub cause: Cause,
}

/// Reason why the equations cannot be solved in a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// This pivot or denominator, from the function's list, vanishes.
    Pivot(&'static Pivot),
    /// The pivot of this row vanishes, or of this column in [`solve_lu`](crate::solve::solve_lu),
    /// in a matrix whose rows have no names.
    Row(usize),
    /// No pivot vanishes, but a result is not finite: it overflows, or an argument is not finite.
    NotFinite,
}

/// A divisor of an emitted function that can vanish, as the constants `PIVOTS` of its module list
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pivot {
    /// Description of the divisor with the names of the spec, such as `length of row a`.
    pub name: &'static str,
    /// Meaning of a vanishing divisor and the remedy, for the error message.
    pub hint: &'static str,
}

impl fmt::Display for Pivot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.hint)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pivot(pivot) => pivot.fmt(f),
            Self::Row(row) => write!(f, "the pivot of row {row} (counted from 0) vanishes"),
            Self::NotFinite => f.write_str("a result overflows, or an argument is not finite"),
        }
    }
}

impl<M> fmt::Display for Singular<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause {
            Cause::NotFinite => {
                write!(f, "the equations have no finite solution at this state: {}", self.cause)
            }
            _ => write!(f, "the equations cannot be solved in this pose: {}", self.cause),
        }
    }
}

impl<M: fmt::Debug> core::error::Error for Singular<M> {}

/// Result of a check of pivots for all lanes. [`finish`](Self::finish) converts it to the result of
/// an emitted function.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "call `finish`, or singular poses remain undetected"]
pub struct Verdict<T: Real> {
    /// Lanes in which a pivot vanishes or a result is not finite.
    lanes: T::Mask,
    /// Index of the first pivot that vanishes, in the order of the checks.
    pivot: Option<usize>,
    /// Number of pivots checked so far, by which later ones are numbered.
    pivot_count: usize,
}

impl<T: Real> Verdict<T> {
    /// The verdict before any pivot has been checked: regular in all lanes.
    #[inline(always)]
    pub fn regular() -> Self {
        Self { lanes: T::Mask::splat(false), pivot: None, pivot_count: 0 }
    }

    /// The verdict that `count` pivots are regular in all lanes.
    #[inline(always)]
    fn regular_pivots(count: usize) -> Self {
        Self { pivot_count: count, ..Self::regular() }
    }

    /// Checks every pivot separately, after the combined check has failed, and finds the singular
    /// lanes and the first vanishing pivot. A pivot that is not finite makes its lane singular, but
    /// is not named as the cause.
    #[cold]
    fn check_each_pivot(pairs: impl Iterator<Item = (T, T)> + Clone, epsilon: T) -> Self {
        let is_large = |(value, scale): (T, T)| value.abs().is_gt(epsilon * scale.abs());
        let regular = pairs
            .clone()
            .fold(T::Mask::splat(true), |all, pair| all.and(is_finite_pair(pair).and(is_large(pair))));
        let lanes = regular.not();
        let pivot = pairs.clone().position(|pair| is_finite_pair(pair).and(is_large(pair).not()).any());
        Self { lanes, pivot, pivot_count: pairs.count() }
    }

    /// The lanes in which a checked pivot vanishes or is not finite.
    #[inline]
    pub fn lanes(self) -> T::Mask {
        self.lanes
    }

    /// Combines the verdicts of two checks. The pivots of `next` are counted after those of `self`.
    #[inline]
    pub fn merge(self, next: Self) -> Self {
        Self {
            lanes: self.lanes.or(next.lanes),
            pivot: self.pivot.or(next.pivot.map(|pivot| self.pivot_count + pivot)),
            pivot_count: self.pivot_count + next.pivot_count,
        }
    }

    /// Combines two verdicts like [`merge`](Self::merge), but evaluates `next` only if some lane is
    /// still regular.
    #[inline]
    pub fn and_then(self, next: impl FnOnce() -> Self) -> Self {
        if self.lanes.all() { self } else { self.merge(next()) }
    }

    /// Ends an emitted function: `dx` becomes zero where the pose is singular or a derivative is
    /// not finite. `names` are the pivots that were checked, in the same order.
    ///
    /// # Errors
    /// [`Singular`] if any lane is singular, with the first pivot that vanishes ([`Cause::Row`] if
    /// it has no name); with [`Cause::NotFinite`] if none vanishes and a derivative or a pivot is
    /// not finite.
    // Always inlined: in a batch a call would move its registers through memory.
    #[inline(always)]
    pub fn finish(self, names: &'static [Pivot], dx: &mut [T]) -> Result<(), Singular<T::Mask>> {
        // One sum in the order of the results: those that are copies are known early, and the last
        // to be computed comes last. A separate test of each makes the compiler gather them in
        // vectors and wait.
        let sum = dx.iter().fold(T::ZERO, |sum, derivative| sum + *derivative);
        if sum.is_finite().all() && !self.lanes.any() {
            return Ok(());
        }
        self.finish_exactly(names, dx)
    }

    /// Ends an emitted function whose sum of results is not finite: checks each result, since a sum
    /// of finite ones may overflow.
    #[cold]
    fn finish_exactly(self, names: &'static [Pivot], dx: &mut [T]) -> Result<(), Singular<T::Mask>> {
        let verdict = self.check_each_result(dx);
        if verdict.lanes.any() { Err(verdict.zero_singular_lanes(names, dx)) } else { Ok(()) }
    }

    /// Extends the verdict by the lanes in which one of these results is not finite.
    fn check_each_result(self, results: &[T]) -> Self {
        let finite = results.iter().fold(T::Mask::splat(true), |all, x| all.and(x.is_finite()));
        Self { lanes: self.lanes.or(finite.not()), ..self }
    }

    /// Extends the verdict by results that must be finite. [`finish`](Self::finish) does this for
    /// `dx`; this is for further results, which are [cleared](Self::clear) before.
    #[inline]
    pub fn over(self, results: &[T]) -> Self {
        let sum = results.iter().fold(T::ZERO, |sum, x| sum + *x);
        if sum.is_finite().all() { self } else { self.check_each_result(results) }
    }

    /// Sets further results of an emitted function to zero in the lanes where the pose is singular.
    #[inline]
    pub fn clear(self, results: &mut impl Entries<T>) {
        if self.lanes.any() {
            results.blank(self.lanes);
        }
    }

    /// Sets the results to zero in singular lanes, and returns the error with its cause.
    fn zero_singular_lanes(self, names: &'static [Pivot], dx: &mut [T]) -> Singular<T::Mask> {
        for derivative in dx {
            *derivative = T::select(self.lanes, T::ZERO, *derivative);
        }
        let cause = match self.pivot {
            Some(index) => names.get(index).map_or(Cause::Row(index), Cause::Pivot),
            None => Cause::NotFinite,
        };
        Singular { lanes: self.lanes, cause }
    }
}

/// True in lanes where both a pivot and its scale are finite.
fn is_finite_pair<T: Real>((value, scale): (T, T)) -> T::Mask {
    value.is_finite().and(scale.is_finite())
}

/// Checks the pivots of a factored matrix: compares each with its scale, the largest term of the
/// sum that forms it (the diagonal entry of a mass matrix).
///
/// Singular if a pivot is not finite or `|pivot| ≤ epsilon · |scale|`; so a pivot of zero always
/// fails. `N = 0` is never singular. `epsilon` is a pure number, [`Real::default_epsilon`] unless
/// the model has another.
#[inline(always)]
pub fn check_pivots<T: Real, const N: usize>(pivots: [T; N], scales: [T; N], epsilon: T) -> Verdict<T> {
    check_against_scales(pivots, scales, epsilon)
}

/// Checks denominators of order one (such as the cosine of a middle Euler angle) by comparison with
/// one.
///
/// Singular if one is not finite or `|denominator| ≤ epsilon`. `N = 0` is never singular.
#[inline(always)]
pub fn check_denominators<T: Real, const N: usize>(denominators: [T; N], epsilon: T) -> Verdict<T> {
    check_against_scales(denominators, [T::ONE; N], epsilon)
}

/// Checks values against their scales: fast, and exactly if that fails.
#[inline(always)]
fn check_against_scales<T: Real, const N: usize>(values: [T; N], scales: [T; N], epsilon: T) -> Verdict<T> {
    if all_pivots_pass(&values, &scales, epsilon) {
        Verdict::regular_pivots(N)
    } else {
        Verdict::check_each_pivot(values.into_iter().zip(scales), epsilon)
    }
}

/// Fast check that all pivots are finite and above their limits. A sum that overflows gives `false`
/// although all may pass.
// Loops over arrays, because the fold of an iterator stays a call in a batch.
#[inline(always)]
fn all_pivots_pass<T: Real, const N: usize>(values: &[T; N], scales: &[T; N], epsilon: T) -> bool {
    let Some(((value, scale), rest)) = values.first().zip(scales.first()).map(|first| (first, 1..N)) else {
        return true;
    };
    let first = value.abs() - epsilon * scale.abs();
    let (mut smallest, mut sum) = (first, first);
    for i in rest {
        let above = values[i].abs() - epsilon * scales[i].abs();
        // The comparison may ignore NaN; the sum does not.
        smallest = T::select(above.is_lt(smallest), above, smallest);
        sum += above;
    }
    smallest.is_gt(T::ZERO).and(sum.is_finite()).all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dual, LaneMask, Lanes};
    use std::string::ToString;

    const EPSILON: f64 = 1e-12;
    const NAMES: [Pivot; 3] = [
        Pivot { name: "pivot of x", hint: "nothing resists" },
        Pivot { name: "pivot of y", hint: "nothing resists" },
        Pivot { name: "angles of joint", hint: "other angles" },
    ];

    fn verdict_cause(verdict: Verdict<f64>) -> Option<Cause> {
        verdict.finish(&NAMES, &mut []).err().map(|e| e.cause)
    }

    #[test]
    fn good_pivots_leave_the_derivative_alone() {
        let mut dx = [1.0, 2.0];
        assert_eq!(check_pivots([1e-11, -1.0], [1.0, 1.0], EPSILON).finish(&NAMES, &mut dx), Ok(()));
        assert_eq!(check_pivots::<f64, 0>([], [], EPSILON).finish(&NAMES, &mut dx), Ok(()));
        assert_eq!(Verdict::regular().finish(&[], &mut dx), Ok(()));
        assert_eq!(dx, [1.0, 2.0]);
    }

    #[test]
    fn pivots_of_different_units_are_not_compared_with_each_other() {
        // A cart of 1,000 kg and the rotor of its motor, 1e-4 kg m²; a rotor of 1e-7 kg m² next to
        // 1,000 t.
        assert_eq!(verdict_cause(check_pivots([1e3, 1e-4], [1e3, 1e-4], 1e-6)), None);
        assert_eq!(verdict_cause(check_pivots([1e6, 1e-7], [1e6, 1e-7], EPSILON)), None);
        assert_eq!(verdict_cause(check_pivots([1e-200], [1e-200], EPSILON)), None);
        assert_eq!(
            verdict_cause(check_pivots([1e6, 1e-7], [1e6, 1e6], EPSILON)),
            Some(Cause::Pivot(&NAMES[1]))
        );
    }

    #[test]
    fn a_pivot_that_vanishes_gives_zeros_and_its_name() {
        for bad in [0.0, 1e-13, -1e-13] {
            let mut dx = [f64::NAN, 2.0];
            let outcome = check_pivots([1.0, bad, 0.0], [1.0; 3], EPSILON).finish(&NAMES, &mut dx);
            assert_eq!(outcome, Err(Singular { lanes: true, cause: Cause::Pivot(&NAMES[1]) }), "{bad}");
            assert_eq!(dx, [0.0, 0.0]);
        }
        assert!(check_pivots([0.0_f64], [0.0], EPSILON).lanes());
        assert!(check_pivots([0.0_f64], [0.0], 0.0).lanes());
    }

    #[test]
    fn an_overflow_is_not_said_to_be_a_pivot_that_vanishes() {
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(verdict_cause(check_pivots([1.0, bad], [1.0, 1.0], EPSILON)), Some(Cause::NotFinite));
            assert_eq!(verdict_cause(check_pivots([1.0, 1.0], [1.0, bad], EPSILON)), Some(Cause::NotFinite));
            assert_eq!(
                verdict_cause(check_pivots([bad, 0.0], [1.0, 1.0], EPSILON)),
                Some(Cause::Pivot(&NAMES[1])),
                "a pivot that vanishes says more"
            );
            let mut dx = [1.0, bad];
            let outcome = check_pivots([1.0], [1.0], EPSILON).finish(&NAMES, &mut dx);
            assert_eq!((outcome, dx), (Err(Singular { lanes: true, cause: Cause::NotFinite }), [0.0, 0.0]));
            let text = outcome.err().map(|e| e.to_string()).unwrap_or_default();
            assert!(text.contains("overflow") && !text.contains("pivot"), "{text}");
        }
    }

    #[test]
    fn a_sum_that_overflows_is_no_failure_and_one_that_cancels_no_success() {
        let mut dx = [1.5e308, 1.5e308, -3.0];
        assert_eq!(Verdict::regular().finish(&[], &mut dx), Ok(()));
        assert_eq!(dx, [1.5e308, 1.5e308, -3.0]);
        let mut dx = [f64::INFINITY, f64::NEG_INFINITY, 1.0];
        assert!(Verdict::regular().finish(&[], &mut dx).is_err());
        assert_eq!(dx, [0.0; 3]);
        let mut dx = [Lanes([1e308, f64::NAN, 3.0]), Lanes([1e308, 1.0, f64::INFINITY])];
        let lanes = LaneMask([false, true, true]);
        let outcome = Verdict::regular().finish(&[], &mut dx);
        assert_eq!(outcome, Err(Singular { lanes, cause: Cause::NotFinite }));
        assert_eq!(dx, [Lanes([1e308, 0.0, 0.0]), Lanes([1e308, 0.0, 0.0])]);
    }

    #[test]
    fn a_pivot_without_a_name_is_known_by_its_row() {
        let verdict = check_pivots([1.0, 1.0, 1.0, 0.0], [1.0; 4], EPSILON);
        assert_eq!(verdict_cause(verdict), Some(Cause::Row(3)));
    }

    #[test]
    fn huge_pivots_are_no_failure() {
        assert!(!check_pivots([1e308, 1.5e308, 1.7e308], [1e308; 3], EPSILON).lanes());
        assert!(check_pivots([1e308, 1e290], [1e308, 1e308], EPSILON).lanes());
    }

    #[test]
    fn a_denominator_is_compared_with_one() {
        assert!(!check_denominators([0.5, 1e-11], EPSILON).lanes());
        assert!(check_denominators([1e-13], EPSILON).lanes());
        assert!(!check_pivots([1e-13], [1e-13], EPSILON).lanes());
    }

    #[test]
    fn merged_verdicts_count_their_pivots_on() {
        let merged = check_denominators([1.0, 0.5], EPSILON).merge(check_pivots([0.0], [1.0], EPSILON));
        assert_eq!(verdict_cause(merged), Some(Cause::Pivot(&NAMES[2])));
        let first = check_denominators([1.0, 0.0], EPSILON)
            .and_then(|| unreachable!("all lanes are singular already"));
        assert_eq!(verdict_cause(first), Some(Cause::Pivot(&NAMES[1])));
        let second = check_denominators([1.0], EPSILON).and_then(|| check_pivots([0.0], [1.0], EPSILON));
        assert_eq!(verdict_cause(second), Some(Cause::Pivot(&NAMES[1])));
    }

    #[test]
    fn only_the_singular_lanes_become_zero() {
        let mut dx = [Lanes([1.0, f64::NAN, 3.0]), Lanes([4.0, f64::INFINITY, 6.0])];
        let pivots = [Lanes([1.0, 1.0, 1.0]), Lanes([0.5, 0.0, 1.0])];
        let verdict = check_pivots(pivots, [Lanes::splat(1.0); 2], Lanes::splat(EPSILON));
        let lanes = LaneMask([false, true, false]);
        assert_eq!(verdict.finish(&NAMES, &mut dx), Err(Singular { lanes, cause: Cause::Pivot(&NAMES[1]) }));
        assert_eq!(dx, [Lanes([1.0, 0.0, 3.0]), Lanes([4.0, 0.0, 6.0])]);
    }

    #[test]
    fn a_dual_loses_its_derivatives_too() {
        let mut dx = [Dual::<f64, 1> { value: f64::NAN, derivatives: [f64::NAN] }];
        let verdict = check_pivots([Dual::variable(0.0, 0)], [Dual::ONE], Real::from_f64(EPSILON));
        assert!(verdict.finish(&NAMES, &mut dx).is_err());
        assert_eq!(dx, [Dual::constant(0.0)]);
    }

    #[test]
    fn the_message_names_the_pivot_and_says_what_to_do() {
        let error = Singular { lanes: true, cause: Cause::Pivot(&NAMES[2]) };
        assert_eq!(
            error.to_string(),
            "the equations cannot be solved in this pose: angles of joint: other angles"
        );
        let _: &dyn core::error::Error = &error;
    }
}
