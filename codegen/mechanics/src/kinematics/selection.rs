//! Selection of the constraint rows that are active at a pose.
//!
//! Problem: some rows depend on each other in every pose, and the pose decides which of them follow
//! from the others. A fixed choice fails where its rows become dependent, although A keeps its
//! rank.
//! Method:  from a group of p rows of rank r, r are selected by pivoting. Each is, among
//! `p − r + 1` rows, the one with the largest squared part outside the rows selected before it, by
//! elimination in the Gram matrix `G = A Aᵀ` of the group, a p × p matrix. The rows not selected
//! remain candidates for the next place. Formalisms cannot compare scalars, so rows are exchanged
//! by `select` operations, without branches. Rows outside the group are independent of it in every
//! pose. Formalisms see only the selected rows; the others are fulfilled too, since the system is
//! consistent.
//! Accuracy: after elimination of some rows, the rest of G has `p − r` zero eigenvalues and none
//! between zero and λ, the smallest non-zero eigenvalue of G (its quadratic form is the minimum of
//! that of G over the eliminated rows). The diagonal over any `p − r + 1` rows sums to at least λ,
//! so the largest entry is at least `λ / (p − r + 1)`: a pivot is small only near a pose where the
//! rank itself falls. G serves for the decision only; the rows themselves are not changed.
//! Units:   rows of a group are compared without scaling, in SI.
//! Cost:    nothing without groups; else `p² nv` for the Gram matrix, `r p²` for its elimination
//! and `r (p − r) nv` selections.
//! Not handled: which rows form groups (`assemble`).

use super::constraints::{ConstraintRow, constraint_rows};
use crate::mechanism::{Environment, Mechanism, Partition, RowGroup};
use dqdt_algebra::{Cmp, Scalar, dot};

/// Conditional exchange of two rows during pivoting: they are swapped if the pivot of the first is
/// smaller.
#[derive(Clone, Copy, Debug)]
struct Exchange<S> {
    /// Index of the first row: the place to be filled.
    place: usize,
    /// Index of the second row: a candidate for that place.
    other: usize,
    /// Diagonal entry of the Gram matrix at `place` before the exchange.
    pivot: S,
    /// Diagonal entry of the Gram matrix at `other` before the exchange.
    other_pivot: S,
}

/// Rows of a group of dependent constraint rows, ordered by pivoting at the current pose. The first
/// `rank` of them are active.
#[derive(Clone, Debug)]
pub struct PivotedGroup<S> {
    /// Indices of the group's rows among all constraint rows.
    rows: Vec<usize>,
    /// Names of the group's first and last constraint, for names of emitted values.
    constraint_names: String,
    /// Number of active rows: the rank of the group.
    rank: usize,
    /// Exchanges in the order in which pivoting applied them.
    exchanges: Vec<Exchange<S>>,
}

impl<S: Scalar> Exchange<S> {
    /// Values at `place` and `other` after the conditional exchange.
    fn exchange_if_smaller(&self, x: S, y: S) -> (S, S) {
        let pick = |yes, no| S::select(Cmp::Lt, self.pivot, self.other_pivot, yes, no);
        if x.is_zero() && y.is_zero() { (x, y) } else { (pick(y, x), pick(x, y)) }
    }
}

impl<S> Exchange<S> {
    /// Suffix with both row numbers of the exchange, for names of emitted values.
    fn row_numbers_suffix(&self) -> String {
        format!("_{}_{}", self.place + 1, self.other + 1)
    }

    /// Suffix for names of values after the exchange.
    fn after_exchange_suffix(&self) -> String {
        format!("_after{}", self.row_numbers_suffix())
    }
}

/// Names of the first and last constraint of some rows, for names of emitted values.
fn first_and_last_constraint_name<S>(m: &Mechanism, all: &[ConstraintRow<S>], rows: &[usize]) -> String {
    let constraint_of = |i: &usize| m.constraints[all[*i].constraint].name.as_str();
    match (rows.first().map(constraint_of), rows.last().map(constraint_of)) {
        (Some(first), Some(last)) if first != last => format!("{first}_{last}"),
        (first, _) => first.unwrap_or_default().to_owned(),
    }
}

/// Names every entry of a matrix for the emitted code.
fn name_matrix_entries<S: Scalar>(matrix: &[Vec<S>], name: &dyn Fn(usize, usize) -> String) {
    for (i, row) in matrix.iter().enumerate() {
        row.iter().enumerate().for_each(|(j, x)| {
            x.suggest_name(&|| name(i, j));
        });
    }
}

impl<S: Scalar> PivotedGroup<S> {
    /// Orders the rows of a group by pivoting in their Gram matrix at the current pose.
    pub fn new(m: &Mechanism, group: &RowGroup, all: &[ConstraintRow<S>]) -> Self {
        let rows: Vec<usize> =
            group.rows.iter().filter_map(|row| all.iter().position(|r| r.row_index() == *row)).collect();
        let mut gram: Vec<Vec<S>> = rows
            .iter()
            .map(|i| rows.iter().map(|j| dot(&all[*i].jacobian, &all[*j].jacobian)).collect())
            .collect();
        let constraint_names = first_and_last_constraint_name(m, all, &rows);
        let entry_of = |i: usize, j: usize| format!("gram_{constraint_names}_row{}_row{}", i + 1, j + 1);
        let entry = |i: usize, j: usize, after: &str| format!("{}{after}", entry_of(i.min(j), i.max(j)));
        name_matrix_entries(&gram, &|i, j| entry(i, j, ""));
        let mut exchanges = Vec::new();
        for place in 0..group.rank {
            for other in place + 1..=place + rows.len().saturating_sub(group.rank) {
                let e = Exchange { place, other, pivot: gram[place][place], other_pivot: gram[other][other] };
                // Exchange the rows, then the columns.
                let (above, below) = gram.split_at_mut(other);
                for (a, b) in above[place].iter_mut().zip(&mut below[0]) {
                    (*a, *b) = e.exchange_if_smaller(*a, *b);
                }
                name_matrix_entries(&gram, &|i, j| {
                    format!("{}_rows{}", entry_of(i, j), e.row_numbers_suffix())
                });
                for row in &mut gram {
                    (row[place], row[other]) = e.exchange_if_smaller(row[place], row[other]);
                }
                name_matrix_entries(&gram, &|i, j| entry(i, j, &e.after_exchange_suffix()));
                exchanges.push(e);
            }
            if place + 1 == group.rank {
                break;
            }
            let reciprocal = S::ONE / gram[place][place];
            let pivot = gram[place].clone();
            for (i, row) in gram.iter_mut().enumerate().skip(place + 1) {
                let factor = row[place] * reciprocal;
                factor.suggest_name(&|| format!("gram_L_{constraint_names}_row{}_row{}", i + 1, place + 1));
                for (x, p) in row.iter_mut().zip(&pivot).skip(place + 1) {
                    *x = *x - factor * *p;
                }
            }
            name_matrix_entries(&gram, &|i, j| entry(i, j, &format!("_less_row{}", place + 1)));
        }
        PivotedGroup { rows, constraint_names, rank: group.rank, exchanges }
    }

    /// Values of the group's active rows, from `values` of all rows. `name_prefix` is a prefix of
    /// the names of emitted values.
    pub fn select_active_values(&self, name_prefix: &str, values: impl Fn(usize) -> S) -> Vec<S> {
        let mut in_group: Vec<S> = self.rows.iter().map(|i| values(*i)).collect();
        for e in &self.exchanges {
            (in_group[e.place], in_group[e.other]) =
                e.exchange_if_smaller(in_group[e.place], in_group[e.other]);
            let name = |at: usize| format!("{name_prefix}_{}_row{}", self.constraint_names, at + 1);
            // After the last exchange of a place, the row at that place is final.
            let is_last = e.other == e.place + in_group.len().saturating_sub(self.rank);
            let name_after = |at: usize| format!("{}{}", name(at), e.after_exchange_suffix());
            in_group[e.place].suggest_name(&|| if is_last { name(e.place) } else { name_after(e.place) });
            in_group[e.other].suggest_name(&|| name_after(e.other));
        }
        in_group.truncate(self.rank);
        in_group
    }

    /// Inverse of [`Self::select_active_values`]: multipliers by row of the group, zero for the
    /// inactive rows.
    pub fn expand_to_all_rows(&self, active: &[S]) -> Vec<S> {
        let mut in_group = active.to_vec();
        in_group.resize(self.rows.len(), S::ZERO);
        for e in self.exchanges.iter().rev() {
            (in_group[e.place], in_group[e.other]) =
                e.exchange_if_smaller(in_group[e.place], in_group[e.other]);
            for at in [e.place, e.other] {
                in_group[at].suggest_name(&|| {
                    format!("lambda_{}_row{}_before{}", self.constraint_names, at + 1, e.row_numbers_suffix())
                });
            }
        }
        in_group
    }

    /// Name of the group's active row at `place`: its constraints and a number.
    fn active_row_name(&self, place: usize) -> String {
        format!("{}_row{}", self.constraint_names, place + 1)
    }
}

/// The constraint rows that are active at a pose: all independent rows, and the pivoted rows of
/// each group.
#[derive(Clone, Debug)]
pub struct Selection<S> {
    /// Active rows: independent, and equally many in every pose. Their γ is that of the rows passed
    /// to [`Selection::new`].
    pub rows: Vec<ConstraintRow<S>>,
    /// Number of all constraint rows, active or not.
    all: usize,
    /// Indices of the rows that are active in every pose, which come first in `rows`.
    fixed: Vec<usize>,
    /// Groups of dependent rows, pivoted at the pose.
    groups: Vec<PivotedGroup<S>>,
    /// Constraint index of each row, one list a group.
    members: Vec<Vec<usize>>,
}

impl<S: Scalar> Selection<S> {
    /// Selects the active rows from `all`, the rows of [`constraint_rows`].
    pub fn new(m: &Mechanism, partition: &Partition, all: &[ConstraintRow<S>]) -> Self {
        let fixed: Vec<usize> = (0..all.len()).filter(|i| is_always_active(partition, &all[*i])).collect();
        let groups: Vec<PivotedGroup<S>> =
            partition.groups.iter().map(|g| PivotedGroup::new(m, g, all)).collect();
        let mut rows: Vec<ConstraintRow<S>> = fixed.iter().map(|i| all[*i].clone()).collect();
        for group in &groups {
            let Some(first) = group.rows.first() else { continue };
            let columns: Vec<Vec<S>> = m
                .speed_ids()
                .map(|j| {
                    group.select_active_values(&format!("A_{}", m.speed_name_stem(j)), |i| all[i].jacobian[j])
                })
                .collect();
            let (velocity, gamma) = (
                group.select_active_values("phi_dot", |i| all[i].velocity),
                group.select_active_values("gamma", |i| all[i].gamma),
            );
            let drift = group.select_active_values("drift", |i| all[i].drift);
            for place in 0..group.rank {
                rows.push(ConstraintRow {
                    name: group.active_row_name(place),
                    position: None,
                    velocity: velocity[place],
                    jacobian: columns.iter().map(|c| c[place]).collect(),
                    gamma: gamma[place],
                    drift: drift[place],
                    ..all[*first].clone()
                });
            }
        }
        let members =
            partition.groups.iter().map(|g| g.rows.iter().map(|row| row.constraint).collect()).collect();
        Selection { rows, all: all.len(), fixed, groups, members }
    }

    /// Selection that includes all rows of groups, for methods that admit dependent rows.
    pub fn including_dependent_rows(partition: &Partition, all: &[ConstraintRow<S>]) -> Self {
        let always_active = (0..all.len()).filter(|i| is_always_active(partition, &all[*i]));
        let grouped = (0..all.len()).filter(|i| is_in_dependent_group(partition, &all[*i]));
        let fixed: Vec<usize> = always_active.chain(grouped).collect();
        let rows = fixed.iter().map(|i| all[*i].clone()).collect();
        Selection { rows, all: all.len(), fixed, groups: Vec::new(), members: Vec::new() }
    }

    /// Values of the active rows, from those of all rows. `name_prefix` is a prefix of the names of
    /// emitted values.
    pub fn select_active_values(&self, name_prefix: &str, values: &[S]) -> Vec<S> {
        let mut out: Vec<S> = self.fixed.iter().map(|i| values[*i]).collect();
        out.extend(self.groups.iter().flat_map(|g| g.select_active_values(name_prefix, |i| values[i])));
        out
    }

    /// Multipliers of all constraint rows from those of the active rows; zero for inactive rows.
    pub fn expand_to_all_rows(&self, active: &[S]) -> Vec<S> {
        let mut out = vec![S::ZERO; self.all];
        self.fixed.iter().zip(active).for_each(|(i, x)| out[*i] = *x);
        let mut rest = &active[self.fixed.len()..];
        for group in &self.groups {
            let (of_group, after) = rest.split_at(group.rank);
            rest = after;
            group.rows.iter().zip(group.expand_to_all_rows(of_group)).for_each(|(i, x)| out[*i] = x);
        }
        out
    }

    /// Indices of the constraints from which active row `k` may come: one, or those of its group.
    pub fn row_constraints(&self, k: usize) -> Vec<usize> {
        if k < self.fixed.len() {
            return vec![self.rows[k].constraint];
        }
        let mut before = self.fixed.len();
        for (group, g) in self.groups.iter().zip(&self.members) {
            before += group.rank;
            if k < before {
                return g.clone();
            }
        }
        Vec::new()
    }
}

/// True if the row belongs to a group of dependent rows, so that the pose decides whether it is
/// redundant.
fn is_in_dependent_group<S>(partition: &Partition, row: &ConstraintRow<S>) -> bool {
    partition.group_containing(row.row_index()).is_some()
}

/// True if the constraint row is active in every pose: independent and in no group.
fn is_always_active<S: Scalar>(partition: &Partition, row: &ConstraintRow<S>) -> bool {
    row.is_independent(partition) && !is_in_dependent_group(partition, row)
}

/// Active constraint rows at a pose, with Baumgarte stabilisation in γ.
pub fn active_stabilised_rows<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<ConstraintRow<S>> {
    let all: Vec<ConstraintRow<S>> = constraint_rows(m, env)
        .into_iter()
        .map(|row| ConstraintRow { gamma: row.stabilised_gamma(m, env), ..row })
        .collect();
    Selection::new(m, env.partition, &all).rows
}
