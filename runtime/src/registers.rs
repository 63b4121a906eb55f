//! SIMD registers of the compilation target, for equal parts.
//!
//! Problem: lanes of one register, in stable Rust and without `unsafe`.
//! Method:  the types of the crate `wide`, whose operations are instructions of the target.
//! Limits:  exists only on targets with registers.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::part::{Arithmetic, Together};

/// A SIMD register of the crate `wide`, whose lanes are equal parts of a mechanism.
#[derive(Clone, Copy)]
pub(crate) struct Register<W>(W);

macro_rules! register {
    ($wide:ident, $scalar:ident) => {
        impl Arithmetic for Register<wide::$wide> {
            const ZERO: Self = Self(wide::$wide::ZERO);
            const ONE: Self = Self(wide::$wide::ONE);
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                Self(wide::$wide::splat(value as $scalar))
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                Self(self.0.sqrt())
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                if cfg!(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64"))) {
                    Self(self.0.mul_add(factor.0, summand.0))
                } else {
                    self * factor + summand
                }
            }
        }

        register!($wide, Add, add, +);
        register!($wide, Sub, sub, -);
        register!($wide, Mul, mul, *);
        register!($wide, Div, div, /);

        impl Neg for Register<wide::$wide> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }
    };
    ($wide:ident, $name:ident, $method:ident, $op:tt) => {
        impl $name for Register<wide::$wide> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
    };
}

macro_rules! together {
    ($wide:ident, $scalar:ident, $lanes:literal) => {
        register!($wide, $scalar);
        impl Together<$scalar, $lanes> for Register<wide::$wide> {
            #[inline(always)]
            fn load(values: [$scalar; $lanes]) -> Self {
                Self(wide::$wide::new(values))
            }
            #[inline(always)]
            fn store(self) -> [$scalar; $lanes] {
                self.0.to_array()
            }
        }
    };
}

together!(f64x2, f64, 2);
together!(f64x4, f64, 4);
together!(f32x4, f32, 4);
together!(f32x8, f32, 8);

/// Two singles fill half a register. The other half repeats them, so that no unused lane divides by
/// zero.
impl Together<f32, 2> for Register<wide::f32x4> {
    #[inline(always)]
    fn load([a, b]: [f32; 2]) -> Self {
        Self(wide::f32x4::new([a, b, a, b]))
    }
    #[inline(always)]
    fn store(self) -> [f32; 2] {
        let [a, b, ..] = self.0.to_array();
        [a, b]
    }
}

/// Two registers in place of one with twice the lanes.
#[derive(Clone, Copy)]
pub(crate) struct Two<R>(R, R);

macro_rules! both {
    ($name:ident, $method:ident) => {
        impl<R: $name<Output = R>> $name for Two<R> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}

both!(Add, add);
both!(Sub, sub);
both!(Mul, mul);
both!(Div, div);

impl<R: Neg<Output = R>> Neg for Two<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl<R: Arithmetic> Arithmetic for Two<R> {
    const ZERO: Self = Self(R::ZERO, R::ZERO);
    const ONE: Self = Self(R::ONE, R::ONE);
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self(R::from_f64(value), R::from_f64(value))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        Self(self.0.mul_add(factor.0, summand.0), self.1.mul_add(factor.1, summand.1))
    }
}

impl Together<f64, 8> for Two<Register<wide::f64x4>> {
    #[inline(always)]
    fn load([a, b, c, d, e, f, g, h]: [f64; 8]) -> Self {
        Self(Register::load([a, b, c, d]), Register::load([e, f, g, h]))
    }
    #[inline(always)]
    fn store(self) -> [f64; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (self.0.store(), self.1.store());
        [a, b, c, d, e, f, g, h]
    }
}
