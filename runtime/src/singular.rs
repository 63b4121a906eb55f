//! Poses in which the equations cannot be solved.
//!
//! Problem: an emitted function must never hand out NaN from a finite state, and must not branch on lanes.
//! Method:  it collects its pivots (of the factored mass or constraint matrix) and denominators (of the kinematic map),
//!          asks once for a [`Verdict`], and finishes: where singular the derivative becomes zero and the caller gets
//!          [`Singular`]. When all is well the cost is one comparison for each pivot.

use core::fmt;

use crate::mask::Mask;
use crate::real::Real;

/// The equations cannot be solved in this pose.
///
/// `M` is `bool` for one state, [`LaneMask`](crate::LaneMask) for lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Singular<M = bool> {
    /// Where: the lanes whose derivative was set to zero.
    pub lanes: M,
    /// Index of the first pivot that failed, in the order in which the emitted function lists them.
    pub pivot: usize,
}

impl<M> fmt::Display for Singular<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the equations cannot be solved in this pose: pivot {} is below epsilon times the largest",
            self.pivot
        )
    }
}

impl<M: fmt::Debug> core::error::Error for Singular<M> {}

/// What a check of pivots found; [`finish`](Self::finish) turns it into the result of an emitted function.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a verdict that is not finished lets singular poses pass"]
pub struct Verdict<T: Real> {
    lanes: T::Mask,
    pivot: usize,
    count: usize,
}

impl<T: Real> Verdict<T> {
    /// The verdict over no pivots: nowhere singular.
    #[inline]
    pub fn regular() -> Self {
        Self { lanes: T::Mask::splat(false), pivot: 0, count: 0 }
    }

    #[inline]
    fn passed(count: usize) -> Self {
        Self { count, ..Self::regular() }
    }

    #[cold]
    fn failed(sizes: &[T], limit: T) -> Self {
        let regular = |&size: &T| passes(size, limit);
        let lanes = sizes.iter().fold(T::Mask::splat(true), |all, size| all.and(regular(size))).not();
        Self {
            lanes,
            pivot: sizes.iter().position(|size| !regular(size).all()).unwrap_or(0),
            count: sizes.len(),
        }
    }

    /// Where the pose is singular.
    #[inline]
    pub fn lanes(self) -> T::Mask {
        self.lanes
    }

    /// Both verdicts. The pivots of `next` are counted after those of `self`.
    #[inline]
    pub fn merge(self, next: Self) -> Self {
        Self {
            lanes: self.lanes.or(next.lanes),
            pivot: if self.lanes.any() { self.pivot } else { self.count + next.pivot },
            count: self.count + next.count,
        }
    }

    /// Like [`merge`](Self::merge), but `next` is asked only while a lane is left that is not singular.
    #[inline]
    pub fn and_then(self, next: impl FnOnce() -> Self) -> Self {
        if self.lanes.all() { self } else { self.merge(next()) }
    }

    /// Ends an emitted function: where singular, or where a derivative is not finite, `dx` becomes zero.
    ///
    /// # Errors
    /// [`Singular`] if any lane is singular, with the index of the first pivot that failed; with the number of pivots as
    /// index if they all passed and a derivative overflowed.
    #[inline]
    pub fn finish(self, dx: &mut [T]) -> Result<(), Singular<T::Mask>> {
        let finite = dx.iter().fold(T::Mask::splat(true), |all, derivative| all.and(derivative.is_finite()));
        let verdict = self.merge(Self { lanes: finite.not(), pivot: 0, count: 0 });
        if verdict.lanes.any() {
            return Err(verdict.blank(dx));
        }
        Ok(())
    }

    #[cold]
    fn blank(self, dx: &mut [T]) -> Singular<T::Mask> {
        for derivative in dx {
            *derivative = T::select(self.lanes, T::ZERO, *derivative);
        }
        Singular { lanes: self.lanes, pivot: self.pivot }
    }
}

/// Compares pivots with the largest of them.
///
/// Singular where a pivot is not finite or `|pivot| ≤ epsilon · max |pivot|`; so a pivot of zero always fails. `N = 0`
/// is never singular. `epsilon` is a pure number, 1e-12 unless the model says otherwise. A pivot that is not finite
/// fails alone: the others are then compared with the largest finite one.
#[inline]
pub fn check_pivots<T: Real, const N: usize>(pivots: [T; N], epsilon: T) -> Verdict<T> {
    let size = pivots.map(T::abs);
    let largest = size.iter().fold(T::ZERO, |largest, &size| largest.max(size));
    if all_pass(&size, epsilon * largest) {
        return Verdict::passed(N);
    }
    // Exactly, since something is wrong: a pivot that is not finite must not spoil the comparison of the others.
    let largest =
        size.iter().fold(T::ZERO, |largest, &size| T::select(size.is_finite(), largest.max(size), largest));
    Verdict::failed(&size, epsilon * largest)
}

/// Compares denominators of order one (such as the cosine of a middle Euler angle) with one.
///
/// Singular where one is not finite or `|denominator| ≤ epsilon`. `N = 0` is never singular.
#[inline]
pub fn check_denominators<T: Real, const N: usize>(denominators: [T; N], epsilon: T) -> Verdict<T> {
    let size = denominators.map(T::abs);
    if all_pass(&size, epsilon) { Verdict::passed(N) } else { Verdict::failed(&size, epsilon) }
}

/// Whether surely all are finite and above the limit; a sum that overflows gives `false` where `true` is right.
#[inline(always)]
fn all_pass<T: Real>(sizes: &[T], limit: T) -> bool {
    let Some((&first, rest)) = sizes.split_first() else {
        return true;
    };
    // Minimum and sum: the minimum may pass over NaN, the sum does not.
    let (smallest, sum) =
        rest.iter().fold((first, first), |(smallest, sum), &size| (smallest.min(size), sum + size));
    smallest.is_gt(limit).and(sum.is_finite()).all()
}

#[inline]
fn passes<T: Real>(size: T, limit: T) -> T::Mask {
    size.is_gt(limit).and(size.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dual, LaneMask, Lanes};
    use std::string::ToString;

    const EPSILON: f64 = 1e-12;

    #[test]
    fn good_pivots_leave_the_derivative_alone() {
        let mut dx = [1.0, 2.0];
        assert_eq!(check_pivots([1e-11, -1.0, 0.5], EPSILON).finish(&mut dx), Ok(()));
        assert_eq!(check_pivots([1e-200], EPSILON).finish(&mut dx), Ok(()));
        assert_eq!(check_pivots::<f64, 0>([], EPSILON).finish(&mut dx), Ok(()));
        assert_eq!(Verdict::regular().finish(&mut dx), Ok(()));
        assert_eq!(dx, [1.0, 2.0]);
    }

    #[test]
    fn a_bad_pivot_gives_zeros_and_its_index() {
        for bad in [0.0, 1e-13, -1e-13, f64::NAN, f64::INFINITY] {
            let mut dx = [f64::NAN, 2.0];
            let found = check_pivots([1.0, bad, 0.0], EPSILON).finish(&mut dx);
            assert_eq!(found, Err(Singular { lanes: true, pivot: 1 }), "{bad}");
            assert_eq!(dx, [0.0, 0.0]);
        }
        assert!(check_pivots([0.0_f64, 0.0], EPSILON).lanes());
        assert!(check_pivots([0.0_f64], 0.0).lanes());
    }

    #[test]
    fn huge_pivots_are_no_failure() {
        assert!(!check_pivots([1e308, 1.5e308, 1e300], EPSILON).lanes());
        assert!(check_pivots([1e308, 1e290, f64::NAN], EPSILON).lanes());
    }

    #[test]
    fn a_denominator_is_compared_with_one() {
        assert!(!check_denominators([0.5, 1e-11], EPSILON).lanes());
        assert!(check_denominators([1e-13], EPSILON).lanes());
        assert!(!check_pivots([1e-13], EPSILON).lanes());
    }

    #[test]
    fn merged_verdicts_count_their_pivots_on() {
        let mut dx = [1.0];
        let merged = check_denominators([1.0, 0.5], EPSILON).merge(check_pivots([1.0, 2.0, 0.0], EPSILON));
        assert_eq!(merged.finish(&mut dx).map_err(|e| e.pivot), Err(4));
        let first = check_denominators([1.0, 0.0], EPSILON)
            .and_then(|| unreachable!("all lanes are singular already"));
        assert_eq!(first.finish(&mut dx).map_err(|e| e.pivot), Err(1));
        let second = check_denominators([1.0], EPSILON).and_then(|| check_pivots([0.0], EPSILON));
        assert_eq!(second.finish(&mut dx).map_err(|e| e.pivot), Err(1));
    }

    #[test]
    fn only_the_singular_lanes_become_zero() {
        let mut dx = [Lanes([1.0, f64::NAN, 3.0]), Lanes([4.0, f64::INFINITY, 6.0])];
        let pivots = [Lanes([1.0, 1.0, 1.0]), Lanes([0.5, 0.0, 1.0])];
        let found = check_pivots(pivots, Lanes::splat(EPSILON)).finish(&mut dx);
        assert_eq!(found, Err(Singular { lanes: LaneMask([false, true, false]), pivot: 1 }));
        assert_eq!(dx, [Lanes([1.0, 0.0, 3.0]), Lanes([4.0, 0.0, 6.0])]);
    }

    #[test]
    fn a_dual_loses_its_derivatives_too() {
        let mut dx = [Dual::<f64, 1> { value: f64::NAN, derivatives: [f64::NAN] }];
        let verdict = check_pivots([Dual::variable(0.0, 0)], Real::from_f64(EPSILON));
        assert!(verdict.finish(&mut dx).is_err());
        assert_eq!(dx, [Dual::constant(0.0)]);
    }

    #[test]
    fn the_message_names_the_pivot() {
        let error = Singular { lanes: true, pivot: 3 };
        assert_eq!(
            error.to_string(),
            "the equations cannot be solved in this pose: pivot 3 is below epsilon times the largest"
        );
        let _: &dyn core::error::Error = &error;
    }
}
