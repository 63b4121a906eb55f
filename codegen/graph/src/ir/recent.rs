//! Operations that were asked for lately, with their results.
//!
//! Problem: mechanics asks for the same kinematics for every function; that it is there once takes a look at the arguments, and at
//!          theirs, every time.
//! Method:  one entry a place, the place by a hash: the newer one stays. What is found is what would be found by looking.

use super::node::{NodeId, Op};

/// Places at first; as many as a graph has nodes later, up to [`MOST`].
const FIRST: usize = 1 << 10;
/// 4 MB.
const MOST: usize = 1 << 18;

/// Results by operation and arguments.
#[derive(Default, Debug)]
pub(super) struct Recent {
    places: Vec<(u64, NodeId)>,
}

/// The operations that mechanics consists of; zero is no key.
fn key(op: Op, args: &[NodeId]) -> Option<u64> {
    let tag = match op {
        Op::Add => 1,
        Op::Sub => 2,
        Op::Mul => 3,
        Op::Neg => 4,
        Op::Sin => 5,
        Op::Cos => 6,
        _ => return None,
    };
    let of = |i: usize| args.get(i).map_or(0, |a| u64::from(a.0));
    (of(0) | of(1) < 1 << 30).then_some(tag << 60 | of(0) << 30 | of(1))
}

impl Recent {
    fn place(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        mixed as usize & (self.places.len() - 1)
    }

    /// What an operation gave.
    pub fn find(&self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        let key = key(op, args).filter(|_| !self.places.is_empty())?;
        let (found, id) = self.places[self.place(key)];
        (found == key).then_some(id)
    }

    /// Remembers what it gave, in a graph of so many nodes.
    pub fn keep(&mut self, op: Op, args: &[NodeId], id: NodeId, nodes: usize) {
        let Some(key) = key(op, args) else { return };
        if self.places.is_empty() || self.places.len() < nodes.min(MOST) {
            let places = (2 * nodes).next_power_of_two().clamp(FIRST, MOST);
            self.places = vec![(0, NodeId(0)); places];
        }
        let place = self.place(key);
        self.places[place] = (key, id);
    }
}
