//! Selection of the rows of constraints that take part at a pose.
//!
//! Problem: rows that depend on each other in every pose, where the pose decides which of them follow from the others: a
//! choice that is made once fails where its rows come to depend on each other, although the rank of A is that of all poses.
//! Method:  of a group of p rows with the rank r, r are taken by pivoting: each is, of `p − r + 1` rows, that with the largest part,
//! squared, outside the rows taken before it, by elimination in the Gram matrix `G = A Aᵀ` of the group, which is a p × p matrix.
//! Those that are not taken stay in question beside the next row. Mechanics cannot compare, so rows change places by selections,
//! and nothing branches. Rows outside of the group are independent of it, whatever the pose. Every formalism sees the rows that are
//! taken, and nothing of the choice; the others are fulfilled with them, since rank and right sides are consistent.
//! Accuracy: what is left of G after some rows has `p − r` eigenvalues of zero, and none between zero and λ, the smallest other one of
//! G (its quadratic form is the least of that of G over what the rows taken may do). The diagonal over any `p − r + 1` rows sums up
//! to λ at least, so the largest of them is `λ / (p − r + 1)` or more: none is small but near a pose where the rank itself falls.
//! The Gram matrix only decides; the rows themselves are not changed.
//! Units:   rows of a group are compared as they are, in SI.
//! Cost:    nothing without groups; else `p² nv` for the Gram matrix, `r p²` for its elimination and `r (p − r) nv` selections.
//! Not handled: which rows form groups (`assemble`).

use super::constraints::{ConstraintRow, constraint_rows};
use crate::mechanism::{Environment, Mechanism, Partition, RowGroup, RowIndex};
use dqdt_algebra::{Cmp, Scalar, dot};

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
pub struct Chosen<S> {
    /// Indices among all rows.
    rows: Vec<usize>,
    /// The constraints that they are of, for names.
    of: String,
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

impl<S> Exchange<S> {
    /// The two places, in names.
    fn places(&self) -> String {
        format!("_{}_{}", self.place + 1, self.other + 1)
    }

    fn after(&self) -> String {
        format!("_after{}", self.places())
    }
}

/// The constraints of some rows, in names.
fn constraints<S>(m: &Mechanism, all: &[ConstraintRow<S>], rows: &[usize]) -> String {
    let of = |i: &usize| m.constraints[all[*i].constraint].name.as_str();
    match (rows.first().map(of), rows.last().map(of)) {
        (Some(first), Some(last)) if first != last => format!("{first}_{last}"),
        (first, _) => first.unwrap_or_default().to_owned(),
    }
}

/// Names the entries of a matrix.
fn name<S: Scalar>(matrix: &[Vec<S>], name: &dyn Fn(usize, usize) -> String) {
    for (i, row) in matrix.iter().enumerate() {
        row.iter().enumerate().for_each(|(j, x)| {
            x.named(&|| name(i, j));
        });
    }
}

impl<S: Scalar> Chosen<S> {
    /// The rows of a group that are nearly as independent as any.
    pub fn new(m: &Mechanism, group: &RowGroup, all: &[ConstraintRow<S>]) -> Self {
        let find = |row: &RowIndex| all.iter().position(|r| r.place() == *row);
        let rows: Vec<usize> = group.rows.iter().filter_map(find).collect();
        let mut gram: Vec<Vec<S>> = rows
            .iter()
            .map(|i| rows.iter().map(|j| dot(&all[*i].jacobian, &all[*j].jacobian)).collect())
            .collect();
        let of = constraints(m, all, &rows);
        let entry_of = |i: usize, j: usize| format!("gram_{of}_row{}_row{}", i + 1, j + 1);
        let entry = |i: usize, j: usize, after: &str| format!("{}{after}", entry_of(i.min(j), i.max(j)));
        name(&gram, &|i, j| entry(i, j, ""));
        let mut exchanges = Vec::new();
        for place in 0..group.rank {
            for other in place + 1..=place + rows.len().saturating_sub(group.rank) {
                let e = Exchange { place, other, own: gram[place][place], larger: gram[other][other] };
                // Rows, then columns.
                let (above, below) = gram.split_at_mut(other);
                for (a, b) in above[place].iter_mut().zip(&mut below[0]) {
                    (*a, *b) = e.apply(*a, *b);
                }
                let half = |i: usize, j: usize| format!("{}_rows{}", entry_of(i, j), e.places());
                name(&gram, &half);
                for row in &mut gram {
                    (row[place], row[other]) = e.apply(row[place], row[other]);
                }
                name(&gram, &|i, j| entry(i, j, &e.after()));
                exchanges.push(e);
            }
            if place + 1 == group.rank {
                break;
            }
            let reciprocal = S::ONE / gram[place][place];
            let pivot = gram[place].clone();
            for (i, row) in gram.iter_mut().enumerate().skip(place + 1) {
                let factor = row[place] * reciprocal;
                factor.named(&|| format!("gram_L_{of}_row{}_row{}", i + 1, place + 1));
                for (x, p) in row.iter_mut().zip(&pivot).skip(place + 1) {
                    *x = *x - factor * *p;
                }
            }
            name(&gram, &|i, j| entry(i, j, &format!("_less_row{}", place + 1)));
        }
        Chosen { rows, of, rank: group.rank, exchanges }
    }

    /// What is taken of the values of the rows, one value an entry; `what` says of what, in names.
    pub fn take(&self, what: &str, values: impl Fn(usize) -> S) -> Vec<S> {
        let mut own: Vec<S> = self.rows.iter().map(|i| values(*i)).collect();
        for e in &self.exchanges {
            (own[e.place], own[e.other]) = e.apply(own[e.place], own[e.other]);
            let name = |at: usize| format!("{what}_{}_row{}", self.of, at + 1);
            // After the last exchange of a place its row is the one that is taken.
            let last = e.other == e.place + own.len().saturating_sub(self.rank);
            let after = |at: usize| format!("{}{}", name(at), e.after());
            own[e.place].named(&|| if last { name(e.place) } else { after(e.place) });
            own[e.other].named(&|| after(e.other));
        }
        own.truncate(self.rank);
        own
    }

    /// Values of the rows from those of what was taken; zero for the others.
    pub fn give_back(&self, taken: &[S]) -> Vec<S> {
        let mut own = taken.to_vec();
        own.resize(self.rows.len(), S::ZERO);
        for e in self.exchanges.iter().rev() {
            (own[e.place], own[e.other]) = e.apply(own[e.place], own[e.other]);
            for at in [e.place, e.other] {
                own[at].named(&|| format!("lambda_{}_row{}_before{}", self.of, at + 1, e.places()));
            }
        }
        own
    }

    /// A name for a row that the pose chooses: its constraints and its place.
    fn name(&self, place: usize) -> String {
        format!("{}_row{}", self.of, place + 1)
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
    pub fn new(m: &Mechanism, partition: &Partition, all: &[ConstraintRow<S>]) -> Self {
        let grouped = |row: &ConstraintRow<S>| partition.group_of(row.place()).is_some();
        let fixed: Vec<usize> =
            (0..all.len()).filter(|i| all[*i].independent(partition) && !grouped(&all[*i])).collect();
        let groups: Vec<Chosen<S>> = partition.groups.iter().map(|g| Chosen::new(m, g, all)).collect();
        let mut rows: Vec<ConstraintRow<S>> = fixed.iter().map(|i| all[*i].clone()).collect();
        for group in &groups {
            let Some(first) = group.rows.first() else { continue };
            let columns: Vec<Vec<S>> = m
                .speed_ids()
                .map(|j| group.take(&format!("A_{}", m.stem_of_speed(j)), |i| all[i].jacobian[j]))
                .collect();
            let (velocity, gamma) =
                (group.take("phi_dot", |i| all[i].velocity), group.take("gamma", |i| all[i].gamma));
            let drift = group.take("drift", |i| all[i].drift);
            for place in 0..group.rank {
                rows.push(ConstraintRow {
                    name: group.name(place),
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

    /// The same with all rows of groups, for what can do with rows that depend on each other.
    pub fn whole(partition: &Partition, all: &[ConstraintRow<S>]) -> Self {
        let grouped = |i: &usize| partition.group_of(all[*i].place()).is_some();
        let taken = |i: &usize| all[*i].independent(partition) && !grouped(i);
        let order = (0..all.len()).filter(taken).chain((0..all.len()).filter(grouped));
        let fixed: Vec<usize> = order.collect();
        let rows = fixed.iter().map(|i| all[*i].clone()).collect();
        Selection { rows, all: all.len(), fixed, groups: Vec::new(), members: Vec::new() }
    }

    /// Of values of all rows, those of the rows that take part; `what` says of what, in names.
    pub fn take(&self, what: &str, values: &[S]) -> Vec<S> {
        let mut out: Vec<S> = self.fixed.iter().map(|i| values[*i]).collect();
        out.extend(self.groups.iter().flat_map(|g| g.take(what, |i| values[i])));
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
    Selection::new(m, env.partition, &all).rows
}
