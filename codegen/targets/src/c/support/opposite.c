// -x. GCC rewrites -(a b + c) as (-a) b - c if there is one instruction for it, which gives a zero of the other sign if
// a b = -c; the empty assembly statement prevents this.
static inline REAL opposite(REAL x) {
#if DQDT_FMA && defined(__GNUC__) && !defined(__clang__)
#if defined(__x86_64__) || defined(__i386__)
    __asm__("" : "+x"(x));
#elif defined(__aarch64__)
    __asm__("" : "+w"(x));
#endif
#endif
    return -x;
}
