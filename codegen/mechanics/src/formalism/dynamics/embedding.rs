//! Constraint embedding: closed loops with one remaining motion each, as generalised joints. Needs
//! no choice of dependent speeds.
//!
//! Problem: `v̇ = v̇₀ + B u̇` with `G v̇ = γ` for every u̇, so `G B = 0`, in every pose where the
//!          rows G have full rank.
//! Method:  constraint embedding (Jain 2012; Chignoli, Adrian, Kim and Wensing 2025), one loop
//!          after the other, each in the motions that the earlier loops allow. A loop of r rows in
//!          r + 1 motions leaves one motion, whose components are the minors of the rows:
//!          `(a₂, −a₁)` for one row `a`, the vector product `n = a × b` for two rows. It vanishes
//!          only where the rows become dependent, so dead points need no special treatment.
//!          `v̇₀ = (γ_a b − γ_b a) × n / |n|²` is the shortest solution of both rows. Multipliers
//!          are computed from the last loop to the first: a force f on the motions of a loop equals
//!          `λ_a a + λ_b b` perpendicular to n, so `λ_a = (f × b) · n / |n|²`,
//!          `λ_b = (a × f) · n / |n|²`.
//! Shapes:  B has nv − rows columns; one multiplier for each row.
//! Units:   components of a motion have the units of minors, which u̇ compensates. Lengths add
//!          squares of different units, which affects the choice among possible v̇₀ but not the
//!          result.
//! Cost:    O(rows · nv), about 35 products for a loop of two rows.
//!
//! Not handled: loops with several remaining motions, or with more than two rows
//! (`mechanism::find_embedded_loops` decides).

use super::pivots::Pivot;
use crate::kinematics::ConstraintRow;
use crate::mechanism::{EmbeddedLoop, Mechanism, RowId, SpeedId};
use dqdt_algebra::{Scalar, Vec3, dot};

/// Rows of a loop in the coordinates of its motions, with their minors.
#[derive(Clone, Debug)]
enum Minors<S> {
    /// One row a, in the two motions of its loop.
    One([S; 2]),
    /// Two rows a and b in the three motions of their loop, and `a × b`.
    Two(Vec3<S>, Vec3<S>, Vec3<S>),
}

/// An embedded loop, kept to compute its multipliers.
#[derive(Clone, Debug)]
struct ClosedLoop<S> {
    /// Indices of the loop's rows among the active rows.
    rows: Vec<RowId>,
    /// Motions that enter the loop before its rows are imposed, each by speed.
    motions: Vec<Vec<S>>,
    /// The rows in these motions, with their minors.
    minors: Minors<S>,
    /// Squared length of the row, or of `a × b`: the divisor of the loop.
    square: S,
    /// Reciprocal of `square`.
    reciprocal: S,
}

/// Accelerations that embedded loops allow: `v̇ = v̇₀ + B u̇`, without a choice of dependent
/// speeds.
#[derive(Clone, Debug)]
pub(crate) struct Embedding<S> {
    /// Speed after which each column of B is named in error messages.
    pub names: Vec<SpeedId>,
    /// Particular solution v̇₀ of the constraint rows, by speed.
    pub particular: Vec<S>,
    /// Columns of B, a basis of the permitted motions, each by speed.
    pub basis: Vec<Vec<S>>,
    /// The embedded loops, inner ones first.
    loops: Vec<ClosedLoop<S>>,
}

/// Combination of motions: `start + Σ motions x`.
fn combine_motions<S: Scalar>(motions: &[Vec<S>], x: &[S], start: Vec<S>) -> Vec<S> {
    motions.iter().zip(x).fold(start, |mut sum, (motion, x)| {
        let terms = sum.iter_mut().zip(motion).filter(|(_, c)| !c.is_zero() && !x.is_zero());
        terms.for_each(|(s, c)| *s = *s + *c * *x);
        sum
    })
}

impl<S: Scalar> Minors<S> {
    /// Motion that the rows of a loop leave free, in the loop's motions, and its squared length.
    fn remaining_motion(&self) -> (Vec<S>, S) {
        match self {
            Minors::One([x, y]) => (vec![*y, -*x], *x * *x + *y * *y),
            Minors::Two(_, _, n) => (n.0.to_vec(), n.dot(*n)),
        }
    }

    /// Solution of the loop's rows with right-hand sides `gamma`, times the squared length.
    fn particular_motion(&self, gamma: &[S]) -> Vec<S> {
        match self {
            Minors::One(a) => a.iter().map(|a| *a * gamma[0]).collect(),
            Minors::Two(a, b, n) => (b.scale(gamma[0]) - a.scale(gamma[1])).cross(*n).0.to_vec(),
        }
    }

    /// Multipliers of the loop's rows that balance a force on its motions, times the squared
    /// length.
    fn balance_force(&self, force: &[S]) -> Vec<S> {
        match self {
            Minors::One(a) => vec![dot(a, force)],
            Minors::Two(a, b, n) => {
                let f = Vec3([force[0], force[1], force[2]]);
                vec![f.cross(*b).dot(*n), a.cross(f).dot(*n)]
            }
        }
    }
}

impl<S: Scalar> Embedding<S> {
    /// Embeds the loops `embedded` of the active rows, in order.
    pub fn new(m: &Mechanism, rows: &[ConstraintRow<S>], embedded: &[EmbeddedLoop]) -> Self {
        let mut motions: Vec<Option<(SpeedId, Vec<S>)>> = m
            .speed_ids()
            .map(|i| Some((i, m.speed_ids().map(|j| if i == j { S::ONE } else { S::ZERO }).collect())))
            .collect();
        let mut particular = vec![S::ZERO; m.nv()];
        let mut loops = Vec::new();
        for embedded_loop in embedded {
            let named_motions: Vec<(SpeedId, Vec<S>)> =
                embedded_loop.motions.iter().filter_map(|i| motions[*i].take()).collect();
            let loop_motions: Vec<Vec<S>> = named_motions.into_iter().map(|x| x.1).collect();
            let loop_rows: Vec<Vec<S>> = (embedded_loop.rows.iter())
                .map(|r| loop_motions.iter().map(|x| dot(&rows[r.0].jacobian, x)).collect())
                .collect();
            let minors = match &loop_rows[..] {
                [a, b] => {
                    let [a, b] = [a, b].map(|x| Vec3([x[0], x[1], x[2]]));
                    Minors::Two(a, b, a.cross(b))
                }
                rows => Minors::One([rows[0][0], rows[0][1]]),
            };
            let (motion, square) = minors.remaining_motion();
            let reciprocal = S::ONE / square;
            let gamma: Vec<S> = (embedded_loop.rows.iter())
                .map(|r| rows[r.0].gamma - dot(&rows[r.0].jacobian, &particular))
                .collect();
            let share: Vec<S> =
                minors.particular_motion(&gamma).into_iter().map(|x| x * reciprocal).collect();
            particular = combine_motions(&loop_motions, &share, particular);
            motions.push(Some((
                embedded_loop.parametrising_speed,
                combine_motions(&loop_motions, &motion, vec![S::ZERO; m.nv()]),
            )));
            loops.push(ClosedLoop {
                rows: embedded_loop.rows.clone(),
                motions: loop_motions,
                minors,
                square,
                reciprocal,
            });
        }
        let (names, basis) = motions.into_iter().flatten().unzip();
        Embedding { names, particular, basis, loops }
    }

    /// Divisors of the embedding, one a loop, with names for error messages.
    pub fn pivots(&self, m: &Mechanism, rows: &[ConstraintRow<S>]) -> Vec<Pivot<S>> {
        self.loops
            .iter()
            .map(|l| {
                let name = &m.constraints[rows[l.rows[0].0].constraint].name;
                Pivot { squared: true, ..Pivot::row_pivot(name, l.square, None) }
            })
            .collect()
    }

    /// Multipliers λ of `Gᵀ λ = f`, for forces f that do no work along B.
    pub fn multipliers_from_forces(&self, rows: &[ConstraintRow<S>], forces: &[S]) -> Vec<S> {
        let mut left = forces.to_vec();
        let mut multipliers = vec![S::ZERO; rows.len()];
        for l in self.loops.iter().rev() {
            let force: Vec<S> = l.motions.iter().map(|x| dot(x, &left)).collect();
            for (r, x) in l.rows.iter().zip(l.minors.balance_force(&force)) {
                let x = x * l.reciprocal;
                multipliers[r.0] = x;
                left = combine_motions(std::slice::from_ref(&rows[r.0].jacobian), &[-x], left);
            }
        }
        multipliers
    }
}
