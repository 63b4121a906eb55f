//! The variables of a query and their meanings.
//!
//! Problem: one variable for each independent quantity: a symbol, the sine or cosine of a base
//!          angle, the root of a prime, the root of an expression, a function without algebraic
//!          rules.
//! Method:  variables are found by a key, the text of their meaning, and appended to one list; a
//!          polynomial over fewer variables is extended when it meets one over more. A variable
//!          whose square is known (`cos² = 1 − sin²`, `√2² = 2`, a unit quaternion's first
//!          component) is a *generator*: its exponent in a numerator is at most one.
//! Limits:  the number of terms of a polynomial, given by the query.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use dqdt_polynomials::Rational;
use rustc_hash::FxHashMap;

use super::error::Reason;
use super::expressions::SerialTable;
use super::variable::{BaseAngle, EngineVariable, Fraction, Poly, VariableMeaning};
use dqdt_graph::ir::SymbolKind;

/// Reason why a computation of the engine stopped without a result.
#[derive(Debug)]
pub(super) enum StopReason {
    /// A finer fraction of an angle is needed than was assumed; the query restarts with it.
    Restart,
    /// The expression has no normal form, or none within the limits.
    OutsideNormalForm(Reason),
}

impl From<Reason> for StopReason {
    fn from(reason: Reason) -> Self {
        StopReason::OutsideNormalForm(reason)
    }
}

/// Result of an engine computation: a value, or the reason why it stopped.
pub(super) type EngineResult<T> = Result<T, StopReason>;

/// Assumptions and limits under which the engine computes normal forms for a query.
#[derive(Clone, Debug)]
pub(super) struct EngineSettings {
    /// Largest number of terms of a polynomial.
    pub limit: usize,
    /// Unit quaternions, by coordinate indices, scalar first.
    pub quaternions: Vec<[usize; 4]>,
    /// True if the rates `q̇` of the coordinates are the speeds `v` themselves.
    pub rates_are_speeds: bool,
    /// True for printing: `min`, `max` and comparisons remain as in the spec. Otherwise minima and
    /// maxima become magnitudes, for which more equalities are recognised.
    pub as_written: bool,
    /// Largest amount of work of one run, in units of [`SymbolicEngine::charge_work`].
    pub work: u64,
}

/// Number of parts into which a query divides each angle, by the key of the angle; sine and cosine
/// of one part are variables.
pub(super) type Fractions = BTreeMap<String, i64>;

/// The exact calculator of a query: its variables, angles and denominators, with limits.
pub(super) struct SymbolicEngine {
    /// Assumptions and limits of the query.
    pub settings: EngineSettings,
    /// Variables of all polynomials, in the order of appearance.
    pub variables: Vec<EngineVariable>,
    /// Angles whose sine and cosine are variables.
    pub angles: Vec<BaseAngle>,
    /// Function tables that are arguments of variables.
    pub tables: Vec<SerialTable>,
    /// Positions of the variables with a known square, later ones first.
    pub generators: Vec<usize>,
    /// Divisors of quotients as monic polynomials, in the order of appearance; denominators refer
    /// to them by index.
    pub factors: Vec<Poly>,
    /// Finest fraction of each angle that the query has needed.
    pub fractions: Fractions,
    /// True after an inexact constant (a float or a function table).
    pub inexact: bool,
    /// Work of this run so far, over all restarts.
    pub spent: Cell<u64>,
    /// Index of each variable by its key.
    by_key: FxHashMap<Rc<str>, usize>,
}

/// Length in bytes above which the key of a variable is abbreviated in the keys of other variables.
const LONGEST_KEY: usize = 2000;
/// Largest depth of nested functions in an expression; a deeper one has no normal form.
const MAX_DEPTH: u32 = 64;

/// Runs a query, and restarts it until no angle needs a finer fraction.
pub(super) fn run_query<R>(
    settings: &EngineSettings,
    query: impl Fn(&mut SymbolicEngine) -> EngineResult<R>,
) -> Result<(R, SymbolicEngine), Reason> {
    let mut fractions = Fractions::new();
    let mut spent = 0;
    for _ in 0..24 {
        let mut engine = SymbolicEngine::new(settings.clone(), fractions);
        engine.spent.set(spent);
        match query(&mut engine) {
            Ok(value) => return Ok((value, engine)),
            Err(StopReason::OutsideNormalForm(reason)) => return Err(reason),
            Err(StopReason::Restart) => {
                spent = engine.spent.get();
                fractions = engine.fractions;
            }
        }
    }
    Err(Reason::Angles)
}

impl SymbolicEngine {
    pub fn new(settings: EngineSettings, fractions: Fractions) -> Self {
        SymbolicEngine {
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

    /// A constant polynomial over the current variables.
    pub fn constant_poly(&self, value: Rational) -> Poly {
        Poly::constant(self.variables.len(), value)
    }

    /// A number times a product of variables.
    pub fn monomial_poly(&self, value: Rational, exponents: Vec<u16>) -> Poly {
        Poly::from_monomial(exponents, value)
    }

    /// The polynomial, extended to all current variables.
    pub fn over_all_variables<'a>(&self, poly: &'a Poly) -> Cow<'a, Poly> {
        poly.extend_variables(self.variables.len())
    }

    /// Index of the variable with a key; `make` gives its meaning and known square if it is new.
    /// Long keys are abbreviated in the keys of other variables, since keys of nested functions
    /// would double in length with each level.
    pub fn find_or_add_variable(
        &mut self,
        key: &str,
        make: impl FnOnce() -> (VariableMeaning, Option<Rc<Fraction>>),
    ) -> usize {
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
        let depth = self.meaning_depth(&meaning);
        self.variables.push(EngineVariable { key, meaning, square, depth });
        index
    }

    /// Depth of nested functions in the meaning of a variable; 0 for a symbol.
    fn meaning_depth(&self, meaning: &VariableMeaning) -> u32 {
        match meaning {
            VariableMeaning::Symbol(_) | VariableMeaning::Pi | VariableMeaning::Prime(_) => 0,
            VariableMeaning::Sin(a) | VariableMeaning::Cos(a) => {
                1 + self.nesting_depth(&self.angles[*a].value)
            }
            VariableMeaning::Root(a) => 1 + self.nesting_depth(a),
            VariableMeaning::Function(_, args) => {
                1 + args.iter().map(|a| self.nesting_depth(a)).max().unwrap_or(0)
            }
        }
    }

    /// Depth of nested functions in a quotient.
    pub fn nesting_depth(&self, a: &Fraction) -> u32 {
        let factors = a.den.iter().map(|(f, _)| &self.factors[*f]);
        let depths = std::iter::once(&a.num).chain(factors).map(|poly| {
            let present = (0..poly.variable_count()).filter(|v| poly.contains_variable(*v));
            present.map(|v| self.variables[v].depth).max().unwrap_or(0)
        });
        depths.max().unwrap_or(0)
    }

    /// Rejects an argument with too deeply nested functions, since later steps recurse over them.
    pub fn check_depth(&self, a: &Fraction) -> EngineResult<()> {
        if self.nesting_depth(a) < MAX_DEPTH { Ok(()) } else { Err(Reason::Depth.into()) }
    }

    /// Index of the variable with a key, if it exists.
    pub fn find_variable(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    /// The variable with this index as a quotient.
    pub fn variable_fraction(&self, index: usize) -> Fraction {
        Fraction { num: Poly::variable(self.variables.len(), index), den: Vec::new(), degree: 1 }
    }

    /// Index of the variable of a symbol; the first component of a unit quaternion has a known
    /// square.
    pub fn find_or_add_symbol_variable(&mut self, kind: SymbolKind) -> EngineResult<usize> {
        let kind = match kind {
            SymbolKind::Rate(i) if self.settings.rates_are_speeds => SymbolKind::Speed(i),
            other => other,
        };
        if let SymbolKind::Coordinate(i) = kind
            && let Some(group) = self.settings.quaternions.iter().copied().find(|g| g[0] == i)
            && self.find_variable(&symbol_key(kind)).is_none()
        {
            let mut square = self.constant_fraction(Rational::ONE);
            for other in &group[1..] {
                let q = self.find_or_add_symbol_variable(SymbolKind::Coordinate(*other))?;
                let q = self.variable_fraction(q);
                let qq = self.mul(&q, &q)?;
                square = self.sub(&square, &qq)?;
            }
            let square = Some(Rc::new(square));
            return Ok(
                self.find_or_add_variable(&symbol_key(kind), || (VariableMeaning::Symbol(kind), square))
            );
        }
        Ok(self.find_or_add_variable(&symbol_key(kind), || (VariableMeaning::Symbol(kind), None)))
    }
}

/// Key of the variable of a symbol.
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
        SymbolKind::Costate(i) => format!("l{i}"),
        SymbolKind::Rate(i) => format!("r{i}"),
        SymbolKind::Auxiliary(i) => format!("x{i}"),
        SymbolKind::Length(i) => format!("l{i}"),
        SymbolKind::Named(i) => format!("n{i}"),
    }
}
