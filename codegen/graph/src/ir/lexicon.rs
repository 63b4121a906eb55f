//! Names of values by what they are worth.
//!
//! Problem: passes compute a value by other operations; what it was called stays with the operations that are gone.
//! Method:  a value is worth its numbers at a few states ([`worth`](super::worth)); the same numbers, their opposites, doubles
//!          and halves find the name. Nothing but a name depends on it.
//! Cost:    O(log n) a value.

use std::sync::Arc;

use super::notes::negative;

/// So many states.
pub const STATES: usize = 3;
/// Two values are one if they differ by less, relatively.
const SAME: f64 = 1e-9;
/// What is smaller than this is as good as zero, which has no name.
const NOTHING: f64 = 1e-9;

/// A value at all states.
pub type Worth = [f64; STATES];

/// Names by what values are worth.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// In order of the value at the first state; the number says which name was given first.
    entries: Vec<(Worth, usize, Arc<str>)>,
}

/// True if two values are one.
pub fn is_same(a: &Worth, b: &Worth) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * b.abs())
}

/// A value that says something: finite, not zero, and not the same in all states.
fn is_telling(worth: &Worth) -> bool {
    let sound = worth.iter().all(|x| x.is_finite() && x.abs() > NOTHING);
    sound && worth[1..].iter().any(|x| (x - worth[0]).abs() > SAME * worth[0].abs())
}

impl Lexicon {
    /// Of values with names; where two are one the first name stays.
    pub fn new(named: Vec<(Worth, Arc<str>)>) -> Self {
        let telling = named.into_iter().filter(|(worth, _)| is_telling(worth));
        let mut entries: Vec<_> = telling.enumerate().map(|(i, (w, name))| (w, i, name)).collect();
        entries.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]).then(a.1.cmp(&b.1)));
        Lexicon { entries }
    }

    /// What a value of this worth is called.
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
