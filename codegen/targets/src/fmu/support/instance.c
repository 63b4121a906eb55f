// Life of an instance: instantiation, initialization, reset, termination.

FMI3_EXPORT const char *FMI3_NAME(fmi3GetVersion)(void) {
    return "3.0";
}

FMI3_STATUS(fmi3SetDebugLogging)(fmi3Instance instance, fmi3Boolean on, size_t n, const fmi3String categories[]) {
    static const char *const known[] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError"};
    struct unit *unit = instance;
    bool events = n == 0;
    if (!may_call(unit, "fmi3SetDebugLogging", MODE_ANY)) return fmi3Error;
    if (!has_array(unit, "fmi3SetDebugLogging", categories, n)) return fmi3Error;
    for (size_t i = 0; i < n; i++) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof known / sizeof known[0] && categories[i] != NULL; k++) {
            is_known |= strcmp(categories[i], known[k]) == 0;
        }
        if (!is_known) {
            return report(unit, fmi3Error, "fmi3SetDebugLogging: unknown category \"%.64s\"",
                          categories[i] != NULL ? categories[i] : "");
        }
        events |= strcmp(categories[i], known[0]) == 0;
    }
    unit->logging = on && events;
    return fmi3OK;
}

// Start state, default inputs and default parameters of the spec.
static void set_defaults(struct unit *unit) {
    struct unit_state *now = &unit->now;
    memset(now, 0, sizeof *now);
    memcpy(now->x, unit_start, UNIT_NX * sizeof(double));
    memcpy(now->u, unit_default_inputs, UNIT_NU * sizeof(double));
    memcpy(now->p, unit_default_parameters, UNIT_NP * sizeof(double));
    now->tolerance = UNIT_TOLERANCE;
    now->stop = INFINITY;
    now->mode = MODE_INSTANTIATED;
    unit->has_model = unit->has_dependent = false;
    forget_results(unit);
}

// Creates an instance, or reports why not and returns NULL.
static struct unit *new_unit(fmi3String name, fmi3String token, fmi3Boolean logging,
                             fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    struct unit messages;
    memset(&messages, 0, sizeof messages);
    messages.environment = environment;
    messages.log = log;
    if (name == NULL || name[0] == '\0') {
        report(&messages, fmi3Error, "the instance needs a name");
        return NULL;
    }
    if (token == NULL || strcmp(token, UNIT_TOKEN) != 0) {
        report(&messages, fmi3Error,
               "the instantiation token is not that of this unit: the model description belongs to another one");
        return NULL;
    }
    struct unit *unit = calloc(1, sizeof *unit);
    char *copy = malloc(strlen(name) + 1);
    if (unit == NULL || copy == NULL) {
        free(unit);
        free(copy);
        report(&messages, fmi3Error, "the memory does not suffice for an instance");
        return NULL;
    }
    strcpy(copy, name);
    unit->name = copy;
    unit->logging = logging;
    unit->environment = environment;
    unit->log = log;
    set_defaults(unit);
    return unit;
}

// Static, since a loader may bind an exported name to another unit in the same process.
static void free_unit(struct unit *unit) {
    if (unit == NULL) return;
    free(unit->name);
    free(unit);
}

FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateModelExchange)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    (void)resources;
    (void)visible;
    struct unit *unit = new_unit(name, token, logging, environment, log);
    if (unit == NULL) return NULL;
    if (!UNIT_MODEL_EXCHANGE) {
        report(unit, fmi3Error,
               "this unit offers co-simulation only, because constraints make its states depend on each other: use it "
               "for co-simulation, or export it with --independent");
        free_unit(unit);
        return NULL;
    }
    unit->is_model_exchange = true;
    return unit;
}

FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed, const fmi3ValueReference required[],
    size_t n_required, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3IntermediateUpdateCallback intermediate_update) {
    (void)resources;
    (void)visible;
    (void)required;
    (void)intermediate_update;
    struct unit *unit = new_unit(name, token, logging, environment, log);
    if (unit == NULL) return NULL;
    if (n_required > 0) {
        report(unit, fmi3Error, "the unit offers no values within a communication step");
        free_unit(unit);
        return NULL;
    }
    unit->event_mode_used = event_mode_used;
    unit->early_return_allowed = early_return_allowed;
    return unit;
}

FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateScheduledExecution)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback clock_update,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock) {
    (void)resources;
    (void)visible;
    (void)clock_update;
    (void)lock;
    (void)unlock;
    struct unit *unit = new_unit(name, token, logging, environment, log);
    if (unit == NULL) return NULL;
    report(unit, fmi3Error, "the unit has no clocks: scheduled execution is not offered");
    free_unit(unit);
    return NULL;
}

FMI3_EXPORT void FMI3_NAME(fmi3FreeInstance)(fmi3Instance instance) {
    free_unit(instance);
}

FMI3_STATUS(fmi3EnterInitializationMode)(fmi3Instance instance, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                         fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3EnterInitializationMode", MODE_INSTANTIATED)) return fmi3Error;
    if (!isfinite(start) || (has_stop && !(stop >= start))) {
        return report(unit, fmi3Error, "fmi3EnterInitializationMode: the stop time must not precede the start time");
    }
    if (has_tolerance && !(tolerance > 0.0 && tolerance < 1.0)) {
        return report(unit, fmi3Error, "fmi3EnterInitializationMode: the tolerance must be between 0 and 1");
    }
    unit->now.t = start;
    // Below the resolution of doubles no step could reach the tolerance.
    if (has_tolerance) unit->now.tolerance = fmax(tolerance, 1e-13);
    unit->now.stop = has_stop ? stop : INFINITY;
    unit->now.mode = MODE_INITIALIZATION;
    unit->has_dependent = false;
    forget_results(unit);
    return fmi3OK;
}

FMI3_STATUS(fmi3ExitInitializationMode)(fmi3Instance instance) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3ExitInitializationMode", MODE_INITIALIZATION)) return fmi3Error;
    forget_results(unit);
    fmi3Status status = prepare(unit, fmi3Error);
    if (status == fmi3OK) status = initialise_event_sides(unit);
    if (status != fmi3OK) return fmi3Error;
    unit->now.mode = unit->is_model_exchange || unit->event_mode_used ? MODE_EVENT : MODE_STEP;
    return fmi3OK;
}

FMI3_STATUS(fmi3Terminate)(fmi3Instance instance) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3Terminate", MODE_RUNNING)) return fmi3Error;
    unit->now.mode = MODE_TERMINATED;
    return fmi3OK;
}

FMI3_STATUS(fmi3Reset)(fmi3Instance instance) {
    struct unit *unit = instance;
    if (!may_call(unit, "fmi3Reset", MODE_ANY)) return fmi3Error;
    set_defaults(unit);
    return fmi3OK;
}
