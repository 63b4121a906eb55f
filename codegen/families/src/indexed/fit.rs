//! Fits sets of index tuples by ranges and conditions on the indices.
//!
//! Problem: for sites (n, i, j) the sets of index tuples of one shape are given, each tuple with
//!          its coefficient. Find index expressions, ranges of running indices and a coefficient
//!          that give exactly these sets.
//! Method:  a position of the tuple that is the same expression everywhere is fixed to it. The
//!          others run: for each order of them, the least and the greatest value must be
//!          expressions of the site and of the earlier running indices. If several expressions
//!          match, the sets that they give for every site are compared with the given ones. If one
//!          piece does not suffice, the tuples are divided by coefficient or by comparing a
//!          position with another index, into at most [`MAX_PIECES`]. Coefficients are interpolated
//!          by polynomials up to degree two.
//! Cost:    exponential in the number of running indices (at most [`MAX_RUNS`]), linear in the
//!          tuples.
//! Not handled: bounds other than an index or number with an offset up to two.

use std::collections::{BTreeMap, BTreeSet};

use super::coefficient::interpolate_coefficient;
use super::formula::{Base, Coefficient, Delta, Index, Site, Sum, running_index_tuples};
use dqdt_algebra::Ratio;

/// Maximum number of pieces into which the tuples of one shape are divided.
const MAX_PIECES: usize = 4;
/// Maximum number of distinct coefficients for a division of tuples by coefficient.
const MAX_VALUES: usize = 8;
/// Maximum number of running indices, that is nested sums, of a piece.
const MAX_RUNS: usize = 5;
/// Maximum absolute offset in an index expression, such as the 2 in `j + 2`.
const MAX_OFFSET: i64 = 2;
/// Maximum number of index expressions tried for one bound of a sum.
const MAX_BOUNDS: usize = 4;
/// Maximum number of combinations of bounds tried for one order of running indices.
const MAX_TRIALS: usize = 96;

/// One occurrence of a term in an entry: its index tuple with its coefficient, a sample for the
/// fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TermSample {
    /// The entry in which the term occurs, as an index into [`Sites::all`].
    pub site: usize,
    pub indices: Vec<i64>,
    pub value: Ratio,
}

/// Index expressions, nested sums, conditions and a coefficient that describe a set of index
/// tuples; becomes one term of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FittedPiece {
    pub indices: Vec<Index>,
    pub sums: Vec<Sum>,
    pub deltas: Vec<Delta>,
    pub coefficient: Coefficient,
}

impl FittedPiece {
    /// Number of index tuples that the piece gives at one site.
    fn count_tuples(&self, site: Site) -> usize {
        if self.deltas.iter().all(|d| d.holds_at(site)) {
            running_index_tuples(&self.sums, site).len()
        } else {
            0
        }
    }
}

/// The entries (n, i, j) of the samples, and the number of their free indices.
#[derive(Clone, Debug)]
pub(super) struct Sites {
    pub rank: usize,
    pub all: Vec<Site>,
}

impl Sites {
    /// Candidate index expressions such as `i + 1` or `n`, simple ones first.
    fn candidate_indices(&self) -> Vec<Index> {
        let free = [Base::I, Base::J].into_iter().take(self.rank);
        let mut bases: Vec<Base> = free.collect();
        bases.extend([Base::N, Base::Zero]);
        let mut all = Vec::new();
        for size in 0..=MAX_OFFSET {
            for base in &bases {
                for offset in if size == 0 { vec![0] } else { vec![size, -size] } {
                    // A number as an index must be at least one, and an index beyond n + 1 does not
                    // occur.
                    if (*base == Base::Zero && offset < 1) || (*base == Base::N && offset > 1) {
                        continue;
                    }
                    all.push(Index { base: *base, offset });
                }
            }
        }
        all
    }
}

/// Finds the fewest pieces that together give exactly these index tuples; `None` if there are none.
pub(super) fn fit_pieces(sites: &Sites, points: &[TermSample]) -> Option<Vec<FittedPiece>> {
    if let Some(pieces) = (1..=2).find_map(|pieces| fit_with_pieces(sites, points, pieces)) {
        return Some(pieces);
    }
    // Tuples with equal coefficients usually belong to one piece.
    let values: BTreeSet<Ratio> = points.iter().map(|p| p.value).collect();
    if (2..=MAX_VALUES).contains(&values.len()) {
        let mut all = Vec::new();
        for value in &values {
            let of_value: Vec<TermSample> = points.iter().filter(|p| p.value == *value).cloned().collect();
            match (1..=MAX_PIECES).find_map(|pieces| fit_with_pieces(sites, &of_value, pieces)) {
                Some(pieces) => all.extend(pieces),
                None => break,
            }
        }
        let covered: usize = sites
            .all
            .iter()
            .map(|s| all.iter().map(|p: &FittedPiece| p.count_tuples(*s)).sum::<usize>())
            .sum();
        if covered == points.len() {
            return Some(all);
        }
    }
    (3..=MAX_PIECES).find_map(|pieces| fit_with_pieces(sites, points, pieces))
}

/// Fits index tuples by exactly `pieces` pieces, divided by one comparison after another.
fn fit_with_pieces(sites: &Sites, points: &[TermSample], pieces: usize) -> Option<Vec<FittedPiece>> {
    if pieces == 1 {
        return Some(vec![fit_single_piece(sites, points)?]);
    }
    for test in candidate_tests(sites, points) {
        let (yes, no): (Vec<TermSample>, Vec<TermSample>) =
            points.iter().cloned().partition(|p| test.holds_for_sample(sites, p));
        if yes.is_empty() || no.is_empty() {
            continue;
        }
        for (first, rest) in [(&yes, &no), (&no, &yes)] {
            if let Some(piece) = fit_single_piece(sites, first)
                && let Some(mut others) = fit_with_pieces(sites, rest, pieces - 1)
            {
                others.insert(0, piece);
                return Some(others);
            }
            if pieces == 2 {
                break;
            }
        }
    }
    None
}

/// A condition on an index tuple that divides tuples into two sets for separate fits.
enum Test {
    /// The coefficient of the tuple equals this number.
    Value(Ratio),
    /// Compares a position of the tuple with an index expression of the entry: equal if true, else
    /// less.
    Site(usize, Index, bool),
    /// Compares two positions of the tuple: equal if true, else less.
    Place(usize, usize, bool),
}

/// Compares two indices: true if `a = b` for `equal`, else if `a < b`.
fn is_equal_or_less(a: i64, b: i64, equal: bool) -> bool {
    if equal { a == b } else { a < b }
}

impl Test {
    /// True if the condition is true for this index tuple.
    fn holds_for_sample(&self, sites: &Sites, p: &TermSample) -> bool {
        match self {
            Test::Value(v) => p.value == *v,
            Test::Site(a, e, equal) => {
                is_equal_or_less(p.indices[*a], e.value_at(sites.all[p.site], &[]), *equal)
            }
            Test::Place(a, b, equal) => is_equal_or_less(p.indices[*a], p.indices[*b], *equal),
        }
    }
}

/// All conditions by which these samples may be divided.
fn candidate_tests(sites: &Sites, points: &[TermSample]) -> Vec<Test> {
    let values: BTreeSet<Ratio> = points.iter().map(|p| p.value).collect();
    let mut all = Vec::new();
    if values.len() <= 4 {
        all.extend(values.into_iter().map(Test::Value));
    }
    let places = points.first().map_or(0, |p| p.indices.len());
    for equal in [true, false] {
        for a in 0..places {
            for e in sites.candidate_indices().into_iter().filter(|e| e.offset == 0 || e.base == Base::Zero) {
                all.push(Test::Site(a, e, equal));
            }
            for b in (0..places).filter(|b| *b != a) {
                all.push(Test::Place(a, b, equal));
            }
        }
    }
    all
}

/// Role of one position of an index tuple in a fit: fixed, tied to another position, or running.
#[derive(Clone, Copy, Debug)]
enum PositionRole {
    /// The position always equals this index expression of the entry.
    Fixed(Index),
    /// The position equals another running position (its number) plus an offset.
    With(usize, i64),
    /// The position runs over a range: it becomes the running index of a sum.
    Runs,
}

/// Fits index tuples by one piece; `None` if one does not suffice.
fn fit_single_piece(sites: &Sites, points: &[TermSample]) -> Option<FittedPiece> {
    let places = assign_position_roles(sites, points)?;
    let running: Vec<usize> =
        (0..places.len()).filter(|a| matches!(places[*a], PositionRole::Runs)).collect();
    if running.len() > MAX_RUNS {
        return None;
    }
    // The running positions must determine the tuple.
    let mut sets: Vec<BTreeSet<Vec<i64>>> = vec![BTreeSet::new(); sites.all.len()];
    for p in points {
        if !sets[p.site].insert(running.iter().map(|a| p.indices[*a]).collect()) {
            return None;
        }
    }
    for order in permutations(running.len()) {
        let sets: Vec<BTreeSet<Vec<i64>>> = sets
            .iter()
            .map(|set| set.iter().map(|t| order.iter().map(|k| t[*k]).collect()).collect())
            .collect();
        let Some((sums, deltas)) = fit_sum_bounds(sites, &sets, running.len()) else { continue };
        let level = |place: usize| {
            let at = running.iter().position(|r| *r == place)?;
            order.iter().position(|k| *k == at)
        };
        let samples: Vec<(Site, Vec<i64>, Ratio)> = points
            .iter()
            .map(|p| {
                let runs = order.iter().map(|k| p.indices[running[*k]]).collect();
                (sites.all[p.site], runs, p.value)
            })
            .collect();
        let coefficient = interpolate_coefficient(sites.rank, running.len(), &samples)?;
        let at = places.iter().enumerate().map(|(a, place)| match place {
            PositionRole::Fixed(index) => Some(*index),
            PositionRole::With(b, offset) => Some(Index { base: Base::Run(level(*b)?), offset: *offset }),
            PositionRole::Runs => Some(Index::new(Base::Run(level(a)?))),
        });
        return Some(FittedPiece { indices: at.collect::<Option<_>>()?, sums, deltas, coefficient });
    }
    None
}

/// Assigns each position of the index tuples its role.
fn assign_position_roles(sites: &Sites, points: &[TermSample]) -> Option<Vec<PositionRole>> {
    let expressions = sites.candidate_indices();
    let count = points.first()?.indices.len();
    let mut places: Vec<PositionRole> = Vec::with_capacity(count);
    for a in 0..count {
        let fixed = expressions
            .iter()
            .find(|e| points.iter().all(|p| e.value_at(sites.all[p.site], &[]) == p.indices[a]));
        let place = match fixed {
            Some(e) => PositionRole::Fixed(*e),
            None => {
                let with = (0..a).filter(|b| matches!(places[*b], PositionRole::Runs)).find_map(|b| {
                    let first = points.first()?;
                    let offset = first.indices[a] - first.indices[b];
                    let same = points.iter().all(|p| p.indices[a] - p.indices[b] == offset);
                    (same && offset.abs() <= MAX_OFFSET).then_some(PositionRole::With(b, offset))
                });
                with.unwrap_or(PositionRole::Runs)
            }
        };
        places.push(place);
    }
    Some(places)
}

/// Candidates for the lower and the upper bound of the running index at this level; `None` if no
/// bounds give these sets.
fn find_candidate_bounds(
    sites: &Sites,
    sets: &[BTreeSet<Vec<i64>>],
    level: usize,
) -> Option<(Vec<Index>, Vec<Index>)> {
    // Values at this level for each beginning of a tuple; they must be consecutive.
    let mut by_prefix: BTreeMap<(usize, &[i64]), BTreeSet<i64>> = BTreeMap::new();
    for (site, set) in sets.iter().enumerate() {
        for tuple in set {
            by_prefix.entry((site, &tuple[..level])).or_default().insert(tuple[level]);
        }
    }
    let mut ends: Vec<(Site, &[i64], i64, i64)> = Vec::with_capacity(by_prefix.len());
    for ((site, prefix), values) in &by_prefix {
        let (first, last) = (*values.first()?, *values.last()?);
        if last - first + 1 != values.len() as i64 {
            return None;
        }
        ends.push((sites.all[*site], prefix, first, last));
    }
    let mut expressions = sites.candidate_indices();
    for size in 0..=MAX_OFFSET {
        for before in (0..level).rev() {
            let offsets = if size == 0 { vec![0] } else { vec![size, -size] };
            let base = Base::Run(before);
            expressions.extend(offsets.into_iter().map(|offset| Index { base, offset }));
        }
    }
    expressions.sort_by_key(|e| e.offset.abs() + 3 * i64::from(e.base == Base::Zero && e.offset > 1));
    let passing = |last: bool| -> Vec<Index> {
        let passing = expressions
            .iter()
            .filter(|e| ends.iter().all(|(s, p, a, b)| e.value_at(*s, p) == if last { *b } else { *a }));
        passing.take(MAX_BOUNDS).copied().collect()
    };
    let (from, to) = (passing(false), passing(true));
    if from.is_empty() || to.is_empty() {
        return None;
    }
    Some((from, to))
}

/// Nested sums over the running indices that give exactly these sets of tuples, with a condition on
/// the entry if needed.
fn fit_sum_bounds(
    sites: &Sites,
    sets: &[BTreeSet<Vec<i64>>],
    levels: usize,
) -> Option<(Vec<Sum>, Vec<Delta>)> {
    let mut choices: Vec<(Vec<Index>, Vec<Index>)> = Vec::with_capacity(levels);
    for level in 0..levels {
        choices.push(find_candidate_bounds(sites, sets, level)?);
    }
    let conditions = candidate_conditions(sites, sets);
    let total: usize = choices.iter().map(|(a, b)| a.len() * b.len()).product();
    for trial in 0..total.min(MAX_TRIALS) {
        let mut rest = trial;
        let mut digit = |n: usize| {
            let d = rest % n;
            rest /= n;
            d
        };
        let sums: Vec<Sum> =
            choices.iter().map(|(a, b)| Sum { from: a[digit(a.len())], to: b[digit(b.len())] }).collect();
        for deltas in &conditions {
            let same = sites.all.iter().zip(sets).all(|(site, set)| {
                let tuples = if deltas.iter().all(|d| d.holds_at(*site)) {
                    running_index_tuples(&sums, *site)
                } else {
                    Vec::new()
                };
                tuples.len() == set.len() && tuples.iter().all(|t| set.contains(t))
            });
            if same {
                return Some((sums, deltas.clone()));
            }
        }
    }
    None
}

/// Candidate conditions on the entry: the empty one, and comparisons of indices that hold exactly
/// where there are tuples.
fn candidate_conditions(sites: &Sites, sets: &[BTreeSet<Vec<i64>>]) -> Vec<Vec<Delta>> {
    let mut all = vec![Vec::new()];
    if sets.iter().all(|s| !s.is_empty()) {
        return all;
    }
    let expressions = sites.candidate_indices();
    for (k, a) in expressions.iter().enumerate().filter(|(_, e)| e.offset == 0) {
        for b in expressions.iter().skip(k + 1).filter(|b| b.base != a.base) {
            for equal in [true, false] {
                let delta = Delta { a: *a, b: *b, equal };
                if sites.all.iter().zip(sets).all(|(s, set)| delta.holds_at(*s) != set.is_empty()) {
                    all.push(vec![delta]);
                }
            }
        }
    }
    all
}

/// All permutations of `0..n`, the identity first.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let mut longer = Vec::new();
        for p in all {
            longer.extend((0..n).filter(|k| !p.contains(k)).map(|k| [&p[..], &[k]].concat()));
        }
        all = longer;
    }
    all
}
