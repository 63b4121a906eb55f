//! Variables of a query and their meanings; polynomials and quotients over them.

use std::rc::Rc;

use dqdt_polynomials::{Polynomial, Rational};

use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::SymbolKind;

/// Polynomials over the rationals.
pub(super) type Poly = Polynomial;

/// The quotient `num / ∏ factor^exponent`.
#[derive(Clone, Debug)]
pub(super) struct Fraction {
    pub num: Poly,
    /// Denominator: indices in `SymbolicEngine::factors`, increasing, with positive exponents.
    pub den: Vec<(usize, u32)>,
    /// Upper bound on the exponents of the numerator.
    pub degree: u32,
}

impl Fraction {
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// The rational number, if the quotient is constant.
    pub fn as_number(&self) -> Option<Rational> {
        self.num.to_constant().filter(|_| self.den.is_empty())
    }
}

/// A function without algebraic rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opaque {
    Func(Func),
    Func2(Func2),
    Select(Cmp),
    /// A function table, by its index in `SymbolicEngine::tables`.
    Table(usize),
}

impl Opaque {
    pub fn name(self) -> String {
        match self {
            Opaque::Func(f) => f.name().to_owned(),
            Opaque::Func2(f) => f.name().to_owned(),
            Opaque::Select(Cmp::Lt) => "select_lt".to_owned(),
            Opaque::Select(Cmp::Le) => "select_le".to_owned(),
            Opaque::Select(Cmp::Eq) => "select_eq".to_owned(),
            Opaque::Table(t) => format!("table{t}"),
        }
    }
}

/// The quantity that a variable denotes.
#[derive(Clone, Debug)]
pub(super) enum VariableMeaning {
    Symbol(SymbolKind),
    Pi,
    /// Sine of a base angle, by index in `SymbolicEngine::angles`.
    Sin(usize),
    /// Cosine of a base angle, by index in `SymbolicEngine::angles`.
    Cos(usize),
    /// Square root of a prime.
    Prime(Rational),
    /// Square root of an expression.
    Root(Rc<Fraction>),
    /// A function of arguments in normal form.
    Function(Opaque, Vec<Rc<Fraction>>),
}

/// A variable of the polynomials.
#[derive(Clone, Debug)]
pub(super) struct EngineVariable {
    pub key: Rc<str>,
    pub meaning: VariableMeaning,
    /// The square of the variable, if known.
    pub square: Option<Rc<Fraction>>,
    /// Depth of nested functions.
    pub depth: u32,
}

/// An angle, with variables for sine and cosine of its fraction `1 / parts`, the base angle.
#[derive(Clone, Debug)]
pub(super) struct BaseAngle {
    pub key: String,
    /// The whole angle.
    pub value: Rc<Fraction>,
    pub parts: i64,
    pub sin: usize,
    pub cos: usize,
    /// True if the angle is algebraically independent of the others.
    pub independent: bool,
    /// Cache: sine and cosine of 0, 1, 2, … times the base angle.
    pub multiples: Vec<(Fraction, Fraction)>,
}
