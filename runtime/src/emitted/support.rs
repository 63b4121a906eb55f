//! What the macros need besides.

use crate::mask::Mask;
use crate::real::Real;
use crate::singular::Singular;

/// What an emitted function returns, whether or not it can fail.
pub trait Outcome<M> {
    /// The same as a `Result`.
    ///
    /// # Errors
    /// Those of the function.
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

/// A scalar, or arrays of it: a field of a struct of results, or the struct.
pub trait Entries<T: Real> {
    /// All zero.
    const ZEROS: Self;

    /// Zero in some lanes.
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
