//! The formulas of a family.
//!
//! Problem: for each block of M, and for c and Q, find a formula that every member obeys.
//! Method:  sines and cosines of each kind of angle can be kept as factors or be combined into angles of sums; of the
//!          ways to do it those that give the fewest terms are tried first. A formula is learned on n ≤ 4 (on n ≤ 5
//!          where that does not do) and put in for every member; the shortest that gives all elements is the answer.
//!          c is taken apart by products of rates where these have one index at most; else it is one vector.
//! Cost:    that of expanding every element for some of the ways.

use std::collections::{BTreeMap, BTreeSet};

use super::expand::{expand, symbols};
use super::family::Member;
use super::formula::{Function, IndexedFormula, Site};
use super::infer::Work;
use super::names::{Class, Stem, Stems, Symbol};
use super::ring::{Beyond, Poly, Ring, Role};
use super::terms::{Element, Reading, terms};
use crate::ir::NodeId;

/// Members up to this one are to be given, and every formula is checked on all of them.
pub const VERIFIED: i64 = 6;
/// A formula is learned on the members up to this one, or up to the next.
const LEARNED: i64 = 4;
/// Terms are counted on this member.
const PROBE: i64 = 3;
/// Ways to combine angles that are tried for a block.
const WAYS: usize = 3;
/// Kinds of angles that are combined in all ways; with more, only all or none.
const MAX_KINDS: usize = 5;

/// What a block is of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Quantity {
    /// Elements of M. For a scalar the stem is its name.
    Mass {
        /// Rows.
        row: Stem,
        /// Columns.
        column: Stem,
    },
    /// The terms of c with a product of rates, the column being that of the indexed ones; all of c without one.
    Inertial {
        /// Rows.
        row: Stem,
        /// Rates, or none for c as a whole.
        rates: Option<Vec<Stem>>,
    },
    /// Q
    Applied {
        /// Rows.
        row: Stem,
    },
    /// `q̇`
    Rate {
        /// The coordinates.
        coordinate: Stem,
    },
}

/// Why there is no formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Missing {
    /// Elements have no unique sum of terms.
    #[error("{0}")]
    Beyond(#[from] Beyond),
    /// No formula of the grammar gives the first members.
    #[error("no formula of the grammar gives the members up to n = {upto}{}", at(.counterexample))]
    NoPattern {
        /// The members.
        upto: i64,
        /// The first element that the formula of fewer members misses.
        counterexample: Option<Site>,
    },
}

fn at(site: &Option<Site>) -> String {
    match site {
        Some(Site { n, i, j }) if *j > 0 => {
            format!("; what fits the smaller ones fails first at n = {n}, i = {i}, j = {j}")
        }
        Some(Site { n, i, .. }) if *i > 0 => {
            format!("; what fits the smaller ones fails first at n = {n}, i = {i}")
        }
        Some(Site { n, .. }) => format!("; what fits the smaller ones fails first at n = {n}"),
        None => String::new(),
    }
}

/// A block and its formula, or why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Answer {
    pub quantity: Quantity,
    pub formula: Result<IndexedFormula, Missing>,
    /// The last member that the formula was learned on.
    pub learned: i64,
    /// The last member that it was checked on, element by element.
    pub verified: i64,
    /// Number of elements checked.
    pub elements: usize,
}

impl Answer {
    /// True for the rate of a coordinate that is a speed.
    pub fn is_plain_rate(&self) -> bool {
        let (Quantity::Rate { .. }, Ok(f)) = (&self.quantity, &self.formula) else { return false };
        let [(_, terms)] = &f.parts[..] else { return false };
        let [term] = &terms[..] else { return false };
        let one = term.coefficient.as_number().is_some_and(|r| r.is_one());
        one && term.sums.is_empty()
            && term.deltas.is_empty()
            && matches!(&term.factors[..], [f] if f.of.stem.class == Class::Speed && f.exponent == 1)
    }
}

/// A block of the family.
struct Task {
    quantity: Quantity,
    rank: usize,
}

/// A way to combine angles, and the polynomials it gives.
struct Way {
    phases: BTreeSet<Stem>,
    ring: Ring,
    /// By n: those of the upper triangle of M by rows, of c and of Q.
    polys: BTreeMap<i64, Vec<Result<Poly, Beyond>>>,
}

struct Family<'a> {
    members: &'a [Member],
    stems: Stems,
    ways: Vec<Way>,
}

/// A formula for every block, with the members 1, 2, … in order.
pub fn formulas(members: &[Member]) -> Vec<Answer> {
    let stems = stems(members);
    let mut family = Family { members, stems, ways: Vec::new() };
    family.find_ways();
    family.tasks().into_iter().map(|task| family.answer(task)).collect()
}

/// Which names of a family are indexed.
pub(super) fn stems(members: &[Member]) -> Stems {
    let all: Vec<(i64, Vec<Symbol>)> = members
        .iter()
        .map(|m| {
            let mut names = symbols(&m.graph);
            names.extend(m.rows.iter().chain(&m.coordinates).cloned());
            (m.n, names)
        })
        .collect();
    Stems::new(all.iter().map(|(n, s)| (*n, &s[..])))
}

impl Family<'_> {
    fn member(&self, n: i64) -> Option<&Member> {
        self.members.iter().find(|m| m.n == n)
    }

    fn last(&self) -> i64 {
        self.members.iter().map(|m| m.n).max().unwrap_or(0)
    }

    /// All subsets of the kinds of angles, by the products first.
    fn find_ways(&mut self) {
        let probe = PROBE.min(self.last());
        self.ways.push(Way::new(BTreeSet::new()));
        self.expanded(0, probe);
        let mut kinds: BTreeSet<Stem> = BTreeSet::new();
        for poly in self.ways[0].polys[&probe].iter().flatten() {
            for (v, _) in poly.0.keys().flatten() {
                let (role, symbol) = self.ways[0].ring.meaning(*v);
                if role != Role::Plain {
                    kinds.insert(self.stems.key(symbol));
                }
            }
        }
        let kinds: Vec<Stem> = kinds.into_iter().collect();
        if kinds.len() > MAX_KINDS {
            self.ways.push(Way::new(kinds.into_iter().collect()));
            return;
        }
        for subset in 1..1usize << kinds.len() {
            let chosen = kinds.iter().enumerate().filter(|(k, _)| subset >> k & 1 == 1);
            self.ways.push(Way::new(chosen.map(|(_, s)| s.clone()).collect()));
        }
    }

    /// Expands a member, if that was not done.
    fn expanded(&mut self, way: usize, n: i64) {
        if self.ways[way].polys.contains_key(&n) {
            return;
        }
        let Some(m) = self.members.iter().find(|m| m.n == n) else { return };
        let nodes = outputs(m);
        let Way { phases, ring, polys } = &mut self.ways[way];
        let stems = &self.stems;
        let phase = |s: &Symbol| phases.contains(&stems.key(s));
        polys.insert(n, expand(ring, &m.graph, &nodes, &phase));
    }

    fn tasks(&mut self) -> Vec<Task> {
        let Some(last) = self.member(self.last()) else { return Vec::new() };
        let mut rows: Vec<(Stem, bool)> = Vec::new();
        for symbol in &last.rows {
            let row = (self.stems.key(symbol), self.stems.split(symbol).is_some());
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        let mut tasks = Vec::new();
        for (a, (row, i)) in rows.iter().enumerate() {
            for (column, j) in &rows[a..] {
                let quantity = Quantity::Mass { row: row.clone(), column: column.clone() };
                tasks.push(Task { quantity, rank: usize::from(*i) + usize::from(*j) });
            }
        }
        for (row, i) in &rows {
            let rank = usize::from(*i);
            match self.products_of_rates(row) {
                Some(products) => {
                    for (rates, indexed) in products {
                        let quantity = Quantity::Inertial { row: row.clone(), rates: Some(rates) };
                        tasks.push(Task { quantity, rank: rank + usize::from(indexed) });
                    }
                }
                None => {
                    let quantity = Quantity::Inertial { row: row.clone(), rates: None };
                    tasks.push(Task { quantity, rank });
                }
            }
        }
        for (row, i) in &rows {
            tasks.push(Task { quantity: Quantity::Applied { row: row.clone() }, rank: usize::from(*i) });
        }
        let mut coordinates: Vec<Stem> = Vec::new();
        for symbol in self.member(self.last()).iter().flat_map(|m| &m.coordinates) {
            let coordinate = self.stems.key(symbol);
            if !coordinates.contains(&coordinate) {
                coordinates.push(coordinate);
            }
        }
        for coordinate in coordinates {
            let rank = usize::from(coordinate.indexed);
            tasks.push(Task { quantity: Quantity::Rate { coordinate }, rank });
        }
        tasks
    }

    /// The products of rates in c, and whether they have an index; `None` if some product has two.
    fn products_of_rates(&mut self, row: &Stem) -> Option<BTreeMap<Vec<Stem>, bool>> {
        let probe = PROBE.min(self.last());
        let mut found = BTreeMap::new();
        let member = self.member(probe)?;
        let way = &self.ways[0];
        for (k, symbol) in member.rows.iter().enumerate() {
            if self.stems.key(symbol) != *row {
                continue;
            }
            let poly = way.polys[&probe][place_of_c(member, k)].as_ref().ok()?;
            for monomial in poly.0.keys() {
                let (rates, index) = self.rates(&way.ring, monomial)?;
                found.insert(rates, index.is_some());
            }
        }
        Some(found)
    }

    /// The rates of a monomial and their index; `None` if they have two.
    fn rates(&self, ring: &Ring, monomial: &[(u16, i16)]) -> Option<(Vec<Stem>, Option<i64>)> {
        let (mut rates, mut index) = (Vec::new(), None);
        for (v, e) in monomial {
            let (_, symbol) = ring.meaning(*v);
            if symbol.class != Class::Speed {
                continue;
            }
            let stem = self.stems.key(symbol);
            rates.extend((0..*e).map(|_| stem.clone()));
            if let Some((_, k)) = self.stems.split(symbol) {
                if index.is_some_and(|i| i != k) {
                    return None;
                }
                index = Some(k);
            }
        }
        rates.sort();
        Some((rates, index))
    }

    /// The elements of a block for one member.
    fn elements(&mut self, way: usize, task: &Task, n: i64) -> Result<Vec<Element>, Beyond> {
        self.expanded(way, n);
        let Some(m) = self.member(n) else { return Ok(Vec::new()) };
        let rows = |stem: &Stem| -> Vec<(usize, i64)> {
            let of = |(k, s): (usize, &Symbol)| {
                (self.stems.key(s) == *stem).then(|| (k, self.stems.split(s).map_or(0, |s| s.1)))
            };
            m.rows.iter().enumerate().filter_map(of).collect()
        };
        let polys = &self.ways[way].polys[&n];
        let mut all = Vec::new();
        match &task.quantity {
            Quantity::Mass { row, column } => {
                for (a, i) in rows(row) {
                    for (b, j) in rows(column) {
                        let poly = polys[place_of_mass(m, a.min(b), a.max(b))].clone()?;
                        // One index is called i, of whichever side it is.
                        let (i, j) = if task.rank == 1 { (i.max(j), 0) } else { (i, j) };
                        all.push(Element { site: Site { n, i, j }, poly });
                    }
                }
            }
            Quantity::Inertial { row, rates: None } => {
                for (a, i) in rows(row) {
                    let poly = polys[place_of_c(m, a)].clone()?;
                    all.push(Element { site: Site { n, i, j: 0 }, poly });
                }
            }
            Quantity::Inertial { row, rates: Some(rates) } => {
                for (a, i) in rows(row) {
                    let poly = polys[place_of_c(m, a)].clone()?;
                    let ring = &self.ways[way].ring;
                    let mut by_index: BTreeMap<i64, Poly> = BTreeMap::new();
                    let indexed = task.rank > usize::from(i > 0);
                    if indexed {
                        by_index.extend(self.members_of(m, rates).into_iter().map(|j| (j, Poly::default())));
                    } else {
                        by_index.insert(0, Poly::default());
                    }
                    for (monomial, c) in &poly.0 {
                        let Some((own, index)) = self.rates(ring, monomial) else { continue };
                        if own == *rates {
                            let rest =
                                monomial.iter().filter(|(v, _)| ring.meaning(*v).1.class != Class::Speed);
                            let rest = Poly::monomial(rest.copied().collect(), *c);
                            let entry = by_index.entry(index.unwrap_or(0)).or_default();
                            *entry = entry.add(&rest)?;
                        }
                    }
                    for (j, poly) in by_index {
                        let (i, j) = if i == 0 { (j, 0) } else { (i, j) };
                        all.push(Element { site: Site { n, i, j }, poly });
                    }
                }
            }
            Quantity::Rate { coordinate } => {
                for (a, s) in
                    m.coordinates.iter().enumerate().filter(|(_, s)| self.stems.key(s) == *coordinate)
                {
                    let i = self.stems.split(s).map_or(0, |s| s.1);
                    let poly = polys[place_of_c(m, a) + 2 * m.rows.len()].clone()?;
                    all.push(Element { site: Site { n, i, j: 0 }, poly });
                }
            }
            Quantity::Applied { row } => {
                for (a, i) in rows(row) {
                    let poly = polys[place_of_c(m, a) + m.rows.len()].clone()?;
                    all.push(Element { site: Site { n, i, j: 0 }, poly });
                }
            }
        }
        Ok(all)
    }

    /// The indices that the rates of a product have in a member.
    fn members_of(&self, m: &Member, rates: &[Stem]) -> BTreeSet<i64> {
        let all = symbols(&m.graph);
        let own = |s: &Symbol| self.stems.split(s).filter(|(stem, _)| rates.contains(stem)).map(|s| s.1);
        all.iter().filter_map(own).collect()
    }

    fn answer(&mut self, task: Task) -> Answer {
        let last = self.last();
        let mut best: Option<(usize, Found)> = None;
        let mut missing = None;
        for way in self.promising(&task) {
            for ranges in [true, false] {
                match self.attempt(way, &task, ranges) {
                    Ok(found) => {
                        let size = size(&found.formula);
                        if best.as_ref().is_none_or(|b| size < b.0) {
                            best = Some((size, found));
                        }
                        break;
                    }
                    Err(m) => {
                        // A formula that misses an element says more than a way that cannot be gone.
                        let better = match (&missing, &m) {
                            (None, _) => true,
                            (Some(Missing::Beyond(_)), Missing::NoPattern { .. }) => true,
                            _ => false,
                        };
                        if better {
                            missing = Some(m);
                        }
                    }
                }
            }
        }
        if best.is_none() && missing.is_none() {
            missing = self.elements(0, &task, PROBE.min(last)).err().map(Missing::Beyond);
        }
        match best {
            Some((_, f)) => Answer {
                quantity: task.quantity,
                formula: Ok(f.formula),
                learned: f.learned,
                verified: last,
                elements: f.elements,
            },
            None => Answer {
                quantity: task.quantity,
                formula: Err(missing.unwrap_or(Missing::NoPattern { upto: last, counterexample: None })),
                learned: 0,
                verified: 0,
                elements: 0,
            },
        }
    }

    /// The ways that give the fewest terms of a block.
    fn promising(&mut self, task: &Task) -> Vec<usize> {
        let probe = PROBE.min(self.last());
        let reading = Reading { ranges: true, down: false };
        let mut counted: Vec<(usize, usize)> = Vec::new();
        for way in 0..self.ways.len() {
            let Ok(elements) = self.elements(way, task, probe) else { continue };
            let count =
                |e: &Element| terms(&self.ways[way].ring, &self.stems, &e.poly, reading).map(|t| t.len());
            let Ok(counts) = elements.iter().map(count).collect::<Result<Vec<_>, _>>() else { continue };
            counted.push((counts.iter().sum(), way));
        }
        counted.sort_unstable();
        // Ways that give the same polynomials differ in nothing.
        counted.dedup_by(|a, b| a.0 == b.0 && self.ways[a.1].phases.is_superset(&self.ways[b.1].phases));
        let least = counted.first().map_or(0, |c| c.0);
        counted.into_iter().filter(|c| c.0 <= 2 * least).map(|c| c.1).take(WAYS).collect()
    }

    fn attempt(&mut self, way: usize, task: &Task, ranges: bool) -> Result<Found, Missing> {
        let last = self.last();
        let mut elements = Vec::new();
        for n in 1..=last {
            elements.extend(self.elements(way, task, n)?);
        }
        let Way { phases, ring, .. } = &mut self.ways[way];
        let stems = &self.stems;
        let phase = |s: &Symbol| phases.contains(&stems.key(s));
        let mut work = Work { ring, stems, phase: &phase, ranges };
        let mut counterexample = None;
        for learned in [LEARNED, LEARNED + 1] {
            let known: Vec<Element> = elements.iter().filter(|e| e.site.n <= learned).cloned().collect();
            let mut best: Option<IndexedFormula> = None;
            for formula in work.infer(task.rank, &known)? {
                match difference(&mut work, &formula, &elements)? {
                    None if best.as_ref().is_none_or(|b| size(&formula) < size(b)) => best = Some(formula),
                    None => {}
                    Some(site) => counterexample = Some(site),
                }
            }
            if let Some(formula) = best {
                return Ok(Found { formula, learned, elements: elements.len() });
            }
        }
        for learned in (1..LEARNED).rev() {
            if counterexample.is_some() {
                break;
            }
            let known: Vec<Element> = elements.iter().filter(|e| e.site.n <= learned).cloned().collect();
            if let Some(formula) = work.infer(task.rank, &known)?.first() {
                counterexample = difference(&mut work, formula, &elements)?;
            }
        }
        Err(Missing::NoPattern { upto: last, counterexample })
    }
}

struct Found {
    formula: IndexedFormula,
    learned: i64,
    elements: usize,
}

/// The first element of its block that the formula of an answer misses, by exact comparison; `None` if there is none
/// or the answer has no formula.
///
/// # Errors
/// What polynomials cannot hold.
pub fn first_difference(members: &[Member], answer: &Answer) -> Result<Option<Site>, Beyond> {
    let Ok(formula) = &answer.formula else { return Ok(None) };
    let waves = formula.parts.iter().flat_map(|(_, terms)| terms).filter_map(|t| t.wave.as_ref());
    let phases: BTreeSet<Stem> = waves.flat_map(|w| &w.angles).map(|a| a.stem.clone()).collect();
    let mut family = Family { members, stems: stems(members), ways: vec![Way::new(phases)] };
    let task = Task { quantity: answer.quantity.clone(), rank: formula.rank };
    let mut elements = Vec::new();
    for n in 1..=family.last() {
        elements.extend(family.elements(0, &task, n)?);
    }
    let Way { phases, ring, .. } = &mut family.ways[0];
    let stems = &family.stems;
    let phase = |s: &Symbol| phases.contains(&stems.key(s));
    difference(&mut Work { ring, stems, phase: &phase, ranges: true }, formula, &elements)
}

fn difference(
    work: &mut Work<'_>,
    formula: &IndexedFormula,
    elements: &[Element],
) -> Result<Option<Site>, Beyond> {
    for e in elements {
        if work.instance(formula, e.site)? != e.poly {
            return Ok(Some(e.site));
        }
    }
    Ok(None)
}

/// What a reader has to take in.
fn size(formula: &IndexedFormula) -> usize {
    let term = |t: &super::formula::Term| {
        let trigonometric = t.factors.iter().filter(|f| f.function != Function::Value).count();
        2 + t.factors.len()
            + trigonometric
            + 2 * t.sums.len()
            + t.wave.as_ref().map_or(0, |w| 1 + w.angles.len())
    };
    formula.parts.iter().flat_map(|(_, terms)| terms).map(term).sum()
}

impl Way {
    fn new(phases: BTreeSet<Stem>) -> Self {
        Way { phases, ring: Ring::default(), polys: BTreeMap::new() }
    }
}

fn outputs(m: &Member) -> Vec<NodeId> {
    let upper = m.mass.iter().enumerate().flat_map(|(i, row)| &row[i..]);
    upper.chain(&m.c).chain(&m.force).chain(&m.rates).copied().collect()
}

/// The position of `M_ab`, `a ≤ b`, in [`outputs`].
fn place_of_mass(m: &Member, a: usize, b: usize) -> usize {
    let n = m.rows.len();
    a * n - a * a.saturating_sub(1) / 2 + b - a
}

fn place_of_c(m: &Member, a: usize) -> usize {
    let n = m.rows.len();
    n * (n + 1) / 2 + a
}
