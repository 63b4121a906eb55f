//! The variables of a query and what they stand for.
//!
//! Problem: one variable for each thing that equals itself only: a symbol, the sine or cosine of a base angle, the
//!          root of a prime, the root of an expression, a function that algebra does not know.
//! Method:  variables are found by a key that is the text of what they stand for, and appended to one list; a
//!          polynomial that knows fewer variables is extended when it meets one that knows more. A variable whose
//!          square is known (`cos² = 1 − sin²`, `√2² = 2`, a unit quaternion's first component) is a *generator*:
//!          it never stands in a numerator with an exponent above one.
//! Limits:  the number of terms of a polynomial, given by the query.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use dqdt_polynomials::Rational;
use rustc_hash::FxHashMap;

use super::error::Reason;
use super::expressions::SerialTable;
use super::variable::{Angle, Fraction, Meaning, Poly, Variable};
use dqdt_graph::ir::SymbolKind;

/// Why a computation stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// An angle turned up that is a finer fraction than those before: start again with what is now known.
    Restart,
    /// Beyond the normal form.
    OutsideNormalForm(Reason),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Self {
        Stop::OutsideNormalForm(reason)
    }
}

pub(super) type Exact<T> = Result<T, Stop>;

/// What a query fixes beforehand.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Largest number of terms of a polynomial.
    pub limit: usize,
    /// Unit quaternions, by coordinate indices, scalar first.
    pub quaternions: Vec<[usize; 4]>,
    /// `q̇` is `v` itself.
    pub rates_are_speeds: bool,
    /// For printing: `min`, `max` and comparisons stay as they were written. Else extremes become magnitudes, by which more
    /// is seen to be equal.
    pub as_written: bool,
    /// Work that one run may take, in units of `fraction::Engine::charge`.
    pub work: u64,
}

/// The finest fraction of each base angle that a query needs, by the key of the angle.
pub(super) type Fractions = BTreeMap<String, i64>;

/// Variables, angles and denominators of a query.
pub(super) struct Engine {
    pub settings: Settings,
    pub variables: Vec<Variable>,
    pub angles: Vec<Angle>,
    pub tables: Vec<SerialTable>,
    /// Positions of the variables with a known square, later ones first.
    pub generators: Vec<usize>,
    /// Divisors, each monic, in the order of appearance.
    pub factors: Vec<Poly>,
    pub fractions: Fractions,
    /// True after a constant of inexact origin.
    pub inexact: bool,
    /// Work of this run, over all restarts.
    pub spent: Cell<u64>,
    by_key: FxHashMap<Rc<str>, usize>,
}

/// Deepest nesting of functions.
/// Longer keys are abbreviated in the keys of other variables, in bytes.
const LONGEST_KEY: usize = 2000;
const MAX_DEPTH: u32 = 64;

/// Runs a query, again and again until no angle needs a finer fraction than it was given.
pub(super) fn run<R>(
    settings: &Settings,
    query: impl Fn(&mut Engine) -> Exact<R>,
) -> Result<(R, Engine), Reason> {
    let mut fractions = Fractions::new();
    let mut spent = 0;
    for _ in 0..24 {
        let mut engine = Engine::new(settings.clone(), fractions);
        engine.spent.set(spent);
        match query(&mut engine) {
            Ok(value) => return Ok((value, engine)),
            Err(Stop::OutsideNormalForm(reason)) => return Err(reason),
            Err(Stop::Restart) => {
                spent = engine.spent.get();
                fractions = engine.fractions;
            }
        }
    }
    Err(Reason::Angles)
}

impl Engine {
    pub fn new(settings: Settings, fractions: Fractions) -> Self {
        Engine {
            settings,
            variables: Vec::new(),
            angles: Vec::new(),
            tables: Vec::new(),
            generators: Vec::new(),
            factors: Vec::new(),
            fractions,
            inexact: false,
            spent: Cell::new(0),
            by_key: FxHashMap::default(),
        }
    }

    /// A constant polynomial.
    pub fn constant_poly(&self, value: Rational) -> Poly {
        Poly::constant(self.variables.len(), value)
    }

    /// A product of a number and variables.
    pub fn monomial_poly(&self, value: Rational, exponents: Vec<u16>) -> Poly {
        Poly::monomial(exponents, value)
    }

    /// The polynomial over all variables known now.
    pub fn over_all_variables<'a>(&self, poly: &'a Poly) -> Cow<'a, Poly> {
        poly.over(self.variables.len())
    }

    /// The variable with a key, made when it is new. Longer keys are abbreviated in those of other
    /// variables: keys of functions of functions would double with each.
    pub fn variable(&mut self, key: &str, make: impl FnOnce() -> (Meaning, Option<Rc<Fraction>>)) -> usize {
        if let Some(index) = self.by_key.get(key) {
            return *index;
        }
        let (meaning, square) = make();
        let index = self.variables.len();
        self.by_key.insert(key.into(), index);
        let key = if key.len() > LONGEST_KEY { format!("#{index}").into() } else { key.into() };
        if square.is_some() {
            self.generators.insert(0, index);
        }
        let depth = self.depth_of(&meaning);
        self.variables.push(Variable { key, meaning, square, depth });
        index
    }

    fn depth_of(&self, meaning: &Meaning) -> u32 {
        match meaning {
            Meaning::Symbol(_) | Meaning::Pi | Meaning::Prime(_) => 0,
            Meaning::Sin(a) | Meaning::Cos(a) => 1 + self.depth(&self.angles[*a].value),
            Meaning::Root(a) => 1 + self.depth(a),
            Meaning::Function(_, args) => 1 + args.iter().map(|a| self.depth(a)).max().unwrap_or(0),
        }
    }

    /// How many functions stand around each other in a quotient.
    pub fn depth(&self, a: &Fraction) -> u32 {
        let factors = a.den.iter().map(|(f, _)| &self.factors[*f]);
        let of = |poly: &Poly| {
            let present = (0..poly.variables()).filter(|v| poly.contains(*v));
            present.map(|v| self.variables[v].depth).max().unwrap_or(0)
        };
        std::iter::once(&a.num).chain(factors).map(of).max().unwrap_or(0)
    }

    /// Refuses an argument that holds too many functions around each other: later steps follow them by recursion.
    pub fn check_depth(&self, a: &Fraction) -> Exact<()> {
        if self.depth(a) < MAX_DEPTH { Ok(()) } else { Err(Reason::Depth.into()) }
    }

    /// The position of a variable, if it is known.
    pub fn find(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    /// The variable itself.
    pub fn of_variable(&self, index: usize) -> Fraction {
        Fraction { num: Poly::variable(self.variables.len(), index), den: Vec::new(), degree: 1 }
    }

    /// The variable of a symbol.
    pub fn symbol(&mut self, kind: SymbolKind) -> Exact<usize> {
        let kind = match kind {
            SymbolKind::Rate(i) if self.settings.rates_are_speeds => SymbolKind::Speed(i),
            other => other,
        };
        if let SymbolKind::Coordinate(i) = kind
            && let Some(group) = self.settings.quaternions.iter().copied().find(|g| g[0] == i)
            && self.find(&symbol_key(kind)).is_none()
        {
            let mut square = self.number(Rational::ONE);
            for other in &group[1..] {
                let q = self.symbol(SymbolKind::Coordinate(*other))?;
                let q = self.of_variable(q);
                let qq = self.mul(&q, &q)?;
                square = self.sub(&square, &qq)?;
            }
            let square = Some(Rc::new(square));
            return Ok(self.variable(&symbol_key(kind), || (Meaning::Symbol(kind), square)));
        }
        Ok(self.variable(&symbol_key(kind), || (Meaning::Symbol(kind), None)))
    }
}

/// The key of a symbol.
pub(super) fn symbol_key(kind: SymbolKind) -> String {
    match kind {
        SymbolKind::Time => "t".to_owned(),
        SymbolKind::Parameter(i) => format!("p{i}"),
        SymbolKind::Coordinate(i) => format!("q{i}"),
        SymbolKind::Speed(i) => format!("v{i}"),
        SymbolKind::State(i) => format!("z{i}"),
        SymbolKind::Input(i) => format!("u{i}"),
        SymbolKind::Acceleration(i) => format!("a{i}"),
        SymbolKind::Impulse(i) => format!("j{i}"),
        SymbolKind::Effort(i) => format!("f{i}"),
        SymbolKind::Contact(i) => format!("c{i}"),
        SymbolKind::Rate(i) => format!("r{i}"),
        SymbolKind::Auxiliary(i) => format!("x{i}"),
        SymbolKind::Length(i) => format!("l{i}"),
        SymbolKind::Named(i) => format!("n{i}"),
    }
}
