#include <math.h>
#include <stddef.h>

#define NOT_FINITE (-1)

static inline double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

/* A comparison with NaN has no answer. */
static inline double choose_lt(double a, double b, double yes, double no) {
    return isnan(a) || isnan(b) ? NAN : a < b ? yes : no;
}
static inline double choose_le(double a, double b, double yes, double no) {
    return isnan(a) || isnan(b) ? NAN : a <= b ? yes : no;
}
static inline double choose_eq(double a, double b, double yes, double no) {
    return isnan(a) || isnan(b) ? NAN : a == b ? yes : no;
}
static inline double smaller(double a, double b) { return choose_lt(a, b, a, b); }
static inline double larger(double a, double b) { return choose_lt(a, b, b, a); }

static inline double table(double x, size_t n, const double *knots, const double (*rows)[4], double before) {
    size_t above = 0;
    if (isnan(x)) return x;
    while (above < n && knots[above] <= x) above++;
    if (above == 0) return before;
    const double *c = rows[above - 1];
    double d = above == n ? 0.0 : x - knots[above - 1];
    return c[0] + d * (c[1] + d * (c[2] + d * c[3]));
}

/* The position of a divisor that vanishes or is not finite, or what was found of the others. A divisor that vanishes is
   told before one that is not finite. */
static inline int divides(double value, double scale, double epsilon, int position, int others) {
    if (!isfinite(value) || !isfinite(scale)) return others == 0 ? NOT_FINITE : others;
    return fabs(value) <= epsilon * fabs(scale) ? position : others;
}
