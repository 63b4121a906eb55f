//! A user's own loop, compiled for an instruction set that is chosen at run time.

use dqdt::Pack;

use crate::InstructionSet;
use crate::batch::Scalar;

/// A computation over packs of any instruction set, for [`run`].
///
/// Declare [`run`](Self::run) and the functions that it calls `#[inline(always)]`: only code that
/// is inlined is compiled for the instruction set.
pub trait PackKernel<S> {
    /// Result of the computation.
    type Output;

    /// Runs the computation. `P` is the pack of the instruction set, with [`Pack::LANES`] numbers.
    fn run<P: Pack<Scalar = S>>(self) -> Self::Output;
}

/// Runs a computation in the widest registers that the processor has.
///
/// ```
/// use dqdt::{Lift, Pack, Real, System};
/// use dqdt_generated::cart_pole::{Model, NU, NX, START};
/// use dqdt_simd::PackKernel;
///
/// /// The times at which carts pass one metre, by steps that grow with the time.
/// struct Race<'a> {
///     model: Model<f64>,
///     forces: &'a [f64],
///     times: &'a mut [f64],
/// }
///
/// impl PackKernel<f64> for Race<'_> {
///     type Output = ();
///
///     #[inline(always)]
///     fn run<P: Pack<Scalar = f64>>(self) {
///         let model = self.model.lift(P::splat);
///         for (u, times) in self.forces.chunks(P::LANES).zip(self.times.chunks_mut(P::LANES)) {
///             let u = [P::load(u)];
///             let mut x = START.map(P::splat);
///             let (mut t, mut arrival) = (P::ZERO, P::ZERO);
///             for _ in 0..1000 {
///                 let h = P::from_f64(0.001) + P::from_f64(0.002) * t;
///                 let Ok(()) = dqdt::semi_implicit_euler_step(&model, t, h, &mut x, &u) else { break };
///                 t += h;
///                 arrival = P::select(x[0].is_lt(P::ONE), t, arrival);
///             }
///             arrival.store(times);
///         }
///     }
/// }
///
/// let forces: [f64; 100] = core::array::from_fn(|k| 5.0 + 0.01 * k as f64);
/// let mut times = [0.0; 100];
/// dqdt_simd::run(Race { model: Model::default(), forces: &forces, times: &mut times });
/// assert!(times.is_sorted_by(|a, b| a >= b) && times[99] > 0.1);
/// ```
#[inline]
pub fn run<S: Scalar, K: PackKernel<S>>(kernel: K) -> K::Output {
    run_with(InstructionSet::widest(), kernel)
}

/// Runs a computation like [`run`], with an explicit instruction set.
#[inline]
pub fn run_with<S: Scalar, K: PackKernel<S>>(set: InstructionSet, kernel: K) -> K::Output {
    S::run(set, kernel)
}
