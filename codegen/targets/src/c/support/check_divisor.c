// The verdict with divisor k, counted from one, compared with the largest term of the sum that
// forms it: the first divisor that vanishes; -1 if none vanishes and one is not finite; zero
// otherwise.
static inline int check_divisor(int verdict, int k, REAL divisor, REAL scale, REAL epsilon) {
    if (!isfinite(divisor) || !isfinite(scale)) return verdict == 0 ? -1 : verdict;
    if (fabs@(divisor) <= epsilon * fabs@(scale)) return verdict > 0 && verdict < k ? verdict : k;
    return verdict;
}
