// Directional and adjoint derivatives, from the emitted derivatives of the state's rates and of the outputs.
#if UNIT_DERIVATIVES

enum { DERIVATIVE_ROWS = UNIT_NX + UNIT_NY, DERIVATIVE_COLUMNS = UNIT_NX + UNIT_NU };

struct derivatives {
    double rows[UNIT_LENGTH(DERIVATIVE_ROWS)][UNIT_LENGTH(DERIVATIVE_COLUMNS)];
};

// Row of an unknown: the rate of a state, or an output; -1 for other variables.
static int unknown_row(fmi3ValueReference reference) {
    if (is_among(reference, UNIT_RATES, UNIT_NX)) return (int)reference - UNIT_RATES;
    if (is_among(reference, UNIT_OUTPUTS, UNIT_NY)) return UNIT_NX + (int)reference - UNIT_OUTPUTS;
    return -1;
}

// Column of a known variable: a state or an input; -1 for other variables.
static int known_column(fmi3ValueReference reference) {
    if (is_among(reference, UNIT_STATES, UNIT_NX)) return (int)reference - UNIT_STATES;
    if (is_among(reference, UNIT_INPUTS, UNIT_NU)) return UNIT_NX + (int)reference - UNIT_INPUTS;
    return -1;
}

// Computes all derivatives, if the call is right.
static fmi3Status evaluate_derivatives(struct unit *unit, const char *function, const fmi3ValueReference unknowns[],
                                       size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                       const double seed[], bool is_right_length, double sensitivity[],
                                       size_t n_seed, size_t n_sensitivity, struct derivatives *out) {
    if (!may_call(unit, function, MODE_READABLE & ~MODE_TERMINATED)) return fmi3Error;
    if (!has_array(unit, function, unknowns, n_unknowns) || !has_array(unit, function, knowns, n_knowns) ||
        !has_array(unit, function, seed, n_seed) || !has_array(unit, function, sensitivity, n_sensitivity)) {
        return fmi3Error;
    }
    if (!is_right_length) {
        return report(unit, fmi3Error, "%s: seed or sensitivity has another length than its variables", function);
    }
    for (size_t i = 0; i < n_unknowns; i++) {
        if (unknown_row(unknowns[i]) < 0) {
            return report(unit, fmi3Error,
                          "%s: value reference %lu is no unknown: derivatives are those of outputs and of the rates of "
                          "states",
                          function, (unsigned long)unknowns[i]);
        }
    }
    for (size_t i = 0; i < n_knowns; i++) {
        if (known_column(knowns[i]) < 0) {
            return report(unit, fmi3Error, "%s: value reference %lu is no known: derivatives are by states and inputs",
                          function, (unsigned long)knowns[i]);
        }
    }
    struct failure failure = {"", NULL, ""};
    const fmi3Status status = prepare(unit, fmi3Discard);
    if (status != fmi3OK) return status;
    const struct unit_state *now = &unit->now;
    if (!unit_derivatives(&unit->model, now->t, now->x, now->u, &out->rows[0][0], DERIVATIVE_COLUMNS, &failure)) {
        return report_failure(unit, fmi3Discard, &failure);
    }
    return fmi3OK;
}

FMI3_STATUS(fmi3GetDirectionalDerivative)(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                          size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                          const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                          size_t n_sensitivity) {
    struct derivatives all;
    const bool right = n_seed == n_knowns && n_sensitivity == n_unknowns;
    const fmi3Status status =
        evaluate_derivatives(instance, "fmi3GetDirectionalDerivative", unknowns, n_unknowns, knowns, n_knowns, seed,
                             right, sensitivity, n_seed, n_sensitivity, &all);
    if (status != fmi3OK) return status;
    for (size_t i = 0; i < n_unknowns; i++) {
        const double *row = all.rows[unknown_row(unknowns[i])];
        double sum = 0.0;
        for (size_t j = 0; j < n_knowns; j++) sum += row[known_column(knowns[j])] * seed[j];
        sensitivity[i] = sum;
    }
    return fmi3OK;
}

FMI3_STATUS(fmi3GetAdjointDerivative)(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                      size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                      const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                      size_t n_sensitivity) {
    struct derivatives all;
    const bool right = n_seed == n_unknowns && n_sensitivity == n_knowns;
    const fmi3Status status =
        evaluate_derivatives(instance, "fmi3GetAdjointDerivative", unknowns, n_unknowns, knowns, n_knowns, seed, right,
                             sensitivity, n_seed, n_sensitivity, &all);
    if (status != fmi3OK) return status;
    for (size_t j = 0; j < n_knowns; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < n_unknowns; i++) {
            sum += seed[i] * all.rows[unknown_row(unknowns[i])][known_column(knowns[j])];
        }
        sensitivity[j] = sum;
    }
    return fmi3OK;
}

#else

FMI3_STATUS(fmi3GetDirectionalDerivative)(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                          size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                          const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                          size_t n_sensitivity) {
    (void)unknowns, (void)n_unknowns, (void)knowns, (void)n_knowns;
    (void)seed, (void)n_seed, (void)sensitivity, (void)n_sensitivity;
    return report(instance, fmi3Error, "fmi3GetDirectionalDerivative: the unit was exported without derivatives");
}

FMI3_STATUS(fmi3GetAdjointDerivative)(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                      size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                      const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                      size_t n_sensitivity) {
    (void)unknowns, (void)n_unknowns, (void)knowns, (void)n_knowns;
    (void)seed, (void)n_seed, (void)sensitivity, (void)n_sensitivity;
    return report(instance, fmi3Error, "fmi3GetAdjointDerivative: the unit was exported without derivatives");
}

#endif
