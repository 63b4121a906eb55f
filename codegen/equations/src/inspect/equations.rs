//! Symbols, rows and sides of the equations of motion, shared by the sections that print them.

use super::groups::SumTerm;
use super::letters;
use dqdt_algebra::Scalar;
use dqdt_document::report::{Math, Prose};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::{Mechanism, Partition, SpeedId};

/// A constraint row whose values are recorded in the graph of a report.
pub(super) type TracedRow<'g> = ConstraintRow<Tracer<'g>>;

/// Left sides of equations, one for each constraint row: a letter with the row's name as index,
/// `γ_pin`.
pub(super) fn row_symbols(letter: &str, rows: &[&TracedRow<'_>]) -> Vec<Math> {
    rows.iter().map(|r| letters::row_symbol(letter, &r.name)).collect()
}

/// Names of speeds as prose, typeset and separated by commas.
pub(super) fn speed_names(m: &Mechanism, speeds: &[SpeedId]) -> Prose {
    letters::typeset_names(speeds.iter().map(|s| m.speeds[*s].name.as_str()))
}

/// Indexed letters `c₁`, `c₂`, …, `cₙ`.
pub(super) fn numbered_letters(letter: &Math, n: usize) -> Vec<Math> {
    (1..=n).map(|i| letter.with_number_indices(&[i])).collect()
}

/// `Σ aᵢ bᵢ`; structurally zero factors are skipped, so they leave no nodes.
pub(super) fn nonzero_dot_product<'g>(a: &[Tracer<'g>], b: &[Tracer<'g>]) -> Tracer<'g> {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(Tracer::ZERO, |sum, (x, y)| sum + *x * *y)
}

/// The two sides of an equation of motion as in textbooks. Left: accelerations with coefficients,
/// velocity terms, minus conservative forces. Right: all other loads, then multipliers.
pub(super) fn equation_sides<'g>(
    inertia: impl Iterator<Item = (Tracer<'g>, Tracer<'g>)>,
    velocity: Tracer<'g>,
    conservative: Tracer<'g>,
    other: Tracer<'g>,
    reactions: impl Iterator<Item = (Tracer<'g>, Tracer<'g>)>,
) -> [Vec<SumTerm<'g>>; 2] {
    let plain = [velocity, -conservative].map(|x| (x, None));
    let left = inertia.map(term_with_factor).chain(plain).filter(is_nonzero_term).collect();
    let right = std::iter::once((other, None))
        .chain(reactions.map(term_with_factor))
        .filter(is_nonzero_term)
        .collect();
    [left, right]
}

/// A term of an equation: a coefficient with the acceleration or multiplier that it multiplies.
fn term_with_factor<'g>((coefficient, factor): (Tracer<'g>, Tracer<'g>)) -> SumTerm<'g> {
    (coefficient, Some(factor))
}

fn is_nonzero_term((coefficient, _): &SumTerm<'_>) -> bool {
    !coefficient.is_zero()
}

/// Rows and unknowns of the equations of motion, as symbols of one graph.
pub(super) struct EquationsOfMotion<'g> {
    /// All constraint rows except those that inputs realise.
    pub rows: Vec<TracedRow<'g>>,
    /// `v̇` as symbols, one for each speed.
    pub accelerations: Vec<Tracer<'g>>,
    /// `λ` as symbols, one for each row.
    pub multipliers: Vec<Tracer<'g>>,
}

impl<'g> EquationsOfMotion<'g> {
    /// Indices in `rows` of the constraint rows that are not redundant.
    pub fn active_rows(&self, partition: &Partition) -> Vec<usize> {
        (0..self.rows.len()).filter(|i| self.rows[*i].is_independent(partition)).collect()
    }

    /// Positions in `rows` of the independent rows that are in no group with pose-dependent rank;
    /// they take part in every pose.
    pub fn pose_independent_rows(&self, partition: &Partition) -> Vec<usize> {
        let active = self.active_rows(partition).into_iter();
        active.filter(|i| partition.group_containing(self.rows[*i].row_index()).is_none()).collect()
    }
}
