// Co-simulation: the unit integrates itself, by emitted steps.
//
// A step is compared with two steps of half its length; the difference bounds the error of each step by the tolerance.
// After each step the state is projected onto the constraints. The zero of an event function is located by stepping
// again from the start of the step, so states are never interpolated.

enum {
    // Order of the emitted step: the Runge-Kutta method, or the implicit midpoint rule.
    STEP_ORDER = UNIT_STIFF ? 2 : 4,
    MOST_STEPS = 10000000
};

// Takes one emitted step. Returns false if the equations cannot be solved on the way.
static bool take_step(const struct unit *unit, double t, double h, double *x, struct failure *failure) {
    return unit_step(&unit->model, t, h, x, unit->now.u, 0.01 * unit->now.tolerance, failure);
}

// Moves a state by h with one step and with two of half the length. `error` is the estimate divided by the tolerance.
static bool advance(const struct unit *unit, double t, double h, double *x, double *error, struct failure *failure) {
    const double divisor = STEP_ORDER == 4 ? 15.0 : 3.0;
    double coarse[UNIT_LENGTH(UNIT_NX)], fine[UNIT_LENGTH(UNIT_NX)];
    memcpy(coarse, x, sizeof coarse);
    memcpy(fine, x, sizeof fine);
    if (!take_step(unit, t, h, coarse, failure)) return false;
    if (!take_step(unit, t, 0.5 * h, fine, failure)) return false;
    if (!take_step(unit, t + 0.5 * h, 0.5 * h, fine, failure)) return false;
    *error = 0.0;
    for (int i = 0; i < UNIT_NX; i++) {
        const double difference = (fine[i] - coarse[i]) / divisor;
        const double size = unit->now.tolerance * (1e-3 + fmax(fabs(x[i]), fabs(fine[i])));
        *error = fmax(*error, fabs(difference) / size);
        // The better of the two estimates; the implicit rule would lose its stability by it.
        if (STEP_ORDER == 4) fine[i] += difference;
    }
    if (!is_finite_array(fine, UNIT_NX)) {
        failure->hint = "the state does not stay finite";
        return false;
    }
    unit_normalise(fine);
    if (UNIT_CONSTRAINED) {
        const char *fault = project_state(&unit->model, t + h, fine, NULL);
        if (fault != NULL) {
            failure->hint = fault;
            return false;
        }
    }
    memcpy(x, fine, sizeof fine);
    return true;
}

// A time within a step, with the state and the event functions there.
struct sample {
    double h, x[UNIT_LENGTH(UNIT_NX)], values[UNIT_LENGTH(UNIT_NE)];
    // The first event that happens up to here; -1 if none does.
    int event;
};

// Evaluates the event functions of a sample. Returns false if one is not a number.
static bool sample_event_functions(const struct unit *unit, struct sample *sample, struct failure *failure) {
    const struct unit_state *now = &unit->now;
    sample->event = -1;
    if (UNIT_NE == 0) return true;
    if (!unit_events(&unit->model, now->t + sample->h, sample->x, now->u, sample->values, failure)) return false;
    for (int i = 0; i < UNIT_NE; i++) {
        if (isnan(sample->values[i])) {
            failure->hint = "the function of an event is not a number";
            failure->pivot = unit_event_table[i].name;
            return false;
        }
        if (sample->event < 0 && is_crossing(now, i, side_of(now, i, sample->values[i]))) sample->event = i;
    }
    return true;
}

// Brackets the first event of a step between `low`, before it, and `high`, after it, to the resolution of the time.
static bool locate_event(const struct unit *unit, struct sample *low, struct sample *high, struct failure *failure) {
    const struct unit_state *now = &unit->now;
    const double narrow = 4.0 * DBL_EPSILON * fmax(fabs(now->t + high->h), high->h);
    double low_weight = 1.0, high_weight = 1.0;
    for (int trial = 0; trial < 200 && high->h - low->h > narrow; trial++) {
        const int event = high->event;
        const double side = now->side[event];
        const double a = side * indicator(now, event, low->values[event]) * low_weight;
        const double b = side * indicator(now, event, high->values[event]) * high_weight;
        double share = a / (a - b), error;
        if (trial % 3 == 2 || !(share > 0.0)) share = 0.5;
        share = fmin(fmax(share, 1e-3), 1.0 - 1e-3);
        struct sample middle = *low;
        middle.h = low->h + share * (high->h - low->h);
        if (middle.h <= low->h || middle.h >= high->h) break;
        memcpy(middle.x, now->x, sizeof middle.x);
        if (!advance(unit, now->t, middle.h, middle.x, &error, failure)) return false;
        if (!sample_event_functions(unit, &middle, failure)) return false;
        if (middle.event >= 0) {
            high_weight = 1.0;
            low_weight = middle.event == event ? 0.5 * low_weight : 1.0;
            *high = middle;
        } else {
            low_weight = 1.0;
            high_weight *= 0.5;
            *low = middle;
        }
    }
    return true;
}

// Moves the instance to the next event, or by one step that ends at `end` at the latest. `at_event` tells which.
static fmi3Status step_to_event(struct unit *unit, double end, bool *at_event) {
    struct unit_state *now = &unit->now;
    struct failure failure = {"the step", NULL, ""};
    struct sample low, high;
    double error = 0.0;
    *at_event = false;
    low.h = 0.0;
    low.event = -1;
    memcpy(low.x, now->x, sizeof low.x);
    if (!sample_event_functions(unit, &low, &failure)) return report_failure(unit, fmi3Discard, &failure);
    if (low.event >= 0) {
        // An input or a parameter has moved a function through zero.
        for (int i = 0; i < UNIT_NE; i++) {
            const double side = side_of(now, i, low.values[i]);
            now->located[i] = is_crossing(now, i, side) ? side : 0.0;
        }
        *at_event = true;
        return fmi3OK;
    }
    const double rest = end - now->t;
    double h = now->step > 0.0 ? now->step : fmin(rest, 1e-3);
    for (;;) {
        // A step that would leave almost nothing takes all.
        const bool is_last = h >= 0.999 * rest;
        high.h = is_last ? rest : h;
        memcpy(high.x, now->x, sizeof high.x);
        const bool solved = advance(unit, now->t, high.h, high.x, &error, &failure);
        if (solved && error <= 1.0) {
            const double factor = 0.9 * pow(fmax(error, 1e-10), -1.0 / (STEP_ORDER + 1));
            const double longer = high.h * fmin(factor, 4.0);
            now->step = is_last ? fmax(now->step, longer) : longer;
            break;
        }
        h = high.h * (solved ? fmax(0.1, 0.9 * pow(error, -1.0 / (STEP_ORDER + 1))) : 0.25);
        if (!(h > 16.0 * DBL_EPSILON * (1.0 + fabs(now->t)))) {
            if (solved) failure.hint = "the tolerance cannot be reached: no step is short enough";
            return report_failure(unit, fmi3Discard, &failure);
        }
    }
    if (!sample_event_functions(unit, &high, &failure)) return report_failure(unit, fmi3Discard, &failure);
    if (high.event >= 0) {
        if (!locate_event(unit, &low, &high, &failure)) return report_failure(unit, fmi3Discard, &failure);
        bool is_near = false;
        for (int i = 0; i < UNIT_NE; i++) {
            const double side = side_of(now, i, high.values[i]);
            now->located[i] = is_crossing(now, i, side) ? side : 0.0;
            is_near |= fabs(now->located[i]) > 0.0 && unit_event_table[i].effect != UNIT_PASSES;
        }
        // Impacts and ends get the last state before the zero, so that no gap becomes negative.
        if (is_near) high = low;
        *at_event = true;
    }
    now->t = high.h >= rest ? end : now->t + high.h;
    memcpy(now->x, high.x, sizeof now->x);
    forget_results(unit);
    if (UNIT_NE > 0 && !*at_event) {
        memcpy(unit->events, high.values, sizeof high.values);
        for (int i = 0; i < UNIT_NE; i++) {
            // A crossing that is no event, such as that of a gap that opens.
            const double side = side_of(now, i, high.values[i]);
            if (side != now->side[i]) {
                now->side[i] = side;
                now->offset[i] = 0.0;
            }
        }
        release_offsets(unit);
    }
    return fmi3OK;
}

FMI3_STATUS(fmi3EnterStepMode)(fmi3Instance instance) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3EnterStepMode", MODE_EVENT)) return fmi3Error;
    if (unit->is_model_exchange) {
        return report(unit, fmi3Error, "fmi3EnterStepMode: the instance is for model exchange");
    }
    forget_results(unit);
    const fmi3Status status = prepare(unit, fmi3Error);
    if (status != fmi3OK) return status;
    unit->now.mode = MODE_STEP;
    return fmi3OK;
}

FMI3_STATUS(fmi3DoStep)(fmi3Instance instance, fmi3Float64 time, fmi3Float64 length,
                        fmi3Boolean no_set_state_before, fmi3Boolean *needs_event_mode, fmi3Boolean *terminate,
                        fmi3Boolean *early_return, fmi3Float64 *last_time) {
    struct unit *unit = instance;
    (void)no_set_state_before;
    if (!may_call(unit, "fmi3DoStep", MODE_STEP)) return fmi3Error;
    if (needs_event_mode == NULL || terminate == NULL || early_return == NULL || last_time == NULL) {
        return report(unit, fmi3Error, "fmi3DoStep: an argument is NULL");
    }
    struct unit_state *now = &unit->now;
    if (!(fabs(time - now->t) <= 1e-9 * (1.0 + fabs(now->t)))) {
        return report(unit, fmi3Error, "fmi3DoStep: the unit is at t = %.17g, not at %.17g", now->t, time);
    }
    if (!(length > 0.0) || !isfinite(length)) {
        return report(unit, fmi3Error, "fmi3DoStep: the length of the step must be a positive number");
    }
    if (time + length > now->stop + 1e-9 * (1.0 + fabs(now->stop))) {
        return report(unit, fmi3Error,
                      "fmi3DoStep: the step ends at t = %.17g, after the stop time %.17g",
                      time + length, now->stop);
    }
    *needs_event_mode = *terminate = *early_return = false;
    now->t = time;
    forget_results(unit);
    fmi3Status status = prepare(unit, fmi3Error);
    const double end = time + length;
    for (int steps = 0; status == fmi3OK && now->t < end; steps++) {
        bool at_event = false;
        if (steps >= MOST_STEPS) {
            status = report(unit, fmi3Discard, "fmi3DoStep: %d steps do not suffice: set a larger tolerance",
                            (int)MOST_STEPS);
            break;
        }
        status = step_to_event(unit, end, &at_event);
        if (status != fmi3OK || !at_event) continue;
        if (unit->event_mode_used && unit->early_return_allowed) {
            *needs_event_mode = true;
            *early_return = now->t < end;
            break;
        }
        struct event_result result = {false, false};
        double far[UNIT_LENGTH(UNIT_NE)];
        status = find_due_event_signs(unit, far);
        if (status == fmi3OK) status = apply_event_jumps(unit, far, &result);
        if (status == fmi3OK && result.terminate) {
            *terminate = true;
            *early_return = unit->early_return_allowed && now->t < end;
            break;
        }
    }
    *last_time = now->t;
    return status;
}
