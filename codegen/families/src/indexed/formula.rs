//! The grammar of indexed formulas: entries of M, c and Q for any number of links.
//!
//! Problem: express an entry of a matrix by its indices for any number of links.
//! Method:  a formula is a sum of terms. A term has a coefficient (a number, or a polynomial in the
//!          indices), factors and sines or cosines whose indices are `i`, `j`, `n`, the larger or
//!          smaller of `i` and `j`, or a running index, each with an offset; nested sums over
//!          running indices with such bounds; an angle that may be a sum over a range; Kronecker
//!          deltas; and exponents that differ on the diagonal, `x^(a + b δ_ij)`. The rank is 0 (a
//!          function of n), 1 (of `i`) or 2 (of `i` and `j`).

use super::names::{Stem, Symbol};
use dqdt_algebra::{Ratio, Scalar};

/// The variable part of an index expression `base + offset` in a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Base {
    /// No variable: the offset alone is the index.
    Zero,
    /// The row index `i` of the entry.
    I,
    /// The column index `j` of the entry.
    J,
    /// The larger of row and column index, max(i, j).
    Max,
    /// The smaller of row and column index, min(i, j).
    Min,
    /// The number of links `n`.
    N,
    /// Running index of the sum with this position among the sums of the term.
    Run(usize),
}

/// An index expression `base + offset` in a formula, such as `j + 1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub struct Index {
    pub base: Base,
    pub offset: i64,
}

/// The entry at which a formula is evaluated: number of links n, row i and column j. Unused indices
/// are zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub struct Site {
    pub n: i64,
    pub i: i64,
    pub j: i64,
}

/// A sum `Σ` over the next running index of a term, with inclusive bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub struct Sum {
    pub from: Index,
    pub to: Index,
}

/// A condition on two indices of a term: the Kronecker delta `δ_ab` if `equal`, else `1 − δ_ab`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub struct Delta {
    pub a: Index,
    pub b: Index,
    pub equal: bool,
}

/// Coefficient of a term: a polynomial in indices, as pairs of a product of bases and its number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Coefficient(pub Vec<(Vec<Base>, Ratio)>);

/// Function that a factor applies to its symbol: none, sine or cosine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum FactorFunction {
    Value,
    Sin,
    Cos,
}

/// A symbol in a formula: a scalar such as `g`, or an indexed one such as `m_k`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Named {
    /// Name of the symbol without its index; for a scalar `before` is the whole name.
    pub stem: Stem,
    /// Index expression of the symbol; `None` for a scalar.
    pub index: Option<Index>,
}

/// A factor `f(x)^(exponent + diagonal · δ_ij)` of a term.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub struct Factor {
    pub function: FactorFunction,
    pub symbol: Named,
    pub exponent: i64,
    pub diagonal_exponent: i64,
}

/// One part of the argument of a sine or cosine: `multiple · Σ_{k = from}^{to} q_k`, or a multiple
/// of a scalar.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub struct Angle {
    pub stem: Stem,
    pub multiple: i64,
    pub range: Option<(Index, Index)>,
}

/// The sine or cosine of a sum of angles in a term, such as `cos(φ_i − φ_j)`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub struct Wave {
    pub sine: bool,
    pub angles: Vec<Angle>,
}

/// One term of a formula: a product under nested sums, restricted by conditions on the indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub struct Term {
    pub coefficient: Coefficient,
    pub factors: Vec<Factor>,
    pub wave: Option<Wave>,
    pub sums: Vec<Sum>,
    pub deltas: Vec<Delta>,
}

/// The entries of a matrix for which a part of a formula holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Range {
    /// All entries: one part gives every entry.
    All,
    /// Entries with `i ≤ j`; the others follow by symmetry, `a_ji = a_ij`.
    Symmetric,
    /// Entries with `i < j`; the others follow by `a_ji = −a_ij`, zero on the diagonal.
    Antisymmetric,
    /// Entries with `i ≤ j`; another part of the formula holds for the others.
    Upper,
    /// Entries with `i > j`; another part of the formula holds for the others.
    Lower,
}

/// Formula of all entries of a block of M, c, Q or q̇, for any number of links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexedFormula {
    /// Number of free indices: 0 for a function of n, 1 for i, 2 for i and j.
    pub rank: usize,
    /// Terms with the entries for which they hold: one part, or two for above and below the
    /// diagonal.
    pub parts: Vec<(Range, Vec<Term>)>,
}

/// One product of a formula with concrete numbers as indices; a term gives one for each value of
/// its sums.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Product {
    pub coefficient: Ratio,
    pub factors: Vec<(FactorFunction, Symbol, i64)>,
    /// Sine (true) or cosine of a sum of integer multiples of distinct angles.
    pub wave: Option<(bool, Vec<(Symbol, i64)>)>,
}

impl Index {
    /// The index expression `base` without an offset.
    pub fn new(base: Base) -> Self {
        Index { base, offset: 0 }
    }

    /// Number of the index at an entry, for these values of the running indices.
    pub fn value_at(self, site: Site, runs: &[i64]) -> i64 {
        self.offset + base_value_at(self.base, site, runs)
    }
}

/// Number of an index variable at an entry, for these values of the running indices.
fn base_value_at(base: Base, site: Site, runs: &[i64]) -> i64 {
    match base {
        Base::Zero => 0,
        Base::I => site.i,
        Base::J => site.j,
        Base::Max => site.i.max(site.j),
        Base::Min => site.i.min(site.j),
        Base::N => site.n,
        Base::Run(k) => runs.get(k).copied().unwrap_or(0),
    }
}

impl Coefficient {
    /// A coefficient that is one number.
    pub fn constant(value: Ratio) -> Self {
        Coefficient(vec![(Vec::new(), value)])
    }

    /// The number, if the coefficient does not depend on indices.
    pub fn as_number(&self) -> Option<Ratio> {
        match &self.0[..] {
            [] => Some(Ratio::ZERO),
            [(bases, value)] if bases.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// Number of the coefficient at an entry, for these running indices; `None` if it overflows.
    pub fn value_at(&self, site: Site, runs: &[i64]) -> Option<Ratio> {
        self.0.iter().try_fold(Ratio::ZERO, |sum, (bases, c)| {
            let product = bases
                .iter()
                .try_fold(*c, |p, b| p.checked_mul(Ratio::integer(base_value_at(*b, site, runs))))?;
            sum.checked_add(product)
        })
    }
}

impl Named {
    /// The symbol with its index as a number, such as `m3`.
    fn symbol_at(&self, site: Site, runs: &[i64]) -> Symbol {
        match self.index {
            Some(index) => self.stem.indexed_symbol(index.value_at(site, runs)),
            None => self.stem.scalar_symbol(),
        }
    }
}

impl Delta {
    /// True if the condition on the indices is met at this entry.
    pub fn holds_at(self, site: Site) -> bool {
        (self.a.value_at(site, &[]) == self.b.value_at(site, &[])) == self.equal
    }

    /// The Kronecker delta `δ_ij` of row and column: restricts a term to the diagonal.
    pub const DIAGONAL: Delta =
        Delta { a: Index { base: Base::I, offset: 0 }, b: Index { base: Base::J, offset: 0 }, equal: true };
}

/// All tuples of running indices that these nested sums give at an entry.
pub fn running_index_tuples(sums: &[Sum], site: Site) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for sum in sums {
        let mut longer = Vec::new();
        for runs in all {
            let (from, to) = (sum.from.value_at(site, &runs), sum.to.value_at(site, &runs));
            longer.extend((from..=to).map(|k| [&runs[..], &[k]].concat()));
        }
        all = longer;
    }
    all
}

impl Term {
    /// Products with concrete indices that the term gives at an entry; `None` if a coefficient
    /// overflows.
    pub fn products_at(&self, site: Site) -> Option<Vec<Product>> {
        if !self.deltas.iter().all(|d| d.holds_at(site)) {
            return Some(Vec::new());
        }
        let diagonal = i64::from(site.i == site.j);
        let mut products = Vec::new();
        for runs in running_index_tuples(&self.sums, site) {
            let factors = self.factors.iter().map(|f| {
                (f.function, f.symbol.symbol_at(site, &runs), f.exponent + f.diagonal_exponent * diagonal)
            });
            products.push(Product {
                coefficient: self.coefficient.value_at(site, &runs)?,
                factors: factors.filter(|(_, _, e)| *e != 0).collect(),
                wave: self.wave.as_ref().map(|w| (w.sine, w.angle_multiples_at(site, &runs))),
            });
        }
        Some(products)
    }
}

impl Term {
    /// True if an index or the coefficient of the term uses this index variable.
    pub fn uses_index_base(&self, base: Base) -> bool {
        let factors = self.factors.iter().filter_map(|f| f.symbol.index);
        let angles = self.wave.iter().flat_map(|w| &w.angles).filter_map(|a| a.range);
        let sums = self.sums.iter().flat_map(|s| [s.from, s.to]);
        let deltas = self.deltas.iter().flat_map(|d| [d.a, d.b]);
        let mut all = factors.chain(angles.flat_map(|(f, t)| [f, t])).chain(sums).chain(deltas);
        all.any(|i| i.base == base) || self.coefficient.0.iter().any(|(bases, _)| bases.contains(&base))
    }
}

impl Wave {
    /// Angles of the argument with their integer multiples at an entry; multiples of one angle are
    /// added.
    fn angle_multiples_at(&self, site: Site, runs: &[i64]) -> Vec<(Symbol, i64)> {
        let mut sum = std::collections::BTreeMap::new();
        for angle in &self.angles {
            match angle.range {
                None => {
                    *sum.entry(angle.stem.scalar_symbol()).or_insert(0) += angle.multiple;
                }
                Some((from, to)) => {
                    for k in from.value_at(site, runs)..=to.value_at(site, runs) {
                        *sum.entry(angle.stem.indexed_symbol(k)).or_insert(0) += angle.multiple;
                    }
                }
            }
        }
        sum.into_iter().filter(|(_, k)| *k != 0).collect()
    }
}

impl IndexedFormula {
    /// Products with concrete indices that the formula gives at an entry, symmetry applied; `None`
    /// if a coefficient overflows.
    pub fn products_at(&self, site: Site) -> Option<Vec<Product>> {
        let mirrored = Site { i: site.j, j: site.i, ..site };
        for (range, terms) in &self.parts {
            let (at, sign) = match range {
                Range::All => (site, 1),
                Range::Symmetric => (if site.i <= site.j { site } else { mirrored }, 1),
                Range::Antisymmetric if site.i == site.j => return Some(Vec::new()),
                Range::Antisymmetric if site.i > site.j => (mirrored, -1),
                Range::Antisymmetric => (site, 1),
                Range::Upper if site.i <= site.j => (site, 1),
                Range::Lower if site.i > site.j => (site, 1),
                Range::Upper | Range::Lower => continue,
            };
            let mut all = Vec::new();
            for term in terms {
                for mut p in term.products_at(at)? {
                    p.coefficient = p.coefficient.checked_mul(Ratio::integer(sign))?;
                    all.push(p);
                }
            }
            return Some(all);
        }
        Some(Vec::new())
    }

    /// Evaluates an entry over any scalar; `symbol` returns the values of symbols. `None` on
    /// overflow.
    pub fn evaluate_entry<S: Scalar>(
        &self,
        site: Site,
        number: &dyn Fn(Ratio) -> S,
        symbol: &mut dyn FnMut(&Symbol) -> S,
    ) -> Option<S> {
        let mut sum = S::ZERO;
        for product in self.products_at(site)? {
            let mut value = number(product.coefficient);
            for (function, name, exponent) in &product.factors {
                let x = symbol(name);
                let x = match function {
                    FactorFunction::Value => x,
                    FactorFunction::Sin => x.sin_cos().0,
                    FactorFunction::Cos => x.sin_cos().1,
                };
                for _ in 0..exponent.unsigned_abs() {
                    value = if *exponent < 0 { value / x } else { value * x };
                }
            }
            if let Some((sine, multiples)) = &product.wave {
                let mut angle = S::ZERO;
                for (name, k) in multiples {
                    angle = angle + number(Ratio::integer(*k)) * symbol(name);
                }
                let (s, c) = angle.sin_cos();
                value = value * if *sine { s } else { c };
            }
            sum = sum + value;
        }
        Some(sum)
    }
}
