//! Names of values by numerical fingerprint.
//!
//! Problem: passes compute a value by other operations, but its name belongs to the operations that
//!          are gone.
//! Method:  the fingerprint of a value is its numbers at a few random states
//!          ([`fingerprint`](super::fingerprint)). An equal, opposite, doubled or halved one gives
//!          the name. Only names depend on it.
//! Cost:    O(log n) per value.

use std::sync::Arc;

use super::notes::toggle_negative_prefix;

/// Number of random states at which a fingerprint evaluates a value.
pub const STATES: usize = 3;
/// Relative tolerance within which two numbers of fingerprints are equal.
const SAME: f64 = 1e-9;
/// Magnitude below which a number of a fingerprint counts as zero; zero values have no name.
const NOTHING: f64 = 1e-9;

/// Numerical fingerprint of a value: its numbers at a few random states.
pub type Fingerprint = [f64; STATES];

/// Names of values by numerical fingerprint; naming uses it for values that passes compute by other
/// operations.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// Fingerprint, rank and name, sorted by the number at the first state. The lower rank wins
    /// among equals.
    entries: Vec<(Fingerprint, usize, Arc<str>)>,
}

/// True if two numbers of fingerprints are equal within the relative tolerance.
fn numbers_match(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * b.abs()
}

fn prefix_half(name: &str) -> String {
    format!("half_{name}")
}

fn prefix_two(name: &str) -> String {
    format!("two_{name}")
}

/// True if two fingerprints are equal within the tolerance.
pub fn fingerprints_match(a: &Fingerprint, b: &Fingerprint) -> bool {
    a.iter().zip(b).all(|(a, b)| numbers_match(*a, *b))
}

/// True if a fingerprint identifies a value: finite, not zero, and not the same in all states.
fn is_distinctive(fingerprint: &Fingerprint) -> bool {
    let sound = fingerprint.iter().all(|x| x.is_finite() && x.abs() > NOTHING);
    sound && fingerprint[1..].iter().any(|x| (x - fingerprint[0]).abs() > SAME * fingerprint[0].abs())
}

impl Lexicon {
    /// Builds the lexicon; among equal fingerprints the first name wins.
    pub fn new(named: Vec<(Fingerprint, Arc<str>)>) -> Self {
        let distinctive = named.into_iter().filter(|(fingerprint, _)| is_distinctive(fingerprint));
        let mut entries: Vec<_> = distinctive.enumerate().map(|(i, (w, name))| (w, i, name)).collect();
        entries.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]).then(a.1.cmp(&b.1)));
        Lexicon { entries }
    }

    /// The name of a value with this fingerprint, with a prefix such as `neg_` or `half_` if it is
    /// a multiple.
    pub fn name_by_fingerprint(&self, fingerprint: &Fingerprint) -> Option<String> {
        if !is_distinctive(fingerprint) {
            return None;
        }
        let times = |k: f64| self.find_name(fingerprint.map(|x| x * k));
        times(1.0)
            .map(str::to_owned)
            .or_else(|| times(-1.0).map(toggle_negative_prefix))
            .or_else(|| times(2.0).map(prefix_half))
            .or_else(|| times(0.5).map(prefix_two))
            .or_else(|| times(-2.0).map(|n| prefix_half(&toggle_negative_prefix(n))))
            .or_else(|| times(-0.5).map(|n| prefix_two(&toggle_negative_prefix(n))))
    }

    /// The name of the entry with this fingerprint and the lowest rank.
    fn find_name(&self, fingerprint: Fingerprint) -> Option<&str> {
        let start = self.entries.partition_point(|e| e.0[0] < fingerprint[0] - SAME * fingerprint[0].abs());
        let near = self.entries[start..].iter().take_while(|e| numbers_match(e.0[0], fingerprint[0]));
        let equal = near.filter(|e| fingerprints_match(&e.0, &fingerprint));
        equal.min_by_key(|e| e.1).map(|e| &*e.2)
    }
}
