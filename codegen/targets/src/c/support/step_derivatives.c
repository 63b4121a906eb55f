static REAL $P_dot(const REAL *row, const REAL *column, int n, int stride) {
    REAL sum = 0.0@;
    for (int l = 0; l < n; l++) sum += row[l] * column[l * stride];
    return sum;
}

// The rate at x + a k and its derivatives with respect to the values at the start of the step; k is NULL for the start itself.
static int $P_stage(const struct $P_model *model, REAL time, REAL a, const REAL *x, const REAL *u,
                    const struct $P_dqdt_derivatives *k, struct $P_dqdt_derivatives *d) {
    int verdict = 0;
    REAL at[$U_NX];
    struct $P_dqdt_derivatives own;
    for (int i = 0; i < $U_NX; i++) at[i] = k == NULL ? x[i] : mul_add(k->rate[i], a, x[i]);
    $EVALUATE
    if (verdict != 0) return verdict;
    *d = own;
    if (k == NULL) return 0;
    for (int i = 0; i < $U_NX; i++) {
        for (int j = 0; j < $U_NX; j++) {
            d->by_state[i][j] = mul_add($P_dot(own.by_state[i], &k->by_state[0][j], $U_NX, $U_NX), a, own.by_state[i][j]);
        }
//if inputs
        for (int j = 0; j < $U_NU; j++) {
            d->by_input[i][j] = mul_add($P_dot(own.by_state[i], &k->by_input[0][j], $U_NX, $U_NU), a, own.by_input[i][j]);
        }
//end
    }
    return 0;
}

//if turns
// Applies the derivative of e / |e| to rows of derivatives, one for each component of the quaternion, with the given
// number of columns.
static void $P_project_columns(REAL *rows, int columns, const REAL *unit, REAL scale) {
    for (int j = 0; j < columns; j++) {
        REAL along = 0.0@;
        for (int k = 0; k < 4; k++) along = along + unit[k] * rows[k * columns + j];
        for (int k = 0; k < 4; k++) rows[k * columns + j] = (rows[k * columns + j] - unit[k] * along) * scale;
    }
}

static void $P_project(struct $P_step *step) {
    static const int starts[$TURNS] = {$STARTS};
    for (int s = 0; s < $TURNS; s++) {
        REAL *e = step->x + starts[s];
        const REAL scale = 1.0@ / sqrt@(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        const REAL unit[4] = {e[0] * scale, e[1] * scale, e[2] * scale, e[3] * scale};
        $P_normalise(e);
        $P_project_columns(step->by_state[starts[s]], $U_NX, unit, scale);
//end
//if turns and inputs
        $P_project_columns(step->by_input[starts[s]], $U_NU, unit, scale);
//end
//if turns
    }
}

//end
int $P_rk4_step_derivatives(const struct $P_model *model, REAL t, REAL h, const REAL x[$U_NX], const REAL *u, struct $P_step *step) {
    struct $P_dqdt_derivatives k[4];
    const REAL half = 0.5@ * h;
    const REAL ahead[4] = {0.0@, half, half, h};
    for (int s = 0; s < 4; s++) {
        const int verdict = $P_stage(model, s == 0 ? t : t + ahead[s], ahead[s], x, u, s == 0 ? NULL : &k[s - 1], &k[s]);
        if (verdict != 0) return verdict;
    }
    const REAL sixth = h / 6.0@;
    for (int i = 0; i < $U_NX; i++) {
        const REAL middle = k[1].rate[i] + k[2].rate[i];
        step->x[i] = x[i] + sixth * (k[0].rate[i] + middle + middle + k[3].rate[i]);
        for (int j = 0; j < $U_NX; j++) {
            const REAL between = k[1].by_state[i][j] + k[2].by_state[i][j];
            const REAL sum = sixth * (k[0].by_state[i][j] + between + between + k[3].by_state[i][j]);
            step->by_state[i][j] = (i == j ? 1.0@ : 0.0@) + sum;
        }
//if inputs
        for (int j = 0; j < $U_NU; j++) {
            const REAL between = k[1].by_input[i][j] + k[2].by_input[i][j];
            step->by_input[i][j] = sixth * (k[0].by_input[i][j] + between + between + k[3].by_input[i][j]);
        }
//end
    }
//if turns
    $P_project(step);
//end
    return 0;
}

// Solves A X = B for the given number of columns by Gaussian elimination with pivoting; X replaces B. Sets B to zero and
// returns 1 if A is singular.
static int $P_solve(REAL a[$U_NX][$U_NX], REAL *b, int columns) {
    REAL terms[$U_NX][$U_NX], divisors[$U_NX], scales[$U_NX];
    for (int i = 0; i < $U_NX; i++) {
        for (int j = 0; j < $U_NX; j++) terms[i][j] = fabs@(a[i][j]);
    }
    for (int j = 0; j < $U_NX; j++) {
        int best = j;
        for (int i = j + 1; i < $U_NX; i++) {
            if (fabs@(a[i][j]) > fabs@(a[best][j])) best = i;
        }
        for (int k = 0; k < $U_NX; k++) {
            const REAL one = a[j][k], other = terms[j][k];
            a[j][k] = a[best][k];
            a[best][k] = one;
            terms[j][k] = terms[best][k];
            terms[best][k] = other;
        }
        for (int k = 0; k < columns; k++) {
            const REAL one = b[j * columns + k];
            b[j * columns + k] = b[best * columns + k];
            b[best * columns + k] = one;
        }
        if (!(a[j][j] < 0.0@) && !(a[j][j] > 0.0@) && !isnan(a[j][j])) continue; // reported below
        for (int i = j + 1; i < $U_NX; i++) {
            const REAL factor = a[i][j] / a[j][j];
            for (int k = j + 1; k < $U_NX; k++) {
                const REAL term = factor * a[j][k];
                a[i][k] -= term;
                terms[i][k] = larger(terms[i][k], fabs@(term));
            }
            for (int k = 0; k < columns; k++) b[i * columns + k] -= factor * b[j * columns + k];
        }
    }
    for (int j = $U_NX - 1; j >= 0; j--) {
        for (int k = j + 1; k < $U_NX; k++) {
            for (int c = 0; c < columns; c++) b[j * columns + c] -= a[j][k] * b[k * columns + c];
        }
        for (int c = 0; c < columns; c++) b[j * columns + c] /= a[j][j];
    }
    for (int i = 0; i < $U_NX; i++) {
        divisors[i] = a[i][i];
        scales[i] = terms[i][i];
    }
    if (vanishing(divisors, scales, $U_NX, $EPSILON) == 0) return 0;
    for (int i = 0; i < $U_NX * columns; i++) b[i] = 0.0@;
    return 1;
}

// 1 - h/2 A.
static void $P_implicit(const struct $P_dqdt_derivatives *d, REAL half, REAL a[$U_NX][$U_NX]) {
    for (int i = 0; i < $U_NX; i++) {
        for (int j = 0; j < $U_NX; j++) a[i][j] = (i == j ? 1.0@ : 0.0@) - half * d->by_state[i][j];
    }
}

int $P_implicit_midpoint_step(const struct $P_model *model, REAL t, REAL h, const REAL x[$U_NX], const REAL *u, int iterations, struct $P_step *step, REAL *correction) {
    struct $P_dqdt_derivatives d;
    REAL found[$U_NX], middle[$U_NX], right[$U_NX], a[$U_NX][$U_NX];
    const REAL half = 0.5@ * h;
    for (int i = 0; i < $U_NX; i++) found[i] = x[i];
    *correction = 0.0@;
    for (int n = 0; n < (iterations > 1 ? iterations : 1); n++) {
        for (int i = 0; i < $U_NX; i++) middle[i] = 0.5@ * (x[i] + found[i]);
        const int verdict = $P_stage(model, t + half, 0.0@, middle, u, NULL, &d);
        if (verdict != 0) return verdict;
        for (int i = 0; i < $U_NX; i++) right[i] = x[i] + h * d.rate[i] - found[i];
        $P_implicit(&d, half, a);
        if ($P_solve(a, right, 1) != 0) return -2;
        *correction = 0.0@;
        for (int i = 0; i < $U_NX; i++) {
            found[i] += right[i];
            *correction = larger(*correction, fabs@(right[i]));
        }
    }
    for (int i = 0; i < $U_NX; i++) middle[i] = 0.5@ * (x[i] + found[i]);
    const int verdict = $P_stage(model, t + half, 0.0@, middle, u, NULL, &d);
    if (verdict != 0) return verdict;
    for (int i = 0; i < $U_NX; i++) {
        step->x[i] = found[i];
        for (int j = 0; j < $U_NX; j++) step->by_state[i][j] = (i == j ? 1.0@ : 0.0@) + half * d.by_state[i][j];
//if inputs
        for (int j = 0; j < $U_NU; j++) step->by_input[i][j] = h * d.by_input[i][j];
//end
    }
    $P_implicit(&d, half, a);
    if ($P_solve(a, step->by_state[0], $U_NX) != 0) return -2;
//if inputs
    $P_implicit(&d, half, a);
    if ($P_solve(a, step->by_input[0], $U_NU) != 0) return -2;
//end
//if turns
    $P_project(step);
//end
    return 0;
}
