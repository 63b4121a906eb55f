//! Registers of AVX2 with FMA: 256 bits.

use core::arch::x86_64::*;

use crate::register::register;
use crate::sse2::forward;

macro_rules! helpers {
    ($module:ident, $register:ident, $fma:ident $cmp:ident $blend:ident, $and:ident $or:ident $xor:ident $bits:ident $set1:ident) => {
        mod $module {
            use super::*;

            #[inline]
            pub unsafe fn mul_add(a: $register, b: $register, c: $register) -> $register {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $fma(a, b, c) }
            }
            forward!($register: and $and, or $or);
            #[inline]
            pub unsafe fn less(a: $register, b: $register) -> $register {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $cmp::<_CMP_LT_OQ>(a, b) }
            }
            #[inline]
            pub unsafe fn less_or_equal(a: $register, b: $register) -> $register {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $cmp::<_CMP_LE_OQ>(a, b) }
            }
            #[inline]
            pub unsafe fn equal(a: $register, b: $register) -> $register {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $cmp::<_CMP_EQ_OQ>(a, b) }
            }
            #[inline]
            pub unsafe fn select(mask: $register, if_true: $register, if_false: $register) -> $register {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $blend(if_false, if_true, mask) }
            }
            #[inline]
            pub unsafe fn mask(value: bool) -> $register {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe {
                    let zero = $set1(0.0);
                    if value { $cmp::<_CMP_EQ_OQ>(zero, zero) } else { zero }
                }
            }
            #[inline]
            pub unsafe fn not(mask_of: $register) -> $register {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $xor(mask_of, mask(true)) }
            }
            #[inline]
            pub unsafe fn bits(mask: $register) -> u32 {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $bits(mask).cast_unsigned() }
            }
        }
    };
}

helpers!(doubles, __m256d, _mm256_fmadd_pd _mm256_cmp_pd _mm256_blendv_pd,
    _mm256_and_pd _mm256_or_pd _mm256_xor_pd _mm256_movemask_pd _mm256_set1_pd);
helpers!(singles, __m256, _mm256_fmadd_ps _mm256_cmp_ps _mm256_blendv_ps,
    _mm256_and_ps _mm256_or_ps _mm256_xor_ps _mm256_movemask_ps _mm256_set1_ps);

register! {
    __m256d: 4 of f64, "avx2,fma", mask __m256d, bits i64 sign 62;
    _mm256_set1_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_sqrt_pd _mm256_min_pd _mm256_max_pd;
    integers _mm256_castpd_si256 _mm256_castsi256_pd _mm256_set1_epi64x _mm256_sub_epi64 _mm256_and_si256 _mm256_xor_si256 _mm256_slli_epi64;
    doubles
}

register! {
    __m256: 8 of f32, "avx2,fma", mask __m256, bits i32 sign 30;
    _mm256_set1_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_sqrt_ps _mm256_min_ps _mm256_max_ps;
    integers _mm256_castps_si256 _mm256_castsi256_ps _mm256_set1_epi32 _mm256_sub_epi32 _mm256_and_si256 _mm256_xor_si256 _mm256_slli_epi32;
    singles
}
