//! Selection of the rows of constraints that take part at a pose.
//!
//! Problem: rows that depend on each other in every pose, where the pose decides which of them follow from the others: a
//! choice that is made once fails where its rows come to depend on each other, although the rank of A is that of all poses.
//! Method:  of a group of p rows with the rank r, r are taken by pivoting: each is the row with the largest part, squared,
//! outside the rows taken before it, by elimination in the Gram matrix `G = A Aᵀ` of the group, which is a p × p matrix. Mechanics
//! cannot compare, so rows change places by selections, and nothing branches. Rows outside of the group are independent of
//! it, whatever the pose. Every formalism sees the rows that are taken, and nothing of the choice; the others are fulfilled
//! with them, since rank and right sides are consistent.
//! Accuracy: a small remainder is taken only where there is no larger one, that is near a pose where the rank itself falls.
//! The Gram matrix only decides; the rows themselves are not changed.
//! Units:   rows of a group are compared as they are, in SI.
//! Cost:    nothing without groups; else `p² nv` for the Gram matrix, `r p²` for its elimination and `r p nv` selections.
//! Not handled: which rows form groups (`assemble`).

use super::constraints::{ConstraintRow, constraint_rows};
use crate::algebra::{Cmp, Scalar};
use crate::mechanism::{Environment, Mechanism, RowGroup};

/// Two places that change where the first holds less than the second.
#[derive(Clone, Copy, Debug)]
struct Exchange<S> {
    place: usize,
    other: usize,
    own: S,
    larger: S,
}

/// The rows of a group in an order that the pose decides.
#[derive(Clone, Debug)]
struct Chosen<S> {
    /// Indices among all rows.
    rows: Vec<usize>,
    rank: usize,
    exchanges: Vec<Exchange<S>>,
}

impl<S: Scalar> Exchange<S> {
    /// Both values, in their new places.
    fn apply(&self, x: S, y: S) -> (S, S) {
        let pick = |yes, no| S::select(Cmp::Lt, self.own, self.larger, yes, no);
        if x.is_zero() && y.is_zero() { (x, y) } else { (pick(y, x), pick(x, y)) }
    }
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    let terms = a.iter().zip(b).filter(|(a, b)| !a.is_zero() && !b.is_zero());
    terms.fold(S::ZERO, |sum, (a, b)| sum + *a * *b)
}

impl<S: Scalar> Chosen<S> {
    fn new(group: &RowGroup, all: &[ConstraintRow<S>]) -> Self {
        let find = |row: &(usize, usize)| all.iter().position(|r| r.place() == *row);
        let rows: Vec<usize> = group.rows.iter().filter_map(find).collect();
        let mut gram: Vec<Vec<S>> = rows
            .iter()
            .map(|i| rows.iter().map(|j| dot(&all[*i].jacobian, &all[*j].jacobian)).collect())
            .collect();
        let mut exchanges = Vec::new();
        for place in 0..group.rank {
            for other in place + 1..rows.len() {
                let e = Exchange { place, other, own: gram[place][place], larger: gram[other][other] };
                // Rows, then columns.
                let (above, below) = gram.split_at_mut(other);
                for (a, b) in above[place].iter_mut().zip(&mut below[0]) {
                    (*a, *b) = e.apply(*a, *b);
                }
                for row in &mut gram {
                    (row[place], row[other]) = e.apply(row[place], row[other]);
                }
                exchanges.push(e);
            }
            if place + 1 == group.rank {
                break;
            }
            let reciprocal = S::ONE / gram[place][place];
            let pivot = gram[place].clone();
            for row in gram.iter_mut().skip(place + 1) {
                let factor = row[place] * reciprocal;
                for (x, p) in row.iter_mut().zip(&pivot).skip(place + 1) {
                    *x = *x - factor * *p;
                }
            }
        }
        Chosen { rows, rank: group.rank, exchanges }
    }

    /// What is taken of the values of the rows, one value an entry.
    fn take(&self, values: impl Fn(usize) -> S) -> Vec<S> {
        let mut own: Vec<S> = self.rows.iter().map(|i| values(*i)).collect();
        for e in &self.exchanges {
            (own[e.place], own[e.other]) = e.apply(own[e.place], own[e.other]);
        }
        own.truncate(self.rank);
        own
    }

    /// Values of the rows from those of what was taken; zero for the others.
    fn give_back(&self, taken: &[S]) -> Vec<S> {
        let mut own = taken.to_vec();
        own.resize(self.rows.len(), S::ZERO);
        for e in self.exchanges.iter().rev() {
            (own[e.place], own[e.other]) = e.apply(own[e.place], own[e.other]);
        }
        own
    }

    /// A name for a row that is one of several.
    fn name(&self, all: &[ConstraintRow<S>], place: usize) -> String {
        let names: Vec<&str> = self.rows.iter().map(|i| all[*i].name.as_str()).collect();
        let list = match names.as_slice() {
            [a, b] => format!("{a}_or_{b}"),
            [a, b, c] => format!("{a}_or_{b}_or_{c}"),
            [a, rest @ ..] => format!("{a}_or_{}_others", rest.len()),
            [] => String::new(),
        };
        if self.rank > 1 { format!("{list}_{}", place + 1) } else { list }
    }
}

/// The rows that take part at a pose.
#[derive(Clone, Debug)]
pub struct Selection<S> {
    /// As the equations see them: independent, and as many in every pose. γ as in the rows that they were taken from.
    pub rows: Vec<ConstraintRow<S>>,
    /// Number of all rows.
    all: usize,
    /// Indices among all rows of those that are taken in every pose; they stand first.
    fixed: Vec<usize>,
    groups: Vec<Chosen<S>>,
    /// Constraints of each group.
    members: Vec<Vec<usize>>,
}

impl<S: Scalar> Selection<S> {
    /// From [`constraint_rows`].
    pub fn new(m: &Mechanism, all: &[ConstraintRow<S>]) -> Self {
        let grouped = |row: &ConstraintRow<S>| m.partition.group_of(row.place()).is_some();
        let fixed: Vec<usize> =
            (0..all.len()).filter(|i| all[*i].independent(m) && !grouped(&all[*i])).collect();
        let groups: Vec<Chosen<S>> = m.partition.groups.iter().map(|g| Chosen::new(g, all)).collect();
        let mut rows: Vec<ConstraintRow<S>> = fixed.iter().map(|i| all[*i].clone()).collect();
        for group in &groups {
            let Some(first) = group.rows.first() else { continue };
            let columns: Vec<Vec<S>> = (0..m.nv()).map(|j| group.take(|i| all[i].jacobian[j])).collect();
            let (velocity, gamma) = (group.take(|i| all[i].velocity), group.take(|i| all[i].gamma));
            let drift = group.take(|i| all[i].drift);
            for place in 0..group.rank {
                rows.push(ConstraintRow {
                    name: group.name(all, place),
                    position: None,
                    velocity: velocity[place],
                    jacobian: columns.iter().map(|c| c[place]).collect(),
                    gamma: gamma[place],
                    drift: drift[place],
                    ..all[*first].clone()
                });
            }
        }
        let members = m.partition.groups.iter().map(|g| g.rows.iter().map(|row| row.0).collect()).collect();
        Selection { rows, all: all.len(), fixed, groups, members }
    }

    /// Of values of all rows, those of the rows that take part.
    pub fn take(&self, values: &[S]) -> Vec<S> {
        let mut out: Vec<S> = self.fixed.iter().map(|i| values[*i]).collect();
        out.extend(self.groups.iter().flat_map(|g| g.take(|i| values[i])));
        out
    }

    /// Multipliers of all rows from those of the rows that take part; zero for the others.
    pub fn spread(&self, taken: &[S]) -> Vec<S> {
        let mut out = vec![S::ZERO; self.all];
        self.fixed.iter().zip(taken).for_each(|(i, x)| out[*i] = *x);
        let mut rest = &taken[self.fixed.len()..];
        for group in &self.groups {
            let (own, after) = rest.split_at(group.rank);
            rest = after;
            group.rows.iter().zip(group.give_back(own)).for_each(|(i, x)| out[*i] = x);
        }
        out
    }

    /// The constraints that row `k` of those that take part may come from.
    pub fn constraints(&self, k: usize) -> Vec<usize> {
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

/// The rows that take part in the equations at a pose: independent ones, γ with the stabilisation of its constraint.
pub fn active_rows<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<ConstraintRow<S>> {
    let all: Vec<ConstraintRow<S>> = constraint_rows(m, env)
        .into_iter()
        .map(|row| ConstraintRow { gamma: row.stabilised(m, env), ..row })
        .collect();
    Selection::new(m, &all).rows
}
