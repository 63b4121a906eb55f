// a b + c: one rounding where the target has an instruction for it, as in the Rust runtime with its feature `std`; two
// elsewhere. -DDQDT_FMA=0 or =1 overrides this.
#if !defined(DQDT_FMA)
#if defined(__FMA__) || defined(__aarch64__) || defined(_M_ARM64)
#define DQDT_FMA 1
#else
#define DQDT_FMA 0
#endif
#endif
static inline REAL mul_add(REAL a, REAL b, REAL c) {
#if DQDT_FMA
    return fma@(a, b, c);
#else
    return a * b + c;
#endif
}
