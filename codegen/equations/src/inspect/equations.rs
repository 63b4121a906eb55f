//! Symbols, rows and sides of the equations of motion, shared by the sections that print them.

use super::letters;
use dqdt_algebra::Scalar;
use dqdt_document::report::{Math, Prose};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::{Mechanism, Partition, SpeedId};

/// Largest number of speeds for which the equations are also written out row by row.
pub(super) const WRITTEN_OUT: usize = 12;

pub(super) type Row<'g> = ConstraintRow<Tracer<'g>>;

/// Left sides of equations, one for each constraint row: a letter with the row's name as index,
/// `γ_pin`.
pub(super) fn rows_named(letter: &str, rows: &[&Row<'_>]) -> Vec<Math> {
    rows.iter().map(|r| letters::of_row(letter, &r.name)).collect()
}

pub(super) fn names_of_speeds(m: &Mechanism, speeds: &[SpeedId]) -> Prose {
    letters::names(speeds.iter().map(|s| m.speeds[*s].name.as_str()))
}

/// Indexed letters `c₁`, `c₂`, …, `cₙ`.
pub(super) fn numbered(letter: &Math, n: usize) -> Vec<Math> {
    (1..=n).map(|i| letter.indexed(&[i])).collect()
}

/// `Σ aᵢ bᵢ`; structurally zero factors are skipped, so they leave no nodes.
pub(super) fn dot<'g>(a: &[Tracer<'g>], b: &[Tracer<'g>]) -> Tracer<'g> {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(Tracer::ZERO, |sum, (x, y)| sum + *x * *y)
}

/// A term of an equation: its coefficient, and the acceleration or multiplier that this multiplies,
/// if any.
type Signed<'g> = (Tracer<'g>, Option<Tracer<'g>>);

/// The two sides of an equation of motion as in textbooks. Left: accelerations with coefficients,
/// velocity terms, minus conservative forces. Right: all other loads, then multipliers.
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

/// Rows and unknowns of the equations of motion, as symbols of one graph.
pub(super) struct System<'g> {
    /// All constraint rows except those that inputs realise.
    pub rows: Vec<Row<'g>>,
    /// `v̇` as symbols, one for each speed.
    pub accelerations: Vec<Tracer<'g>>,
    /// `λ` as symbols, one for each row.
    pub multipliers: Vec<Tracer<'g>>,
}

impl<'g> System<'g> {
    /// Positions in `rows` of the rows that are not redundant.
    pub fn active(&self, partition: &Partition) -> Vec<usize> {
        (0..self.rows.len()).filter(|i| self.rows[*i].independent(partition)).collect()
    }

    /// Positions in `rows` of the independent rows that are in no group with pose-dependent rank;
    /// they take part in every pose.
    pub fn fixed(&self, partition: &Partition) -> Vec<usize> {
        let grouped = |i: &usize| partition.group_of(self.rows[*i].place()).is_some();
        self.active(partition).into_iter().filter(|i| !grouped(i)).collect()
    }
}
