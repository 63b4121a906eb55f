//! Models of the samples of a rollout: one for all, or one per sample.
//!
//! Problem: a pack needs one model whose numbers hold the parameters of all its samples, lane by
//!          lane, but [`Lift`] converts the numbers of one model.
//! Method:  `lift` visits the numbers of a model in a fixed order. A first visit of each model of a
//!          pack writes its numbers to a table on the stack; the conversion then loads number `i`
//!          of all models. A model with more numbers than the table has rows is visited again.

use core::cell::Cell;

use crate::batch::{Lift, Pack};
use crate::real::Real;
use crate::system::System;

use super::MAX_LANES;

/// Number of scalars in the table of the numbers of a pack's models.
const TABLE: usize = 2048;

/// The models of a rollout: a model for all samples, or a slice of models, one per sample.
///
/// Implemented for every type with [`Lift`], and for slices of these. Models of a slice may differ
/// in all that [`Lift::lift`] converts: every number in them. Anything else (a choice, the length
/// of a list) must be equal.
pub trait Models<S: Real, const NX: usize, const NU: usize>: private::LiftPack<S, NX, NU> {}

impl<S: Real, M: Lift<S, NX, NU>, const NX: usize, const NU: usize> Models<S, NX, NU> for M {}
impl<S: Real, M: Lift<S, NX, NU>, const NX: usize, const NU: usize> Models<S, NX, NU> for [M] {}

mod private {
    use super::*;

    /// Conversion of the models of a pack.
    pub trait LiftPack<S: Real, const NX: usize, const NU: usize> {
        /// The type of the model over another scalar.
        type Over<T: Real>: System<T, NX, NU>;

        /// Number of models if each sample has its own.
        fn count(&self) -> Option<usize>;

        /// The model of the pack that starts at sample `first`; `None` beyond the last model. Lanes
        /// without a sample repeat the last model.
        fn pack<P: Pack<Scalar = S>>(&self, first: usize) -> Option<Self::Over<P>>;
    }
}

impl<S: Real, M: Lift<S, NX, NU>, const NX: usize, const NU: usize> private::LiftPack<S, NX, NU> for M {
    type Over<T: Real> = M::Over<T>;

    #[inline(always)]
    fn count(&self) -> Option<usize> {
        None
    }
    #[inline(always)]
    fn pack<P: Pack<Scalar = S>>(&self, _first: usize) -> Option<M::Over<P>> {
        Some(self.lift(P::splat))
    }
}

impl<S: Real, M: Lift<S, NX, NU>, const NX: usize, const NU: usize> private::LiftPack<S, NX, NU> for [M] {
    type Over<T: Real> = M::Over<T>;

    #[inline(always)]
    fn count(&self) -> Option<usize> {
        Some(self.len())
    }
    #[inline(always)]
    fn pack<P: Pack<Scalar = S>>(&self, first: usize) -> Option<M::Over<P>> {
        let rest = self.get(first..)?;
        let models = rest.get(..P::LANES).unwrap_or(rest);
        Some(lift_lanes::<P, M, NX, NU>(models.first()?, models))
    }
}

/// Converts up to one model per lane to a model over packs. `first` is the first of them.
fn lift_lanes<P, M, const NX: usize, const NU: usize>(first: &M, models: &[M]) -> M::Over<P>
where
    P: Pack,
    M: Lift<P::Scalar, NX, NU>,
{
    let mut table = [P::Scalar::ZERO; TABLE];
    let table = Cell::from_mut(table.as_mut_slice()).as_slice_of_cells();
    let rows = TABLE / P::LANES;
    let visited = Cell::new(0_usize);
    first.lift(|_| {
        let number = visited.get();
        visited.set(number + 1);
        if number.is_multiple_of(rows) {
            tabulate_numbers(models, number..number + rows, P::LANES, table);
        }
        let mut lanes = [P::Scalar::ZERO; MAX_LANES];
        let row = table.iter().skip(number % rows * P::LANES).take(models.len());
        for (lane, entry) in lanes.iter_mut().zip(row) {
            *lane = entry.get();
        }
        P::load(lanes.get(..models.len()).unwrap_or(&lanes))
    })
}

/// Writes a range of the numbers of each model to a table, one row per number.
#[inline(never)]
fn tabulate_numbers<S, M, const NX: usize, const NU: usize>(
    models: &[M],
    numbers: core::ops::Range<usize>,
    lanes: usize,
    table: &[Cell<S>],
) where
    S: Real,
    M: Lift<S, NX, NU>,
{
    for (lane, model) in models.iter().enumerate() {
        let visited = Cell::new(0_usize);
        model.lift(|value| {
            let number = visited.get();
            visited.set(number + 1);
            if numbers.contains(&number)
                && let Some(entry) = table.get((number - numbers.start) * lanes + lane)
            {
                entry.set(value);
            }
            value
        });
    }
}
