// Values that follow from time, state, inputs and parameters.

// Computes the dependent coordinates and speeds from the independent ones. Without independent ones
// the start is projected during the initialization; later each step projects its result.
static fmi3Status complete_state(struct unit *unit, fmi3Status status) {
#if UNIT_REDUCED
    const bool is_needed = !unit->has_dependent;
    const int *held = unit_held;
#else
    const bool is_needed = !unit->has_dependent && (int)unit->now.mode == MODE_INITIALIZATION;
    const int *held = NULL;
#endif
    if (is_needed) {
        const char *fault = project_state(&unit->model, unit->now.t, unit->now.x, held);
        if (fault != NULL) return report(unit, status, "at t = %.17g: %s", unit->now.t, fault);
    }
    unit->has_dependent = true;
    return fmi3OK;
}

// Makes the model and the state ready for evaluations. A failure of the state has the given status.
static fmi3Status prepare(struct unit *unit, fmi3Status status) {
    const fmi3Status prepared = prepare_model(unit);
    return prepared != fmi3OK ? prepared : complete_state(unit, status);
}

// An adapter of an emitted function, as the tables define it.
typedef bool unit_function(const UNIT_MODEL *model, double t, const double *x, const double *u, double *out,
                           struct failure *failure);

// Evaluates a function at the state of the instance, unless its results are known already.
static fmi3Status evaluate(struct unit *unit, unit_function *function, double *out, bool *known) {
    struct failure failure = {"", NULL, ""};
    if (known != NULL && *known) return fmi3OK;
    const fmi3Status prepared = prepare(unit, fmi3Discard);
    if (prepared != fmi3OK) return prepared;
    const struct unit_state *now = &unit->now;
    if (!function(&unit->model, now->t, now->x, now->u, out, &failure)) {
        return report_failure(unit, fmi3Discard, &failure);
    }
    if (known != NULL) *known = true;
    return fmi3OK;
}

static fmi3Status evaluate_rates(struct unit *unit) {
    return evaluate(unit, unit_rates, unit->rates, &unit->has_rates);
}

// The indicator of an event: its function, with a sign also where the function is zero.
static double indicator(const struct unit_state *now, int event, double value) {
    const double moved = value - now->offset[event];
    return moved < 0.0 || moved > 0.0 || isnan(moved) ? moved : now->side[event] * DBL_MIN;
}

static fmi3Status evaluate_event_functions(struct unit *unit) {
    const bool known = unit->has_events;
    const fmi3Status status = evaluate(unit, unit_events, unit->events, &unit->has_events);
    if (known || status != fmi3OK) return status;
    for (int i = 0; i < UNIT_NE; i++) {
        if (!isnan(unit->events[i])) continue;
        unit->has_events = false;
        return report(unit, fmi3Discard, "event %s at t = %.17g: its function is not a number",
                      unit_event_table[i].name, unit->now.t);
    }
    return fmi3OK;
}

// Reads one variable into `value`.
static fmi3Status get_variable(struct unit *unit, fmi3ValueReference reference, double *value) {
    const struct unit_state *now = &unit->now;
    const fmi3ValueReference k = reference;
    fmi3Status status = fmi3OK;
    if (k == UNIT_TIME) {
        *value = now->t;
    } else if (is_among(k, UNIT_STATES, UNIT_NX)) {
        // Before the initialization the value is the start.
        if ((int)now->mode != MODE_INSTANTIATED) status = prepare(unit, fmi3Discard);
        *value = now->x[k - UNIT_STATES];
    } else if (is_among(k, UNIT_RATES, UNIT_NX)) {
        status = evaluate_rates(unit);
        *value = unit->rates[k - UNIT_RATES];
    } else if (is_among(k, UNIT_INPUTS, UNIT_NU)) {
        *value = now->u[k - UNIT_INPUTS];
    } else if (is_among(k, UNIT_PARAMETERS, UNIT_NP)) {
        *value = now->p[k - UNIT_PARAMETERS];
    } else if (is_among(k, UNIT_OUTPUTS, UNIT_NY)) {
        status = evaluate(unit, unit_outputs, unit->outputs, &unit->has_outputs);
        *value = unit->outputs[k - UNIT_OUTPUTS];
    } else if (is_among(k, UNIT_EXTRAS, UNIT_NW)) {
        status = evaluate(unit, unit_extras, unit->extras, &unit->has_extras);
        *value = unit->extras[k - UNIT_EXTRAS];
    } else if (is_among(k, UNIT_EVENTS, UNIT_NE)) {
        status = evaluate_event_functions(unit);
        *value = indicator(now, (int)(k - UNIT_EVENTS), unit->events[k - UNIT_EVENTS]);
    } else {
        status = report(unit, fmi3Error, "no variable of type Float64 has the value reference %lu",
                        (unsigned long)reference);
    }
    return status;
}

// Returns true if a variable has a value in the mode of the instance: before Initialization Mode
// those with a start have one.
static bool is_readable(const struct unit *unit, fmi3ValueReference k) {
    if ((int)unit->now.mode != MODE_INSTANTIATED || k >= UNIT_REFERENCES) return true;
    if (is_among(k, UNIT_STATES, UNIT_NX)) return unit_can_start[k - UNIT_STATES] != 0;
    return is_among(k, UNIT_INPUTS, UNIT_NU) || is_among(k, UNIT_PARAMETERS, UNIT_NP);
}

FMI3_STATUS(fmi3GetFloat64)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                            fmi3Float64 values[], size_t n_values) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3GetFloat64", MODE_ANY)) return fmi3Error;
    if (!has_array(unit, "fmi3GetFloat64", references, n)) return fmi3Error;
    if (!has_array(unit, "fmi3GetFloat64", values, n_values)) return fmi3Error;
    if (n != n_values) {
        return report(unit, fmi3Error, "fmi3GetFloat64: %lu variables have as many values, not %lu",
                      (unsigned long)n, (unsigned long)n_values);
    }
    forget_results(unit);
    for (size_t i = 0; i < n; i++) {
        if (!is_readable(unit, references[i])) {
            return report(unit, fmi3Error,
                          "fmi3GetFloat64: value reference %lu: the variable has no start, and no "
                          "value before Initialization Mode",
                          (unsigned long)references[i]);
        }
        const fmi3Status status = get_variable(unit, references[i], &values[i]);
        if (status != fmi3OK) return status;
    }
    return fmi3OK;
}

// Returns NULL if a variable may be set in the mode of the instance, or why not.
static const char *refuse_setting(const struct unit *unit, fmi3ValueReference k) {
    const int mode = (int)unit->now.mode;
    const bool before = (mode & (MODE_INSTANTIATED | MODE_INITIALIZATION)) != 0;
    if (is_among(k, UNIT_INPUTS, UNIT_NU)) {
        return mode == MODE_TERMINATED ? "inputs cannot be set after termination" : NULL;
    }
    if (is_among(k, UNIT_STATES, UNIT_NX)) {
        if (!unit_can_start[k - UNIT_STATES]) return "this coordinate or speed depends on others";
        return before ? NULL : "starts can be set only before the end of the initialization";
    }
    if (is_among(k, UNIT_PARAMETERS, UNIT_NP)) {
        if (before) return NULL;
        if (!unit_tunable[k - UNIT_PARAMETERS]) {
            return "this parameter is fixed, because constraints depend on it: set it before the end of the "
                   "initialization";
        }
        if (mode == MODE_EVENT || (mode == MODE_STEP && !unit->event_mode_used)) return NULL;
        return "parameters can be set in Event Mode, and in Step Mode without events";
    }
    return "this variable cannot be set";
}

FMI3_STATUS(fmi3SetFloat64)(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                            const fmi3Float64 values[], size_t n_values) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3SetFloat64", MODE_ANY)) return fmi3Error;
    if (!has_array(unit, "fmi3SetFloat64", references, n)) return fmi3Error;
    if (!has_array(unit, "fmi3SetFloat64", values, n_values)) return fmi3Error;
    if (n != n_values) {
        return report(unit, fmi3Error, "fmi3SetFloat64: %lu variables have as many values, not %lu",
                      (unsigned long)n, (unsigned long)n_values);
    }
    // All values are checked first, so that an error changes nothing.
    for (size_t i = 0; i < n; i++) {
        const char *fault = refuse_setting(unit, references[i]);
        if (fault == NULL && !isfinite(values[i])) fault = "the value is not a finite number";
        if (fault != NULL) {
            return report(unit, fmi3Error, "fmi3SetFloat64: value reference %lu: %s", (unsigned long)references[i],
                          fault);
        }
    }
    for (size_t i = 0; i < n; i++) {
        const fmi3ValueReference k = references[i];
        if (is_among(k, UNIT_STATES, UNIT_NX)) {
            unit->now.x[k - UNIT_STATES] = values[i];
            unit->has_dependent = false;
        } else if (is_among(k, UNIT_INPUTS, UNIT_NU)) {
            unit->now.u[k - UNIT_INPUTS] = values[i];
        } else if (is_among(k, UNIT_PARAMETERS, UNIT_NP)) {
            unit->now.p[k - UNIT_PARAMETERS] = values[i];
            unit->has_model = unit->has_dependent = false;
        }
    }
    forget_results(unit);
    return fmi3OK;
}
