//! Sums of products for simplification: polynomials whose factors include sines and cosines of
//! angle sums.

use std::collections::BTreeMap;

use dqdt_polynomials::Rational;

use super::closed::{Closed, Function};
use super::conversion::{SymbolNames, exact_from_rational, power_form, term_form};
use super::engine::{EngineResult, SymbolicEngine};
use super::variable::{Poly, VariableMeaning};

/// A sum of integer multiples of base angles, by rank in [`Atoms::angles`]; the first multiple is
/// positive.
pub(super) type AngleSum = Vec<(usize, i64)>;

/// A factor of a product: a variable, a sine or cosine of a sum of angles, or a sum of two factors.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) enum Atom {
    Variable(usize),
    Sin(AngleSum),
    Cos(AngleSum),
    /// One factor plus a multiple of another: first factor, coefficient and second factor.
    Sum(usize, Rational, usize),
}

/// A product of atoms: indices in [`Atoms`] with exponents, sorted by index.
pub(super) type AtomProduct = Vec<(usize, u16)>;

/// A sum of products of atoms, each with its coefficient.
pub(super) type Terms = BTreeMap<AtomProduct, Rational>;

/// The factors (atoms) of the sums in a simplification, with their closed forms.
pub(super) struct Atoms {
    /// Factors, in the order of appearance; products refer to them by index.
    pub atoms: Vec<Atom>,
    /// Closed form of each factor, in the same order.
    pub closed: Vec<Closed>,
    /// Base angles of the engine, in printing order.
    angles: Vec<usize>,
}

impl Atoms {
    pub fn new(engine: &SymbolicEngine, names: &SymbolNames) -> EngineResult<Self> {
        let mut order = Vec::with_capacity(engine.angles.len());
        for index in 0..engine.angles.len() {
            order.push((engine.angle_multiple_form(index, 1, names)?, index));
        }
        order.sort_by(|(a, i), (b, j)| a.cmp_terms(b).then(i.cmp(j)));
        let angles = order.into_iter().map(|(_, index)| index).collect();
        Ok(Atoms { atoms: Vec::new(), closed: Vec::new(), angles })
    }

    /// Index of a factor, added if it is new.
    pub fn find_or_add_atom(
        &mut self,
        engine: &SymbolicEngine,
        names: &SymbolNames,
        atom: Atom,
    ) -> EngineResult<usize> {
        if let Some(index) = self.atoms.iter().position(|a| *a == atom) {
            return Ok(index);
        }
        let closed = match &atom {
            Atom::Variable(v) => engine.variable_form(*v, names)?,
            Atom::Sin(angle) => Closed::Function(Function::Sin, vec![self.angle_form(engine, names, angle)?]),
            Atom::Cos(angle) => Closed::Function(Function::Cos, vec![self.angle_form(engine, names, angle)?]),
            Atom::Sum(first, ratio, second) => {
                let [first, second] = [first, second].map(|a| self.closed[*a].clone());
                let second = match second {
                    Closed::Sum(terms) if ratio.is_one() => Closed::Sum(terms),
                    other => term_form(exact_from_rational(ratio), vec![other]),
                };
                match Closed::sum(vec![first, second]) {
                    Closed::Sum(mut terms) => {
                        terms.sort_by(Closed::cmp_terms);
                        Closed::Sum(terms)
                    }
                    other => other,
                }
            }
        };
        self.atoms.push(atom);
        self.closed.push(closed);
        Ok(self.atoms.len() - 1)
    }

    /// Closed form of a sum of angles.
    fn angle_form(
        &self,
        engine: &SymbolicEngine,
        names: &SymbolNames,
        angle: &AngleSum,
    ) -> EngineResult<Closed> {
        let mut sum = engine.ratio_fraction(0, 1);
        for (rank, multiple) in angle {
            let base = &engine.angles[self.angles[*rank]];
            let part = engine.scale(&base.value, Rational::ratio(*multiple, base.parts));
            sum = engine.add(&sum, &part)?;
        }
        engine.quotient_form(&sum, names)
    }

    /// The terms of a polynomial as products of atoms.
    pub fn polynomial_terms(
        &mut self,
        engine: &SymbolicEngine,
        names: &SymbolNames,
        poly: &Poly,
    ) -> EngineResult<Terms> {
        let mut known: Vec<Option<usize>> = vec![None; poly.variable_count()];
        let mut terms = Terms::new();
        for term in poly.terms() {
            let mut product = AtomProduct::new();
            for (index, e) in term.exponents.iter().enumerate().filter(|(_, e)| **e > 0) {
                let atom = match known[index] {
                    Some(atom) => atom,
                    None => {
                        let atom = match engine.variables[index].meaning {
                            VariableMeaning::Sin(a) => Atom::Sin(vec![(self.angle_rank(a), 1)]),
                            VariableMeaning::Cos(a) => Atom::Cos(vec![(self.angle_rank(a), 1)]),
                            _ => Atom::Variable(index),
                        };
                        *known[index].insert(self.find_or_add_atom(engine, names, atom)?)
                    }
                };
                product.push((atom, *e));
            }
            product.sort_unstable();
            terms.insert(product, term.coefficient.clone());
        }
        Ok(terms)
    }

    /// Position of a base angle in printing order.
    fn angle_rank(&self, angle: usize) -> usize {
        self.angles.iter().position(|a| *a == angle).unwrap_or(angle)
    }

    /// The factors of a product as closed forms.
    pub fn product_factors(&self, product: &AtomProduct) -> Vec<Closed> {
        product.iter().map(|(a, e)| power_form(self.closed[*a].clone(), u32::from(*e))).collect()
    }

    /// A sum of terms as an expanded closed form.
    pub fn expanded_form(&self, terms: &Terms) -> Closed {
        let mut closed: Vec<Closed> =
            terms.iter().map(|(p, c)| term_form(exact_from_rational(c), self.product_factors(p))).collect();
        closed.sort_by(Closed::cmp_terms);
        Closed::sum(closed)
    }
}

/// The exponent of a factor in a product; 0 if absent.
pub(super) fn factor_exponent(product: &AtomProduct, atom: usize) -> u16 {
    product.iter().find(|(a, _)| *a == atom).map_or(0, |(_, e)| *e)
}

/// A product times `atom^change` for each change; `None` if an exponent would become negative.
pub(super) fn change_exponents(product: &AtomProduct, changes: &[(usize, i32)]) -> Option<AtomProduct> {
    let mut result = product.clone();
    for (atom, change) in changes {
        let new = i32::from(factor_exponent(&result, *atom)) + change;
        let new = u16::try_from(new).ok()?;
        result.retain(|(a, _)| a != atom);
        if new > 0 {
            let at = result.partition_point(|(a, _)| a < atom);
            result.insert(at, (*atom, new));
        }
    }
    Some(result)
}

/// Adds a term to a sum, and removes it if its coefficient becomes zero.
pub(super) fn add_term(terms: &mut Terms, product: AtomProduct, value: Rational) {
    let total = match terms.remove(&product) {
        Some(old) => &old + &value,
        None => value,
    };
    if !total.is_zero() {
        terms.insert(product, total);
    }
}
