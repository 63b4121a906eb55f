//! Truth values of a scalar: one for `f64`, one for each lane of [`Lanes`](crate::Lanes).

use core::fmt::Debug;

/// Truth values of a comparison of two [`Real`](crate::Real) values: one, or one per SIMD lane.
///
/// A scalar has one truth value (`bool`), lanes have one each ([`LaneMask`]). Code that is generic
/// over the scalar does not branch on it but selects with [`Real::select`](crate::Real::select).
pub trait Mask: Copy + Debug + PartialEq + 'static {
    /// Logical and, lane by lane: true where both are true.
    fn and(self, other: Self) -> Self;
    /// Logical or, lane by lane: true where at least one is true.
    fn or(self, other: Self) -> Self;
    /// Logical negation, lane by lane.
    fn not(self) -> Self;
    /// Returns `true` if at least one lane is true.
    fn any(self) -> bool;
    /// Returns `true` if every lane is true.
    fn all(self) -> bool;
    /// Builds a mask with the same truth value in every lane.
    fn splat(value: bool) -> Self;
}

impl Mask for bool {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
    #[inline(always)]
    fn splat(value: bool) -> Self {
        value
    }
}

/// Result of a comparison of [`Lanes`](crate::Lanes): one truth value for each of `N` lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct LaneMask<const N: usize>(pub [bool; N]);

impl<const N: usize> LaneMask<N> {
    /// The truth value of one lane; `None` if the index is `N` or more.
    pub fn lane(self, index: usize) -> Option<bool> {
        self.0.get(index).copied()
    }
}

impl<const N: usize> Mask for LaneMask<N> {
    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] &= other.0[i];
        }
        self
    }
    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] |= other.0[i];
        }
        self
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|lane| !lane))
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(false, |all, lane| all | lane)
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.0.iter().fold(true, |all, lane| all & lane)
    }
    #[inline(always)]
    fn splat(value: bool) -> Self {
        Self([value; N])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_combine_one_by_one() {
        let a = LaneMask([true, true, false, false]);
        let b = LaneMask([true, false, true, false]);
        assert_eq!(a.and(b), LaneMask([true, false, false, false]));
        assert_eq!(a.or(b), LaneMask([true, true, true, false]));
        assert_eq!(a.not(), LaneMask([false, false, true, true]));
        assert!(a.any() && !a.all());
        assert!(LaneMask::<3>::splat(true).all() && !LaneMask::<3>::splat(false).any());
        assert_eq!(a.lane(1), Some(true));
        assert_eq!(a.lane(4), None);
    }

    #[test]
    fn a_scalar_has_one_truth_value() {
        assert!(Mask::and(true, true) && Mask::or(false, true) && Mask::not(false));
        assert!(Mask::any(true) && !Mask::all(false) && bool::splat(true));
    }
}
