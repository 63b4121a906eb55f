//! The blocks of a family, and the entries of each block.
//!
//! Problem: M, c and Q of each member are divided by kinds of coordinates and, in c, by products of
//!          rates.
//! Method:  the rows of one stem form a block. Sines and cosines of each kind of angle are either
//!          kept as factors or combined into angles of sums; a choice for all kinds is a
//!          *combination*. A member is expanded in a combination on demand.
//! Cost:    the expansion of each requested member, once per combination.

use std::collections::{BTreeMap, BTreeSet};

use super::expand::{expand_nodes, graph_symbols};
use super::family::Member;
use super::formula::Site;
use super::names::{Class, Stem, Stems, Symbol};
use super::search::Quantity;
use super::terms::EntryPolynomial;
use dqdt_algebra::polynomial::{Poly, PolynomialError, Ring, VariableRole};
use dqdt_graph::ir::NodeId;

/// The n of the member on which terms are counted and the products of rates in c are determined.
const PROBE: i64 = 3;
/// Maximum number of kinds of angles for which every subset is tried as phases; with more kinds
/// only none and all.
const MAX_KINDS: usize = 5;

/// A block of M, c, Q or q̇ that gets one formula, with the number of its free indices (0 to 2).
pub(super) struct FamilyBlock {
    pub quantity: Quantity,
    pub rank: usize,
}

/// A choice of the kinds of angles that are combined into angles of sums, with the entries of
/// members expanded in that form.
pub(super) struct AngleCombination {
    pub phases: BTreeSet<Stem>,
    pub ring: Ring<Symbol>,
    /// Expanded entries by n: the upper triangle of M by rows, then c, Q and q̇.
    entries_by_size: BTreeMap<i64, Vec<Result<Poly, PolynomialError>>>,
}

/// State of the search for formulas: the members of a family, the kinds of their symbols and the
/// expanded entries.
pub(super) struct FamilySearch<'a> {
    pub members: &'a [Member],
    pub stems: Stems,
    pub combinations: Vec<AngleCombination>,
}

/// Determines which names in the equations of a family have an index that grows with n.
pub(super) fn find_indexed_names(members: &[Member]) -> Stems {
    let all: Vec<(i64, Vec<Symbol>)> = members
        .iter()
        .map(|m| {
            let mut names = graph_symbols(&m.graph);
            names.extend(m.rows.iter().chain(&m.coordinates).cloned());
            (m.n, names)
        })
        .collect();
    Stems::new(all.iter().map(|(n, s)| (*n, &s[..])))
}

impl<'a> FamilySearch<'a> {
    /// Prepares a search with all combinations of the kinds of angles.
    pub fn new(members: &'a [Member]) -> Self {
        let mut family =
            FamilySearch { members, stems: find_indexed_names(members), combinations: Vec::new() };
        family.add_combinations();
        family
    }

    /// Prepares a search with one combination: the kinds in `phases` become angles of sums.
    pub fn with_combination(members: &'a [Member], phases: BTreeSet<Stem>) -> Self {
        FamilySearch {
            members,
            stems: find_indexed_names(members),
            combinations: vec![AngleCombination::new(phases)],
        }
    }

    /// The n of the member on which terms are counted: 3, or the last if there are fewer.
    pub fn probe_size(&self) -> i64 {
        PROBE.min(self.largest_size())
    }

    /// The mechanism of the family with n links, if supplied.
    fn find_member(&self, n: i64) -> Option<&Member> {
        self.members.iter().find(|m| m.n == n)
    }

    /// Largest number of links n of the supplied mechanisms.
    pub fn largest_size(&self) -> i64 {
        self.members.iter().map(|m| m.n).max().unwrap_or(0)
    }

    /// Adds one combination for each subset of the kinds of angles, the empty one first.
    fn add_combinations(&mut self) {
        let probe = self.probe_size();
        self.combinations.push(AngleCombination::new(BTreeSet::new()));
        self.expand_member(0, probe);
        let mut kinds: BTreeSet<Stem> = BTreeSet::new();
        for poly in self.combinations[0].entries_by_size[&probe].iter().flatten() {
            for (v, _) in poly.0.keys().flatten() {
                let (role, symbol) = self.combinations[0].ring.role_and_atom(*v);
                if role != VariableRole::Plain {
                    kinds.insert(self.stems.symbol_stem(symbol));
                }
            }
        }
        let kinds: Vec<Stem> = kinds.into_iter().collect();
        if kinds.len() > MAX_KINDS {
            self.combinations.push(AngleCombination::new(kinds.into_iter().collect()));
            return;
        }
        for subset in 1..1usize << kinds.len() {
            let phases = kinds.iter().enumerate().filter(|(k, _)| subset >> k & 1 == 1);
            self.combinations.push(AngleCombination::new(phases.map(|(_, s)| s.clone()).collect()));
        }
    }

    /// Expands all entries of member `n` into polynomials in one combination, unless that was done
    /// before.
    fn expand_member(&mut self, combination: usize, n: i64) {
        if self.combinations[combination].entries_by_size.contains_key(&n) {
            return;
        }
        let Some(m) = self.members.iter().find(|m| m.n == n) else { return };
        let nodes = nodes_to_expand(m);
        let AngleCombination { phases, ring, entries_by_size: polys } = &mut self.combinations[combination];
        let stems = &self.stems;
        polys.insert(n, expand_nodes(ring, &m.graph, &nodes, &|s| phases.contains(&stems.symbol_stem(s))));
    }

    /// Divides M, c, Q and q̇ of the last member into blocks by kinds of rows, columns and rates.
    pub fn divide_into_blocks(&mut self) -> Vec<FamilyBlock> {
        let Some(last) = self.find_member(self.largest_size()) else { return Vec::new() };
        let mut rows: Vec<(Stem, bool)> = Vec::new();
        for symbol in &last.rows {
            let row = (self.stems.symbol_stem(symbol), self.stems.split_index(symbol).is_some());
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        let mut blocks = Vec::new();
        for (a, (row, i)) in rows.iter().enumerate() {
            for (column, j) in &rows[a..] {
                let quantity = Quantity::Mass { row: row.clone(), column: column.clone() };
                blocks.push(FamilyBlock { quantity, rank: usize::from(*i) + usize::from(*j) });
            }
        }
        for (row, i) in &rows {
            let rank = usize::from(*i);
            match self.find_rate_products(row) {
                Some(products) => {
                    for (rates, indexed) in products {
                        let quantity = Quantity::Inertial { row: row.clone(), rates: Some(rates) };
                        blocks.push(FamilyBlock { quantity, rank: rank + usize::from(indexed) });
                    }
                }
                None => {
                    let quantity = Quantity::Inertial { row: row.clone(), rates: None };
                    blocks.push(FamilyBlock { quantity, rank });
                }
            }
        }
        for (row, i) in &rows {
            blocks.push(FamilyBlock {
                quantity: Quantity::Applied { row: row.clone() },
                rank: usize::from(*i),
            });
        }
        let mut coordinates: Vec<Stem> = Vec::new();
        for symbol in self.find_member(self.largest_size()).iter().flat_map(|m| &m.coordinates) {
            let coordinate = self.stems.symbol_stem(symbol);
            if !coordinates.contains(&coordinate) {
                coordinates.push(coordinate);
            }
        }
        for coordinate in coordinates {
            let rank = usize::from(coordinate.indexed);
            blocks.push(FamilyBlock { quantity: Quantity::Rate { coordinate }, rank });
        }
        blocks
    }

    /// The products of speeds in the rows of c of one kind, each with true if it has an index;
    /// `None` if a product has two different indices.
    fn find_rate_products(&mut self, row: &Stem) -> Option<BTreeMap<Vec<Stem>, bool>> {
        let probe = self.probe_size();
        let mut products = BTreeMap::new();
        let member = self.find_member(probe)?;
        let combination = &self.combinations[0];
        for (k, symbol) in member.rows.iter().enumerate() {
            if self.stems.symbol_stem(symbol) != *row {
                continue;
            }
            let poly =
                combination.entries_by_size[&probe][inertia_entry_position(member, k)].as_ref().ok()?;
            for monomial in poly.0.keys() {
                let (rates, index) = self.split_rates(&combination.ring, monomial)?;
                products.insert(rates, index.is_some());
            }
        }
        Some(products)
    }

    /// The speeds in a monomial, and their index; `None` if they have two different indices.
    fn split_rates(&self, ring: &Ring<Symbol>, monomial: &[(u16, i16)]) -> Option<(Vec<Stem>, Option<i64>)> {
        let (mut rates, mut index) = (Vec::new(), None);
        for (v, e) in monomial {
            let (_, symbol) = ring.role_and_atom(*v);
            if symbol.class != Class::Speed {
                continue;
            }
            let stem = self.stems.symbol_stem(symbol);
            rates.extend((0..*e).map(|_| stem.clone()));
            if let Some((_, k)) = self.stems.split_index(symbol) {
                if index.is_some_and(|i| i != k) {
                    return None;
                }
                index = Some(k);
            }
        }
        rates.sort();
        Some((rates, index))
    }

    /// The entries of a block in member `n`, as polynomials in one combination of angles.
    pub fn block_entries(
        &mut self,
        combination: usize,
        block: &FamilyBlock,
        n: i64,
    ) -> Result<Vec<EntryPolynomial>, PolynomialError> {
        self.expand_member(combination, n);
        let Some(m) = self.find_member(n) else { return Ok(Vec::new()) };
        let rows = |stem: &Stem| -> Vec<(usize, i64)> {
            let rows = m.rows.iter().enumerate().filter(|(_, s)| self.stems.symbol_stem(s) == *stem);
            rows.map(|(k, s)| (k, self.stems.split_index(s).map_or(0, |s| s.1))).collect()
        };
        let polys = &self.combinations[combination].entries_by_size[&n];
        let mut all = Vec::new();
        match &block.quantity {
            Quantity::Mass { row, column } => {
                for (a, i) in rows(row) {
                    for (b, j) in rows(column) {
                        let poly = polys[mass_entry_position(m, a.min(b), a.max(b))].clone()?;
                        // An only index is called i, whether it is a row or a column.
                        let (i, j) = if block.rank == 1 { (i.max(j), 0) } else { (i, j) };
                        all.push(EntryPolynomial { site: Site { n, i, j }, poly });
                    }
                }
            }
            Quantity::Inertial { row, rates: None } => {
                for (a, i) in rows(row) {
                    let poly = polys[inertia_entry_position(m, a)].clone()?;
                    all.push(EntryPolynomial { site: Site { n, i, j: 0 }, poly });
                }
            }
            Quantity::Inertial { row, rates: Some(rates) } => {
                for (a, i) in rows(row) {
                    let poly = polys[inertia_entry_position(m, a)].clone()?;
                    let ring = &self.combinations[combination].ring;
                    let indexed = block.rank > usize::from(i > 0);
                    let by_index = self.collect_rate_coefficients(ring, &poly, rates, m, indexed)?;
                    for (j, poly) in by_index {
                        let (i, j) = if i == 0 { (j, 0) } else { (i, j) };
                        all.push(EntryPolynomial { site: Site { n, i, j }, poly });
                    }
                }
            }
            Quantity::Rate { coordinate } => {
                for (a, s) in
                    m.coordinates.iter().enumerate().filter(|(_, s)| self.stems.symbol_stem(s) == *coordinate)
                {
                    let i = self.stems.split_index(s).map_or(0, |s| s.1);
                    let poly = polys[inertia_entry_position(m, a) + 2 * m.rows.len()].clone()?;
                    all.push(EntryPolynomial { site: Site { n, i, j: 0 }, poly });
                }
            }
            Quantity::Applied { row } => {
                for (a, i) in rows(row) {
                    let poly = polys[inertia_entry_position(m, a) + m.rows.len()].clone()?;
                    all.push(EntryPolynomial { site: Site { n, i, j: 0 }, poly });
                }
            }
        }
        Ok(all)
    }

    /// The indices that the symbols of these rates have in member `m`.
    fn rate_indices(&self, m: &Member, rates: &[Stem]) -> BTreeSet<i64> {
        let all = graph_symbols(&m.graph);
        let indexed = all.iter().filter_map(|s| self.stems.split_index(s));
        indexed.filter(|(stem, _)| rates.contains(stem)).map(|s| s.1).collect()
    }

    /// Coefficients of a product of rates in an entry of c, by the index of the rates. With
    /// `indexed`, every index that the member has is there; without, only 0.
    fn collect_rate_coefficients(
        &self,
        ring: &Ring<Symbol>,
        entry: &Poly,
        rates: &[Stem],
        m: &Member,
        indexed: bool,
    ) -> Result<BTreeMap<i64, Poly>, PolynomialError> {
        let mut by_index: BTreeMap<i64, Poly> = BTreeMap::new();
        if indexed {
            by_index.extend(self.rate_indices(m, rates).into_iter().map(|j| (j, Poly::default())));
        } else {
            by_index.insert(0, Poly::default());
        }
        for (monomial, c) in &entry.0 {
            let Some((factors, index)) = self.split_rates(ring, monomial) else { continue };
            if factors == *rates {
                let rest = monomial.iter().filter(|(v, _)| ring.role_and_atom(*v).1.class != Class::Speed);
                let rest = Poly::from_monomial(rest.copied().collect(), *c);
                let sum = by_index.entry(index.unwrap_or(0)).or_default();
                *sum = sum.add(&rest)?;
            }
        }
        Ok(by_index)
    }
}

impl AngleCombination {
    pub fn new(phases: BTreeSet<Stem>) -> Self {
        AngleCombination { phases, ring: Ring::default(), entries_by_size: BTreeMap::new() }
    }
}

/// The nodes that are expanded: the upper triangle of M by rows, then c, Q and q̇.
fn nodes_to_expand(m: &Member) -> Vec<NodeId> {
    let upper = m.mass_matrix.iter().enumerate().flat_map(|(i, row)| &row[i..]);
    upper.chain(&m.inertia_terms).chain(&m.applied_forces).chain(&m.rates).copied().collect()
}

/// Position of `M_ab`, `a ≤ b`, among the expanded nodes of a member.
fn mass_entry_position(m: &Member, a: usize, b: usize) -> usize {
    let n = m.rows.len();
    a * n - a * a.saturating_sub(1) / 2 + b - a
}

/// Position of the entry `a` of c among the expanded nodes of a member; Q and q̇ follow c.
fn inertia_entry_position(m: &Member, a: usize) -> usize {
    let n = m.rows.len();
    n * (n + 1) / 2 + a
}
