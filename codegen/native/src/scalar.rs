//! The scalar types of compiled code.

use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use cranelift_frontend::FunctionBuilder;
use dqdt::Real;
use dqdt::sin_cos::{COEFFICIENTS_DOUBLE, COEFFICIENTS_SINGLE, Coefficients};

/// A scalar type for which machine code can be compiled: `f64` or `f32`.
pub trait NativeScalar: Real + Default + Send + Sync {
    /// Number of values in a register of 128 bits.
    const LANES: usize;
    /// Constants of the sine and cosine.
    #[doc(hidden)]
    const TRIGONOMETRY: Coefficients<Self>;
    /// Suffix that distinguishes the library functions of the two types.
    #[doc(hidden)]
    const SUFFIX: &'static str;
    /// Type of one value.
    #[doc(hidden)]
    const SCALAR: Type;
    /// Type of a register full of values.
    #[doc(hidden)]
    const REGISTER: Type;
    /// Integers of the same size, one value.
    #[doc(hidden)]
    const SCALAR_BITS: Type;
    /// Integers of the same size, a register.
    #[doc(hidden)]
    const REGISTER_BITS: Type;
    /// Instruction that yields a constant.
    #[doc(hidden)]
    fn constant(self, builder: &mut FunctionBuilder<'_>) -> Value;
    /// The number 2/π, rounded to the type.
    #[doc(hidden)]
    fn frac_2_pi() -> Self;
}

impl NativeScalar for f64 {
    const LANES: usize = 2;
    const TRIGONOMETRY: Coefficients<f64> = COEFFICIENTS_DOUBLE;
    const SUFFIX: &'static str = "double";
    const SCALAR: Type = types::F64;
    const REGISTER: Type = types::F64X2;
    const SCALAR_BITS: Type = types::I64;
    const REGISTER_BITS: Type = types::I64X2;

    fn constant(self, builder: &mut FunctionBuilder<'_>) -> Value {
        builder.ins().f64const(self)
    }

    fn frac_2_pi() -> f64 {
        std::f64::consts::FRAC_2_PI
    }
}

impl NativeScalar for f32 {
    const LANES: usize = 4;
    const TRIGONOMETRY: Coefficients<f32> = COEFFICIENTS_SINGLE;
    const SUFFIX: &'static str = "single";
    const SCALAR: Type = types::F32;
    const REGISTER: Type = types::F32X4;
    const SCALAR_BITS: Type = types::I32;
    const REGISTER_BITS: Type = types::I32X4;

    fn constant(self, builder: &mut FunctionBuilder<'_>) -> Value {
        builder.ins().f32const(self)
    }

    fn frac_2_pi() -> f32 {
        std::f32::consts::FRAC_2_PI
    }
}
