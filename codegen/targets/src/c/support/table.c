// A piecewise cubic: c0 + c1 d + c2 d^2 + c3 d^3 over the distance d from the knot before; constant outside.
static REAL table(REAL at, size_t n, const double *knots, const double (*rows)[4]) {
    const double x = (double)at;
    if (isnan(x)) return at;
    size_t above = 0;
    while (above < n && knots[above] <= x) above++;
    const double *row = rows[above == 0 ? 0 : above - 1];
    if (above == 0 || above == n) return (REAL)row[0];
    const REAL d = (REAL)(x - knots[above - 1]);
    return (((REAL)row[3] * d + (REAL)row[2]) * d + (REAL)row[1]) * d + (REAL)row[0];
}
