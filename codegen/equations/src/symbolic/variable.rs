//! Variables of a query and their meanings; polynomials and quotients over them.

use std::rc::Rc;

use dqdt_polynomials::{Polynomial, Rational};

use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::SymbolKind;

/// A polynomial with rational coefficients over the variables of the engine.
pub(super) type Poly = Polynomial;

/// A quotient of polynomials, `num / ∏ factor^exponent`: the exact value of an expression in the
/// engine.
#[derive(Clone, Debug)]
pub(super) struct Fraction {
    /// Numerator, a polynomial with at most one power of each generator.
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
    pub fn constant_value(&self) -> Option<Rational> {
        self.num.constant_value().filter(|_| self.den.is_empty())
    }
}

/// A function to which the engine applies no algebraic rules, such as `exp` or a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opaque {
    /// An elementary function of one argument, such as `exp`.
    Func(Func),
    /// A function of two arguments, such as `atan2`.
    Func2(Func2),
    /// A selection by a comparison of two arguments.
    Select(Cmp),
    /// A function table, by its index in `SymbolicEngine::tables`.
    Table(usize),
}

impl Opaque {
    /// Name of the function in messages and keys.
    pub fn function_name(self) -> String {
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

/// The quantity that a variable of the engine denotes.
#[derive(Clone, Debug)]
pub(super) enum VariableMeaning {
    /// A symbol of the mechanism: parameter, coordinate, speed, ….
    Symbol(SymbolKind),
    /// The number π.
    Pi,
    /// Sine of a base angle, by index in `SymbolicEngine::angles`.
    Sin(usize),
    /// Cosine of a base angle, by index in `SymbolicEngine::angles`.
    Cos(usize),
    /// Square root of a prime number.
    Prime(Rational),
    /// Square root of a quotient in normal form.
    Root(Rc<Fraction>),
    /// A function of arguments in normal form.
    Function(Opaque, Vec<Rc<Fraction>>),
}

/// A variable of the engine's polynomials.
#[derive(Clone, Debug)]
pub(super) struct EngineVariable {
    /// Text that identifies the variable; equal meanings have equal keys.
    pub key: Rc<str>,
    /// Quantity that the variable denotes.
    pub meaning: VariableMeaning,
    /// Known square of the variable; `None` for a free variable.
    pub square: Option<Rc<Fraction>>,
    /// Depth of nested functions in the meaning; 0 for symbols.
    pub depth: u32,
}

/// An angle of a query, divided into `parts`; sine and cosine of one part, the base angle, are
/// variables.
#[derive(Clone, Debug)]
pub(super) struct BaseAngle {
    /// Text that identifies the whole angle.
    pub key: String,
    /// The whole angle \[rad\] as a quotient.
    pub value: Rc<Fraction>,
    /// Number of parts into which the angle is divided.
    pub parts: i64,
    /// Index of the variable for the sine of the base angle.
    pub sin: usize,
    /// Index of the variable for the cosine of the base angle.
    pub cos: usize,
    /// True if the angle is algebraically independent of the others.
    pub independent: bool,
    /// Cache: sine and cosine of 0, 1, 2, … times the base angle.
    pub multiples: Vec<(Fraction, Fraction)>,
}
