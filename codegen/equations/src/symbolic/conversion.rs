//! Conversion of closed forms to and from quotients of polynomials.

use std::collections::BTreeMap;
use std::sync::Arc;

use dqdt_polynomials::{Integer, Rational};

use super::closed::{Closed, Exact, Function};
use super::engine::{EngineResult, SymbolicEngine};
use super::error::Reason;
use super::expressions::{Expressions, SerialTable};
use super::variable::{Fraction, Opaque, Poly, VariableMeaning};
use dqdt_graph::ir::SymbolKind;

/// Names of symbols and function tables, for the closed forms of a query.
#[derive(Clone, Debug, Default)]
pub(super) struct SymbolNames {
    /// Name of each symbol by its kind.
    pub symbols: BTreeMap<SymbolKind, Arc<str>>,
    /// Function tables, in the order of their numbers in closed forms.
    pub tables: Vec<SerialTable>,
}

impl SymbolNames {
    pub fn new(expressions: &Expressions) -> Self {
        let symbols = expressions.symbols.iter().map(|s| (s.kind, Arc::from(s.name.as_str()))).collect();
        SymbolNames { symbols, tables: expressions.tables.clone() }
    }

    /// Adds the names in other expressions; a kind that has a name keeps it.
    pub fn with_names_from(mut self, other: &Expressions) -> Self {
        for s in &other.symbols {
            self.symbols.entry(s.kind).or_insert_with(|| Arc::from(s.name.as_str()));
        }
        self
    }

    /// The name of a symbol; a default by its kind if no expression names it.
    pub fn symbol_name(&self, kind: SymbolKind) -> Arc<str> {
        self.symbols.get(&kind).cloned().unwrap_or_else(|| super::engine::symbol_key(kind).into())
    }
}

/// Converts a rational of the polynomials to decimal digits of numerator and denominator, for
/// closed forms.
pub(super) fn exact_from_rational(r: &Rational) -> Exact {
    Exact {
        negative: r.is_negative(),
        num: r.numerator().abs().to_string(),
        den: r.denominator().to_string(),
    }
}

/// Converts decimal digits of numerator and denominator to a rational.
pub(super) fn rational_from_exact(n: &Exact) -> EngineResult<Rational> {
    let (num, den) = (parse_integer(&n.num)?, parse_integer(&n.den)?);
    let value = Rational::new(num, den).ok_or(Reason::DivisionByZero)?;
    Ok(if n.negative { -value } else { value })
}

/// Largest number of nodes in the closed form of one variable of the engine, such as a nested root.
const MAX_SIZE: usize = 20_000;

impl SymbolicEngine {
    /// A variable of the engine as a closed form.
    pub fn variable_form(&self, index: usize, names: &SymbolNames) -> EngineResult<Closed> {
        let closed = match &self.variables[index].meaning {
            VariableMeaning::Symbol(kind) => Closed::Symbol { kind: *kind, name: names.symbol_name(*kind) },
            VariableMeaning::Pi => Closed::Pi,
            VariableMeaning::Sin(a) => {
                Closed::Function(Function::Sin, vec![self.angle_multiple_form(*a, 1, names)?])
            }
            VariableMeaning::Cos(a) => {
                Closed::Function(Function::Cos, vec![self.angle_multiple_form(*a, 1, names)?])
            }
            VariableMeaning::Prime(p) => {
                Closed::Function(Function::Sqrt, vec![Closed::Number(exact_from_rational(p))])
            }
            VariableMeaning::Root(a) => Closed::Function(Function::Sqrt, vec![self.quotient_form(a, names)?]),
            VariableMeaning::Function(f, args) => {
                let mut closed = Vec::with_capacity(args.len());
                for a in args {
                    closed.push(self.expanded_quotient_by_parts(a, names)?);
                }
                let function = match f {
                    Opaque::Func(f) => Function::Func(*f),
                    Opaque::Func2(f) => Function::Func2(*f),
                    Opaque::Select(cmp) => Function::Select(*cmp),
                    Opaque::Table(t) => {
                        let table = names.tables.iter().position(|x| *x == self.tables[*t]);
                        Function::Table(table.unwrap_or(*t) as u32)
                    }
                };
                Closed::Function(function, closed)
            }
        };
        // A nested function occurs in every term of its argument, so sizes can double with depth.
        let size = closed.node_count();
        if size > MAX_SIZE {
            let polynomial = format!("a function whose expression has {size} parts");
            return Err(Reason::TooLarge { limit: self.settings.limit, polynomial }.into());
        }
        Ok(closed)
    }

    /// A multiple of a base angle as a closed form.
    pub fn angle_multiple_form(
        &self,
        angle: usize,
        multiple: i64,
        names: &SymbolNames,
    ) -> EngineResult<Closed> {
        let angle = &self.angles[angle];
        let value = self.scale(&angle.value, Rational::ratio(multiple, angle.parts));
        self.quotient_form(&value, names)
    }

    /// A quotient of the engine as a closed form, numerator and denominator expanded.
    pub fn quotient_form(&self, a: &Fraction, names: &SymbolNames) -> EngineResult<Closed> {
        let (num, den) = self.normal_form(a)?;
        let num = self.polynomial_form(&num, names)?;
        if den.is_one() {
            return Ok(num);
        }
        Ok(Closed::Quotient(Box::new(num), Box::new(self.polynomial_form(&den, names)?)))
    }

    /// A polynomial as an expanded sum.
    pub fn polynomial_form(&self, poly: &Poly, names: &SymbolNames) -> EngineResult<Closed> {
        let mut variables: Vec<Option<Closed>> = vec![None; poly.variable_count()];
        let mut terms = Vec::with_capacity(poly.len());
        for term in poly.terms() {
            let mut factors = Vec::new();
            for (index, e) in term.exponents.iter().enumerate().filter(|(_, e)| **e > 0) {
                let base = match &variables[index] {
                    Some(known) => known.clone(),
                    None => variables[index].insert(self.variable_form(index, names)?).clone(),
                };
                factors.push(power_form(base, u32::from(*e)));
            }
            terms.push(term_form(exact_from_rational(term.coefficient), factors));
        }
        terms.sort_by(Closed::cmp_terms);
        Ok(Closed::sum(terms))
    }

    /// The engine's quotient that equals a closed form; used to prove forms. Symbols are identified
    /// by kind; recursion is as deep as the form, which is shallow.
    pub fn fraction_from_form(&mut self, closed: &Closed, names: &SymbolNames) -> EngineResult<Fraction> {
        match closed {
            Closed::Number(n) => {
                let value = rational_from_exact(n)?;
                Ok(self.constant_fraction(value))
            }
            Closed::Pi => {
                let pi = self.find_or_add_variable("pi", || (VariableMeaning::Pi, None));
                Ok(self.variable_fraction(pi))
            }
            Closed::Symbol { kind, .. } => {
                let index = self.find_or_add_symbol_variable(*kind)?;
                Ok(self.variable_fraction(index))
            }
            Closed::Sum(terms) => {
                let mut sum = self.constant_fraction(Rational::ZERO);
                for t in terms {
                    let t = self.fraction_from_form(t, names)?;
                    sum = self.add(&sum, &t)?;
                }
                Ok(sum)
            }
            Closed::Product(factors) => {
                let mut product = self.constant_fraction(Rational::ONE);
                for f in factors {
                    let f = self.fraction_from_form(f, names)?;
                    product = self.mul(&product, &f)?;
                }
                Ok(product)
            }
            Closed::Power(base, n) => {
                let base = self.fraction_from_form(base, names)?;
                self.pow(&base, i64::from(*n))
            }
            Closed::Quotient(a, b) => {
                let (a, b) = (self.fraction_from_form(a, names)?, self.fraction_from_form(b, names)?);
                self.div(&a, &b)
            }
            Closed::Function(f, args) => {
                let mut a = Vec::with_capacity(args.len());
                for arg in args {
                    a.push(self.fraction_from_form(arg, names)?);
                }
                match (f, &a[..]) {
                    (Function::Sin, [x]) => Ok(self.sin_cos(x)?.0),
                    (Function::Cos, [x]) => Ok(self.sin_cos(x)?.1),
                    (Function::Sqrt, [x]) => self.sqrt(x),
                    (Function::Func(f), [x]) => self.apply_function(*f, x),
                    (Function::Func2(f), [x, y]) => self.apply_binary_function(*f, x, y),
                    (Function::Select(cmp), [x, y, yes, no]) => self.apply_selection(*cmp, x, y, yes, no),
                    (Function::Table(t), [x]) => match names.tables.get(*t as usize) {
                        Some(table) => self.apply_table(table, x),
                        None => Err(Reason::Opaque { function: f.name() }.into()),
                    },
                    _ => Err(Reason::Opaque { function: f.name() }.into()),
                }
            }
        }
    }
}

/// The power `baseⁿ`; the base itself for n = 1.
pub(super) fn power_form(base: Closed, n: u32) -> Closed {
    if n == 1 { base } else { Closed::Power(Box::new(base), n) }
}

/// A term: a coefficient times sorted factors.
pub(super) fn term_form(coefficient: Exact, mut factors: Vec<Closed>) -> Closed {
    factors.sort();
    factors.insert(0, Closed::Number(coefficient));
    Closed::product(factors)
}

/// Parses an integer of any size.
fn parse_integer(text: &str) -> EngineResult<Integer> {
    Integer::parse(text).ok_or_else(|| Reason::NotFinite.into())
}
