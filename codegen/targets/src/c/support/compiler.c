// Every operation is rounded once, as written: contraction into fused ones would change the last bits.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
// Where it gathers scalars in vectors, GCC makes fused operations of alternating sums, whatever it is told of contraction.
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile this file without -ffast-math and -ffinite-math-only: it asks whether numbers are finite, and counts on the order of operations"
#endif
