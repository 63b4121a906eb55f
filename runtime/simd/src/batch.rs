//! Evaluation of batches with an instruction set that is chosen at run time.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m128, __m128d, __m256, __m256d, __m512, __m512d};

#[cfg(not(target_arch = "x86_64"))]
use dqdt::Lanes;
use dqdt::{Lift, Real, WrongLength};

use crate::InstructionSet;
#[cfg(target_arch = "x86_64")]
use crate::blocks;
use crate::instruction_set::Set;
use crate::kernel::PackKernel;
#[cfg(target_arch = "x86_64")]
use crate::pack::Packed;

/// The scalar types of batches, for which processors have SIMD registers: `f32` and `f64`.
pub trait Scalar: Real<Mask = bool> + private::Batched {}

impl Scalar for f32 {}
impl Scalar for f64 {}

/// Evaluates the state derivatives of any number of states, like [`dqdt::dqdt_batch`], in the
/// widest registers that the processor has.
///
/// Shapes: with `n = singular.len()` states, coordinate `i` of state `k` is `x[i * n + k]`; so `x`
/// and `dx` have `NX · n` entries, `u` has `NU · n`. Units and order are those of the model. `t` is
/// the time of all states.
///
/// A state without a derivative is flagged in `singular`, and its entries of `dx` become zero, as
/// in a call for that state alone. Other states are not affected. Returns the number of flagged
/// states.
///
/// If rows are a multiple of 4,096 bytes apart, blocks of states are copied to consecutive memory,
/// up to 64 KiB of the stack: the cache lines of such rows would evict each other.
///
/// ```
/// use dqdt_generated::cart_pole::{Model, NU, NX};
/// use dqdt_simd::dqdt_batch;
///
/// // A thousand carts at rest, pushed by forces from −5 N to 5 N.
/// const N: usize = 1000;
/// let x = [0.0; NX * N];
/// let u: [f64; NU * N] = core::array::from_fn(|k| 0.01 * k as f64 - 5.0);
/// let (mut dx, mut singular) = ([0.0; NX * N], [false; N]);
/// assert_eq!(dqdt_batch(&Model::default(), 0.0, &x, &u, &mut dx, &mut singular)?, 0);
///
/// let mut one = [0.0; NX];
/// Model::default().dqdt(0.0, &[0.0; NX], &[u[123]], &mut one).ok();
/// for (i, expected) in one.iter().enumerate() {
///     assert!((dx[i * N + 123] - expected).abs() < 1e-14);
/// }
/// # Ok::<(), dqdt::WrongLength>(())
/// ```
///
/// # Errors
/// [`WrongLength`] if a slice has another length; nothing is written then.
pub fn dqdt_batch<S, M, const NX: usize, const NU: usize>(
    model: &M,
    t: S,
    x: &[S],
    u: &[S],
    dx: &mut [S],
    singular: &mut [bool],
) -> Result<usize, WrongLength>
where
    S: Scalar,
    M: Lift<S, NX, NU>,
{
    dqdt_batch_with(InstructionSet::widest(), model, t, x, u, dx, singular)
}

/// Evaluates a batch like [`dqdt_batch`], with an explicit instruction set.
///
/// # Errors
/// The same as [`dqdt_batch`].
pub fn dqdt_batch_with<S, M, const NX: usize, const NU: usize>(
    set: InstructionSet,
    model: &M,
    t: S,
    x: &[S],
    u: &[S],
    dx: &mut [S],
    singular: &mut [bool],
) -> Result<usize, WrongLength>
where
    S: Scalar,
    M: Lift<S, NX, NU>,
{
    S::batch(set, model, t, x, u, dx, singular)
}

mod private {
    use super::*;

    /// Evaluation of batches with a detected instruction set. Private, because packs may be used
    /// only after their instructions have been detected.
    pub trait Batched: Sized + Real {
        /// Evaluates a batch of states in the registers of an instruction set.
        fn batch<M: Lift<Self, NX, NU>, const NX: usize, const NU: usize>(
            set: InstructionSet,
            model: &M,
            t: Self,
            x: &[Self],
            u: &[Self],
            dx: &mut [Self],
            singular: &mut [bool],
        ) -> Result<usize, WrongLength>;

        /// Runs a computation compiled for an instruction set, over its packs.
        fn run<K: PackKernel<Self>>(set: InstructionSet, kernel: K) -> K::Output;
    }
}

/// Number of lanes of packs in registers of the compilation target.
#[cfg(not(target_arch = "x86_64"))]
const fn portable_lanes(scalar_bytes: usize) -> usize {
    if cfg!(target_feature = "avx") {
        32 / scalar_bytes
    } else if cfg!(any(target_feature = "sse2", target_feature = "neon")) {
        16 / scalar_bytes
    } else {
        1
    }
}

macro_rules! batched {
    ($scalar:ident: $($set:ident $register:ident),+) => {
        impl private::Batched for $scalar {
            #[inline]
            fn batch<M: Lift<Self, NX, NU>, const NX: usize, const NU: usize>(
                set: InstructionSet,
                model: &M,
                t: Self,
                x: &[Self],
                u: &[Self],
                dx: &mut [Self],
                singular: &mut [bool],
            ) -> Result<usize, WrongLength> {
                match set.0 {
                    #[cfg(not(target_arch = "x86_64"))]
                    Set::Portable => dqdt::dqdt_batch(model, t, x, u, dx, singular),
                    // A value of a set proves that the processor has its instructions.
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Set::$set => {
                            blocks::evaluate_batch::<Packed<$register>, M, NX, NU>(model, t, x, u, dx, singular)
                        }
                    )+
                }
            }

            #[inline]
            fn run<K: PackKernel<Self>>(set: InstructionSet, kernel: K) -> K::Output {
                match set.0 {
                    #[cfg(not(target_arch = "x86_64"))]
                    Set::Portable => kernel.run::<Lanes<$scalar, { portable_lanes(size_of::<$scalar>()) }>>(),
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Set::$set => Packed::<$register>::compute(
                            #[inline(always)]
                            || kernel.run::<Packed<$register>>(),
                        ),
                    )+
                }
            }
        }
    };
}

batched!(f64: Sse2 __m128d, Avx2 __m256d, Avx512 __m512d);
batched!(f32: Sse2 __m128, Avx2 __m256, Avx512 __m512);
