//! Results of rollouts: last states, all states, costs.

use core::ops::Range;

use crate::batch::Pack;
use crate::real::Real;

use super::WrongShape;

/// Results that a rollout writes: [`LastStates`], [`AllStates`], [`Costs`], or a pair of these.
///
/// Rows are any list of slices, one per coordinate: `[[f64; N]; NX]`, `Vec<Vec<f64>>`, or a list of
/// parts of longer rows. An array `flat` of `n` samples has the rows
/// `flat.chunks_exact_mut(n).collect::<Vec<_>>()`.
pub trait RolloutOutput<S: Real, const NX: usize, const NU: usize>: private::WritePack<S, NX, NU> {}

impl<S: Real, R: private::WritePack<S, NX, NU>, const NX: usize, const NU: usize> RolloutOutput<S, NX, NU>
    for R
{
}

/// The state of each sample after its last step, or before the step in which it stopped.
///
/// Shape: `NX` rows, one entry per sample; row `i` has coordinate `i`.
#[derive(Debug)]
pub struct LastStates<'a, R>(pub &'a mut [R]);

/// The states of each sample after every step. A sample that stopped repeats its last regular
/// state.
///
/// Shape: `steps · NX` rows, one entry per sample; row `s * NX + i` has coordinate `i` after step
/// `s`, counted from 0. The start is not repeated.
#[derive(Debug)]
pub struct AllStates<'a, R>(pub &'a mut [R]);

/// The sum of a cost over the steps of each sample, and the cost of its last state.
///
/// A sample that stopped has the costs of its completed steps and of its last regular state: look
/// at `completed` before comparing costs.
#[derive(Debug)]
pub struct Costs<'a, C, S> {
    /// Cost of a step and of the last state.
    pub cost: &'a C,
    /// Result: the sum, one entry per sample.
    pub totals: &'a mut [S],
}

/// A cost of states and inputs, for [`Costs`]: a function over any scalar, because it is evaluated
/// for packs of samples.
///
/// Declare its functions `#[inline(always)]`, so that they are compiled with the instructions of
/// the pack.
///
/// ```
/// use dqdt::Real;
/// use dqdt::rollout::RunningCost;
///
/// /// The distance of a cart from its target, and the effort to get there.
/// struct Distance {
///     /// m
///     target: f64,
/// }
///
/// impl RunningCost<2, 1> for Distance {
///     #[inline(always)]
///     fn cost<T: Real>(&self, _step: usize, _t: T, x: &[T; 2], u: &[T; 1]) -> T {
///         let distance = x[0] - T::from_f64(self.target);
///         distance * distance + T::from_f64(0.01) * (u[0] * u[0])
///     }
/// }
///
/// assert_eq!(Distance { target: 1.0 }.cost(0, 0.0, &[3.0, 0.0], &[10.0]), 5.0);
/// ```
pub trait RunningCost<const NX: usize, const NU: usize> {
    /// Cost of step `step`, counted from 0, from the time, the state and the inputs at its start.
    fn cost<T: Real>(&self, step: usize, t: T, x: &[T; NX], u: &[T; NU]) -> T;

    /// Cost of the state after the last step; zero by default. `t` is the end of the rollout.
    #[inline(always)]
    fn terminal_cost<T: Real>(&self, t: T, x: &[T; NX]) -> T {
        let _ = (t, x);
        T::ZERO
    }
}

/// A step of the samples of a pack.
#[derive(Debug)]
pub struct StepOfPack<'a, P: Real, const NX: usize, const NU: usize> {
    /// Index of the step.
    pub step: usize,
    /// Time at the start of the step.
    pub t: P,
    /// State at the start of the step.
    pub x: &'a [P; NX],
    /// Inputs over the step.
    pub u: &'a [P; NU],
    /// State after the step.
    pub next: &'a [P; NX],
    /// Lanes that have completed the step.
    pub running: P::Mask,
}

mod private {
    use super::*;

    /// Storage of the states of a pack. Private: other results are a matter of a loop of one's own.
    pub trait WritePack<S: Real, const NX: usize, const NU: usize> {
        /// Checks the lengths of the slices before anything is written.
        fn check(&self, samples: usize, steps: usize) -> Result<(), WrongShape>;
        /// Stores a step of a pack, whose samples are a range.
        fn step<P: Pack<Scalar = S>>(&mut self, samples: Range<usize>, step: &StepOfPack<'_, P, NX, NU>);
        /// Stores the state of a pack after the last step.
        fn finish<P: Pack<Scalar = S>>(&mut self, samples: Range<usize>, steps: usize, t: P, x: &[P; NX]);
    }
}

/// Checks the number of rows, and the length of each.
fn check_rows<S, R: AsRef<[S]>>(rows: &[R], expected: usize, samples: usize) -> Result<(), WrongShape> {
    WrongShape::check("states", rows.len(), expected)?;
    rows.iter().try_for_each(|row| WrongShape::check("row of states", row.as_ref().len(), samples))
}

/// Stores a state of a pack in rows, from row `first` on.
#[inline(always)]
fn store_state<P: Pack, R: AsMut<[P::Scalar]>>(rows: &mut [R], first: usize, samples: Range<usize>, x: &[P]) {
    for (row, x) in rows.iter_mut().skip(first).zip(x) {
        if let Some(to) = row.as_mut().get_mut(samples.clone()) {
            x.store(to);
        }
    }
}

impl<S, R, const NX: usize, const NU: usize> private::WritePack<S, NX, NU> for LastStates<'_, R>
where
    S: Real,
    R: AsRef<[S]> + AsMut<[S]>,
{
    fn check(&self, samples: usize, _steps: usize) -> Result<(), WrongShape> {
        check_rows(self.0, NX, samples)
    }
    #[inline(always)]
    fn step<P: Pack<Scalar = S>>(&mut self, _samples: Range<usize>, _step: &StepOfPack<'_, P, NX, NU>) {}
    #[inline(always)]
    fn finish<P: Pack<Scalar = S>>(&mut self, samples: Range<usize>, _steps: usize, _t: P, x: &[P; NX]) {
        store_state(self.0, 0, samples, x);
    }
}

impl<S, R, const NX: usize, const NU: usize> private::WritePack<S, NX, NU> for AllStates<'_, R>
where
    S: Real,
    R: AsRef<[S]> + AsMut<[S]>,
{
    fn check(&self, samples: usize, steps: usize) -> Result<(), WrongShape> {
        check_rows(self.0, NX.saturating_mul(steps), samples)
    }
    #[inline(always)]
    fn step<P: Pack<Scalar = S>>(&mut self, samples: Range<usize>, step: &StepOfPack<'_, P, NX, NU>) {
        store_state(self.0, step.step * NX, samples, step.next);
    }
    #[inline(always)]
    fn finish<P: Pack<Scalar = S>>(&mut self, _samples: Range<usize>, _steps: usize, _t: P, _x: &[P; NX]) {}
}

impl<C, S: Real> Costs<'_, C, S> {
    /// Replaces the totals of the samples of a pack by a function of them.
    #[inline(always)]
    fn update<P: Pack<Scalar = S>>(&mut self, samples: Range<usize>, f: impl FnOnce(P) -> P) {
        if let Some(totals) = self.totals.get_mut(samples) {
            f(P::load(totals)).store(totals);
        }
    }
}

impl<S, C, const NX: usize, const NU: usize> private::WritePack<S, NX, NU> for Costs<'_, C, S>
where
    S: Real,
    C: RunningCost<NX, NU>,
{
    fn check(&self, samples: usize, _steps: usize) -> Result<(), WrongShape> {
        WrongShape::check("totals", self.totals.len(), samples)
    }
    #[inline(always)]
    fn step<P: Pack<Scalar = S>>(&mut self, samples: Range<usize>, step: &StepOfPack<'_, P, NX, NU>) {
        let cost = self.cost.cost(step.step, step.t, step.x, step.u);
        self.update(samples, |total: P| {
            let total = if step.step == 0 { P::ZERO } else { total };
            P::select(step.running, total + cost, total)
        });
    }
    #[inline(always)]
    fn finish<P: Pack<Scalar = S>>(&mut self, samples: Range<usize>, steps: usize, t: P, x: &[P; NX]) {
        let cost = self.cost.terminal_cost(t, x);
        self.update(samples, |total: P| if steps == 0 { cost } else { total + cost });
    }
}

impl<S, A, B, const NX: usize, const NU: usize> private::WritePack<S, NX, NU> for (A, B)
where
    S: Real,
    A: private::WritePack<S, NX, NU>,
    B: private::WritePack<S, NX, NU>,
{
    fn check(&self, samples: usize, steps: usize) -> Result<(), WrongShape> {
        self.0.check(samples, steps)?;
        self.1.check(samples, steps)
    }
    #[inline(always)]
    fn step<P: Pack<Scalar = S>>(&mut self, samples: Range<usize>, step: &StepOfPack<'_, P, NX, NU>) {
        self.0.step(samples.clone(), step);
        self.1.step(samples, step);
    }
    #[inline(always)]
    fn finish<P: Pack<Scalar = S>>(&mut self, samples: Range<usize>, steps: usize, t: P, x: &[P; NX]) {
        self.0.finish(samples.clone(), steps, t, x);
        self.1.finish(samples, steps, t, x);
    }
}
