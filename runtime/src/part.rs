//! Equal parts of a mechanism, and columns of derivatives, computed in SIMD lanes.
//!
//! Problem: four equal legs repeat the same computation four times with different numbers, and so
//!          do several right-hand sides of a linear system.
//! Method:  emitted code has the computation once, generic over an arithmetic type; this module
//!          runs it in the lanes of registers.
//! Limits:  registers are those of the compilation target.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::real::Real;

/// Arithmetic type for the computation of equal parts of a mechanism: a scalar, or a SIMD register
/// with one lane per part.
///
/// Every [`Real`] implements it. The methods have the same names.
pub trait Arithmetic:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The number zero.
    const ZERO: Self;
    /// The number one.
    const ONE: Self;
    /// A constant, rounded to the type.
    fn from_f64(value: f64) -> Self;
    /// Square root, lane by lane.
    fn sqrt(self) -> Self;
    /// Returns `self · factor + summand`, rounded as by [`Real::mul_add`].
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    /// Returns `self + a · b`, rounded as by [`Real::mul_add`].
    #[inline(always)]
    fn add_mul(self, a: Self, b: Self) -> Self {
        a.mul_add(b, self)
    }
    /// Returns `self − a · b`, rounded as by [`Real::mul_add`].
    #[inline(always)]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        (-a).mul_add(b, self)
    }
}

impl<T: Real> Arithmetic for T {
    const ZERO: Self = <T as Real>::ZERO;
    const ONE: Self = <T as Real>::ONE;
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        <T as Real>::from_f64(value)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Real::sqrt(self)
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        Real::mul_add(self, factor, summand)
    }
}

/// A register with the values of `N` equal parts of a mechanism, one lane for each part.
pub trait Together<S, const N: usize>: Arithmetic {
    /// Combines the values of all parts into the lanes of a register.
    fn load(values: [S; N]) -> Self;
    /// Splits a register into the values of all parts.
    fn store(self) -> [S; N];
}

/// A computation that equal parts of a mechanism share: the legs of a robot, the columns of its
/// derivatives.
///
/// Emitted modules implement it and pass it to [`Real::in_pairs`], [`Real::in_fours`],
/// [`Real::in_eights`].
pub trait Part<const H: usize, const I: usize, const O: usize> {
    /// Computes the outputs of `N` equal parts from shared and individual inputs: part `k` reads
    /// `inputs[i][k]` and returns `outputs[o][k]`.
    fn part<S: Real, T: Together<S, N>, const N: usize>(shared: [S; H], inputs: [[S; N]; I]) -> [[S; N]; O];
}

impl<S: Real> Together<S, 1> for S {
    #[inline(always)]
    fn load([value]: [S; 1]) -> S {
        value
    }
    #[inline(always)]
    fn store(self) -> [S; 1] {
        [self]
    }
}

/// Evaluates equal parts one after another, with values in separate registers. Used where a type
/// has no SIMD lanes for parts.
#[inline(always)]
pub(crate) fn evaluate_parts_singly<
    S: Real,
    P: Part<H, I, O>,
    const N: usize,
    const H: usize,
    const I: usize,
    const O: usize,
>(
    shared: &[S; H],
    inputs: &[[S; N]; I],
) -> [[S; N]; O] {
    let mut outputs = [[S::ZERO; N]; O];
    for k in 0..N {
        let outputs = &mut outputs;
        S::compute(
            #[inline(always)]
            move || {
                let one = P::part::<S, S, 1>(*shared, core::array::from_fn(|i| [inputs[i][k]]));
                for (to, [from]) in outputs.iter_mut().zip(one) {
                    to[k] = from;
                }
            },
        );
    }
    outputs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dual, Lanes};

    /// Test part with one shared input, three individual inputs and three outputs.
    struct Leg;

    impl Part<1, 3, 3> for Leg {
        fn part<S: Real, T: Together<S, N>, const N: usize>(
            shared: [S; 1],
            inputs: [[S; N]; 3],
        ) -> [[S; N]; 3] {
            let [d, a, b, c] =
                [T::load([shared[0]; N]), T::load(inputs[0]), T::load(inputs[1]), T::load(inputs[2])];
            let [x, y] = [a * b + d, -(a - b) / c];
            let z = a.mul_add(b, (c * c).sqrt() + T::from_f64(0.5) * T::ONE + T::ZERO);
            [T::store(x), T::store(y), T::store(z)]
        }
    }

    /// Compares `N` parts evaluated together with each evaluated alone.
    fn check_parts_agree<T: Real, const N: usize>(
        lift: fn(f64) -> T,
        together: impl Fn([T; 1], [[T; N]; 3]) -> [[T; N]; 3],
    ) {
        let inputs: [[T; N]; 3] =
            core::array::from_fn(|i| core::array::from_fn(|k| lift(0.3 + i as f64 - 0.7 * k as f64)));
        let shared = [lift(-1.7)];
        let outputs = together(shared, inputs);
        for k in 0..N {
            let alone = Leg::part::<T, T, 1>(shared, inputs.map(|i| [i[k]]));
            assert_eq!(outputs.map(|o| [o[k]]), alone, "{k} of {N}");
        }
    }

    fn check_all_part_counts<T: Real>(lift: fn(f64) -> T) {
        check_parts_agree::<T, 2>(lift, T::in_pairs::<Leg, 1, 3, 3>);
        check_parts_agree::<T, 4>(lift, T::in_fours::<Leg, 1, 3, 3>);
        check_parts_agree::<T, 8>(lift, T::in_eights::<Leg, 1, 3, 3>);
    }

    #[test]
    fn parts_together_are_the_same_as_one_by_one() {
        check_all_part_counts::<f64>(|x| x);
        check_all_part_counts::<f32>(|x| x as f32);
        check_all_part_counts::<Dual<f64, 1>>(|x| Dual::variable(x, 0));
        check_all_part_counts::<Lanes<f64, 3>>(|x| Lanes([x, 2.0 * x, 3.0 * x]));
    }
}
