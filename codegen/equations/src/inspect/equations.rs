//! What the equations of motion are made of, for their sections.

use super::letters;
use dqdt_algebra::Scalar;
use dqdt_document::report::{Math, Prose};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::{Mechanism, Partition, SpeedId};

/// Up to this number of speeds the equations are also written out row by row.
pub(super) const WRITTEN_OUT: usize = 12;

pub(super) type Row<'g> = ConstraintRow<Tracer<'g>>;

/// Names of rows, and what each is an equation of.
pub(super) fn rows_named(letter: &str, rows: &[&Row<'_>]) -> Vec<Math> {
    rows.iter().map(|r| letters::of_row(letter, &r.name)).collect()
}

pub(super) fn names_of_speeds(m: &Mechanism, speeds: &[SpeedId]) -> Prose {
    letters::names(speeds.iter().map(|s| m.speeds[*s].name.as_str()))
}

/// `c₁`, `c₂`, …
pub(super) fn numbered(letter: &Math, n: usize) -> Vec<Math> {
    (1..=n).map(|i| letter.indexed(&[i])).collect()
}

/// `Σ aᵢ bᵢ` without structural zeros.
pub(super) fn dot<'g>(a: &[Tracer<'g>], b: &[Tracer<'g>]) -> Tracer<'g> {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(Tracer::ZERO, |sum, (x, y)| sum + *x * *y)
}

/// A term of an equation: a coefficient, and the acceleration or multiplier behind it.
type Signed<'g> = (Tracer<'g>, Option<Tracer<'g>>);

/// The sides of an equation as textbooks have them. Left: accelerations with their coefficients, velocity terms, forces of a
/// potential; right: all other loads, then multipliers.
pub(super) fn sides<'g>(
    inertia: impl Iterator<Item = (Tracer<'g>, Tracer<'g>)>,
    velocity: Tracer<'g>,
    conservative: Tracer<'g>,
    other: Tracer<'g>,
    held: impl Iterator<Item = (Tracer<'g>, Tracer<'g>)>,
) -> [Vec<Signed<'g>>; 2] {
    let behind = |(x, of): (Tracer<'g>, Tracer<'g>)| (x, Some(of));
    let there = |(x, _): &Signed<'g>| !x.is_zero();
    let alone = [velocity, -conservative].map(|x| (x, None));
    let left = inertia.map(behind).chain(alone).filter(there).collect();
    let right = std::iter::once((other, None)).chain(held.map(behind)).filter(there).collect();
    [left, right]
}

/// What the equations are made of.
pub(super) struct System<'g> {
    /// All rows but those that inputs realise.
    pub rows: Vec<Row<'g>>,
    /// `v̇` as symbols, by speed.
    pub accelerations: Vec<Tracer<'g>>,
    /// `λ` as symbols, one a row.
    pub multipliers: Vec<Tracer<'g>>,
}

impl<'g> System<'g> {
    /// Positions of the rows that do not follow from others in every pose.
    pub fn active(&self, partition: &Partition) -> Vec<usize> {
        (0..self.rows.len()).filter(|i| self.rows[*i].independent(partition)).collect()
    }

    /// Positions of the rows that take part in every pose: the first of those that are selected.
    pub fn fixed(&self, partition: &Partition) -> Vec<usize> {
        let grouped = |i: &usize| partition.group_of(self.rows[*i].place()).is_some();
        self.active(partition).into_iter().filter(|i| !grouped(i)).collect()
    }
}
