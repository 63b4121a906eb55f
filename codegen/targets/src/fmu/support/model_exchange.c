// Model exchange: the importer integrates the states.

FMI3_STATUS(fmi3EnterContinuousTimeMode)(fmi3Instance instance) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3EnterContinuousTimeMode", MODE_EVENT)) return fmi3Error;
    if (!unit->is_model_exchange) {
        return report(unit, fmi3Error, "fmi3EnterContinuousTimeMode: the instance is for co-simulation");
    }
    unit->now.mode = MODE_CONTINUOUS;
    return fmi3OK;
}

FMI3_STATUS(fmi3CompletedIntegratorStep)(fmi3Instance instance, fmi3Boolean no_set_state_before,
                                         fmi3Boolean *enter_event_mode, fmi3Boolean *terminate) {
    struct unit *unit = instance;
    (void)no_set_state_before;
    if (!may_call(unit, "fmi3CompletedIntegratorStep", MODE_CONTINUOUS)) return fmi3Error;
    if (enter_event_mode == NULL || terminate == NULL) {
        return report(unit, fmi3Error, "fmi3CompletedIntegratorStep: an argument is NULL");
    }
    *enter_event_mode = *terminate = false;
    if (UNIT_NE > 0) {
        const fmi3Status status = evaluate_event_functions(unit);
        if (status != fmi3OK) return status;
        release_offsets(unit);
    }
    return fmi3OK;
}

FMI3_STATUS(fmi3SetTime)(fmi3Instance instance, fmi3Float64 time) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3SetTime", MODE_CONTINUOUS)) return fmi3Error;
    if (!isfinite(time)) return report(unit, fmi3Error, "fmi3SetTime: the time is not a finite number");
    unit->now.t = time;
    unit->has_dependent = false;
    forget_results(unit);
    return fmi3OK;
}

// Returns true if an array of a model exchange function is there and has the right length.
static bool has_length(const struct unit *unit, const char *function, const void *array, size_t n, size_t length) {
    if (!has_array(unit, function, array, n)) return false;
    if (n == length) return true;
    report(unit, fmi3Error, "%s: the length is %lu, not %lu", function, (unsigned long)length, (unsigned long)n);
    return false;
}

FMI3_STATUS(fmi3SetContinuousStates)(fmi3Instance instance, const fmi3Float64 states[], size_t n) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3SetContinuousStates", MODE_CONTINUOUS)) return fmi3Error;
    if (!has_length(unit, "fmi3SetContinuousStates", states, n, UNIT_NS)) return fmi3Error;
    if (!is_finite_array(states, n)) {
        return report(unit, fmi3Discard, "fmi3SetContinuousStates: a state is not a finite number");
    }
    for (int i = 0; i < UNIT_NS; i++) unit->now.x[unit_states[i]] = states[i];
    unit->has_dependent = false;
    forget_results(unit);
    return fmi3OK;
}

FMI3_STATUS(fmi3GetContinuousStateDerivatives)(fmi3Instance instance, fmi3Float64 derivatives[], size_t n) {
    struct unit *unit = instance;
    if (!may_exchange(unit, "fmi3GetContinuousStateDerivatives", MODE_EXCHANGE)) return fmi3Error;
    if (!has_length(unit, "fmi3GetContinuousStateDerivatives", derivatives, n, UNIT_NS)) return fmi3Error;
    const fmi3Status status = evaluate_rates(unit);
    if (status != fmi3OK) return status;
    for (int i = 0; i < UNIT_NS; i++) derivatives[i] = unit->rates[unit_states[i]];
    return fmi3OK;
}

FMI3_STATUS(fmi3GetEventIndicators)(fmi3Instance instance, fmi3Float64 indicators[], size_t n) {
    struct unit *unit = instance;
    if (!may_exchange(unit, "fmi3GetEventIndicators", MODE_EXCHANGE)) return fmi3Error;
    if (!has_length(unit, "fmi3GetEventIndicators", indicators, n, UNIT_NE)) return fmi3Error;
    if (UNIT_NE == 0) return fmi3OK;
    const fmi3Status status = evaluate_event_functions(unit);
    if (status != fmi3OK) return status;
    for (int i = 0; i < UNIT_NE; i++) indicators[i] = indicator(&unit->now, i, unit->events[i]);
    return fmi3OK;
}

FMI3_STATUS(fmi3GetContinuousStates)(fmi3Instance instance, fmi3Float64 states[], size_t n) {
    struct unit *unit = instance;
    if (!may_exchange(unit, "fmi3GetContinuousStates", MODE_EXCHANGE)) return fmi3Error;
    if (!has_length(unit, "fmi3GetContinuousStates", states, n, UNIT_NS)) return fmi3Error;
    for (int i = 0; i < UNIT_NS; i++) states[i] = unit->now.x[unit_states[i]];
    return fmi3OK;
}

FMI3_STATUS(fmi3GetNominalsOfContinuousStates)(fmi3Instance instance, fmi3Float64 nominals[], size_t n) {
    struct unit *unit = instance;
    if (!may_exchange(unit, "fmi3GetNominalsOfContinuousStates", MODE_READABLE)) return fmi3Error;
    if (!has_length(unit, "fmi3GetNominalsOfContinuousStates", nominals, n, UNIT_NS)) return fmi3Error;
    for (int i = 0; i < UNIT_NS; i++) nominals[i] = 1.0;
    return fmi3OK;
}

FMI3_STATUS(fmi3GetNumberOfEventIndicators)(fmi3Instance instance, size_t *n) {
    struct unit *unit = instance;
    if (!may_exchange(unit, "fmi3GetNumberOfEventIndicators", MODE_ANY)) return fmi3Error;
    if (n == NULL) return report(unit, fmi3Error, "fmi3GetNumberOfEventIndicators: the argument is NULL");
    *n = UNIT_NE;
    return fmi3OK;
}

FMI3_STATUS(fmi3GetNumberOfContinuousStates)(fmi3Instance instance, size_t *n) {
    struct unit *unit = instance;
    if (!may_exchange(unit, "fmi3GetNumberOfContinuousStates", MODE_ANY)) return fmi3Error;
    if (n == NULL) return report(unit, fmi3Error, "fmi3GetNumberOfContinuousStates: the argument is NULL");
    *n = UNIT_NS;
    return fmi3OK;
}
