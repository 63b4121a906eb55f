//! Integration of the samples of one pack.

use core::cell::Cell;
use core::convert::Infallible;

use crate::batch::Pack;
use crate::mask::Mask;
use crate::real::Real;
use crate::singular::Singular;
use crate::step::{advance_rk4, advance_semi_implicit_euler};
use crate::system::System;

use super::output::StepOfPack;
use super::{MAX_LANES, Rollout, RolloutInputs, RolloutOutput, StepMethod};

/// The columns of one pack in an array that is stored by rows.
#[derive(Clone, Copy)]
pub(super) struct PackRows<'a, S> {
    pub(super) from: &'a [S],
    /// First sample of the pack.
    pub(super) first: usize,
    /// Distance between rows.
    pub(super) leading: usize,
    /// Number of samples in the pack, at most its lanes.
    pub(super) width: usize,
}

impl<S> PackRows<'_, S> {
    /// Loads consecutive rows. Lanes without a sample repeat the last one.
    #[inline(always)]
    fn load<P: Pack<Scalar = S>, const ROWS: usize>(self, first_row: usize) -> [P; ROWS] {
        let mut rows = [P::ZERO; ROWS];
        for (i, row) in rows.iter_mut().enumerate() {
            let at = (first_row + i) * self.leading + self.first;
            *row = P::load(self.from.get(at..at + self.width).unwrap_or(&[]));
        }
        rows
    }
}

/// Integrates the samples of one pack over all steps.
#[inline(always)]
pub(super) fn integrate_pack<P, M, R, const NX: usize, const NU: usize>(
    model: &M,
    run: &Rollout<P::Scalar>,
    starts: PackRows<'_, P::Scalar>,
    inputs: PackRows<'_, P::Scalar>,
    output: &mut R,
    completed: &mut [usize],
) where
    P: Pack,
    M: System<P, NX, NU>,
    R: RolloutOutput<P::Scalar, NX, NU>,
{
    let samples = starts.first..starts.first + starts.width;
    let h = P::splat(run.h);
    let mut x: [P; NX] = starts.load(0);
    let mut u = [P::ZERO; NU];
    let mut running = P::Mask::splat(true);
    completed.fill(run.steps);
    for step in 0..run.steps {
        let t = P::splat(run.time(step));
        if step == 0 || run.inputs == RolloutInputs::PerStep {
            u = inputs.load(step * NU);
        }
        let before = x;
        if running.any() {
            let singular = advance_lanes(model, run.method, t, h, &mut x, &u, running);
            if singular.and(running).any() {
                running = running.and(singular.not());
                note_stops::<P>(singular, step, run.steps, completed);
            }
        }
        output.step(samples.clone(), &StepOfPack { step, t, x: &before, u: &u, next: &x, running });
    }
    output.finish(samples, run.steps, P::splat(run.time(run.steps)), &x);
}

/// Notes the step in which samples of a pack stop.
#[cold]
fn note_stops<P: Pack>(singular: P::Mask, step: usize, steps: usize, completed: &mut [usize]) {
    let mut flags = [false; MAX_LANES];
    P::store_mask(singular, &mut flags);
    for (completed, flag) in completed.iter_mut().zip(flags) {
        if flag && *completed == steps {
            *completed = step;
        }
    }
}

/// Advances the running lanes of a pack by one step, without those for which an evaluation is
/// singular. Returns the singular lanes.
#[inline(always)]
fn advance_lanes<T, M, const NX: usize, const NU: usize>(
    model: &M,
    method: StepMethod,
    t: T,
    h: T,
    x: &mut [T; NX],
    u: &[T; NU],
    running: T::Mask,
) -> T::Mask
where
    T: Real,
    M: System<T, NX, NU>,
{
    let singular = Cell::new(T::Mask::splat(false));
    // A singular lane has zero derivatives, and its step is dropped at the end.
    let note = |outcome: Result<(), Singular<T::Mask>>| {
        if let Err(error) = outcome {
            singular.set(singular.get().or(error.lanes));
        }
        Ok::<(), Infallible>(())
    };
    let mut next = *x;
    let Ok(()) = match method {
        StepMethod::Rk4 => advance_rk4(
            t,
            h,
            &mut next,
            #[inline(always)]
            |t, x, dx| note(model.dqdt(t, x, u, dx)),
        ),
        StepMethod::SemiImplicitEuler => advance_semi_implicit_euler::<T, M, _, NX, NU>(
            t,
            h,
            &mut next,
            #[inline(always)]
            |t, x, dx| note(model.dqdt(t, x, u, dx)),
            #[inline(always)]
            |t, x, dx| note(model.coordinate_rates(t, x, dx)),
        ),
    };
    model.project(&mut next);
    let advancing = running.and(singular.get().not());
    for (x, next) in x.iter_mut().zip(next) {
        *x = T::select(advancing, next, *x);
    }
    singular.get()
}
