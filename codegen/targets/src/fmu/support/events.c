// Events: sides of zero, jumps, and events that never end.
//
// A function that is zero belongs to the side from which it comes. After an impact the function counts as zero until
// it has left the value that it has there, so that rounding lets nothing fall through a floor.

static double side_of(const struct unit_state *now, int event, double value) {
    return indicator(now, event, value) > 0.0 ? 1.0 : -1.0;
}

// Returns true if an event function that changes to this side makes its event happen.
static bool is_crossing(const struct unit_state *now, int event, double side) {
    const int crossing = unit_event_table[event].crossing;
    return side != now->side[event] && (crossing == 0 || (crossing > 0) == (side > 0.0));
}

// Finds the side of each event function at the start. One that is zero crosses when it leaves zero.
static fmi3Status initialise_event_sides(struct unit *unit) {
    struct unit_state *now = &unit->now;
    for (int i = 0; i < UNIT_NE; i++) {
        now->side[i] = 1.0;
        now->offset[i] = now->located[i] = now->count[i] = 0.0;
        now->first[i] = now->interval[i] = 0.0;
        now->last[i] = now->t;
    }
    if (UNIT_NE == 0) return fmi3OK;
    const fmi3Status status = evaluate_event_functions(unit);
    if (status != fmi3OK) return status;
    double ahead[UNIT_LENGTH(UNIT_NE)] = {0.0}, x[UNIT_LENGTH(UNIT_NX)];
    struct failure failure = {"", NULL, ""};
    const double h = 1e-6;
    bool moves = evaluate_rates(unit) == fmi3OK;
    for (int i = 0; i < UNIT_NX; i++) x[i] = now->x[i] + h * unit->rates[i];
    moves = moves && unit_events(&unit->model, now->t + h, x, now->u, ahead, &failure);
    for (int i = 0; i < UNIT_NE; i++) {
        const double value = unit->events[i];
        const int crossing = unit_event_table[i].crossing;
        const bool touches = unit_event_table[i].effect == UNIT_BOUNCES && crossing != 0 &&
                             value * crossing > 0.0 && fabs(value) <= 1e-9;
        if (touches) now->offset[i] = value;
        if (touches || !(value < 0.0 || value > 0.0)) {
            now->side[i] = crossing != 0 ? -crossing : moves && ahead[i] > 0.0 ? -1.0 : 1.0;
        } else {
            now->side[i] = value > 0.0 ? 1.0 : -1.0;
        }
    }
    return fmi3OK;
}

// Records the time of an event. Returns true if events follow each other ever faster, so that they never end.
static bool accumulates(struct unit_state *now, int event) {
    const double interval = now->t - now->last[event], before = now->interval[event];
    const bool at_once = interval <= 1e-12 * (1.0 + fabs(now->t));
    now->last[event] = now->t;
    now->interval[event] = interval;
    if (at_once) {
        now->count[event] += 1.0;
        return now->count[event] >= 50.0;
    }
    if (interval < before && interval > 1e-3 * before) {
        now->count[event] += 1.0;
    } else {
        now->first[event] = interval;
        now->count[event] = 1.0;
    }
    return now->count[event] > 8.0 && interval < 1e-6 * now->first[event];
}

// Results of the events of one instant.
struct event_result {
    bool terminate, states_changed;
};

// The event that happens next: the first of the spec that is due, and those that end the motion last; -1 if none is.
static int next_event(const double far[], const bool happened[], bool bounced) {
    int next = -1;
    for (int i = 0; i < UNIT_NE; i++) {
        const int effect = unit_event_table[i].effect;
        // A second impact waits until the motion shows whether it still approaches.
        if (!(fabs(far[i]) > 0.0) || happened[i] || (bounced && effect == UNIT_BOUNCES)) continue;
        if (effect != UNIT_ENDS) return i;
        if (next < 0) next = i;
    }
    return next;
}

// Applies the jumps of all events of this instant. `far` has the sign of each event function beyond its zero, or 0.
static fmi3Status apply_event_jumps(struct unit *unit, double far[], struct event_result *result) {
    struct unit_state *now = &unit->now;
    bool happened[UNIT_LENGTH(UNIT_NE)] = {false}, bounced = false;
    double start[UNIT_LENGTH(UNIT_NE)], values[UNIT_LENGTH(UNIT_NE)], side[UNIT_LENGTH(UNIT_NE)];
    result->terminate = result->states_changed = false;
    unit->has_events = false;
    fmi3Status status = evaluate_event_functions(unit);
    if (status != fmi3OK) return status;
    for (int i = 0; i < UNIT_NE; i++) {
        start[i] = values[i] = unit->events[i];
        side[i] = now->side[i];
    }
    int event;
    while ((event = next_event(far, happened, bounced)) >= 0) {
        const int effect = unit_event_table[event].effect;
        happened[event] = true;
        report(unit, fmi3OK, "event %s at t = %.17g", unit_event_table[event].name, now->t);
        if (effect == UNIT_ENDS) {
            result->terminate = true;
            break;
        }
        double after[UNIT_LENGTH(UNIT_NX)];
        struct failure failure = {"", NULL, ""};
        if (!unit_after_event(&unit->model, event, now->t, now->x, now->u, after, &failure)) {
            return report_failure(unit, fmi3Error, &failure);
        }
        if (!is_finite_array(after, UNIT_NX)) {
            return report(unit, fmi3Error, "event %s at t = %.17g: the impact cannot change its gap",
                          unit_event_table[event].name, now->t);
        }
        for (int i = 0; i < UNIT_NX; i++) result->states_changed |= after[i] < now->x[i] || after[i] > now->x[i];
        memcpy(now->x, after, sizeof now->x);
        bounced |= effect == UNIT_BOUNCES;
        forget_results(unit);
        status = evaluate_event_functions(unit);
        if (status != fmi3OK) return status;
        for (int i = 0; i < UNIT_NE; i++) {
            const double value = unit->events[i];
            const bool same = !(value < values[i]) && !(value > values[i]);
            if (!happened[i] && fabs(far[i]) > 0.0) {
                // Unless the jump moved the function back, the event still happens.
                if (!same && far[i] * value < 0.0) far[i] = 0.0;
            } else if (!happened[i] && unit_event_table[i].effect != UNIT_BOUNCES && !same) {
                const double new_side = side_of(now, i, value);
                if (is_crossing(now, i, new_side)) far[i] = new_side;
            }
            values[i] = value;
        }
        if (accumulates(now, event)) {
            report(unit, fmi3Warning,
                   "event %s at t = %.17g: it happens again and again without an end, as if a body rested in contact; "
                   "the simulation must end here",
                   unit_event_table[event].name, now->t);
            result->terminate = true;
        }
    }
    for (int i = 0; i < UNIT_NE; i++) {
        const double value = unit->events[i];
        const bool same = !(value < start[i]) && !(value > start[i]);
        const bool waits = fabs(far[i]) > 0.0 && !happened[i];
        double wanted = value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : side[i];
        if ((happened[i] || waits) && unit_event_table[i].effect == UNIT_BOUNCES) {
            wanted = side[i];
        } else if (happened[i] && same) {
            wanted = far[i];
        } else if (!happened[i] && side_of(now, i, value) == side[i]) {
            continue;
        }
        now->side[i] = wanted;
        now->offset[i] = wanted * value < 0.0 ? value : 0.0;
    }
    for (int i = 0; i < UNIT_NE; i++) now->located[i] = 0.0;
    unit->has_events = false;
    return fmi3OK;
}

// Signs beyond zero of the events that happen at the present state: those that a step has located, or those whose
// functions have changed their side since the last call.
static fmi3Status find_due_event_signs(struct unit *unit, double far[]) {
    struct unit_state *now = &unit->now;
    bool located = false;
    for (int i = 0; i < UNIT_NE; i++) {
        far[i] = now->located[i];
        located |= fabs(far[i]) > 0.0;
    }
    if (located || UNIT_NE == 0) return fmi3OK;
    const fmi3Status status = evaluate_event_functions(unit);
    if (status != fmi3OK) return status;
    for (int i = 0; i < UNIT_NE; i++) {
        const double side = side_of(now, i, unit->events[i]);
        far[i] = is_crossing(now, i, side) ? side : 0.0;
    }
    return fmi3OK;
}

// A function that has left the value that counts as zero counts as it is again. Changes no sign of an indicator.
static void release_offsets(struct unit *unit) {
    struct unit_state *now = &unit->now;
    for (int i = 0; i < UNIT_NE; i++) {
        if (now->side[i] * unit->events[i] > 0.0) now->offset[i] = 0.0;
    }
}

FMI3_STATUS(fmi3EnterEventMode)(fmi3Instance instance) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3EnterEventMode", MODE_CONTINUOUS | MODE_STEP)) return fmi3Error;
    if (unit->now.mode == MODE_STEP && !unit->event_mode_used) {
        return report(unit, fmi3Error, "fmi3EnterEventMode: the unit was instantiated without events");
    }
    unit->now.mode = MODE_EVENT;
    return fmi3OK;
}

FMI3_STATUS(fmi3UpdateDiscreteStates)(fmi3Instance instance, fmi3Boolean *needs_update, fmi3Boolean *terminate,
                                      fmi3Boolean *nominals_changed, fmi3Boolean *states_changed,
                                      fmi3Boolean *has_next_time, fmi3Float64 *next_time) {
    struct unit *unit = instance;
    double far[UNIT_LENGTH(UNIT_NE)];
    struct event_result result = {false, false};
    if (!may_call(unit, "fmi3UpdateDiscreteStates", MODE_EVENT)) return fmi3Error;
    if (needs_update == NULL || terminate == NULL || nominals_changed == NULL || states_changed == NULL ||
        has_next_time == NULL || next_time == NULL) {
        return report(unit, fmi3Error, "fmi3UpdateDiscreteStates: an argument is NULL");
    }
    forget_results(unit);
    fmi3Status status = prepare(unit, fmi3Error);
    if (status == fmi3OK) status = find_due_event_signs(unit, far);
    if (status == fmi3OK && UNIT_NE > 0) status = apply_event_jumps(unit, far, &result);
    if (status != fmi3OK) return status;
    *needs_update = *nominals_changed = *has_next_time = false;
    *next_time = 0.0;
    *terminate = result.terminate;
    *states_changed = result.states_changed;
    return fmi3OK;
}

FMI3_STATUS(fmi3EvaluateDiscreteStates)(fmi3Instance instance) {
    return report(instance, fmi3Error, "fmi3EvaluateDiscreteStates: the unit has no discrete states to evaluate");
}
