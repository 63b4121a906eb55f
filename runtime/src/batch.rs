//! The state derivatives of any number of states.
//!
//! Problem: a sampling optimiser or a Monte Carlo run has thousands of states of one model, and its
//!          arrays are as long as the number of states.
//! Method:  structure of arrays: coordinate `i` of state `k` is at `i · n + k`. States are loaded
//!          in packs of one register each; the last pack overlaps the one before. Fewer states than
//!          a pack has lanes are evaluated one by one.
//! Limits:  one model and one time for all states. The registers are those of the compilation
//!          target; the crate `dqdt-simd` detects the processor at run time.

use core::fmt;

use crate::lanes::Lanes;
use crate::mask::LaneMask;
use crate::real::Real;
use crate::system::System;

/// Size of a SIMD register of the compilation target, in bytes; zero without registers.
pub(crate) const REGISTER_BYTES: usize = if cfg!(target_feature = "avx") {
    32
} else if cfg!(any(target_feature = "sse2", target_feature = "neon")) {
    16
} else {
    0
};

/// Several scalars in one value, such as a SIMD register: the unit in which [`dqdt_batch`]
/// evaluates states.
pub trait Pack: Real {
    /// The scalar type of one lane, `f32` or `f64`.
    type Scalar: Real<Mask = bool>;
    /// Number of lanes, that is of states evaluated at once.
    const LANES: usize;

    /// Builds a pack with the same value in every lane.
    fn splat(value: Self::Scalar) -> Self;
    /// Loads a pack from the first values of a slice. If there are fewer than lanes, the last is
    /// repeated; if there are none, all lanes are zero.
    fn load(values: &[Self::Scalar]) -> Self;
    /// Stores the first lanes in a slice, as many as it has room for.
    fn store(self, to: &mut [Self::Scalar]);
    /// Stores the truth values of the first lanes in a slice, as many as it has room for.
    fn store_mask(mask: Self::Mask, to: &mut [bool]);
}

impl<T: Real<Mask = bool>, const N: usize> Pack for Lanes<T, N> {
    type Scalar = T;
    const LANES: usize = N;

    #[inline(always)]
    fn splat(value: T) -> Self {
        Self([value; N])
    }
    #[inline(always)]
    fn load(values: &[T]) -> Self {
        if let Some(whole) = values.first_chunk() {
            return Self(*whole);
        }
        let last = values.last().copied().unwrap_or(T::ZERO);
        Self(core::array::from_fn(|k| values.get(k).copied().unwrap_or(last)))
    }
    #[inline(always)]
    fn store(self, to: &mut [T]) {
        to.iter_mut().zip(self.0).for_each(|(to, from)| *to = from);
    }
    #[inline(always)]
    fn store_mask(mask: LaneMask<N>, to: &mut [bool]) {
        to.iter_mut().zip(mask.0).for_each(|(to, from)| *to = from);
    }
}

/// A model that can be converted to another scalar type, such as lanes, as batches need.
///
/// The `Model<T>` of an emitted module implements it for any `T`.
pub trait Lift<S: Real, const NX: usize, const NU: usize> {
    /// The type of the same model over another scalar.
    type Over<T: Real>: System<T, NX, NU>;

    /// Converts the model to another scalar: every number in it by one call of `splat`, in the same
    /// order for all models of the type.
    fn lift<T: Real>(&self, splat: impl Fn(S) -> T) -> Self::Over<T>;
}

/// Error of [`dqdt_batch`]: the length of a slice does not match the number of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WrongLength {
    /// Name of the slice with the wrong length: `x`, `u` or `dx`.
    pub slice: &'static str,
    /// Number of values that the slice must have for each state: `NX` or `NU`.
    pub rows: usize,
    /// Number of states in the batch, the length of `singular`.
    pub states: usize,
    /// Actual length of the slice, which should be `rows` times `states`.
    pub found: usize,
}

impl fmt::Display for WrongLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slice, rows, states, found: length } = self;
        write!(f, "`{slice}` has {length} entries instead of {rows} for each of {states} states")
    }
}

impl core::error::Error for WrongLength {}

/// Checks that a slice has `rows` values for each state.
fn check_slice_length(
    slice: &'static str,
    rows: usize,
    states: usize,
    length: usize,
) -> Result<(), WrongLength> {
    if rows.checked_mul(states) == Some(length) {
        Ok(())
    } else {
        Err(WrongLength { slice, rows, states, found: length })
    }
}

/// Evaluates the state derivatives of any number of states at one time, in SIMD registers of the
/// compilation target.
///
/// Shapes: with `n = singular.len()` states, coordinate `i` of state `k` is `x[i * n + k]`; so `x`
/// and `dx` have `NX · n` entries, `u` has `NU · n`. `t` is the time of all states.
///
/// A state without a derivative is flagged in `singular`, and its entries of `dx` become zero, as
/// in a call for that state alone. Other states are not affected. Returns the number of flagged
/// states.
///
/// Results are bitwise those of a call for one state, if both round `mul_add` alike.
///
/// ```
/// # use dqdt::{Lift, Real, Singular, System};
/// /// x = [position, speed], u = [force].
/// struct Cart<T>(T);
///
/// impl<T: Real> System<T, 2, 1> for Cart<T> {
///     // as an emitted module has it
/// #   const NQ: usize = 1;
/// #   const NV: usize = 1;
/// #   fn dqdt(&self, _: T, x: &[T; 2], u: &[T; 1], dx: &mut [T; 2]) -> Result<(), Singular<T::Mask>> {
/// #       *dx = [x[1], u[0] / self.0];
/// #       dqdt::Verdict::regular().finish(&[], dx)
/// #   }
/// }
/// # impl<T: Real> Lift<T, 2, 1> for Cart<T> {
/// #     type Over<U: Real> = Cart<U>;
/// #     fn lift<U: Real>(&self, splat: impl Fn(T) -> U) -> Cart<U> {
/// #         Cart(splat(self.0))
/// #     }
/// # }
///
/// let positions_and_speeds = [0.0, 0.0, 0.0, 1.0, 2.0, 3.0];
/// let forces = [4.0, f64::NAN, 6.0];
/// let (mut dx, mut singular) = ([0.0; 6], [false; 3]);
/// let count = dqdt::dqdt_batch(&Cart(2.0), 0.0, &positions_and_speeds, &forces, &mut dx, &mut singular)?;
/// assert_eq!((count, singular), (1, [false, true, false]));
/// assert_eq!(dx, [1.0, 0.0, 3.0, 2.0, 0.0, 3.0]);
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
    S: Real<Mask = bool>,
    M: Lift<S, NX, NU>,
{
    match REGISTER_BYTES / size_of::<S>() {
        8 => dqdt_batch_by::<Lanes<S, 8>, M, NX, NU>(model, t, x, u, dx, singular),
        4 => dqdt_batch_by::<Lanes<S, 4>, M, NX, NU>(model, t, x, u, dx, singular),
        2 => dqdt_batch_by::<Lanes<S, 2>, M, NX, NU>(model, t, x, u, dx, singular),
        _ => dqdt_batch_by::<Lanes<S, 1>, M, NX, NU>(model, t, x, u, dx, singular),
    }
}

/// Evaluates a batch like [`dqdt_batch`], in packs of the type `P`.
///
/// # Errors
/// The same as [`dqdt_batch`].
pub fn dqdt_batch_by<P, M, const NX: usize, const NU: usize>(
    model: &M,
    t: P::Scalar,
    x: &[P::Scalar],
    u: &[P::Scalar],
    dx: &mut [P::Scalar],
    singular: &mut [bool],
) -> Result<usize, WrongLength>
where
    P: Pack,
    M: Lift<P::Scalar, NX, NU>,
{
    let n = singular.len();
    check_slice_length("x", NX, n, x.len())?;
    check_slice_length("u", NU, n, u.len())?;
    check_slice_length("dx", NX, n, dx.len())?;
    if n < P::LANES {
        return Ok(evaluate_states_singly::<P::Scalar, M, NX, NU>(model, t, x, u, dx, singular));
    }
    P::compute(
        #[inline(always)]
        || {
            let (model, t) = (model.lift(P::splat), P::splat(t));
            let mut next = 0;
            // The model is called at a single place, so that the compiler inlines it into the loop.
            while next < n {
                // The last pack overlaps the one before, so that all loads and stores are full.
                let first = next.min(n - P::LANES);
                let row = |i: usize| i * n + first..i * n + first + P::LANES;
                let load = |from: &[P::Scalar], i| P::load(from.get(row(i)).unwrap_or(&[]));
                let states = core::array::from_fn(|i| load(x, i));
                let inputs = core::array::from_fn(|i| load(u, i));
                let mut rates = [P::ZERO; NX];
                let outcome = model.dqdt(t, &states, &inputs, &mut rates);
                for (i, rate) in rates.iter().enumerate() {
                    rate.store(dx.get_mut(row(i)).unwrap_or(&mut []));
                }
                let flags = singular.get_mut(first..first + P::LANES).unwrap_or(&mut []);
                match outcome {
                    Ok(()) => flags.fill(false),
                    Err(error) => P::store_mask(error.lanes, flags),
                }
                next += P::LANES;
            }
        },
    );
    Ok(singular.iter().filter(|flag| **flag).count())
}

/// Evaluates a batch with fewer states than a pack has lanes, one state at a time.
#[cold]
fn evaluate_states_singly<S, M, const NX: usize, const NU: usize>(
    model: &M,
    t: S,
    x: &[S],
    u: &[S],
    dx: &mut [S],
    singular: &mut [bool],
) -> usize
where
    S: Real<Mask = bool>,
    M: Lift<S, NX, NU>,
{
    let (n, model) = (singular.len(), model.lift(|value| value));
    let mut singular_states = 0;
    for (k, flag) in singular.iter_mut().enumerate() {
        let entry = |from: &[S], i: usize| from.get(i * n + k).copied().unwrap_or(S::ZERO);
        let state = core::array::from_fn(|i| entry(x, i));
        let input = core::array::from_fn(|i| entry(u, i));
        let mut rates = [S::ZERO; NX];
        *flag = model.dqdt(t, &state, &input, &mut rates).is_err();
        singular_states += usize::from(*flag);
        for (to, rate) in dx.iter_mut().skip(k).step_by(n).zip(rates) {
            *to = rate;
        }
    }
    singular_states
}
