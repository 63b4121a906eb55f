//! An order of statements in which few values are alive at the same time.
//!
//! Problem: on a device a value that is alive occupies a register; beyond 255 of 32 bits they are
//!          stored in memory and loaded again. An order by sections computes all inertias before it
//!          uses the first.
//! Method:  several orders are made: depth first from the results, with the operands in three
//!          orders, and backwards from the end, where each time the step is placed that makes the
//!          fewest operands alive. Each is then improved by list scheduling: among the next steps
//!          of the order that can be placed, the one that ends the most values comes first,
//!          forwards and backwards in turn as long as fewer values are alive. The best one is
//!          taken. To minimise exactly is NP-hard (Sethi 1975, 10.1137/0204020).
//! Limits:  a value is never computed twice: compilers join equal expressions again.

use std::collections::{BTreeMap, BTreeSet};

/// Number of steps above which only the cheap orders are tried.
const MANY: usize = 6000;
/// Rounds of improvement at most.
const ROUNDS: usize = 8;

/// StepDependencies of a body, and the values between them.
#[derive(Default)]
pub struct StepDependencies {
    /// For each step, the values that it uses.
    uses: Vec<Vec<u32>>,
    /// For each step, the values that it defines.
    defines: Vec<Vec<u32>>,
    /// For each step, the steps that define what it uses.
    before: Vec<Vec<u32>>,
    /// For each step, the steps that use what it defines.
    after: Vec<Vec<u32>>,
    /// For each value, the number of steps that use it.
    users: Vec<u32>,
}

/// An order of steps, and the largest number of values that are alive at the same time.
pub struct Ordered {
    /// The steps in order.
    pub order: Vec<u32>,
    /// Largest number of live values.
    pub live: usize,
}

impl StepDependencies {
    /// Dependencies of steps from the names that each defines and mentions. Names that no step
    /// defines are ignored.
    pub fn from_names<'a>(steps: impl Iterator<Item = (&'a [String], Vec<&'a str>)> + Clone) -> Self {
        let mut out = StepDependencies::default();
        let mut values: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for (step, (defines, _)) in steps.clone().enumerate() {
            let mut defined = Vec::new();
            for name in defines {
                let value = values.len() as u32;
                values.insert(name, (value, step as u32));
                defined.push(value);
            }
            out.defines.push(defined);
        }
        out.users = vec![0; values.len()];
        for (step, (_, mentions)) in steps.enumerate() {
            let used: BTreeSet<(u32, u32)> = mentions
                .iter()
                .filter_map(|name| values.get(name))
                .filter(|v| v.1 != step as u32)
                .copied()
                .collect();
            used.iter().for_each(|(value, _)| out.users[*value as usize] += 1);
            out.uses.push(used.iter().map(|v| v.0).collect());
            let before: BTreeSet<u32> = used.iter().map(|v| v.1).collect();
            out.before.push(before.into_iter().collect());
        }
        out.after = vec![Vec::new(); out.uses.len()];
        for (step, before) in out.before.iter().enumerate() {
            before.iter().for_each(|needed| out.after[*needed as usize].push(step as u32));
        }
        out
    }

    /// An order with few live values, each step after those that it needs.
    pub fn order_for_few_live_values(&self) -> Ordered {
        let heights = self.heights();
        let mut candidates = vec![
            self.order_depth_first(|step| (0, u32::MAX - step)),
            self.order_depth_first(|step| (u32::MAX - heights[step as usize], step)),
            self.order_depth_first(|step| (0, step)),
        ];
        if self.uses.len() <= MANY {
            candidates.push(self.order_backwards(&[], usize::MAX));
        }
        let improved = candidates.into_iter().map(|order| self.improve(order));
        let none = Ordered { order: Vec::new(), live: usize::MAX };
        improved.fold(none, |best, next| if next.live < best.live { next } else { best })
    }

    fn heights(&self) -> Vec<u32> {
        let mut heights = vec![0u32; self.before.len()];
        for step in self.order_depth_first(|step| (0, step)) {
            let below = self.before[step as usize].iter().map(|needed| heights[*needed as usize]).max();
            heights[step as usize] = 1 + below.unwrap_or(0);
        }
        heights
    }

    /// Depth first from the steps whose values no step uses, operands by a key.
    fn order_depth_first(&self, key: impl Fn(u32) -> (u32, u32)) -> Vec<u32> {
        let n = self.before.len();
        let (mut opened, mut done) = (vec![false; n], vec![false; n]);
        let mut order = Vec::with_capacity(n);
        let mut stack: Vec<u32> = Vec::new();
        for target in (0..n as u32).filter(|step| self.after[*step as usize].is_empty()) {
            stack.push(target);
            while let Some(step) = stack.last().copied() {
                let at = step as usize;
                if done[at] || opened[at] {
                    stack.pop();
                    if !std::mem::replace(&mut done[at], true) {
                        order.push(step);
                    }
                    continue;
                }
                opened[at] = true;
                let start = stack.len();
                stack.extend(self.before[at].iter().filter(|needed| !opened[**needed as usize]));
                // The stack is popped from its end.
                stack[start..].sort_by_key(|needed| std::cmp::Reverse(key(*needed)));
            }
        }
        order
    }

    fn improve(&self, mut order: Vec<u32>) -> Ordered {
        let mut live = self.count_live_values(&order);
        let windows: &[usize] = if self.uses.len() <= MANY { &[8, 64, usize::MAX] } else { &[8, 64] };
        for _ in 0..ROUNDS {
            let mut best: Option<Ordered> = None;
            for window in windows {
                for order in [self.order_forwards(&order, *window), self.order_backwards(&order, *window)] {
                    let live = self.count_live_values(&order);
                    if best.as_ref().is_none_or(|b| live < b.live) {
                        best = Some(Ordered { order, live });
                    }
                }
            }
            match best.filter(|b| b.live < live) {
                Some(better) => (order, live) = (better.order, better.live),
                None => break,
            }
        }
        Ordered { order, live }
    }

    /// Places of the steps in an order; by number for an empty one.
    fn places(&self, order: &[u32]) -> Vec<u32> {
        let mut places: Vec<u32> = (0..self.before.len() as u32).collect();
        order.iter().enumerate().for_each(|(place, step)| places[*step as usize] = place as u32);
        places
    }

    /// List scheduling: among the next `window` steps that can be placed, that which ends the most
    /// values.
    fn order_forwards(&self, base: &[u32], window: usize) -> Vec<u32> {
        let places = self.places(base);
        let mut users = self.users.clone();
        let mut missing: Vec<usize> = self.before.iter().map(Vec::len).collect();
        let mut ready: BTreeSet<(u32, u32)> =
            (0..places.len()).filter(|s| missing[*s] == 0).map(|s| (places[s], s as u32)).collect();
        let mut order = Vec::with_capacity(places.len());
        loop {
            let candidates = ready.iter().take(window);
            let Some(next) =
                candidates.min_by_key(|(place, step)| (self.change_after(*step, &users), *place)).copied()
            else {
                return order;
            };
            ready.remove(&next);
            order.push(next.1);
            self.uses[next.1 as usize].iter().for_each(|v| users[*v as usize] -= 1);
            for step in &self.after[next.1 as usize] {
                missing[*step as usize] -= 1;
                if missing[*step as usize] == 0 {
                    ready.insert((places[*step as usize], *step));
                }
            }
        }
    }

    /// The same from the end: the step that makes the fewest values alive comes last. Without an
    /// order to follow, the step whose value was needed last wins among equals.
    fn order_backwards(&self, base: &[u32], window: usize) -> Vec<u32> {
        let places = self.places(base);
        let mut missing: Vec<usize> = self.after.iter().map(Vec::len).collect();
        // When a value became alive, counted from 1; zero if it is not alive.
        let mut alive_since = vec![0usize; self.users.len()];
        let mut clock = 0;
        let rank = |step: u32| u32::MAX - places[step as usize];
        let mut ready: BTreeSet<(u32, u32)> =
            (0..places.len() as u32).filter(|s| missing[*s as usize] == 0).map(|s| (rank(s), s)).collect();
        let mut order = Vec::with_capacity(places.len());
        loop {
            let candidates = ready.iter().take(window);
            let Some(next) = candidates
                .min_by_key(|(rank, step)| {
                    let (change, latest) = self.change_before(*step, &alive_since);
                    (change, std::cmp::Reverse(if base.is_empty() { latest } else { 0 }), *rank)
                })
                .copied()
            else {
                order.reverse();
                return order;
            };
            ready.remove(&next);
            order.push(next.1);
            self.defines[next.1 as usize].iter().for_each(|v| alive_since[*v as usize] = 0);
            for value in &self.uses[next.1 as usize] {
                if alive_since[*value as usize] == 0 {
                    clock += 1;
                    alive_since[*value as usize] = clock;
                }
            }
            for step in &self.before[next.1 as usize] {
                missing[*step as usize] -= 1;
                if missing[*step as usize] == 0 {
                    ready.insert((rank(*step), *step));
                }
            }
        }
    }

    /// Change of the number of live values by a step, from the numbers of users that are left.
    fn change_after(&self, step: u32, users: &[u32]) -> isize {
        let begins = self.defines[step as usize].iter().filter(|v| users[**v as usize] > 0).count();
        let ends = self.uses[step as usize].iter().filter(|v| users[**v as usize] == 1).count();
        begins as isize - ends as isize
    }

    /// The same for a step before those that are placed already, and when a value that it defines
    /// became alive last.
    fn change_before(&self, step: u32, alive_since: &[usize]) -> (isize, usize) {
        let (uses, defines) = (&self.uses[step as usize], &self.defines[step as usize]);
        let begins = uses.iter().filter(|v| alive_since[**v as usize] == 0).count();
        let ends = defines.iter().filter(|v| alive_since[**v as usize] > 0).count();
        let latest = defines.iter().map(|v| alive_since[*v as usize]).max().unwrap_or(0);
        (begins as isize - ends as isize, latest)
    }

    /// Largest number of values that are alive at the same time in an order.
    fn count_live_values(&self, order: &[u32]) -> usize {
        let mut users = self.users.clone();
        let (mut alive, mut most) = (0usize, 0usize);
        for step in order {
            alive += self.defines[*step as usize].iter().filter(|v| users[**v as usize] > 0).count();
            most = most.max(alive);
            for value in &self.uses[*step as usize] {
                users[*value as usize] -= 1;
                alive -= usize::from(users[*value as usize] == 0);
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::StepDependencies;

    /// Sums of pairs: all `a` and `b` first, then `s = s + a + b`, one after another.
    fn sums_of_pairs(n: usize) -> Vec<(Vec<String>, Vec<String>)> {
        let mut steps = Vec::new();
        for letter in ["a", "b"] {
            steps.extend((0..n).map(|i| (vec![format!("{letter}{i}")], Vec::new())));
        }
        for i in 0..n {
            let mut mentions = vec![format!("a{i}"), format!("b{i}")];
            mentions.extend((i > 0).then(|| format!("s{}", i - 1)));
            steps.push((vec![format!("s{i}")], mentions));
        }
        steps.push((Vec::new(), vec![format!("s{}", n - 1)]));
        steps
    }

    fn steps(all: &[(Vec<String>, Vec<String>)]) -> StepDependencies {
        StepDependencies::from_names(
            all.iter().map(|(d, m)| (&d[..], m.iter().map(String::as_str).collect())),
        )
    }

    #[test]
    fn pairs_are_computed_where_they_are_summed() {
        let all = sums_of_pairs(20);
        let steps = steps(&all);
        let as_written: Vec<u32> = (0..61).collect();
        assert_eq!(steps.count_live_values(&as_written), 41);
        let ordered = steps.order_for_few_live_values();
        assert_eq!(ordered.live, 4);
        assert_eq!(ordered.order.len(), 61);
        for (at, step) in ordered.order.iter().enumerate() {
            assert!(steps.before[*step as usize].iter().all(|needed| ordered.order[..at].contains(needed)));
        }
    }

    #[test]
    fn a_body_without_statements_has_no_live_values() {
        let ordered = StepDependencies::from_names(std::iter::empty()).order_for_few_live_values();
        assert_eq!((ordered.order.len(), ordered.live), (0, 0));
    }
}
