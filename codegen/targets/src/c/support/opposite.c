// -x. gcc writes -(a b + c) as (-a) b - c where it has one operation for that, which is a zero of the other sign if a b = -c; it
// does not look into this.
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
