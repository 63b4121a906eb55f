//! Index sets of terms, as conditions on the indices.
//!
//! Problem: for sites (n, i, j) the sets of tuples of one shape are given, each tuple with its coefficient. Find index
//!          expressions, ranges of running indices and a coefficient that give these sets and nothing else.
//! Method:  a place of the tuple that is the same expression everywhere is that expression. The others run: for each
//!          order of them, the least and the greatest value must be expressions of the site and of the running indices
//!          before. Several expressions may pass; what they give for every site is compared with the sets. Where one
//!          piece does not do, the tuples are divided by coefficient or by how a place compares with another index,
//!          into at most [`MAX_PIECES`]. Coefficients are constants or polynomials of degree two, by interpolation.
//! Cost:    exponential in the number of running indices (at most [`MAX_RUNS`]), linear in the tuples.
//! Not handled: bounds other than an index or number with an offset up to two.

use std::collections::{BTreeMap, BTreeSet};

use super::coefficient::interpolate;
use super::formula::{Base, Coefficient, Delta, Index, Site, Sum, runs};
use dqdt_algebra::Ratio;

/// Largest number of pieces for one shape.
const MAX_PIECES: usize = 4;
/// Largest number of coefficients that tuples are divided by.
const MAX_VALUES: usize = 8;
/// Largest number of running indices of a piece.
const MAX_RUNS: usize = 5;
/// Largest offset of an index.
const MAX_OFFSET: i64 = 2;
/// Expressions tried for one bound.
const MAX_BOUNDS: usize = 4;
/// Combinations of bounds tried for one order of running indices.
const MAX_TRIALS: usize = 96;

/// A tuple that occurs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Point {
    /// Position in the list of sites.
    pub site: usize,
    pub at: Vec<i64>,
    pub value: Ratio,
}

/// A set of tuples in indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub at: Vec<Index>,
    pub sums: Vec<Sum>,
    pub deltas: Vec<Delta>,
    pub coefficient: Coefficient,
}

impl Piece {
    /// The number of tuples at a site.
    fn count(&self, site: Site) -> usize {
        if self.deltas.iter().all(|d| d.holds(site)) { runs(&self.sums, site).len() } else { 0 }
    }
}

/// The sites, and how many of their indices are free.
#[derive(Clone, Debug)]
pub(super) struct Sites {
    pub rank: usize,
    pub all: Vec<Site>,
}

impl Sites {
    /// Index expressions of a site, simple ones first.
    fn expressions(&self) -> Vec<Index> {
        let free = [Base::I, Base::J].into_iter().take(self.rank);
        let mut bases: Vec<Base> = free.collect();
        bases.extend([Base::N, Base::Zero]);
        let mut all = Vec::new();
        for size in 0..=MAX_OFFSET {
            for base in &bases {
                for offset in if size == 0 { vec![0] } else { vec![size, -size] } {
                    // Numbers: one and more. What lies beyond n does not exist.
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

/// The pieces that give the points, fewest first.
pub(super) fn fit(sites: &Sites, points: &[Point]) -> Option<Vec<Piece>> {
    if let Some(pieces) = (1..=2).find_map(|pieces| divided(sites, points, pieces)) {
        return Some(pieces);
    }
    // Tuples of one coefficient belong together more often than not.
    let values: BTreeSet<Ratio> = points.iter().map(|p| p.value).collect();
    if (2..=MAX_VALUES).contains(&values.len()) {
        let mut all = Vec::new();
        for value in &values {
            let own: Vec<Point> = points.iter().filter(|p| p.value == *value).cloned().collect();
            match (1..=MAX_PIECES).find_map(|pieces| divided(sites, &own, pieces)) {
                Some(pieces) => all.extend(pieces),
                None => break,
            }
        }
        let given: usize =
            sites.all.iter().map(|s| all.iter().map(|p: &Piece| p.count(*s)).sum::<usize>()).sum();
        if given == points.len() {
            return Some(all);
        }
    }
    (3..=MAX_PIECES).find_map(|pieces| divided(sites, points, pieces))
}

fn divided(sites: &Sites, points: &[Point], pieces: usize) -> Option<Vec<Piece>> {
    if pieces == 1 {
        return Some(vec![single(sites, points)?]);
    }
    for test in tests(sites, points) {
        let (yes, no): (Vec<Point>, Vec<Point>) = points.iter().cloned().partition(|p| test.holds(sites, p));
        if yes.is_empty() || no.is_empty() {
            continue;
        }
        for (first, rest) in [(&yes, &no), (&no, &yes)] {
            if let Some(piece) = single(sites, first)
                && let Some(mut others) = divided(sites, rest, pieces - 1)
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

/// A question that divides tuples.
enum Test {
    Value(Ratio),
    /// The place is less than (or equal to) an index of the site.
    Site(usize, Index, bool),
    /// The same with another place.
    Place(usize, usize, bool),
}

impl Test {
    fn holds(&self, sites: &Sites, p: &Point) -> bool {
        let compare = |a: i64, b: i64, equal: bool| if equal { a == b } else { a < b };
        match self {
            Test::Value(v) => p.value == *v,
            Test::Site(a, e, equal) => compare(p.at[*a], e.at(sites.all[p.site], &[]), *equal),
            Test::Place(a, b, equal) => compare(p.at[*a], p.at[*b], *equal),
        }
    }
}

fn tests(sites: &Sites, points: &[Point]) -> Vec<Test> {
    let values: BTreeSet<Ratio> = points.iter().map(|p| p.value).collect();
    let mut all = Vec::new();
    if values.len() <= 4 {
        all.extend(values.into_iter().map(Test::Value));
    }
    let places = points.first().map_or(0, |p| p.at.len());
    for equal in [true, false] {
        for a in 0..places {
            for e in sites.expressions().into_iter().filter(|e| e.offset == 0 || e.base == Base::Zero) {
                all.push(Test::Site(a, e, equal));
            }
            for b in (0..places).filter(|b| *b != a) {
                all.push(Test::Place(a, b, equal));
            }
        }
    }
    all
}

/// What a place of the tuple is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Fixed(Index),
    /// A running place before, with an offset.
    With(usize, i64),
    Runs,
}

fn single(sites: &Sites, points: &[Point]) -> Option<Piece> {
    let places = places(sites, points)?;
    let running: Vec<usize> = (0..places.len()).filter(|a| matches!(places[*a], Place::Runs)).collect();
    if running.len() > MAX_RUNS {
        return None;
    }
    // One tuple for each value of what runs.
    let mut sets: Vec<BTreeSet<Vec<i64>>> = vec![BTreeSet::new(); sites.all.len()];
    for p in points {
        if !sets[p.site].insert(running.iter().map(|a| p.at[*a]).collect()) {
            return None;
        }
    }
    for order in permutations(running.len()) {
        let sets: Vec<BTreeSet<Vec<i64>>> = sets
            .iter()
            .map(|set| set.iter().map(|t| order.iter().map(|k| t[*k]).collect()).collect())
            .collect();
        let Some((sums, deltas)) = bounds(sites, &sets, running.len()) else { continue };
        let level = |place: usize| {
            let at = running.iter().position(|r| *r == place)?;
            order.iter().position(|k| *k == at)
        };
        let samples: Vec<(Site, Vec<i64>, Ratio)> = points
            .iter()
            .map(|p| {
                let runs = order.iter().map(|k| p.at[running[*k]]).collect();
                (sites.all[p.site], runs, p.value)
            })
            .collect();
        let coefficient = interpolate(sites.rank, running.len(), &samples)?;
        let at = places.iter().enumerate().map(|(a, place)| match place {
            Place::Fixed(index) => Some(*index),
            Place::With(b, offset) => Some(Index { base: Base::Run(level(*b)?), offset: *offset }),
            Place::Runs => Some(Index::of(Base::Run(level(a)?))),
        });
        return Some(Piece { at: at.collect::<Option<_>>()?, sums, deltas, coefficient });
    }
    None
}

fn places(sites: &Sites, points: &[Point]) -> Option<Vec<Place>> {
    let expressions = sites.expressions();
    let count = points.first()?.at.len();
    let mut places: Vec<Place> = Vec::with_capacity(count);
    for a in 0..count {
        let fixed =
            expressions.iter().find(|e| points.iter().all(|p| e.at(sites.all[p.site], &[]) == p.at[a]));
        let place = match fixed {
            Some(e) => Place::Fixed(*e),
            None => {
                let with = (0..a).filter(|b| matches!(places[*b], Place::Runs)).find_map(|b| {
                    let first = points.first()?;
                    let offset = first.at[a] - first.at[b];
                    let same = points.iter().all(|p| p.at[a] - p.at[b] == offset);
                    (same && offset.abs() <= MAX_OFFSET).then_some(Place::With(b, offset))
                });
                with.unwrap_or(Place::Runs)
            }
        };
        places.push(place);
    }
    Some(places)
}

/// Ranges that give the sets, and a condition on the site where one is needed.
fn bounds(sites: &Sites, sets: &[BTreeSet<Vec<i64>>], levels: usize) -> Option<(Vec<Sum>, Vec<Delta>)> {
    let mut choices: Vec<(Vec<Index>, Vec<Index>)> = Vec::with_capacity(levels);
    for level in 0..levels {
        // Least and greatest value for each beginning of a tuple.
        let mut seen: BTreeMap<(usize, &[i64]), BTreeSet<i64>> = BTreeMap::new();
        for (site, set) in sets.iter().enumerate() {
            for tuple in set {
                seen.entry((site, &tuple[..level])).or_default().insert(tuple[level]);
            }
        }
        let mut ends: Vec<(Site, &[i64], i64, i64)> = Vec::with_capacity(seen.len());
        for ((site, prefix), values) in &seen {
            let (first, last) = (*values.first()?, *values.last()?);
            if last - first + 1 != values.len() as i64 {
                return None;
            }
            ends.push((sites.all[*site], prefix, first, last));
        }
        let mut expressions = sites.expressions();
        for size in 0..=MAX_OFFSET {
            for before in (0..level).rev() {
                let offsets = if size == 0 { vec![0] } else { vec![size, -size] };
                let run = |offset| Index { base: Base::Run(before), offset };
                expressions.extend(offsets.into_iter().map(run));
            }
        }
        expressions.sort_by_key(|e| e.offset.abs() + 3 * i64::from(e.base == Base::Zero && e.offset > 1));
        let passing = |last: bool| -> Vec<Index> {
            let passes =
                |e: &&Index| ends.iter().all(|(s, p, a, b)| e.at(*s, p) == if last { *b } else { *a });
            expressions.iter().filter(passes).take(MAX_BOUNDS).copied().collect()
        };
        let (from, to) = (passing(false), passing(true));
        if from.is_empty() || to.is_empty() {
            return None;
        }
        choices.push((from, to));
    }
    let conditions = conditions(sites, sets);
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
                let found =
                    if deltas.iter().all(|d| d.holds(*site)) { runs(&sums, *site) } else { Vec::new() };
                found.len() == set.len() && found.iter().all(|t| set.contains(t))
            });
            if same {
                return Some((sums, deltas.clone()));
            }
        }
    }
    None
}

/// No condition, and those that hold exactly where there are tuples.
fn conditions(sites: &Sites, sets: &[BTreeSet<Vec<i64>>]) -> Vec<Vec<Delta>> {
    let mut all = vec![Vec::new()];
    if sets.iter().all(|s| !s.is_empty()) {
        return all;
    }
    let expressions = sites.expressions();
    for (k, a) in expressions.iter().enumerate().filter(|(_, e)| e.offset == 0) {
        for b in expressions.iter().skip(k + 1).filter(|b| b.base != a.base) {
            for equal in [true, false] {
                let delta = Delta { a: *a, b: *b, equal };
                if sites.all.iter().zip(sets).all(|(s, set)| delta.holds(*s) != set.is_empty()) {
                    all.push(vec![delta]);
                }
            }
        }
    }
    all
}

/// All orders of `0..n`, the given one first.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = |p: Vec<usize>| {
            (0..n).filter(|k| !p.contains(k)).map(|k| [&p[..], &[k]].concat()).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}
