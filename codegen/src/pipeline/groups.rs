//! The groups of the mixed form, by search.
//!
//! Problem: which neighbouring joints are eliminated together, and where accelerations start anew, decides about operations and
//!          about how long one waits for another: a choice for every joint, and all are right.
//! Method:  candidates are recorded without passes and counted. First groups of equal length from the leaves, and one group; from
//!          the best two the choices of single joints are turned round, those of joints that look alike together, as long as the
//!          cost falls. Steps are counted in operations that were recorded, not in time, so the answer is the same everywhere.
//! Cost:    up to [`BUDGET`] recorded operations.

use super::cost::total;
use crate::assemble::Assembled;
use crate::derive::{Request, derive_to_count};
use crate::ir::{count, count_depth};
use crate::mechanism::{Groups, Mechanism, classes, may_join};

/// Operations that a search may record. A derivation records about three million a second.
const BUDGET: u64 = 600_000;

/// Lengths of groups that are tried first.
const LENGTHS: [usize; 6] = [1, 2, 3, 4, 5, 7];

/// Joints on the way to a leaf up to which one group is tried: its rows of M are those of a dense matrix.
const DEEPEST: usize = 16;

/// What a candidate costs: waiting or operations, whichever is more, then operations.
type Cost = (u32, u32);

struct Search<'a> {
    loaded: &'a Assembled,
    request: &'a Request,
    mechanism: Mechanism,
    left: u64,
    waiting: u32,
    seen: Vec<(Groups, Cost)>,
}

impl Search<'_> {
    fn cost(&mut self, groups: &Groups) -> Option<Cost> {
        if let Some((_, cost)) = self.seen.iter().find(|(g, _)| g == groups) {
            return Some(*cost);
        }
        if self.left == 0 {
            return None;
        }
        self.mechanism.groups = groups.clone();
        let program = derive_to_count(&self.mechanism, self.request, &self.loaded.origin);
        self.left = self.left.saturating_sub(program.graph.len() as u64);
        let of = |f| count(&program, f).call.total().max(self.waiting * count_depth(&program, f));
        let cost = (program.functions.iter().map(of).sum(), total(&program));
        self.seen.push((groups.clone(), cost));
        Some(cost)
    }
}

/// The mechanism with groups for these functions. `waiting`: what an operation of the longest chain counts.
pub(super) fn found(loaded: &Assembled, request: &Request, waiting: u32) -> Mechanism {
    let m = &loaded.mechanism;
    let mut search =
        Search { loaded, request, mechanism: m.clone(), left: BUDGET, waiting, seen: Vec::new() };
    let classes = classes(&m.joints);
    let mut starts: Vec<(Cost, Groups)> = Vec::new();
    let deepest = (0..m.bodies.len()).map(|b| m.path(b).count()).max().unwrap_or(0);
    let one = (deepest <= DEEPEST).then(|| Groups::one(&m.joints));
    let uniform = LENGTHS.iter().map(|k| Groups::from_leaves(&m.joints, *k)).chain(one);
    for groups in uniform {
        if let Some(cost) = search.cost(&groups) {
            starts.push((cost, groups));
        }
    }
    starts.sort_by_key(|s| s.0);
    starts.dedup_by(|a, b| a.1 == b.1);
    let mut best = starts.first().cloned();
    for start in starts.into_iter().take(2) {
        let found = descend(&mut search, &classes, start);
        if best.as_ref().is_none_or(|b| found.0 < b.0) {
            best = Some(found);
        }
    }
    let groups = best.map(|b| b.1).unwrap_or_default();
    Mechanism { groups: Groups { found: true, ..groups }, ..search.mechanism }
}

/// Turns choices round, one class of joints after the other, as long as the cost falls.
fn descend(search: &mut Search<'_>, classes: &[Vec<usize>], mut best: (Cost, Groups)) -> (Cost, Groups) {
    loop {
        let before = best.0;
        for class in classes.iter().rev() {
            let i = class[0];
            let may = may_join(&search.mechanism.joints, i);
            for turned in [Turned::Joined, Turned::Carried] {
                if (turned == Turned::Joined && !may) || (turned == Turned::Carried && best.1.is_joined(i)) {
                    continue;
                }
                let mut groups = best.1.clone();
                for j in class {
                    match turned {
                        Turned::Joined => groups.joined[*j] = !groups.joined[*j],
                        Turned::Carried => groups.carried[*j] = !groups.carried[*j],
                    }
                }
                let Some(cost) = search.cost(&groups) else { return best };
                if cost < best.0 {
                    best = (cost, groups);
                }
            }
        }
        if best.0 == before {
            return best;
        }
    }
}

/// A choice of a joint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turned {
    Joined,
    Carried,
}
