//! What a query computes with: polynomials, their quotients, and what their variables stand for.

use std::rc::Rc;

use dqdt_polynomials::{Polynomial, Rational};

use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::SymbolKind;

/// Polynomials over the rationals.
pub(super) type Poly = Polynomial;

/// `num / ∏ factor^exponent`.
#[derive(Clone, Debug)]
pub(super) struct Fraction {
    pub num: Poly,
    /// Positions in `Engine::factors` and exponents, increasing positions, exponents positive.
    pub den: Vec<(usize, u32)>,
    /// No exponent of the numerator is larger.
    pub degree: u32,
}

impl Fraction {
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// The rational number, if it is one.
    pub fn as_number(&self) -> Option<Rational> {
        self.num.to_constant().filter(|_| self.den.is_empty())
    }
}

/// A function that algebra does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opaque {
    Func(Func),
    Func2(Func2),
    Select(Cmp),
    /// By position in `Engine::tables`.
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

/// What a variable stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Symbol(SymbolKind),
    Pi,
    /// Sine of a base angle, by position in `Engine::angles`.
    Sin(usize),
    /// Cosine of a base angle.
    Cos(usize),
    /// Root of a prime.
    Prime(Rational),
    /// Root of an expression.
    Root(Rc<Fraction>),
    /// A function of normal forms.
    Function(Opaque, Vec<Rc<Fraction>>),
}

/// A variable of the polynomials.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub key: Rc<str>,
    pub meaning: Meaning,
    /// The square, where it is known.
    pub square: Option<Rc<Fraction>>,
    /// How many functions stand around each other.
    pub depth: u32,
}

/// An angle whose fraction `1 / parts` has variables for its sine and cosine.
#[derive(Clone, Debug)]
pub(super) struct Angle {
    pub key: String,
    /// The whole angle.
    pub value: Rc<Fraction>,
    pub parts: i64,
    pub sin: usize,
    pub cos: usize,
    /// True if no algebraic relation to the other angles can exist.
    pub independent: bool,
    /// Sine and cosine of 0, 1, 2, … base angles.
    pub multiples: Vec<(Fraction, Fraction)>,
}
