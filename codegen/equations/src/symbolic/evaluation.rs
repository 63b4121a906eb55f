//! Values with 100 digits, of expressions, closed forms and quotients.
//!
//! Problem: measure the difference of two expressions where the normal form is out of reach.
//! Method:  pseudo-random rational points, the same in every run; unit quaternions have norm 1. A
//!          point is skipped if a value there is not a finite real number.
//! Limits:  agreement is no proof.

use std::collections::BTreeMap;

use dqdt_polynomials::Rational;

use super::atoms::rational_from_wide;
use super::closed::{Closed, Function};
use super::engine::SymbolicEngine;
use super::expressions::{Expressions, SerialTable, operand_count};
use super::float::Float;
use super::variable::{Fraction, Opaque, Poly, VariableMeaning};
use dqdt_algebra::{Cmp, Func, Func2, Number};
use dqdt_graph::ir::{Op, SymbolKind};

/// Number of digits: values below 10^−70 of their scale count as rounding errors; a divisor below
/// 10^−70 counts as zero.
const ROUNDING: i32 = 70;

/// Number of digits: a polynomial term above 10^60 at a fixed point makes the value unusable, since
/// cancellation loses its digits.
const CANCELLING: i32 = 60;

/// Number of trials whose random points are between −2 and 2; later points are closer to zero.
const WIDE: u64 = 12;

/// Number of digits: a value within 10^−20 of a jump, relative to its scale, has no definite side.
const CLEAR: i32 = 20;

/// A test point: pseudo-random values of symbols, drawn on demand. Later trials are closer to zero,
/// where roots, logarithms and arc functions of small arguments are defined. Parameters are always
/// positive and keep their size.
pub(super) struct TestPoint {
    /// Number of the trial, from which all values are drawn.
    seed: u64,
    quaternions: Vec<[usize; 4]>,
    /// Values of the symbols that were used so far.
    values: BTreeMap<SymbolKind, Rational>,
    /// True for a point whose values were chosen, with any magnitude, and not drawn at random.
    is_fixed: bool,
}

impl TestPoint {
    pub fn new(trial: u64, quaternions: &[[usize; 4]]) -> Self {
        TestPoint { seed: trial, quaternions: quaternions.to_vec(), values: BTreeMap::new(), is_fixed: false }
    }

    /// A point with given values; other symbols are drawn on demand.
    pub fn with_values(values: BTreeMap<SymbolKind, Rational>) -> Self {
        TestPoint { seed: 1, quaternions: Vec::new(), values, is_fixed: true }
    }

    /// Components of a unit quaternion by stereographic projection: ((1 − S), 2a, 2b, 2c) / (1 +
    /// S), with S = a² + b² + c².
    pub fn unit_quaternion_values(
        group: [usize; 4],
        abc: &[Rational],
    ) -> impl Iterator<Item = (SymbolKind, Rational)> {
        let s = abc.iter().fold(Rational::ZERO, |s, x| &s + &(x * x));
        let above = std::iter::once(&Rational::ONE - &s).chain(abc.iter().map(|x| x * &Rational::from(2)));
        let below = &Rational::ONE + &s;
        let values: Vec<Rational> = above.filter_map(|x| x.checked_div(&below)).collect();
        group.into_iter().map(SymbolKind::Coordinate).zip(values)
    }

    /// The rational value of a symbol at this point.
    pub fn symbol_value(&mut self, kind: SymbolKind) -> Rational {
        if let Some(v) = self.values.get(&kind) {
            return v.clone();
        }
        if let SymbolKind::Coordinate(i) = kind
            && let Some(group) = self.quaternions.iter().copied().find(|g| g.contains(&i))
        {
            let abc = [1u64, 2, 3].map(|k| self.draw_fraction(group[0] as u64 * 4 + k + 1000, 7));
            self.values.extend(TestPoint::unit_quaternion_values(group, &abc));
            return self.values.get(&kind).cloned().unwrap_or(Rational::ZERO);
        }
        let (tag, index) = kind.place();
        let drawn = self.draw_fraction(u64::from(tag) * 100_000 + index as u64, 97);
        // Parameters are masses, lengths, stiffnesses: positive.
        let closer = match self.seed {
            0..=WIDE => 1i64,
            s if s <= 2 * WIDE => 16,
            _ => 256,
        };
        let value = if tag == 1 {
            &drawn.abs() + &Rational::ratio(1i64, 3i64)
        } else {
            &drawn * &Rational::ratio(1i64, closer)
        };
        self.values.insert(kind, value.clone());
        value
    }

    /// A pseudo-random fraction between −2 and 2, never zero.
    pub fn draw_fraction(&self, stream: u64, den: i64) -> Rational {
        let mut x = (self.seed << 32 ^ stream).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^= x >> 31;
        let n = (x % (4 * den as u64)) as i64 - 2 * den;
        Rational::ratio(if n == 0 { 1 } else { n }, den)
    }
}

/// A rational number as a float of 100 digits.
pub(super) fn float_from_rational(r: &Rational) -> Float {
    Float::nearest(r)
}

/// The float of 100 digits with the value of a double, by its bits; `None` if not finite.
fn float_from_bits(bits: u64) -> Option<Float> {
    Rational::from_f64(f64::from_bits(bits)).map(|r| float_from_rational(&r))
}

/// The number; `None` if it is NaN or infinite.
fn finite_or_none(x: Float) -> Option<Float> {
    x.is_finite().then_some(x)
}

/// Values of outputs at a point; `None` for those that are not finite there.
pub(super) fn values_at_point(
    expressions: &Expressions,
    outputs: &[usize],
    point: &mut TestPoint,
) -> Vec<Option<Float>> {
    values_by_symbols(expressions, outputs, |kind| float_from_rational(&point.symbol_value(kind)))
}

/// Values of outputs for arbitrary values of symbols; `None` for those that are not finite.
pub(super) fn values_by_symbols(
    expressions: &Expressions,
    outputs: &[usize],
    mut symbol_value: impl FnMut(SymbolKind) -> Float,
) -> Vec<Option<Float>> {
    let mut v: Vec<Option<Float>> = Vec::with_capacity(expressions.nodes.len());
    for node in &expressions.nodes {
        let arg = |i: usize| node.args.get(i).and_then(|a| v[*a as usize].clone());
        let value = match node.op {
            Op::Const(Number::Rational(r)) => Some(float_from_rational(&Rational::ratio(r.num(), r.den()))),
            Op::Const(Number::Wide(w)) => Some(float_from_rational(&rational_from_wide(w))),
            Op::Const(Number::Pi(r)) => {
                let r = float_from_rational(&Rational::ratio(r.num(), r.den()));
                Some(Float::pi() * &r)
            }
            Op::Const(Number::Float(bits)) => float_from_bits(bits),
            Op::Symbol(s) => Some(symbol_value(expressions.symbols[s.0 as usize].kind)),
            Op::Select(cmp) => evaluate_select(cmp, arg(0), arg(1), arg(2), arg(3)),
            op => arg(0).and_then(|a| match operand_count(op) {
                2 => arg(1).and_then(|b| evaluate_binary(op, a, b)),
                _ => evaluate_unary(op, &a, &expressions.tables),
            }),
        };
        v.push(value.and_then(finite_or_none));
    }
    outputs.iter().map(|o| v[expressions.outputs[*o] as usize].clone()).collect()
}

/// Position of a value relative to a jump of a function, such as a condition or a knot.
enum JumpSide {
    Below,
    At,
    Above,
}

/// Side of a jump on which a value lies: below, at (equal up to rounding) or above; `None` if it is
/// too close to tell.
fn side_relative_to_jump(difference: &Float, size: &Float) -> Option<JumpSide> {
    let within = |digits: i32| {
        let least = size.clone() * &Float::power_of_ten(-digits);
        (absolute_value(difference) - &least).is_negative()
    };
    match (within(ROUNDING), within(CLEAR)) {
        (true, _) => Some(JumpSide::At),
        (false, true) => None,
        (false, false) => Some(if difference.is_negative() { JumpSide::Below } else { JumpSide::Above }),
    }
}

/// The larger of two numbers.
fn larger_float(a: Float, b: Float) -> Float {
    if (a.clone() - &b).is_negative() { b } else { a }
}

/// Value of `if a cmp b { yes } else { no }`; `None` if the side of the condition is unclear.
fn evaluate_select(
    cmp: Cmp,
    a: Option<Float>,
    b: Option<Float>,
    yes: Option<Float>,
    no: Option<Float>,
) -> Option<Float> {
    let (a, b) = (a?, b?);
    let size = larger_float(Float::one(), larger_float(absolute_value(&a), absolute_value(&b)));
    let holds = match (cmp, side_relative_to_jump(&(a - &b), &size)?) {
        (Cmp::Lt | Cmp::Le, JumpSide::Below) | (Cmp::Le | Cmp::Eq, JumpSide::At) => true,
        (Cmp::Lt, JumpSide::At) | (Cmp::Eq, JumpSide::Below) | (_, JumpSide::Above) => false,
    };
    if holds { yes } else { no }
}

/// Value of an operation with one operand; `None` where it is undefined.
fn evaluate_unary(op: Op, a: &Float, tables: &[SerialTable]) -> Option<Float> {
    match op {
        Op::Neg => Some(-a.clone()),
        Op::Sqrt => real_square_root(a),
        Op::Sin => is_moderate_argument(a).then(|| a.sin()),
        Op::Cos => is_moderate_argument(a).then(|| a.cos()),
        Op::Func(f) => evaluate_function(f, a),
        Op::Table(t) => evaluate_table(tables.get(t.0 as usize)?, a),
        _ => None,
    }
}

/// Value of an operation with two operands; `None` where it is undefined.
fn evaluate_binary(op: Op, a: Float, b: Float) -> Option<Float> {
    match op {
        Op::Add => Some(a + &b),
        Op::Sub => Some(a - &b),
        Op::Mul => Some(a * &b),
        Op::Div => checked_quotient(a, &b),
        Op::Func2(f) => evaluate_binary_function(f, &a, &b),
        _ => None,
    }
}

/// A quotient; `None` if the divisor is zero up to rounding.
fn checked_quotient(a: Float, b: &Float) -> Option<Float> {
    let is_rounding_error = (absolute_value(b) - &Float::power_of_ten(-ROUNDING)).is_negative();
    (!is_rounding_error).then(|| a / b)
}

/// False for magnitudes at which a transcendental function would need its argument with thousands
/// of digits.
fn is_moderate_argument(a: &Float) -> bool {
    (absolute_value(a) - &float_from_rational(&Rational::from(1 << 20))).is_negative()
}

/// Square root of a number; `None` if it is negative.
fn real_square_root(a: &Float) -> Option<Float> {
    if a.is_zero() {
        return Some(a.clone());
    }
    (!a.is_negative()).then(|| a.sqrt())
}

/// Value of an elementary function; `None` outside its domain.
fn evaluate_function(f: Func, a: &Float) -> Option<Float> {
    let one = Float::one();
    if !matches!(f, Func::Abs | Func::Sign | Func::Atan | Func::Ln) && !is_moderate_argument(a) {
        return None;
    }
    Some(match f {
        Func::Tan => return checked_quotient(a.sin(), &a.cos()),
        Func::Asin | Func::Acos => {
            let beyond = a.clone() * a - &one;
            if !beyond.is_negative() && !beyond.is_zero() {
                return None;
            }
            if f == Func::Asin { a.asin() } else { a.acos() }
        }
        Func::Atan => a.atan2(&one),
        Func::Sinh => a.sinh(),
        Func::Cosh => a.cosh(),
        Func::Tanh => a.tanh(),
        Func::Exp => a.exp(),
        Func::Ln => return (!a.is_negative() && !a.is_zero()).then(|| a.ln()),
        Func::Abs => absolute_value(a),
        Func::Sign => match side_relative_to_jump(a, &one)? {
            JumpSide::At => Float::zero(),
            JumpSide::Below => -one,
            JumpSide::Above => one,
        },
    })
}

/// Value of a function of two arguments; `None` outside its domain.
fn evaluate_binary_function(f: Func2, a: &Float, b: &Float) -> Option<Float> {
    let below = (a.clone() - b).is_negative();
    match f {
        Func2::Atan2 => (!a.is_zero() || !b.is_zero()).then(|| a.atan2(b)),
        Func2::Pow => {
            (!a.is_negative() && !a.is_zero() && is_moderate_argument(a) && is_moderate_argument(b))
                .then(|| a.pow(b))
        }
        Func2::Min => Some(if below { a.clone() } else { b.clone() }),
        Func2::Max => Some(if below { b.clone() } else { a.clone() }),
    }
}

/// Value of a function table; `None` if the argument is too close to a knot to tell its side.
fn evaluate_table(t: &SerialTable, x: &Float) -> Option<Float> {
    let mut above = 0;
    for knot in &t.knots {
        let knot = float_from_bits(*knot)?;
        let size = larger_float(Float::one(), absolute_value(&knot));
        if matches!(side_relative_to_jump(&(x.clone() - &knot), &size)?, JumpSide::Below) {
            break;
        }
        above += 1;
    }
    if above == 0 {
        return float_from_bits(t.before);
    }
    let d = x.clone() - &float_from_bits(t.knots[above - 1])?;
    let mut value = Float::zero();
    for c in t.coefficients[above - 1].iter().rev() {
        value = value * &d + &float_from_bits(*c)?;
    }
    Some(value)
}

/// Value of a closed form at a point; `None` if it is not finite there.
pub(super) fn form_value(c: &Closed, tables: &[SerialTable], point: &mut TestPoint) -> Option<Float> {
    let mut operand = |c: &Closed| form_value(c, tables, point);
    let value = match c {
        Closed::Number(n) => float_from_rational(&super::conversion::rational_from_exact(n).ok()?),
        Closed::Pi => Float::pi(),
        Closed::Symbol { kind, .. } => float_from_rational(&point.symbol_value(*kind)),
        Closed::Sum(terms) => {
            let mut sum = Float::zero();
            for term in terms {
                sum += &operand(term)?;
            }
            sum
        }
        Closed::Product(factors) => {
            let mut product = Float::one();
            for factor in factors {
                product *= &operand(factor)?;
            }
            product
        }
        Closed::Power(base, n) => operand(base)?.powi(*n as usize),
        Closed::Quotient(a, b) => checked_quotient(operand(a)?, &operand(b)?)?,
        Closed::Function(f, args) => {
            let mut a = Vec::with_capacity(args.len());
            for arg in args {
                a.push(operand(arg)?);
            }
            match (f, &a[..]) {
                (Function::Sin, [x]) => evaluate_unary(Op::Sin, x, tables)?,
                (Function::Cos, [x]) => evaluate_unary(Op::Cos, x, tables)?,
                (Function::Sqrt, [x]) => real_square_root(x)?,
                (Function::Func(f), [x]) => evaluate_function(*f, x)?,
                (Function::Func2(f), [x, y]) => evaluate_binary_function(*f, x, y)?,
                (Function::Table(t), [x]) => evaluate_table(tables.get(*t as usize)?, x)?,
                (Function::Select(cmp), [x, y, yes, no]) => evaluate_select(
                    *cmp,
                    Some(x.clone()),
                    Some(y.clone()),
                    Some(yes.clone()),
                    Some(no.clone()),
                )?,
                _ => return None,
            }
        }
    };
    finite_or_none(value)
}

/// The magnitude of a number.
pub(super) fn absolute_value(a: &Float) -> Float {
    if a.is_negative() { -a.clone() } else { a.clone() }
}

impl SymbolicEngine {
    /// Value of a quotient at a point, and the size of its largest term, to which rounding errors
    /// are relative. `None` if a root, function or divisor of this run is undefined there, even if
    /// it has cancelled from the quotient.
    pub fn evaluate_fraction(&self, a: &Fraction, point: &mut TestPoint) -> Option<(Float, Float)> {
        let mut known: Vec<Option<Float>> = vec![None; self.variables.len()];
        for (index, variable) in self.variables.iter().enumerate() {
            if matches!(variable.meaning, VariableMeaning::Root(_) | VariableMeaning::Function(..))
                && known[index].is_none()
            {
                known[index] = Some(self.variable_value(index, point, &mut known)?);
            }
        }
        for factor in &self.factors {
            checked_quotient(Float::one(), &self.polynomial_value(factor, point, &mut known)?.0)?;
        }
        self.fraction_value(a, point, &mut known)
    }

    /// Value of a quotient and the size of its largest term; `known` caches values of variables.
    fn fraction_value(
        &self,
        a: &Fraction,
        point: &mut TestPoint,
        known: &mut Vec<Option<Float>>,
    ) -> Option<(Float, Float)> {
        let (mut value, mut largest) = self.polynomial_value(&a.num, point, known)?;
        for (factor, exponent) in &a.den {
            let (factor, _) = self.polynomial_value(&self.factors[*factor], point, known)?;
            for _ in 0..*exponent {
                value = checked_quotient(value, &factor)?;
                largest = checked_quotient(largest, &factor)?;
            }
        }
        Some((finite_or_none(value)?, finite_or_none(absolute_value(&largest))?))
    }

    /// Value of a polynomial and the size of its largest term; `known` caches values of variables.
    fn polynomial_value(
        &self,
        poly: &Poly,
        point: &mut TestPoint,
        known: &mut Vec<Option<Float>>,
    ) -> Option<(Float, Float)> {
        let (mut sum, mut largest) = (Float::zero(), Float::zero());
        for term in poly.terms() {
            let mut product = float_from_rational(term.coefficient);
            for (index, e) in term.exponents.iter().enumerate().filter(|(_, e)| **e > 0) {
                if known[index].is_none() {
                    known[index] = Some(self.variable_value(index, point, known)?);
                }
                product *= &known[index].as_ref()?.powi(usize::from(*e));
            }
            // Terms that cancel leave rounding errors relative to their size.
            if point.is_fixed && !(absolute_value(&product) - &Float::power_of_ten(CANCELLING)).is_negative()
            {
                return None;
            }
            sum += &product;
            largest = larger_float(largest, absolute_value(&product));
        }
        Some((sum, largest))
    }

    /// Value of a variable of the engine at a point, from its meaning; `None` where it is
    /// undefined.
    fn variable_value(
        &self,
        index: usize,
        point: &mut TestPoint,
        known: &mut Vec<Option<Float>>,
    ) -> Option<Float> {
        match &self.variables[index].meaning {
            VariableMeaning::Symbol(kind) => Some(float_from_rational(&point.symbol_value(*kind))),
            VariableMeaning::Pi => Some(Float::pi()),
            VariableMeaning::Sin(a) | VariableMeaning::Cos(a) => {
                let angle = &self.angles[*a];
                let (whole, _) = self.fraction_value(&angle.value, point, known)?;
                if !is_moderate_argument(&whole) {
                    return None;
                }
                let base = whole / &float_from_rational(&Rational::from(angle.parts));
                let sine = matches!(self.variables[index].meaning, VariableMeaning::Sin(_));
                Some(if sine { base.sin() } else { base.cos() })
            }
            VariableMeaning::Prime(p) => real_square_root(&float_from_rational(p)),
            VariableMeaning::Root(a) => real_square_root(&self.fraction_value(a, point, known)?.0),
            VariableMeaning::Function(f, args) => {
                let mut a = Vec::with_capacity(args.len());
                for arg in args {
                    a.push(self.fraction_value(arg, point, known)?.0);
                }
                match (f, &a[..]) {
                    (Opaque::Func(f), [x]) => evaluate_function(*f, x),
                    (Opaque::Func2(f), [x, y]) => evaluate_binary_function(*f, x, y),
                    (Opaque::Select(cmp), [x, y, yes, no]) => evaluate_select(
                        *cmp,
                        Some(x.clone()),
                        Some(y.clone()),
                        Some(yes.clone()),
                        Some(no.clone()),
                    ),
                    (Opaque::Table(t), [x]) => evaluate_table(&self.tables[*t], x),
                    _ => None,
                }
            }
        }
    }
}
