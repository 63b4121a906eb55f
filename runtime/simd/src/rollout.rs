//! Rollouts with an instruction set that is chosen at run time.

use dqdt::Pack;
use dqdt::rollout::{Models, Rollout, RolloutOutput, WrongShape, rollout_by};

use crate::InstructionSet;
use crate::batch::Scalar;
use crate::kernel::{PackKernel, run_with};

/// Integrates samples over the steps of a rollout, like [`dqdt::rollout()`], in the widest
/// registers that the processor has.
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
/// ([parts for threads](mod@dqdt::rollout#parts-for-threads)).
///
/// A sample for which an evaluation is singular stops: it keeps the state before that step, and
/// `completed[k]` is less than `steps`. Other samples are not affected. Returns the number of
/// samples that stopped.
///
/// [`RolloutInputs`]: dqdt::rollout::RolloutInputs
/// [`LastStates`]: dqdt::rollout::LastStates
/// [`AllStates`]: dqdt::rollout::AllStates
/// [`Costs`]: dqdt::rollout::Costs
///
/// ```
/// use dqdt::Real;
/// use dqdt::rollout::{Costs, RolloutInputs, StepMethod, Rollout, RunningCost};
/// use dqdt_generated::cart_pole::{Model, NU, NX};
/// use dqdt_simd::rollout;
///
/// /// The pole shall stand, with little force.
/// struct Upright;
///
/// impl RunningCost<NX, NU> for Upright {
///     #[inline(always)]
///     fn cost<T: Real>(&self, _step: usize, _t: T, x: &[T; NX], u: &[T; NU]) -> T {
///         let [_, angle, _, _] = *x;
///         T::ONE - angle.cos() + T::from_f64(1e-4) * (u[0] * u[0])
///     }
///     #[inline(always)]
///     fn terminal_cost<T: Real>(&self, _t: T, x: &[T; NX]) -> T {
///         T::from_f64(10.0) * (T::ONE - x[1].cos())
///     }
/// }
///
/// // A thousand sequences of 25 forces, for a pole that leans by 0.2 rad.
/// const N: usize = 1000;
/// const STEPS: usize = 25;
/// let mut x = vec![0.0; NX * N];
/// x[N..2 * N].fill(0.2);
/// let mut u = vec![0.0; STEPS * NU * N];
/// for (step, forces) in u.chunks_exact_mut(N).enumerate() {
///     for (k, force) in forces.iter_mut().enumerate() {
///         *force = (0.02 * k as f64 - 10.0) / (1.0 + 0.1 * step as f64);
///     }
/// }
/// let run =
///     Rollout { method: StepMethod::Rk4, t: 0.0, h: 0.02, steps: STEPS, inputs: RolloutInputs::PerStep, leading: N };
/// let (mut totals, mut completed) = (vec![0.0; N], vec![0; N]);
/// let costs = Costs { cost: &Upright, totals: &mut totals };
/// let stopped = rollout(&Model::default(), &run, &x, &u, costs, &mut completed)?;
/// assert_eq!(stopped, 0);
///
/// let best = (0..N).min_by(|a, b| totals[*a].total_cmp(&totals[*b])).unwrap_or(0);
/// assert!(u[best] > 0.0, "the cart follows the pole");
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
    S: Scalar,
    M: Models<S, NX, NU> + ?Sized,
    R: RolloutOutput<S, NX, NU>,
{
    rollout_with(InstructionSet::widest(), models, run, x, u, output, completed)
}

/// Integrates samples like [`rollout`], with an explicit instruction set.
///
/// # Errors
/// The same as [`rollout`].
pub fn rollout_with<S, M, R, const NX: usize, const NU: usize>(
    set: InstructionSet,
    models: &M,
    run: &Rollout<S>,
    x: &[S],
    u: &[S],
    output: R,
    completed: &mut [usize],
) -> Result<usize, WrongShape>
where
    S: Scalar,
    M: Models<S, NX, NU> + ?Sized,
    R: RolloutOutput<S, NX, NU>,
{
    run_with(set, RolloutKernel { models, run, x, u, output, completed })
}

/// The arguments of a rollout, as a computation over packs.
struct RolloutKernel<'a, S, M: ?Sized, R, const NX: usize, const NU: usize> {
    models: &'a M,
    run: &'a Rollout<S>,
    x: &'a [S],
    u: &'a [S],
    output: R,
    completed: &'a mut [usize],
}

impl<S, M, R, const NX: usize, const NU: usize> PackKernel<S> for RolloutKernel<'_, S, M, R, NX, NU>
where
    S: Scalar,
    M: Models<S, NX, NU> + ?Sized,
    R: RolloutOutput<S, NX, NU>,
{
    type Output = Result<usize, WrongShape>;

    #[inline(always)]
    fn run<P: Pack<Scalar = S>>(self) -> Self::Output {
        let Self { models, run, x, u, output, completed } = self;
        rollout_by::<P, M, R, NX, NU>(models, run, x, u, output, completed)
    }
}
