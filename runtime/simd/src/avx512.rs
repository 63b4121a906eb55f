//! Registers of AVX-512 (parts F and DQ): 512 bits, with masks in separate registers.

use core::arch::x86_64::*;

use crate::register::register;

macro_rules! helpers {
    ($module:ident, $register:ident, $mask:ident, $fma:ident $cmp:ident $blend:ident) => {
        mod $module {
            use super::*;

            #[inline]
            pub unsafe fn mul_add(a: $register, b: $register, c: $register) -> $register {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $fma(a, b, c) }
            }
            #[inline]
            pub unsafe fn less(a: $register, b: $register) -> $mask {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $cmp::<_CMP_LT_OQ>(a, b) }
            }
            #[inline]
            pub unsafe fn less_or_equal(a: $register, b: $register) -> $mask {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $cmp::<_CMP_LE_OQ>(a, b) }
            }
            #[inline]
            pub unsafe fn equal(a: $register, b: $register) -> $mask {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $cmp::<_CMP_EQ_OQ>(a, b) }
            }
            #[inline]
            pub unsafe fn select(mask: $mask, if_true: $register, if_false: $register) -> $register {
                // SAFETY: the caller guarantees that the processor has the instruction.
                unsafe { $blend(mask, if_false, if_true) }
            }
            #[inline]
            pub unsafe fn mask(value: bool) -> $mask {
                if value { $mask::MAX } else { 0 }
            }
            #[inline]
            pub unsafe fn and(a: $mask, b: $mask) -> $mask {
                a & b
            }
            #[inline]
            pub unsafe fn or(a: $mask, b: $mask) -> $mask {
                a | b
            }
            #[inline]
            pub unsafe fn not(a: $mask) -> $mask {
                !a
            }
            #[inline]
            pub unsafe fn bits(mask: $mask) -> u32 {
                u32::from(mask)
            }
        }
    };
}

helpers!(doubles, __m512d, __mmask8, _mm512_fmadd_pd _mm512_cmp_pd_mask _mm512_mask_blend_pd);
helpers!(singles, __m512, __mmask16, _mm512_fmadd_ps _mm512_cmp_ps_mask _mm512_mask_blend_ps);

register! {
    __m512d: 8 of f64, "avx512f,avx512dq", mask __mmask8, bits i64 sign 62;
    _mm512_set1_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd _mm512_sqrt_pd _mm512_min_pd _mm512_max_pd;
    integers _mm512_castpd_si512 _mm512_castsi512_pd _mm512_set1_epi64 _mm512_sub_epi64 _mm512_and_si512 _mm512_xor_si512 _mm512_slli_epi64;
    doubles
}

register! {
    __m512: 16 of f32, "avx512f,avx512dq", mask __mmask16, bits i32 sign 30;
    _mm512_set1_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps _mm512_sqrt_ps _mm512_min_ps _mm512_max_ps;
    integers _mm512_castps_si512 _mm512_castsi512_ps _mm512_set1_epi32 _mm512_sub_epi32 _mm512_and_si512 _mm512_xor_si512 _mm512_slli_epi32;
    singles
}
