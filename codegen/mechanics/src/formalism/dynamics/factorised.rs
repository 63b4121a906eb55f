//! Factors of the mass matrix with the sparsity of the tree of speeds.
//!
//! Problem: `M x = b` for speeds in spec order.
//! Method:  speeds reordered so that parents precede children; `M = LᵀDL` from the leaves without
//!          fill-in (`algebra::TreeFactors`).
//! Shapes:  nv.
//! Cost:    Σ over speeds of depth² / 2 multiplications.
//!
//! Not handled: singular M: a pivot vanishes, and is reported.

use std::collections::BTreeSet;

use super::pivots::{Pivot, speed_pivot_scale};
use crate::kinematics;
use crate::mechanism::{Mechanism, SpeedId};
use dqdt_algebra::{Scalar, TreeColumns, TreeFactors};

/// Factors `M = LᵀDL` of the mass matrix with the sparsity of the tree, and the order of the
/// speeds.
#[derive(Clone, Debug)]
pub struct Factorised<S> {
    /// Speeds in the order of the rows of L and D.
    pub order: Vec<SpeedId>,
    /// Position of each speed in `order`, by speed.
    pub place: Vec<usize>,
    /// Factors L and D, in the order of `order`.
    pub factors: TreeFactors<S>,
}

impl<S: Scalar> Factorised<S> {
    /// Factors a mass matrix whose rows and columns are the speeds in spec order.
    pub fn new(m: &Mechanism, mass: &[Vec<S>]) -> Self {
        let order = kinematics::speeds_parents_first(m);
        let mut place = vec![0; order.len()];
        for (k, speed) in order.iter().enumerate() {
            place[*speed] = k;
        }
        let parents = kinematics::elimination_tree(m);
        let parent: Vec<_> = order.iter().map(|speed| parents[*speed].map(|p| place[p])).collect();
        let factors = TreeFactors::new(&parent, |i, j| mass[order[i]][order[j]]);
        Factorised { order, place, factors }
    }

    /// Solution of `M x = b`, with b and x in spec order.
    pub fn solve(&self, b: &[S]) -> Vec<S> {
        let permuted: Vec<_> = self.order.iter().map(|speed| b[*speed]).collect();
        let x = self.factors.solve(&permuted);
        self.place.iter().map(|k| x[*k]).collect()
    }

    /// Solutions for many right-hand sides, each in spec order, with shared intermediate values. If
    /// right-hand sides with a single non-zero entry, such as efforts of drives, cover more than
    /// half of the speeds, `M⁻¹` is formed, which costs half of its columns.
    pub fn solve_many(&self, sides: &[Vec<S>]) -> Vec<Vec<S>> {
        let driven: BTreeSet<SpeedId> = sides.iter().filter_map(|b| only_nonzero_entry(b)).collect();
        let mut columns = TreeColumns::new(&self.factors);
        let inverse = (2 * driven.len() > self.order.len()).then(|| columns.inverse());
        let in_spec_order = |x: &[S]| -> Vec<S> { self.place.iter().map(|k| x[*k]).collect() };
        sides
            .iter()
            .map(|b| match (only_nonzero_entry(b), &inverse) {
                (Some(speed), Some(inverse)) => {
                    let scaled = inverse[self.place[speed]].iter().map(|x| *x * b[speed]);
                    in_spec_order(&scaled.collect::<Vec<_>>())
                }
                _ => {
                    let permuted: Vec<_> = self.order.iter().map(|speed| b[*speed]).collect();
                    in_spec_order(&columns.solve(&permuted))
                }
            })
            .collect()
    }

    /// Pivots of M by speed in spec order, each with its entry of the diagonal of M as scale.
    pub fn pivots(&self, m: &Mechanism) -> Vec<Pivot<S>> {
        SpeedId::enumerate(&self.place)
            .map(|(speed, k)| {
                let scale = speed_pivot_scale(m, speed, |s| self.factors.diagonal[self.place[s]]);
                Pivot::tree_pivot(m, speed, self.factors.pivots[*k], Some(scale))
            })
            .collect()
    }
}

/// Speed of the only non-zero entry of a right-hand side; `None` if it has none or several.
fn only_nonzero_entry<S: Scalar>(b: &[S]) -> Option<SpeedId> {
    let mut nonzero = SpeedId::range(b.len()).filter(|i| !b[*i].is_zero());
    nonzero.next().filter(|_| nonzero.next().is_none())
}
