// Projection of a state onto its constraints, by Gauss-Newton with the shortest correction.
//
// All rows are used. A row that depends on the rows before it is left out of the solution, and is satisfied if the
// constraints are consistent. Entries that are held do not change.
#if UNIT_CONSTRAINED

enum {
    PROJECTION_ITERATIONS = 50,
    // Rows of the constraints on coordinates, and one for each quaternion: its norm is one.
    PROJECTION_POSITIONS = UNIT_NPC + UNIT_TURNS,
    PROJECTION_ROWS = UNIT_LENGTH(PROJECTION_POSITIONS > UNIT_NVC ? PROJECTION_POSITIONS : UNIT_NVC),
    PROJECTION_COLUMNS = UNIT_LENGTH(UNIT_NQ > UNIT_NV ? UNIT_NQ : UNIT_NV)
};

struct projection {
    double residual[PROJECTION_ROWS], rows[PROJECTION_ROWS][PROJECTION_COLUMNS];
};

// Solves J Jᵀ λ = r for the multipliers of the shortest correction, by L D Lᵀ. Returns the rank of J.
static int solve_multipliers(const struct projection *at, int rows, int columns, double lambda[PROJECTION_ROWS]) {
    double factor[PROJECTION_ROWS][PROJECTION_ROWS], inverse[PROJECTION_ROWS];
    int rank = 0;
    memset(factor, 0, sizeof factor);
    memset(inverse, 0, sizeof inverse);
    for (int j = 0; j < rows; j++) {
        lambda[j] = at->residual[j];
        inverse[j] = 0.0;
        for (int k = 0; k <= j; k++) {
            for (int i = 0; i < columns; i++) factor[j][k] += at->rows[j][i] * at->rows[k][i];
        }
        const double whole = factor[j][j];
        for (int k = 0; k < j; k++) {
            for (int l = 0; l < k; l++) factor[j][k] -= factor[j][l] * factor[k][l];
        }
        for (int k = 0; k < j; k++) {
            const double scaled = factor[j][k];
            factor[j][k] = scaled * inverse[k];
            factor[j][j] -= scaled * factor[j][k];
        }
        if (factor[j][j] > 1e-10 * whole) {
            inverse[j] = 1.0 / factor[j][j];
            rank++;
        }
    }
    for (int j = 0; j < rows; j++) {
        for (int k = 0; k < j; k++) lambda[j] -= factor[j][k] * lambda[k];
    }
    for (int j = rows - 1; j >= 0; j--) {
        lambda[j] *= inverse[j];
        for (int k = j + 1; k < rows; k++) lambda[j] -= factor[k][j] * lambda[k];
    }
    return rank;
}

// Residuals of the constraints on coordinates, then of the norms of quaternions, with their derivatives.
static int evaluate_positions(const UNIT_MODEL *model, double t, const double *x, struct projection *at) {
    unit_positions(model, t, x, at->residual, &at->rows[0][0], PROJECTION_COLUMNS);
    for (int k = 0; k < UNIT_TURNS; k++) {
        double *row = at->rows[UNIT_NPC + k];
        const int start = unit_quaternions[k];
        double square = 0.0;
        for (int i = 0; i < UNIT_NQ; i++) row[i] = i >= start && i < start + 4 ? x[i] : 0.0;
        for (int i = start; i < start + 4; i++) square += x[i] * x[i];
        at->residual[UNIT_NPC + k] = 0.5 * (square - 1.0);
    }
    return PROJECTION_POSITIONS;
}

static int evaluate_velocities(const UNIT_MODEL *model, double t, const double *x, struct projection *at) {
    unit_velocities(model, t, x, at->residual, &at->rows[0][0], PROJECTION_COLUMNS);
    return UNIT_NVC;
}

// Iterates until the residuals are those of rounding. `held` is NULL, or non-zero for entries that do not change; the
// others must then be determined. Returns NULL, or what went wrong.
static const char *iterate_projection(
    const UNIT_MODEL *model, double t, double *x, double *part, int columns, const int *held,
    int (*evaluate)(const UNIT_MODEL *, double, const double *, struct projection *)) {
    struct projection at;
    double lambda[PROJECTION_ROWS], step[PROJECTION_COLUMNS] = {0.0}, before = INFINITY, share = 1.0, size = 1.0;
    int unknowns = 0;
    for (int i = 0; i < columns; i++) {
        unknowns += held == NULL || !held[i];
        size = fmax(size, fabs(part[i]));
    }
    for (int n = 0; n <= PROJECTION_ITERATIONS; n++) {
        double largest = 0.0;
        const int rows = evaluate(model, t, x, &at);
        for (int j = 0; j < rows; j++) {
            const double residual = fabs(at.residual[j]);
            largest = fmax(largest, isfinite(residual) ? residual : INFINITY);
            for (int i = 0; held != NULL && i < columns; i++) {
                if (held[i]) at.rows[j][i] = 0.0;
            }
        }
        const bool done = largest <= 1e-13 || (largest <= 1e-10 * size && largest > 0.5 * before);
        if (!done && !(largest < before)) {
            // A correction that makes the residual larger is too long: half of it is taken back.
            if (n == 0 || share < 1e-3) break;
            share *= 0.5;
            for (int i = 0; i < columns; i++) part[i] += share * step[i];
            continue;
        }
        if (held == NULL && done) return NULL;
        const int rank = solve_multipliers(&at, rows, columns, lambda);
        if (held != NULL && rank < unknowns) {
            return "the independent coordinates and speeds do not determine the others in this pose: the constraints "
                   "lose rank";
        }
        if (done) return NULL;
        before = largest;
        share = 1.0;
        for (int i = 0; i < columns; i++) {
            step[i] = 0.0;
            for (int j = 0; j < rows; j++) step[i] += at.rows[j][i] * lambda[j];
            part[i] -= step[i];
        }
    }
    return "the state cannot be projected onto the constraints: it is too far from them, or they contradict each other";
}

// Projects coordinates, then speeds. The state is unchanged if that fails.
static const char *project_state(const UNIT_MODEL *model, double t, double *x, const int *held) {
    double new_x[UNIT_LENGTH(UNIT_NX)];
    const char *fault = NULL;
    memcpy(new_x, x, sizeof new_x);
    if (PROJECTION_POSITIONS > 0) {
        fault = iterate_projection(model, t, new_x, new_x, UNIT_NQ, held, evaluate_positions);
    }
    if (fault == NULL && UNIT_NVC > 0) {
        fault = iterate_projection(model, t, new_x, new_x + UNIT_NQ, UNIT_NV, held == NULL ? NULL : held + UNIT_NQ,
                                   evaluate_velocities);
    }
    if (fault == NULL) memcpy(x, new_x, sizeof new_x);
    return fault;
}

#else

static const char *project_state(const UNIT_MODEL *model, double t, double *x, const int *held) {
    (void)model;
    (void)t;
    (void)x;
    (void)held;
    return NULL;
}

#endif
