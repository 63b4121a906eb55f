static void $P_product(const REAL *a, const REAL *b, REAL *out) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// e times (1, delta/2), normalised.
static void $P_turn(const REAL *e, const REAL *delta, REAL *out) {
    const REAL by[4] = {1.0@, 0.5@ * delta[0], 0.5@ * delta[1], 0.5@ * delta[2]};
    REAL turned[4];
    $P_product(e, by, turned);
    const REAL square = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] + turned[3] * turned[3];
    const REAL scale = 1.0@ / sqrt@(square);
    for (int k = 0; k < 4; k++) out[k] = turned[k] * scale;
}

// The delta that rotates e to y; infinite for half a turn.
static void $P_turned(const REAL *y, const REAL *e, REAL *delta) {
    const REAL back[4] = {e[0], -e[1], -e[2], -e[3]};
    REAL turn[4];
    $P_product(back, y, turn);
    const REAL scale = 1.0@ / (0.5@ * turn[0]);
    for (int k = 0; k < 3; k++) delta[k] = turn[k + 1] * scale;
}

// e times (0, unit vector), for the three axes.
static void $P_columns(const REAL *e, REAL out[3][4]) {
    const REAL all[3][4] = {{-e[1], e[0], e[3], -e[2]}, {-e[2], -e[3], e[0], e[1]}, {-e[3], e[2], -e[1], e[0]}};
    for (int a = 0; a < 3; a++) {
        for (int c = 0; c < 4; c++) out[a][c] = all[a][c];
    }
}
