// Every operation is rounded once, as written: contraction into fused operations would change the last bits.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
// When GCC vectorises scalars, it forms fused operations from alternating sums, even if contraction is disabled.
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile this file without -ffast-math and -ffinite-math-only: it checks whether numbers are finite, and relies on the order of operations"
#endif
