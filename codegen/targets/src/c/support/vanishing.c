// Compares divisors with the largest term of the sums that form them: zero if none vanishes, else the position of the
// first that does, counted from one; -1 if none vanishes and one is not finite.
static int vanishing(const REAL *divisors, const REAL *scales, int n, REAL epsilon) {
    int finite = 1;
    for (int k = 0; k < n; k++) {
        if (!isfinite(divisors[k]) || !isfinite(scales[k])) {
            finite = 0;
        } else if (fabs@(divisors[k]) <= epsilon * fabs@(scales[k])) {
            return k + 1;
        }
    }
    return finite ? 0 : -1;
}
