//! Functions and traits that the expansions of the macros use.

use crate::mask::Mask;
use crate::real::Real;
use crate::singular::{Singular, Verdict};

/// Return type of an emitted function: `()`, or a `Result` if the function can fail. Used by the
/// macro `traits!`.
pub trait Outcome<M> {
    /// Converts the return value of an emitted function to a `Result`.
    ///
    /// # Errors
    /// Errors of the function.
    fn outcome(self) -> Result<(), Singular<M>>;
}

impl<M> Outcome<M> for () {
    #[inline(always)]
    fn outcome(self) -> Result<(), Singular<M>> {
        Ok(())
    }
}

impl<M> Outcome<M> for Result<(), Singular<M>> {
    #[inline(always)]
    fn outcome(self) -> Result<(), Singular<M>> {
        self
    }
}

/// Ends the state derivative of a family, whose mass matrix the solver has factored. If that is
/// singular, or a derivative is not finite, `dx` becomes zero.
///
/// # Errors
/// The error of the solver, in the lanes of both failures;
/// [`Cause::NotFinite`](crate::Cause::NotFinite) if the solver succeeded.
pub fn finish_solved<T: Real, const N: usize>(
    solved: Result<(), Singular<T::Mask>>,
    dx: &mut [T; N],
) -> Result<(), Singular<T::Mask>> {
    if let Err(singular) = &solved {
        dx.blank(singular.lanes);
    }
    match (solved, Verdict::regular().finish(&[], dx)) {
        (Err(singular), Err(infinite)) => {
            Err(Singular { lanes: singular.lanes.or(infinite.lanes), ..singular })
        }
        (solved, finite) => solved.and(finite),
    }
}

/// Result type of an emitted function whose entries can be set to zero: a scalar, nested arrays, or
/// a struct of results.
pub trait Entries<T: Real> {
    /// The result whose entries are all zero.
    const ZEROS: Self;

    /// Sets all entries of the result to zero in these lanes, which are singular.
    fn blank(&mut self, lanes: T::Mask);
}

impl<T: Real> Entries<T> for T {
    const ZEROS: Self = T::ZERO;

    #[inline]
    fn blank(&mut self, lanes: T::Mask) {
        *self = T::select(lanes, T::ZERO, *self);
    }
}

impl<T: Real, E: Entries<T>, const N: usize> Entries<T> for [E; N] {
    const ZEROS: Self = [E::ZEROS; N];

    #[inline]
    fn blank(&mut self, lanes: T::Mask) {
        if lanes.any() {
            self.iter_mut().for_each(|entry| entry.blank(lanes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cause, LaneMask, Lanes};

    fn singular_in_lanes(lanes: [bool; 3]) -> Result<(), Singular<LaneMask<3>>> {
        Err(Singular { lanes: LaneMask(lanes), cause: Cause::Row(1) })
    }

    #[test]
    fn a_family_is_zero_in_the_lanes_that_have_no_derivative() {
        let start = [Lanes([1.0, 2.0, 3.0]), Lanes([4.0, f64::NAN, 6.0])];
        let mut dx = start;
        assert_eq!(
            finish_solved(singular_in_lanes([true, false, false]), &mut dx),
            singular_in_lanes([true, true, false])
        );
        assert_eq!(dx, [Lanes([0.0, 0.0, 3.0]), Lanes([0.0, 0.0, 6.0])]);
        let mut dx = start;
        let error = finish_solved(Ok(()), &mut dx).map_err(|e| (e.lanes, e.cause));
        assert_eq!(error, Err((LaneMask([false, true, false]), Cause::NotFinite)));
        assert_eq!(finish_solved(Ok(()), &mut [1.0, 2.0]), Ok(()));
    }
}
