//! Registers of SSE2: 128 bits, which every x86-64 processor has.

use core::arch::x86_64::*;

use crate::register::register;

macro_rules! helpers {
    ($module:ident, $register:ident, $add:ident $mul:ident $fma:ident, $lt:ident $le:ident $eq:ident,
        $and:ident $andnot:ident $or:ident $xor:ident $bits:ident $set1:ident) => {
        mod $module {
            use super::*;

            /// Rounds as scalars do in a program that is compiled for this target.
            #[inline]
            pub unsafe fn mul_add(a: $register, b: $register, c: $register) -> $register {
                // SAFETY: the FMA instruction is compiled only for targets that have it; every
                // x86-64 has the others.
                unsafe {
                    #[cfg(target_feature = "fma")]
                    return $fma(a, b, c);
                    #[cfg(not(target_feature = "fma"))]
                    $add($mul(a, b), c)
                }
            }
            $crate::sse2::forward!($register: less $lt, less_or_equal $le, equal $eq, and $and, or $or);
            #[inline]
            pub unsafe fn select(mask: $register, if_true: $register, if_false: $register) -> $register {
                // SAFETY: every x86-64 processor has these instructions.
                unsafe { $or($and(mask, if_true), $andnot(mask, if_false)) }
            }
            #[inline]
            pub unsafe fn mask(value: bool) -> $register {
                // SAFETY: every x86-64 processor has these instructions.
                unsafe {
                    let zero = $set1(0.0);
                    if value { $eq(zero, zero) } else { zero }
                }
            }
            #[inline]
            pub unsafe fn not(mask_of: $register) -> $register {
                // SAFETY: every x86-64 processor has these instructions.
                unsafe { $xor(mask_of, mask(true)) }
            }
            #[inline]
            pub unsafe fn bits(mask: $register) -> u32 {
                // SAFETY: every x86-64 processor has these instructions.
                unsafe { $bits(mask).cast_unsigned() }
            }
        }
    };
}

/// Functions of two registers that are a single intrinsic.
macro_rules! forward {
    ($register:ident: $($name:ident $intrinsic:ident),+) => {$(
        #[inline]
        pub unsafe fn $name(a: $register, b: $register) -> $register {
            // SAFETY: the caller guarantees that the processor has the instruction.
            unsafe { $intrinsic(a, b) }
        }
    )+};
}
pub(crate) use forward;

helpers!(doubles, __m128d, _mm_add_pd _mm_mul_pd _mm_fmadd_pd, _mm_cmplt_pd _mm_cmple_pd _mm_cmpeq_pd,
    _mm_and_pd _mm_andnot_pd _mm_or_pd _mm_xor_pd _mm_movemask_pd _mm_set1_pd);
helpers!(singles, __m128, _mm_add_ps _mm_mul_ps _mm_fmadd_ps, _mm_cmplt_ps _mm_cmple_ps _mm_cmpeq_ps,
    _mm_and_ps _mm_andnot_ps _mm_or_ps _mm_xor_ps _mm_movemask_ps _mm_set1_ps);

register! {
    __m128d: 2 of f64, "sse2", mask __m128d, bits i64 sign 62;
    _mm_set1_pd _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd _mm_sqrt_pd _mm_min_pd _mm_max_pd;
    integers _mm_castpd_si128 _mm_castsi128_pd _mm_set1_epi64x _mm_sub_epi64 _mm_and_si128 _mm_xor_si128 _mm_slli_epi64;
    doubles
}

register! {
    __m128: 4 of f32, "sse2", mask __m128, bits i32 sign 30;
    _mm_set1_ps _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps _mm_sqrt_ps _mm_min_ps _mm_max_ps;
    integers _mm_castps_si128 _mm_castsi128_ps _mm_set1_epi32 _mm_sub_epi32 _mm_and_si128 _mm_xor_si128 _mm_slli_epi32;
    singles
}
