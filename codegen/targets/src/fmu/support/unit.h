// An instance of the unit, and what all its functions share. The tables before this file define UNIT_….
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// C has no arrays of length zero.
#define UNIT_LENGTH(n) ((n) > 0 ? (n) : 1)

// Ranges of value references, each with the length that its name says.
enum {
    UNIT_TIME = 0,
    UNIT_STATES = 1,
    UNIT_RATES = UNIT_STATES + UNIT_NX,
    UNIT_INPUTS = UNIT_RATES + UNIT_NX,
    UNIT_PARAMETERS = UNIT_INPUTS + UNIT_NU,
    UNIT_OUTPUTS = UNIT_PARAMETERS + UNIT_NP,
    UNIT_EXTRAS = UNIT_OUTPUTS + UNIT_NY,
    UNIT_EVENTS = UNIT_EXTRAS + UNIT_NW,
    UNIT_REFERENCES = UNIT_EVENTS + UNIT_NE
};

// Returns true if a value reference is one of `n` from `first` on.
static bool is_among(fmi3ValueReference reference, int first, int n) {
    return reference >= (fmi3ValueReference)first && reference - (fmi3ValueReference)first < (fmi3ValueReference)n;
}

// Modes of an instance, as bits, so that a function can name those in which it may be called.
enum {
    MODE_INSTANTIATED = 1,
    MODE_INITIALIZATION = 2,
    MODE_EVENT = 4,
    MODE_CONTINUOUS = 8,
    MODE_STEP = 16,
    MODE_TERMINATED = 32,
    MODE_RUNNING = MODE_EVENT | MODE_CONTINUOUS | MODE_STEP,
    MODE_EXCHANGE = MODE_INITIALIZATION | MODE_EVENT | MODE_CONTINUOUS,
    MODE_READABLE = MODE_INITIALIZATION | MODE_RUNNING | MODE_TERMINATED,
    MODE_ANY = MODE_READABLE | MODE_INSTANTIATED
};

// Everything that a simulation changes: what a saved state of the unit contains.
struct unit_state {
    double t, x[UNIT_LENGTH(UNIT_NX)], u[UNIT_LENGTH(UNIT_NU)], p[UNIT_LENGTH(UNIT_NP)];
    double tolerance, step;
    // Last time to which the importer computes; infinite if it did not say.
    double stop;
    // The side of zero on which each event function is: 1 or -1; and the value that counts as zero until the function
    // has left it.
    double side[UNIT_LENGTH(UNIT_NE)], offset[UNIT_LENGTH(UNIT_NE)];
    // Sign of each event function beyond its zero, for events that a step has located; else 0.
    double located[UNIT_LENGTH(UNIT_NE)];
    // Time of the last event, and the first and the last interval of a sequence of shorter and shorter ones.
    double last[UNIT_LENGTH(UNIT_NE)], first[UNIT_LENGTH(UNIT_NE)], interval[UNIT_LENGTH(UNIT_NE)];
    double count[UNIT_LENGTH(UNIT_NE)];
    double mode;
};

struct unit {
    struct unit_state now;
    UNIT_MODEL model;
    // The model follows from the parameters, and dependent coordinates and speeds from independent ones; each is false
    // while they are not computed.
    bool has_model, has_dependent;
    bool is_model_exchange, logging, event_mode_used, early_return_allowed;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    char *name;
    // Results during one call that reads variables, each false if not computed yet.
    bool has_rates, has_outputs, has_extras, has_events;
    double rates[UNIT_LENGTH(UNIT_NX)], outputs[UNIT_LENGTH(UNIT_NY)], extras[UNIT_LENGTH(UNIT_NW)];
    double events[UNIT_LENGTH(UNIT_NE)];
};

// Sends a message, formatted as in printf, to the log of the importer, and returns the status.
static fmi3Status report(const struct unit *unit, fmi3Status status, const char *format, ...) {
    static const char *const categories[] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError",
                                             "logStatusFatal"};
    char text[1024];
    va_list arguments;
    if (unit == NULL || unit->log == NULL || (status == fmi3OK && !unit->logging)) return status;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    unit->log(unit->environment, status, categories[status], text);
    return status;
}

static const char *mode_name(int mode) {
    switch (mode) {
    case MODE_INSTANTIATED: return "after instantiation";
    case MODE_INITIALIZATION: return "in Initialization Mode";
    case MODE_EVENT: return "in Event Mode";
    case MODE_CONTINUOUS: return "in Continuous-Time Mode";
    case MODE_STEP: return "in Step Mode";
    default: return "after termination";
    }
}

// Returns true if a function may be called on this instance now; otherwise reports why not.
static bool may_call(const struct unit *unit, const char *function, int modes) {
    if (unit == NULL) return false;
    const int mode = (int)unit->now.mode;
    if ((mode & modes) != 0) return true;
    report(unit, fmi3Error, "%s: must not be called %s", function, mode_name(mode));
    return false;
}

// Returns true if a function of model exchange may be called on this instance now.
static bool may_exchange(const struct unit *unit, const char *function, int modes) {
    if (unit == NULL || unit->is_model_exchange) return may_call(unit, function, modes);
    report(unit, fmi3Error, "%s: the instance is for co-simulation", function);
    return false;
}

// Returns true if an array argument is there, or is not needed because it has no entries.
static bool has_array(const struct unit *unit, const char *function, const void *array, size_t n) {
    if (array != NULL || n == 0) return true;
    report(unit, fmi3Error, "%s: an array is NULL", function);
    return false;
}

static bool is_finite_array(const double *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

// Forgets everything that was computed from time, state, inputs and parameters.
static void forget_results(struct unit *unit) {
    unit->has_rates = unit->has_outputs = unit->has_extras = unit->has_events = false;
}

// Computes the model from the parameters, unless they have not changed. Returns fmi3Error if they are invalid.
static fmi3Status prepare_model(struct unit *unit) {
    if (unit->has_model) return fmi3OK;
    UNIT_PARAMS params = unit_default_params();
    if (UNIT_NP > 0) memcpy(&params, unit->now.p, UNIT_NP * sizeof(double));
    const char *fault = unit_check(&params);
    if (fault != NULL) return report(unit, fmi3Error, "%s", fault);
    unit_init(&unit->model, &params);
    unit->has_model = true;
    return fmi3OK;
}

// The failure of an emitted function: the divisor that vanishes, if one does, and what that means.
struct failure {
    const char *function, *pivot, *hint;
};

static fmi3Status report_failure(const struct unit *unit, fmi3Status status, const struct failure *failure) {
    const char *pivot = failure->pivot;
    return report(unit, status, "%s at t = %.17g: %s%s%s", failure->function, unit->now.t, pivot != NULL ? pivot : "",
                  pivot != NULL ? ": " : "", failure->hint);
}
