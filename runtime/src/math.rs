//! Elementary functions of the two scalar types.
//!
//! Problem: `core` has no sine, logarithm or square root.
//! Method:  the standard library with the feature `std`, the crate `libm` otherwise. With neither
//!          feature `lib.rs` stops the build; the bodies below then only prevent further error
//!          messages.

macro_rules! unary {
    ($scalar:ident: $($name:ident = $libm:ident),+ $(,)?) => {$(
        #[inline]
        pub(crate) fn $name(x: $scalar) -> $scalar {
            #[cfg(feature = "std")]
            { <$scalar>::$name(x) }
            #[cfg(all(feature = "libm", not(feature = "std")))]
            { libm::$libm(x) }
            #[cfg(not(any(feature = "libm", feature = "std")))]
            { x }
        }
    )+};
}

macro_rules! binary {
    ($scalar:ident: $($name:ident = $libm:ident),+ $(,)?) => {$(
        #[inline]
        pub(crate) fn $name(x: $scalar, y: $scalar) -> $scalar {
            #[cfg(feature = "std")]
            { <$scalar>::$name(x, y) }
            #[cfg(all(feature = "libm", not(feature = "std")))]
            { libm::$libm(x, y) }
            #[cfg(not(any(feature = "libm", feature = "std")))]
            { let _ = y; x }
        }
    )+};
}

macro_rules! shared {
    ($scalar:ident, $sincos:ident) => {
        /// Sine and cosine of one angle.
        #[inline]
        pub(crate) fn sin_cos(x: $scalar) -> ($scalar, $scalar) {
            #[cfg(feature = "std")]
            {
                <$scalar>::sin_cos(x)
            }
            #[cfg(all(feature = "libm", not(feature = "std")))]
            {
                libm::$sincos(x)
            }
            #[cfg(not(any(feature = "libm", feature = "std")))]
            {
                (x, x)
            }
        }

        /// Computes `a b + c`: one instruction if the compilation target has it, two roundings
        /// otherwise.
        #[inline(always)]
        pub(crate) fn mul_add(a: $scalar, b: $scalar, c: $scalar) -> $scalar {
            #[cfg(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64")))]
            {
                <$scalar>::mul_add(a, b, c)
            }
            #[cfg(not(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64"))))]
            {
                a * b + c
            }
        }
    };
}

/// Elementary functions of `f64`.
pub(crate) mod double {
    unary!(f64: sqrt = sqrt, tan = tan, asin = asin, acos = acos, atan = atan,
        sinh = sinh, cosh = cosh, tanh = tanh, exp = exp, ln = log);
    binary!(f64: atan2 = atan2, powf = pow);
    shared!(f64, sincos);
}

/// Elementary functions of `f32`.
pub(crate) mod single {
    unary!(f32: sqrt = sqrtf, tan = tanf, asin = asinf, acos = acosf,
        atan = atanf, sinh = sinhf, cosh = coshf, tanh = tanhf, exp = expf, ln = logf);
    binary!(f32: atan2 = atan2f, powf = powf);
    shared!(f32, sincosf);
}
