//! Names of values by numerical fingerprint.
//!
//! Problem: passes compute a value by other operations, but its name belongs to the operations that
//!          are gone.
//! Method:  the fingerprint of a value is its numbers at a few random states
//!          ([`worth`](super::worth)). An equal, opposite, doubled or halved fingerprint gives the
//!          name. Only names depend on it.
//! Cost:    O(log n) per value.

use std::sync::Arc;

use super::notes::negative;

/// Number of states in a fingerprint.
pub const STATES: usize = 3;
/// Relative tolerance below which two fingerprints are equal.
const SAME: f64 = 1e-9;
/// Magnitude below which a value counts as zero; zero has no name.
const NOTHING: f64 = 1e-9;

/// Fingerprint of a value: its numbers at all states.
pub type Worth = [f64; STATES];

/// Names of values by fingerprint; naming uses it after passes.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// Fingerprint, rank and name, sorted by the number at the first state. The lower rank wins
    /// among equals.
    entries: Vec<(Worth, usize, Arc<str>)>,
}

/// True if two fingerprints are equal within the tolerance.
pub fn is_same(a: &Worth, b: &Worth) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * b.abs())
}

/// True if a fingerprint identifies a value: finite, not zero, and not the same in all states.
fn is_telling(worth: &Worth) -> bool {
    let sound = worth.iter().all(|x| x.is_finite() && x.abs() > NOTHING);
    sound && worth[1..].iter().any(|x| (x - worth[0]).abs() > SAME * worth[0].abs())
}

impl Lexicon {
    /// Builds the lexicon; among equal fingerprints the first name wins.
    pub fn new(named: Vec<(Worth, Arc<str>)>) -> Self {
        let telling = named.into_iter().filter(|(worth, _)| is_telling(worth));
        let mut entries: Vec<_> = telling.enumerate().map(|(i, (w, name))| (w, i, name)).collect();
        entries.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]).then(a.1.cmp(&b.1)));
        Lexicon { entries }
    }

    /// The name of a value with this fingerprint, with a prefix such as `neg_` or `half_` if it is
    /// a multiple.
    pub fn name(&self, worth: &Worth) -> Option<String> {
        if !is_telling(worth) {
            return None;
        }
        let times = |k: f64| self.find(worth.map(|x| x * k));
        let half = |name: &str| format!("half_{name}");
        let two = |name: &str| format!("two_{name}");
        times(1.0)
            .map(str::to_owned)
            .or_else(|| times(-1.0).map(negative))
            .or_else(|| times(2.0).map(half))
            .or_else(|| times(0.5).map(two))
            .or_else(|| times(-2.0).map(|n| half(&negative(n))))
            .or_else(|| times(-0.5).map(|n| two(&negative(n))))
    }

    fn find(&self, worth: Worth) -> Option<&str> {
        let same = |a: f64, b: f64| (a - b).abs() <= SAME * b.abs();
        let start = self.entries.partition_point(|e| e.0[0] < worth[0] - SAME * worth[0].abs());
        let near = self.entries[start..].iter().take_while(|e| same(e.0[0], worth[0]));
        let equal = near.filter(|e| is_same(&e.0, &worth));
        equal.min_by_key(|e| e.1).map(|e| &*e.2)
    }
}
