//! Sine and cosine of a register of angles as instructions: the polynomials of `dqdt::sin_cos`, in
//! the same order of operations.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::FunctionBuilder;

use crate::scalar::NativeScalar;

/// True if `a b + c` of the runtime has one rounding on this target; see `dqdt::Real::mul_add`.
fn is_fused<T: NativeScalar>() -> bool {
    let third = T::from_f64(1.0 / 3.0);
    third.mul_add(third, -(third * third)) != T::ZERO
}

/// Sine, cosine, and a mask of the lanes in whose range the polynomials are valid.
pub(crate) struct SinCosValues {
    pub(crate) sine: Value,
    pub(crate) cosine: Value,
    pub(crate) inside: Value,
}

/// Instructions on registers full of `T`.
struct Registers<'b, 'f> {
    builder: &'b mut FunctionBuilder<'f>,
}

impl Registers<'_, '_> {
    fn number<T: NativeScalar>(&mut self, x: T) -> Value {
        let scalar = x.constant(self.builder);
        self.builder.ins().splat(T::REGISTER, scalar)
    }

    fn integer<T: NativeScalar>(&mut self, x: i64) -> Value {
        let scalar = self.builder.ins().iconst(T::SCALAR_BITS, x);
        self.builder.ins().splat(T::REGISTER_BITS, scalar)
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fadd(a, b)
    }

    fn subtract(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fsub(a, b)
    }

    fn multiply(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fmul(a, b)
    }

    /// `a b + c`, rounded as the runtime's `mul_add` on this target.
    fn multiply_add<T: NativeScalar>(&mut self, a: Value, b: Value, c: Value) -> Value {
        if is_fused::<T>() {
            return self.builder.ins().fma(a, b, c);
        }
        let product = self.multiply(a, b);
        self.add(product, c)
    }

    /// `a − b` as the rounded difference and its rounding error.
    fn difference(&mut self, a: Value, b: Value) -> (Value, Value) {
        let difference = self.subtract(a, b);
        let error = self.subtract(a, difference);
        (difference, self.subtract(error, b))
    }

    fn bits<T: NativeScalar>(&mut self, a: Value) -> Value {
        self.builder.ins().bitcast(T::REGISTER_BITS, little_endian(), a)
    }

    fn float<T: NativeScalar>(&mut self, a: Value) -> Value {
        self.builder.ins().bitcast(T::REGISTER, little_endian(), a)
    }

    /// Horner's scheme: `c[0] + z (c[1] + z (…))`, starting from zero.
    fn polynomial<T: NativeScalar>(&mut self, z: Value, coefficients: &[T]) -> Value {
        let mut r = self.number(T::ZERO);
        for c in coefficients.iter().rev() {
            let c = self.number(*c);
            r = self.multiply_add::<T>(r, z, c);
        }
        r
    }
}

pub(crate) fn little_endian() -> MemFlagsData {
    MemFlagsData::new().with_endianness(Endianness::Little)
}

/// Emits the instructions for a register of angles.
pub(crate) fn sin_cos<T: NativeScalar>(builder: &mut FunctionBuilder<'_>, angle: Value) -> SinCosValues {
    let k = T::TRIGONOMETRY;
    let b = &mut Registers { builder };

    // The nearest multiple of π/2; the last two bits of the sum are the quadrant.
    let scale = b.number(T::frac_2_pi());
    let round = b.number(k.round);
    let product = b.multiply(angle, scale);
    let shifted = b.add(product, round);
    let multiple = b.subtract(shifted, round);
    let mut x = angle;
    let mut y = None;
    for (i, part) in k.parts.iter().enumerate() {
        let part = b.number(*part);
        let product = b.multiply(multiple, part);
        if i == 0 {
            x = b.subtract(x, product);
            continue;
        }
        let (difference, error) = b.difference(x, product);
        x = difference;
        let sum = match y {
            Some(y) => y,
            None => b.number(T::ZERO),
        };
        y = Some(b.add(sum, error));
    }
    let y = match y {
        Some(y) => y,
        None => b.number(T::ZERO),
    };
    let rest = b.number(k.rest);
    let product = b.multiply(multiple, rest);
    let y = b.subtract(y, product);

    // Sine and cosine of x + y, |x| up to π/4.
    let z = b.multiply(x, x);
    let (first, others) = k.sine.split_first().map_or((T::ZERO, &[][..]), |(first, others)| (*first, others));
    let r = b.polynomial(z, others);
    let v = b.multiply(z, x);
    let one_half = b.number(T::from_f64(0.5));
    let half_y = b.multiply(one_half, y);
    let v_r = b.multiply(v, r);
    let inner = b.subtract(half_y, v_r);
    let inner = b.multiply(z, inner);
    let inner = b.subtract(inner, y);
    let first = b.number(first);
    let cubic = b.multiply(v, first);
    let correction = b.subtract(inner, cubic);
    let sine = b.subtract(x, correction);

    let r = b.polynomial(z, k.cosine);
    let half = b.multiply(one_half, z);
    let one = b.number(T::ONE);
    let w = b.subtract(one, half);
    let lost = b.subtract(one, w);
    let lost = b.subtract(lost, half);
    let z_r = b.multiply(z, r);
    let quartic = b.multiply(z, z_r);
    let x_y = b.multiply(x, y);
    let correction = b.subtract(quartic, x_y);
    let correction = b.add(lost, correction);
    let cosine = b.add(w, correction);

    let (sine, cosine) = turn::<T>(b, shifted, sine, cosine);
    let magnitude = b.builder.ins().fabs(angle);
    let limit = b.number(k.limit);
    let inside = b.builder.ins().fcmp(FloatCC::LessThanOrEqual, magnitude, limit);
    SinCosValues { sine, cosine, inside }
}

/// Swaps sine and cosine in odd quadrants and sets the signs; see `dqdt::sin_cos::Turn`.
fn turn<T: NativeScalar>(
    b: &mut Registers<'_, '_>,
    shifted: Value,
    sine: Value,
    cosine: Value,
) -> (Value, Value) {
    let quadrant = b.bits::<T>(shifted);
    let (s, c) = (b.bits::<T>(sine), b.bits::<T>(cosine));
    let (one, two) = (b.integer::<T>(1), b.integer::<T>(2));
    let sign = i64::from(T::SCALAR_BITS.bits()) - 2;
    let odd = b.builder.ins().band(quadrant, one);
    let odd = b.builder.ins().ineg(odd);
    let swap = b.builder.ins().bxor(s, c);
    let swap = b.builder.ins().band(swap, odd);
    let next = b.builder.ins().iadd(quadrant, one);
    let signs = [quadrant, next].map(|q| {
        let bit = b.builder.ins().band(q, two);
        b.builder.ins().ishl_imm_u(bit, sign)
    });
    let [s, c] = [(s, signs[0]), (c, signs[1])].map(|(value, sign)| {
        let swapped = b.builder.ins().bxor(value, swap);
        b.builder.ins().bxor(swapped, sign)
    });
    (b.float::<T>(s), b.float::<T>(c))
}
