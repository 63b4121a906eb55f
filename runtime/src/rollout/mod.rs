//! Rollouts: many samples of a model integrated over the same steps.
//!
//! Problem: a sampling controller (MPPI) or a Monte Carlo run integrates thousands of samples, each
//!          with its start, its inputs, perhaps its parameters, and needs the last states, all
//!          states, or a cost of each.
//! Method:  samples are loaded in packs of one register each. A pack completes all its steps before
//!          the next pack starts, as one computation ([`Real::compute`]), so that its states stay
//!          in registers or in the nearest cache. Lanes of the last pack that have no sample repeat
//!          the last one.
//! Errors:  a sample in a singular pose stops at its last regular state; the others continue.
//! Units:   those of the model; time in seconds.
//! Limits:  step length, number of steps and method are the same for all samples.
//!
//! Arrays are stored by coordinate, as for [`dqdt_batch`](crate::dqdt_batch): row `i` has
//! coordinate `i` of all samples. [`rollout()`] documents the shapes.
//!
//! # Parts for threads
//!
//! Each thread integrates a part of the samples. `x` and `u` are read in place: a part that starts
//! at sample `first` is `&x[first..]` and `&u[first..]`, with the row length of the whole array as
//! [`Rollout::leading`]. Results are written by rows, and every row is split between the threads in
//! safe Rust:
//!
//! ```
//! # use dqdt::{Lift, Real, Singular, System};
//! # struct Cart<T>(T);
//! # impl<T: Real> System<T, 2, 1> for Cart<T> {
//! #   const NQ: usize = 1;
//! #   const NV: usize = 1;
//! #   fn dqdt(&self, _: T, x: &[T; 2], u: &[T; 1], dx: &mut [T; 2]) -> Result<(), Singular<T::Mask>> {
//! #       *dx = [x[1], u[0] / self.0];
//! #       dqdt::Verdict::regular().finish(&[], dx)
//! #   }
//! # }
//! # impl<T: Real> Lift<T, 2, 1> for Cart<T> {
//! #     type Over<U: Real> = Cart<U>;
//! #     fn lift<U: Real>(&self, splat: impl Fn(T) -> U) -> Cart<U> {
//! #         Cart(splat(self.0))
//! #     }
//! # }
//! use dqdt::rollout;
//! use dqdt::rollout::{RolloutInputs, LastStates, StepMethod, Rollout};
//!
//! const SAMPLES: usize = 100;
//! let (x, u) = ([0.0; 2 * SAMPLES], [1.0; SAMPLES]);
//! let (mut last, mut completed) = ([0.0; 2 * SAMPLES], [0; SAMPLES]);
//! let run =
//!     Rollout { method: StepMethod::Rk4, t: 0.0, h: 0.1, steps: 20, inputs: RolloutInputs::Held, leading: SAMPLES };
//!
//! let (mut left, mut right): (Vec<_>, Vec<_>) =
//!     last.chunks_exact_mut(SAMPLES).map(|row| row.split_at_mut(48)).unzip();
//! let (completed_left, completed_right) = completed.split_at_mut(48);
//! std::thread::scope(|scope| {
//!     scope.spawn(|| rollout(&Cart(2.0), &run, &x, &u, LastStates(&mut left), completed_left));
//!     rollout(&Cart(2.0), &run, &x[48..], &u[48..], LastStates(&mut right), completed_right)
//! })?;
//! assert!((last[SAMPLES - 1] - 1.0).abs() < 1e-12);
//! assert_eq!(completed, [20; SAMPLES]);
//! # Ok::<(), dqdt::rollout::WrongShape>(())
//! ```
//!
//! The bits of a sample depend neither on its part nor on its neighbours.

mod models;
mod output;
mod pack;

use core::fmt;

use crate::batch::Pack;
use crate::lanes::Lanes;
use crate::real::Real;

pub use models::Models;
pub use output::{AllStates, Costs, LastStates, RolloutOutput, RunningCost};
use pack::{PackRows, integrate_pack};

/// Largest number of lanes of a pack in rollouts.
const MAX_LANES: usize = 64;

/// Integration method of a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepMethod {
    /// The classical Runge-Kutta method, as [`rk4_step`](crate::rk4_step).
    Rk4,
    /// The semi-implicit Euler method, as
    /// [`semi_implicit_euler_step`](crate::semi_implicit_euler_step).
    SemiImplicitEuler,
}

/// Inputs of a rollout: the same over all steps, or others for each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RolloutInputs {
    /// Each sample holds its inputs over all steps: `u` has `NU` rows, input `i` of sample `k` is
    /// `u[i * leading + k]`.
    Held,
    /// Each sample has inputs for each step: `u` has `steps · NU` rows, input `i` of sample `k` in
    /// step `s` is `u[(s * NU + i) * leading + k]`.
    PerStep,
}

/// Description of a rollout: method, steps, and the layout of its arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rollout<S> {
    /// Integration method.
    pub method: StepMethod,
    /// Time at the start of the first step, in s. Step `s`, counted from 0, starts at `t + s · h`.
    pub t: S,
    /// Length of a step, in s.
    pub h: S,
    /// Number of steps.
    pub steps: usize,
    /// Inputs, held or per step. They are constant within a step.
    pub inputs: RolloutInputs,
    /// Distance between rows of `x` and `u`: the number of samples in these arrays, of which a call
    /// may integrate a part.
    pub leading: usize,
}

/// Error of [`rollout()`]: a slice has the wrong length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrongShape {
    /// Rows of `x` and `u` are shorter than the number of samples.
    Leading {
        /// [`Rollout::leading`].
        leading: usize,
        /// Number of samples, the length of `completed`.
        samples: usize,
    },
    /// A slice has the wrong length.
    Length {
        /// Name of the slice: `x`, `u`, `models`, `states` (the list of rows), `row of states` or
        /// `totals`.
        slice: &'static str,
        /// Smallest length that the slice may have.
        least: usize,
        /// Largest length that the slice may have.
        most: usize,
        /// Actual length of the slice.
        found: usize,
    },
}

impl fmt::Display for WrongShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leading { leading, samples } => {
                write!(f, "`leading` is {leading}, less than the {samples} samples in `completed`")
            }
            Self::Length { slice, least, most, found: length } if least == most => {
                write!(f, "`{slice}` has {length} entries instead of {most}")
            }
            Self::Length { slice, least, most, found: length } => {
                write!(f, "`{slice}` has {length} entries instead of {least} to {most}")
            }
        }
    }
}

impl core::error::Error for WrongShape {}

impl WrongShape {
    /// Checks that a slice has exactly this length.
    fn check(slice: &'static str, length: usize, expected: usize) -> Result<(), Self> {
        Self::check_between(slice, length, expected, expected)
    }

    /// Checks that the length of a slice is within bounds.
    fn check_between(slice: &'static str, length: usize, least: usize, most: usize) -> Result<(), Self> {
        if (least..=most).contains(&length) {
            Ok(())
        } else {
            Err(Self::Length { slice, least, most, found: length })
        }
    }
}

impl<S: Real> Rollout<S> {
    /// Time at the start of a step, or the end of the last.
    #[inline(always)]
    fn time(&self, step: usize) -> S {
        self.t + self.h * S::from_f64(step as f64)
    }

    /// Checks the length of `x` or `u`, which may be a part of an array: then its last row is
    /// complete up to the last sample at least, and up to the end of the row at most.
    fn check_rows(
        &self,
        slice: &'static str,
        rows: usize,
        samples: usize,
        length: usize,
    ) -> Result<(), WrongShape> {
        let least = match rows.checked_sub(1) {
            Some(last) => last.saturating_mul(self.leading).saturating_add(samples),
            None => 0,
        };
        let most = rows.saturating_mul(self.leading);
        WrongShape::check_between(slice, length, least, most)
    }

    /// Checks the lengths of `x` and `u` against the number of samples.
    fn check<const NX: usize, const NU: usize>(
        &self,
        samples: usize,
        x: &[S],
        u: &[S],
    ) -> Result<(), WrongShape> {
        if self.leading < samples {
            return Err(WrongShape::Leading { leading: self.leading, samples });
        }
        let input_rows = match self.inputs {
            RolloutInputs::Held => NU,
            RolloutInputs::PerStep => NU.saturating_mul(self.steps),
        };
        self.check_rows("x", NX, samples, x.len())?;
        self.check_rows("u", input_rows, samples, u.len())
    }
}

/// Integrates samples over the steps of `run`, in SIMD registers of the compilation target.
///
/// `models` is a model (`&model`: the same parameters for all samples) or a slice of models, one
/// per sample (`&models[..]`).
///
/// Shapes, in units and order of the model, for `n = completed.len()` samples:
///
/// | slice | content | length |
/// |---|---|---|
/// | `x` | coordinate `i` of sample `k` at the start is `x[i * run.leading + k]` | `NX · leading` |
/// | `u` | inputs, as [`RolloutInputs`] says | `NU · leading`, or `steps · NU · leading` |
/// | `output` | results: [`LastStates`], [`AllStates`], [`Costs`], or a pair of these | see there |
/// | `completed` | result: number of steps that sample `k` completed | `n` |
///
/// `x` and `u` may start at a later sample of a larger array and are shorter then
/// ([parts for threads](mod@crate::rollout#parts-for-threads)).
///
/// A sample for which an evaluation is singular stops: it keeps the state before that step, and
/// `completed[k]` is less than `steps`. Other samples are not affected. Returns the number of
/// samples that stopped.
///
/// Results are bitwise those of [`rk4_step`](crate::rk4_step) or
/// [`semi_implicit_euler_step`](crate::semi_implicit_euler_step), sample by sample, if both round
/// `mul_add` alike.
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
/// use dqdt::rollout::{RolloutInputs, LastStates, StepMethod, Rollout};
///
/// // Three carts of 2 kg; the force on the second is not known.
/// let positions_and_speeds = [0.0, 0.0, 0.0, 1.0, 2.0, 3.0];
/// let forces = [4.0, f64::NAN, 6.0];
/// let run = Rollout { method: StepMethod::Rk4, t: 0.0, h: 0.5, steps: 2, inputs: RolloutInputs::Held, leading: 3 };
/// let (mut last, mut completed) = ([[0.0; 3]; 2], [0; 3]);
/// let stopped = dqdt::rollout(
///     &Cart(2.0),
///     &run,
///     &positions_and_speeds,
///     &forces,
///     LastStates(&mut last),
///     &mut completed,
/// )?;
/// assert_eq!((stopped, completed), (1, [2, 0, 2]));
/// assert_eq!(last, [[2.0, 0.0, 4.5], [3.0, 2.0, 6.0]]);
/// # Ok::<(), dqdt::rollout::WrongShape>(())
/// ```
///
/// # Errors
/// [`WrongShape`] if a slice has another length; nothing is written then.
pub fn rollout<S, M, R, const NX: usize, const NU: usize>(
    models: &M,
    run: &Rollout<S>,
    x: &[S],
    u: &[S],
    output: R,
    completed: &mut [usize],
) -> Result<usize, WrongShape>
where
    S: Real<Mask = bool>,
    M: Models<S, NX, NU> + ?Sized,
    R: RolloutOutput<S, NX, NU>,
{
    match crate::batch::REGISTER_BYTES / size_of::<S>() {
        8 => rollout_by::<Lanes<S, 8>, M, R, NX, NU>(models, run, x, u, output, completed),
        4 => rollout_by::<Lanes<S, 4>, M, R, NX, NU>(models, run, x, u, output, completed),
        2 => rollout_by::<Lanes<S, 2>, M, R, NX, NU>(models, run, x, u, output, completed),
        _ => rollout_by::<Lanes<S, 1>, M, R, NX, NU>(models, run, x, u, output, completed),
    }
}

/// Integrates samples like [`rollout()`], in packs of the type `P`, of up to 64 lanes.
///
/// # Errors
/// The same as [`rollout()`].
pub fn rollout_by<P, M, R, const NX: usize, const NU: usize>(
    models: &M,
    run: &Rollout<P::Scalar>,
    x: &[P::Scalar],
    u: &[P::Scalar],
    mut output: R,
    completed: &mut [usize],
) -> Result<usize, WrongShape>
where
    P: Pack,
    M: Models<P::Scalar, NX, NU> + ?Sized,
    R: RolloutOutput<P::Scalar, NX, NU>,
{
    const { assert!(0 < P::LANES && P::LANES <= MAX_LANES, "a pack has 1 to 64 lanes") }
    let samples = completed.len();
    run.check::<NX, NU>(samples, x, u)?;
    if let Some(count) = models.count() {
        WrongShape::check("models", count, samples)?;
    }
    output.check(samples, run.steps)?;
    P::compute(
        #[inline(always)]
        || {
            for (pack, completed) in completed.chunks_mut(P::LANES).enumerate() {
                let first = pack * P::LANES;
                if let Some(model) = models.pack::<P>(first) {
                    let part = |from| PackRows { from, first, leading: run.leading, width: completed.len() };
                    let (x, u) = (part(x), part(u));
                    integrate_pack::<P, _, R, NX, NU>(&model, run, x, u, &mut output, completed);
                }
            }
        },
    );
    Ok(completed.iter().filter(|steps| **steps < run.steps).count())
}
