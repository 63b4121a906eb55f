//! Evaluates emitted programs at 50 digits, by an interpreter over long floats, and their
//! derivatives by finite differences.
//!
//! Differences of doubles lose half of their digits, and jets over doubles lose digits with the
//! condition of M. Here a step of 1e-25 leaves 25 digits of a derivative at any condition.

use astro_float::{BigFloat, Consts, Radix, RoundingMode};
use dqdt_algebra::{Cmp, Func, Func2, Jet, Number, PiecewiseCubic};
use dqdt_codegen::functions::Definition;
use dqdt_graph::ir::{Arguments, Op, Program, SymbolKind, replay};

/// Mantissa length in bits: 50 digits and a reserve for rounding.
const BITS: usize = 192;
/// Step of the finite differences. The truncation error is of this size too.
const STEP: &str = "1e-25";
const ROUND: RoundingMode = RoundingMode::ToEven;

/// Evaluator of program functions with floats of `BITS` bits.
pub(crate) struct Digits {
    constants: Consts,
}

impl Digits {
    pub(crate) fn new() -> Self {
        Digits { constants: Consts::new().unwrap() }
    }

    pub(crate) fn float(x: f64) -> BigFloat {
        BigFloat::from_f64(x, BITS)
    }

    /// Converts a long float to the nearest double, within one unit in the last place.
    pub(crate) fn double(&mut self, x: &BigFloat) -> f64 {
        let text = x.format(Radix::Dec, ROUND, &mut self.constants).unwrap();
        text.parse().unwrap_or_else(|_| panic!("{text}"))
    }

    /// The long float of a decimal number.
    pub(crate) fn parse(&mut self, text: &str) -> BigFloat {
        BigFloat::parse(text, Radix::Dec, BITS, ROUND, &mut self.constants)
    }

    fn from_limbs(limbs: &[u32]) -> BigFloat {
        limbs.iter().rev().fold(BigFloat::from_u32(0, BITS), |sum, limb| {
            let shifted = sum.mul(&Self::float(4_294_967_296.0), 1024, ROUND);
            shifted.add(&BigFloat::from_u32(*limb, BITS), 1024, ROUND)
        })
    }

    fn from_ratio(num: i64, den: i64) -> BigFloat {
        BigFloat::from_i64(num, BITS).div(&BigFloat::from_i64(den, BITS), BITS, ROUND)
    }

    fn number(&mut self, n: Number) -> BigFloat {
        match n {
            Number::Rational(r) => Self::from_ratio(r.num(), r.den()),
            Number::Pi(r) => {
                let pi = self.constants.pi(BITS, ROUND);
                Self::from_ratio(r.num(), r.den()).mul(&pi, BITS, ROUND)
            }
            Number::Float(bits) => Self::float(f64::from_bits(bits)),
            Number::Wide(w) => {
                let [num, den] = w.limbs();
                let quotient = Self::from_limbs(&num).div(&Self::from_limbs(&den), BITS, ROUND);
                if w.is_negative() { quotient.neg() } else { quotient }
            }
        }
    }

    fn table(table: &PiecewiseCubic, x: &BigFloat) -> BigFloat {
        let above = table.knots.partition_point(|k| Self::float(*k) <= *x);
        if above == 0 {
            return Self::float(table.before);
        }
        let c = table.coefficients[above - 1].map(Self::float);
        if above == table.knots.len() {
            return c[0].clone();
        }
        let d = x.sub(&Self::float(table.knots[above - 1]), BITS, ROUND);
        c.iter().rev().cloned().reduce(|sum, c| sum.mul(&d, BITS, ROUND).add(&c, BITS, ROUND)).unwrap()
    }

    fn func(&mut self, f: Func, x: &BigFloat) -> BigFloat {
        let cc = &mut self.constants;
        match f {
            Func::Tan => x.tan(BITS, ROUND, cc),
            Func::Asin => x.asin(BITS, ROUND, cc),
            Func::Acos => x.acos(BITS, ROUND, cc),
            Func::Atan => x.atan(BITS, ROUND, cc),
            Func::Sinh => x.sinh(BITS, ROUND, cc),
            Func::Cosh => x.cosh(BITS, ROUND, cc),
            Func::Tanh => x.tanh(BITS, ROUND, cc),
            Func::Exp => x.exp(BITS, ROUND, cc),
            Func::Ln => x.ln(BITS, ROUND, cc),
            Func::Abs => x.abs(),
            Func::Sign if x.is_zero() => Self::float(0.0),
            Func::Sign => x.signum(),
        }
    }

    fn func2(&mut self, f: Func2, x: &BigFloat, y: &BigFloat) -> BigFloat {
        match f {
            Func2::Atan2 => {
                // The half-angle formula has only the branch cut at −π.
                let r2 = x.mul(x, BITS, ROUND).add(&y.mul(y, BITS, ROUND), BITS, ROUND);
                let below = r2.sqrt(BITS, ROUND).add(y, BITS, ROUND);
                let half = x.div(&below, BITS, ROUND).atan(BITS, ROUND, &mut self.constants);
                half.add(&half, BITS, ROUND)
            }
            Func2::Pow => x.pow(y, BITS, ROUND, &mut self.constants),
            Func2::Min => x.min(y),
            Func2::Max => x.max(y),
        }
    }

    /// The outputs of several functions of a program, concatenated, matrices by rows.
    /// Divisors are not checked.
    pub(crate) fn call(
        &mut self,
        program: &Program,
        functions: &[&Definition],
        value: &dyn Fn(SymbolKind) -> BigFloat,
    ) -> Vec<BigFloat> {
        let outputs = functions.iter().filter_map(|f| program.function(f)).flat_map(|f| &f.outputs);
        let nodes: Vec<_> = outputs.flat_map(|o| o.nodes.iter().copied()).collect();
        let graph = &program.graph;
        replay(graph, &nodes, |_, op, a: &[BigFloat]| match op {
            Op::Const(n) => self.number(n),
            Op::Symbol(s) => value(graph.symbol_info(s).kind),
            Op::Add => a[0].add(&a[1], BITS, ROUND),
            Op::Sub => a[0].sub(&a[1], BITS, ROUND),
            Op::Mul => a[0].mul(&a[1], BITS, ROUND),
            Op::Div => a[0].div(&a[1], BITS, ROUND),
            Op::Neg => a[0].neg(),
            Op::Sqrt => a[0].sqrt(BITS, ROUND),
            Op::Sin => a[0].sin(BITS, ROUND, &mut self.constants),
            Op::Cos => a[0].cos(BITS, ROUND, &mut self.constants),
            Op::Func(f) => self.func(f, &a[0]),
            Op::Func2(f) => self.func2(f, &a[0], &a[1]),
            Op::Select(cmp) => {
                let holds = match cmp {
                    Cmp::Lt => a[0] < a[1],
                    Cmp::Le => a[0] <= a[1],
                    Cmp::Eq => a[0] == a[1],
                };
                a[if holds { 2 } else { 3 }].clone()
            }
            Op::Table(t) => Self::table(&graph.table_data(t), &a[0]),
        })
    }

    /// The dot product `a · b`, rounded once.
    pub(crate) fn dot(&mut self, a: &[BigFloat], b: &[BigFloat]) -> f64 {
        let products = a.iter().zip(b).map(|(a, b)| a.mul(b, BITS, ROUND));
        let sum = products.fold(Self::float(0.0), |sum, x| sum.add(&x, BITS, ROUND));
        self.double(&sum)
    }

    /// Outputs of functions and their derivatives along a direction of the arguments. `here` is the
    /// result of [`Self::call`] at the same point.
    pub(crate) fn slopes(
        &mut self,
        program: &Program,
        functions: &[&Definition],
        at: &Arguments,
        here: &[BigFloat],
        along: &Arguments,
    ) -> Vec<Jet<f64>> {
        let step = BigFloat::parse(STEP, Radix::Dec, BITS, ROUND, &mut self.constants);
        let there = self.call(program, functions, &|kind| {
            let by = step.mul(&Self::float(along.value(kind)), BITS, ROUND);
            Self::float(at.value(kind)).add(&by, BITS, ROUND)
        });
        let pairs = here.iter().zip(&there);
        pairs
            .map(|(a, b)| {
                let slope = b.sub(a, BITS, ROUND).div(&step, BITS, ROUND);
                Jet::new(self.double(a), self.double(&slope))
            })
            .collect()
    }
}
